"""The tab *Anomalies* of the Rules workspace."""
