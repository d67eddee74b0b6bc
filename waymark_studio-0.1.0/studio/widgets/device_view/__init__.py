"""The device view: show a phone's screen, take input on it, inspect nodes and draw marks."""
