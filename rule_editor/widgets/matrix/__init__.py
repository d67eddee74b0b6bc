"""The back-test matrix: trajectories down, steps across, what the rule does at each, and why."""
