"""Android packages: reading those of others, and writing those of the phone's own apps."""
