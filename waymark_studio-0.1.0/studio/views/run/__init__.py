"""The Run workspace: compose an experiment, watch its phones live, steer them, and see results fill in."""
