"""The phone's screen in a window: shown, touched, inspected and marked."""
