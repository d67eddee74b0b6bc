"""From what a person does on the mirror to steps: gestures, typing, settling, redaction, and the recorder."""
