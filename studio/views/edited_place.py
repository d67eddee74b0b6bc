"""Where the steps of a trajectory are looked at: what edits act on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collector.recorder.recorder import Recorder


@dataclass(frozen=True, slots=True)
class EditedPlace:
    """The step of a golden trajectory that a workspace shows."""

    folder: Path
    step: int
    """From 0."""
    count: int
    """Of all steps."""
    recorder: Recorder | None = None
    """Where the trajectory is being recorded: what makes its edits, at once; None of a stored one."""
