"""A project as a whole: its settings, its runs, and changes of whole trajectories."""
