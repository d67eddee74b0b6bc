"""What verdicts by rules were made of, as a digest: while it stays the same, they need not be made again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from collector import __version__
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.task import Task
from collector.model.task_parameter import PARAMETERS
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import STATE, TASK, Judgement
from collector.rules.conditions.condition_type import stamp_of
from collector.store.files import layout
from collector.store.files.links import refuse_link
from collector.store.files.whole_file import read_whole

_EVALUATION = 1
"""Raise it when the same rules say something else of the same recording than before."""


class VerdictOrigins:
    """The origins of verdicts in a project whose rules stay the same meanwhile. Belongs to one thread."""

    def __init__(
        self, rules_of: Callable[[str], TaskRules], task_of: Callable[[str], Task | None], semantics: str
    ) -> None:
        """``semantics`` are those of the judge."""
        self._rules_of, self._task_of, self._semantics = rules_of, task_of, semantics
        self._of_tasks: dict[str, bytes] = {}

    def of(self, header: TrajectoryHeader, folder: Path) -> str:
        """What verdicts on a trajectory in ``folder`` are made of now; empty when that cannot be read.

        The files of its steps say what its trees and pictures hold; of these themselves only the sizes count.
        Raises UnsafePath for a link.
        """
        try:
            return self._of(header, folder)
        except OSError:
            return ""

    def _of(self, header: TrajectoryHeader, folder: Path) -> str:
        outcome = header.outcome
        is_early = outcome is not None and outcome.early_stop
        read = [header.task_id, header.status, header.kind, is_early, *header.installed]
        read += [header.extra[PARAMETERS]] if PARAMETERS in header.extra else []
        digest = hashlib.sha256(json.dumps([*read, _states_in(folder)], default=str).encode())
        digest.update(self._of_task(header.task_id))
        for name in (layout.STEPS, layout.EDITS):
            content = _content(folder / name)
            digest.update(b"%d " % len(content))
            digest.update(content)
        return digest.hexdigest()[:16]

    def kept(
        self, header: TrajectoryHeader, origin: str, known: Iterable[Judgement]
    ) -> tuple[Judgement, ...]:
        """The ``known`` judgements that were made of ``origin``; none unless all of them are there."""
        made = [judgement for judgement in known if judgement.made_of == origin]
        subjects = {(judgement.subject.kind, judgement.subject.state) for judgement in made}
        states = self._rules_of(header.task_id).judged
        return (
            tuple(made) if origin and subjects == {(TASK, ""), *((STATE, state) for state in states)} else ()
        )

    def _of_task(self, task_id: str) -> bytes:
        """The rules that judge a task, with the images that they look for."""
        if task_id not in self._of_tasks:
            rules = replace(self._rules_of(task_id), semantics=self._semantics)
            all_rules = [
                *rules.states,
                *rules.forbidden,
                *([rules.success] if rules.success is not None else []),
            ]
            stamps = [stamp_of(item, rules.images) for rule in all_rules for item in rule.conditions.walk()]
            given = [_EVALUATION, __version__, rules.version(self._task_of(task_id)), *filter(None, stamps)]
            self._of_tasks[task_id] = json.dumps(given).encode()
        return self._of_tasks[task_id]


def _states_in(folder: Path) -> list[tuple[str, int]]:
    try:
        with os.scandir(folder / layout.STATES) as entries:
            return sorted((entry.name, entry.stat(follow_symlinks=False).st_size) for entry in entries)
    except FileNotFoundError:
        return []


def _content(path: Path) -> bytes:
    refuse_link(path)
    try:
        return read_whole(path)
    except FileNotFoundError:
        return b""
