"""Import and export of D-GARA."""
