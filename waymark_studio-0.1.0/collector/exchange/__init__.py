"""Importers and exporters, one module per format, behind one registry; they report what is lost."""
