"""From what a person does, on the mirror or on the phone itself, to steps: gestures, typing, settling, redaction, and the recorder."""
