"""What the rules and people say of the essential states of each task, summed up."""
