"""The tables of the papers, filled with the numbers of a project."""
