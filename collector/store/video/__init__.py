"""The video beside the steps of a trajectory: its files, what was left out of them, its chapters."""
