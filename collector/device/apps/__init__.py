"""The apps of a phone: their names, what they keep, and how they are started and stopped."""
