"""What apps keep for the person: the schema of their records."""
