"""The list of recorded steps: thumbnail, caption, badges and actions."""
