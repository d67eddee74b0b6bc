"""Importers, one module a format, behind one registry."""
