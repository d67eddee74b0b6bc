"""The timeline: film strips and lanes of one to four trajectories under one ruler, with one cursor."""
