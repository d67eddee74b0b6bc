"""``waymark task rewards``: the rewards of many pairs of states, a line of JSON each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import click

from collector.cli.json_lines import JsonLines
from collector.cli.output import json_option, say
from collector.cli.shared_options import in_project
from collector.cli.task.reward import target_of
from collector.cli.verb_groups import task
from collector.model.app_data.collections import APP_NAMES
from collector.model.app_data.target import TaskTarget
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project
from collector.targets.openapps.states import load_json
from collector.targets.pair import reward_of_pair

_LONGEST = 32 << 20
"""Bytes of a line."""


@task.command()
@click.argument("pairs", metavar="PAIRS", type=click.File("rb"))
@in_project
@json_option
def rewards(pairs: BinaryIO, folder: Path, as_json: bool) -> int:
    """Say the reward of each line of PAIRS, a file of JSON lines; `-` reads standard input.

    A line is `{"task": ..., "before": ..., "after": ..., "front": ...}` with the states that `waymark task
    reward` reads. A missing `task` or `before` is that of the line before. For each line it prints number,
    task, reward and the reason of a 0; or what is wrong.

    Exit status: 0 every line has a reward, 1 some line could not be read.
    """
    answers = JsonLines(sys.stdout)
    is_whole = True
    for answer in _Rewards(Project.open(folder)).of(_lines(pairs)):
        if as_json:
            answers.print(answer)
        else:
            say("  ".join(str(value) for value in answer.values() if value != ""))
        is_whole = is_whole and "error" not in answer
    return 0 if is_whole else 1


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, those that are too long cut."""
    while line := file.readline(_LONGEST + 1):
        yield line
        while len(line) > _LONGEST and not line.endswith(b"\n"):
            line = file.readline(_LONGEST + 1)


class _Rewards:
    """Decides line by line."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._targets: dict[str, TaskTarget] = {}
        self._task = ""
        self._before: Any = None

    def of(self, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield {"line": number, **self._answer(line)}
            except UserError as error:
                yield {"line": number, "error": str(error)}
            except ValueError as error:
                yield {"line": number, "error": str(error)}

    def _answer(self, line: bytes) -> dict[str, Any]:
        if len(line) > _LONGEST:
            raise ValueError(_("it is larger than {size} MB", size=_LONGEST >> 20))
        try:
            pair = load_json(line)
        except json.JSONDecodeError as error:
            raise ValueError(_("it is no JSON: {error}", error=error)) from None
        if not isinstance(pair, dict) or "after" not in pair:
            raise ValueError(_("A line is a mapping with task, before and after"))
        self._task = str(pair.get("task", self._task))
        self._before = pair.get("before", self._before)
        front = pair.get("front", "")
        if front and front not in APP_NAMES:
            raise ValueError(_("The phone has no app {word}", word=front))
        reward, why = reward_of_pair(self._before, pair["after"], self._target(), front=front)
        return {"task": self._task, "reward": reward, "why": why}

    def _target(self) -> TaskTarget:
        if self._task not in self._targets:
            self._targets[self._task] = target_of(self._project, self._task)
        return self._targets[self._task]
