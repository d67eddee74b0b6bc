"""The contacts: people with their numbers."""
