"""Import and export of AITK."""
