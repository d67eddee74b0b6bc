"""Real and virtual phones: finding them, watching them, touching them and asking what they show."""
