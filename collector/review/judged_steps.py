"""What people and judges say of single steps, over many trajectories: errors to read, count or correct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.hierarchy.captions import caption
from collector.model.errors import UserError
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import STEP, STEP_ERRORS, Judgement
from collector.review.reviewing import Reviewing
from collector.store.files.layout import JUDGEMENTS
from collector.store.trajectory.reader import open_trajectory


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """What one judge says of one step."""

    folder: Path
    """The folder of the trajectory."""
    task: str
    action: str
    """What was done there, in words; empty where the trajectory cannot be read."""
    judgement: Judgement
    is_first_error: bool
    """Whether no earlier step of the trajectory is wrong to the same judge."""

    @property
    def index(self) -> int:
        """Counted from 0."""
        return self.judgement.subject.first or 0


def judged_steps(reviewing: Reviewing, folders: Iterable[Path]) -> Iterator[JudgedStep]:
    """Each verdict on a step of the trajectories in ``folders`` that the person may see, by step and judge.

    What settles a disagreement follows what it settles. Raises StoreError.
    """
    for folder in folders:
        if not (folder / JUDGEMENTS).is_dir():
            continue
        seen = reviewing.of(folder)
        settled = [item for subject, item in seen.settled.items() if subject.kind == STEP]
        given = [item for item in seen.judgements if item.subject.kind == STEP]
        if given or settled:
            yield from _of_trajectory(folder, given, settled)


def _of_trajectory(
    folder: Path, given: list[Judgement], settled: list[Judgement]
) -> Iterator[JudgedStep]:  # fmt: skip
    steps: tuple[Step, ...] = ()
    task = folder.parent.name
    try:
        stored = open_trajectory(folder)
        steps, task = stored.steps, stored.header.task_id
    except UserError:
        pass  # the verdicts can be read all the same
    first: dict[tuple[str, bool], int] = {}
    for item in (*given, *settled):
        if item.verdict in STEP_ERRORS:
            key, at = (item.judge, item.settles), item.subject.first or 0
            first[key] = min(at, first.get(key, at))
    for item in sorted((*given, *settled), key=_order):
        at = item.subject.first or 0
        is_first = item.verdict in STEP_ERRORS and first[item.judge, item.settles] == at
        yield JudgedStep(folder, task, _action_at(steps, at), item, is_first)


def _order(item: Judgement) -> tuple[int, bool, str]:
    return item.subject.first or 0, item.settles, item.judge


def _action_at(steps: tuple[Step, ...], index: int) -> str:
    action = steps[index].action if index < len(steps) else None
    return caption(action) if action is not None else ""
