"""Typing in recordings: the keys and touches that a text was typed with, as one action"""
