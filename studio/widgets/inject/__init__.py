"""Injecting from the window: the palette of anomalies, what is on the phone now, and what has to be asked."""
