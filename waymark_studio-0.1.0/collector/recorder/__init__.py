"""Turn input on the mirror or the phone into recorded steps: gestures, typing, settling, redaction."""
