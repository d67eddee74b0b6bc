"""A virtual phone for clients of the Model Context Protocol."""
