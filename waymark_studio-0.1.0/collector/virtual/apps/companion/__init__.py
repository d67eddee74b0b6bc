"""The companion app of D-GARA: it shows the dialogs of anomalies and logs the answers."""
