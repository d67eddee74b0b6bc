"""The Record workspace: a task, the phone, and the steps as they appear; or a trajectory to step through."""
