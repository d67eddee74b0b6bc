"""OpenApps (facebookresearch/OpenApps): its states, and the reward as its own code decides it."""
