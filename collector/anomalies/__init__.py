"""Anomalies: what can come between a person or agent and the task, injected, followed and taken back."""
