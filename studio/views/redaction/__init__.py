"""*Hide this* on a screen, and the redaction rules of the project."""
