"""What was chosen in the States workspace, for the next window and for links into it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StatesSessionState:
    """What was chosen."""

    task_id: str
    trajectory_id: str
    step: int
    state_id: str
