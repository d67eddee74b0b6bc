"""Replay a recorded trajectory on a phone, with guarded steps and with anomalies."""
