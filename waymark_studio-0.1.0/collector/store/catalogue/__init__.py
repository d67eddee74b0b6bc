"""The search catalogue of a project: an index of its files, and the language that searches it."""
