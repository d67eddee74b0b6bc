"""The settings app: toggles that really change the phone."""
