"""Consent of a person: which hosts may be asked, and which keys and contents may be sent to each."""
