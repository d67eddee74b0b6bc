"""The timeline: a film strip and lanes under one ruler, with one cursor."""
