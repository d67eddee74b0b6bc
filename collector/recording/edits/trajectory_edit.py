"""What every edit of trajectories has: a plan that is shown first, and how it is made."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from collector.judge.judging import judge_finished
from collector.judge.registry import RULES_JUDGE
from collector.model.errors import UserError
from collector.recording.edits.edit_plan import EditPlan
from collector.store.files.disk import Disk
from collector.store.trajectory.judgements import path_of, read_judgements, remove_judgement

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MadeEdit:
    """An edit that was made, undone or redone."""

    title: str
    """As in ``split at step 5``."""
    folders: tuple[Path, ...]
    """The trajectories that there are after it."""
    seq: int = 0
    """Its number in the journal of the steps; 0 of one that made trajectories of others."""


class TrajectoryEdit(Protocol):
    """An edit of stored trajectories of a project, by one person. Both methods raise UserError."""

    def plan(self) -> EditPlan:
        """What it comes to. Nothing is changed; it raises what :meth:`make` would refuse."""

    def make(self) -> MadeEdit:
        """Make it. The files are as before when this raises."""


def forget_verdicts(folder: Path, since: str) -> None:
    """Take out what the rules said of a trajectory from a time on: of steps that an undo takes away."""
    stored = read_judgements(folder).judgements
    gone = [item for item in stored if item.judge == RULES_JUDGE and since and _ms(item.time) >= _ms(since)]
    for judgement in gone:
        remove_judgement(folder, judgement)
    if gone and not any(item.judge == RULES_JUDGE for item in read_judgements(folder).judgements):
        Disk().remove(path_of(folder, RULES_JUDGE))


def judge_anew(folders: Iterable[Path]) -> None:
    """Let the rules say what they say of edited trajectories; the edit stands whatever becomes of this."""
    for folder in folders:
        try:
            judge_finished(folder)
        except UserError:
            _log.warning("%s was not judged by its rules", folder.name, exc_info=True)


def _ms(time: str) -> str:
    """A time in ISO 8601, UTC, to the millisecond, so that times compare as texts; old ones have none."""
    whole, _dot, rest = time.partition(".")
    return f"{whole[:19]}.{rest[:3] if rest else '000'}"
