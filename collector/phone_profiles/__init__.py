"""Profiles of phones: what is known of a make, its quirks, and the settings that suit it."""
