"""The tab Judges: judges by models are composed, tried on a trajectory, and run on many."""
