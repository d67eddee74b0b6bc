"""Noise of a variation on the screens of apps: which elements it concerns, and what becomes of them."""
