"""The workspaces, the settings page and the start pages."""
