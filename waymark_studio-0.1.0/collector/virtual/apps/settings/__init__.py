"""The settings app: its switches change the phone."""
