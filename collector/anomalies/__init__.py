"""Anomalies: the library of what can come between a person or agent and the task."""
