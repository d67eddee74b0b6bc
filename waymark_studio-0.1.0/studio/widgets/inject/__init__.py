"""Widgets for injecting: the palette of anomalies, the list of active ones, and confirmations."""
