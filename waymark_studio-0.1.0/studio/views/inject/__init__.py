"""Injecting anomalies from any workspace: the palette, the badge of active anomalies, and confirmations."""
