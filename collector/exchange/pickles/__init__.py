"""Pickles read as data: nothing in them is ever called, and no class of theirs is ever loaded."""
