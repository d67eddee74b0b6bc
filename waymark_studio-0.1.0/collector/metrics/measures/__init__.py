"""Measures, one module a family: each counts episodes of a table by group, and says in words how."""
