"""The timeline every workspace shares: a film strip and lanes under one ruler, with one cursor."""
