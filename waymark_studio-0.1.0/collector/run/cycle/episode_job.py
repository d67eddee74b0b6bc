"""What an episode is given, and what comes back of it. Both can be pickled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.model.episode import Outcome
from collector.run.experiment.model import Cell, Experiment


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """An episode to run."""

    project: Path
    experiment: Experiment
    cell: Cell
    attempt: int = 0
    hold_ms: int = 0
    """Wait before each action, so that people who watch see where it will be."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """An episode that ended. With ``outcome.infrastructure`` it may be tried again."""

    cell: Cell
    trajectory: str
    """Id of the run in the project; empty when none could be begun."""
    outcome: Outcome
    steps: int = 0
    seconds: float = 0.0
    phone_is_usable: bool = True
    """Whether the phone can take the next episode without a restart."""
    phone_is_suspect: bool = True
    """Whether a fault may have come from the phone; False for one of the agent, its endpoint or the disk."""
    may_help_to_retry: bool = True
    """False after a fault that another attempt meets too, such as commands that nobody trusted."""
