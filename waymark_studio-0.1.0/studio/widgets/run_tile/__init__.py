"""Tiles of a run, a card a worker: its live screen, the next click before it happens, thought and control."""
