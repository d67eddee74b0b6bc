"""Commands about files and texts of the virtual phone."""
