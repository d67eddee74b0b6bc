"""``waymark mcp``."""
