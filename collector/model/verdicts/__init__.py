"""What rules, models and people say of a trajectory, its task and its essential states."""
