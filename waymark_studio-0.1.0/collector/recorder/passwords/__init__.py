"""Passwords in recordings: tell what may be one, and keep it off the disk"""
