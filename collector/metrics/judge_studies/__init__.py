"""Studies of judges from a project's own data: their quality, their bias, and windows of judges by models."""
