"""What a phone is in values: its touches, the names of its packages, and what a reset makes of it."""
