"""Importers, one module a format, behind one registry; each says what it could not keep."""
