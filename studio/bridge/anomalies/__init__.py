"""anomalies."""
