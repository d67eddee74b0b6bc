"""From what a person does, on the mirror or the phone, to steps: gestures, typing, settling, redaction."""
