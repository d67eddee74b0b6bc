"""Phones in the window: those that adb lists, the link to the one in use, its files and resets."""
