"""The entries of context menus of steps that edit trajectories: ids of commands, in groups."""

from __future__ import annotations

DELETE_STEPS = ("step.delete", "step.delete-before", "step.delete-after")
CHANGE_TRAJECTORY = ("trajectory.split", "trajectory.join", "trajectory.history")
EDIT_MENU = (("step.insert-from", "step.replace-state"), DELETE_STEPS, CHANGE_TRAJECTORY)
"""Where steps are looked at and not recorded."""
