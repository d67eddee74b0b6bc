"""An anomaly as a form: its texts, its answers and what follows them, or its commands for each Android."""
