"""phone_state."""
