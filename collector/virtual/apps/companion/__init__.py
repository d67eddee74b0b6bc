"""The companion app: the dialogs that D-GARA's interruptions are shown with, by its contract."""
