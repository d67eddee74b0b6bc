"""Commands about packages and activities of the virtual phone."""
