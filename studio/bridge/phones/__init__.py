"""phones."""
