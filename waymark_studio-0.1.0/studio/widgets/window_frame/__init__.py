"""Around the workspaces: toolbar, status bar, navigation, panels, command palette, notifications."""
