"""The form of an anomaly: texts, answers and follow-ups of a dialog, or commands for Android versions."""
