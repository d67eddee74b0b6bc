"""Variations in the window: the list of them, and pictures of the phone under them, made behind the window"""
