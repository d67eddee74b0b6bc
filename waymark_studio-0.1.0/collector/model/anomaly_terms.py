"""Terms of anomalies that rules, injectors, replays and views share."""

COMPANION_PACKAGE = "com.example.adbsmarttest"
"""Package of the app that shows the dialogs of anomalies, D-GARA's name for it."""
DISMISS = "dismiss"
"""The answer of a dialog that was left without a button."""
STANDARD_ANSWERS = ("accept", "deny", "manage", DISMISS)
"""Answers of every dialog. An anomaly's own answers are written ``EVENT:NAME``, as its library names them."""
EVENT_PREFIX = "EVENT:"
"""Start of an answer that is the name of a logged event."""
