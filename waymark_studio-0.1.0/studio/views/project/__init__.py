"""The Project workspace: tasks, recent trajectories, problems, jobs, log, and the phones at the right."""
