"""What is printed of many judged trajectories: it waits in a file, so that its number costs no memory."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.cli.output import print_json_in_parts, print_table_in_parts, say
from collector.judge.judging import JudgedResult
from collector.model.episode_text import subject_text
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import REACHED, STATE, UNDECIDED, WINDOW, Judgement, Subject
from collector.store.trajectory.judgement_codec import judgement_to_line

_HEADER = ("TASK", "TRAJECTORY", "VERDICT", "STATES", "REASON")
_IN_MEMORY = 1 << 16
_ABSENT = -1
_WIDEST = 15
"""Letters that a verdict takes, with two spaces after the longest, `wrong_element`."""


class PrintedVerdicts:
    """Takes results in any order, and prints them in that of ``folders``. To be closed.

    Of each trajectory only the place of its line in a temporary file stays in memory: 8 bytes.
    """

    def __init__(self, folders: Sequence[Path], *, as_json: bool) -> None:
        self._as_json, self._in_full = as_json, len(folders) == 1
        self._folders = folders
        self._places = array("q", [_ABSENT]) * len(folders)
        self._next = 0
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - close() closes it
        self.judged = 0
        """How many trajectories were judged."""
        self.failed = 0
        """How many could not be."""

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def note(self, result: JudgedResult) -> None:
        """Take the result of one trajectory. Raises UserError when the disk is full."""
        if result.problem:
            self.failed += 1
        else:
            self.judged += 1
        line = json.dumps(self._printed(result)).encode() + b"\n"
        try:
            self._file.seek(0, 2)
            self._places[self._number_of(result.folder)] = self._file.tell()
            self._file.write(line)
        except OSError as error:
            raise UserError(
                _("The verdicts cannot be kept until they are printed"), error.strerror or str(error),
                _("Free the disk of {folder}, and judge again", folder=tempfile.gettempdir()),
            ) from error  # fmt: skip

    def _number_of(self, folder: Path) -> int:
        """The place of a folder: most come in order, and a search makes a dozen paths."""
        number, count = self._next, len(self._folders)
        if number >= count or self._folders[number] != folder:
            number = self._folders.index(folder)
        self._next = number + 1
        return number

    def print_json(self, before: Mapping[str, object], after: Mapping[str, object]) -> None:
        """Print one document with the results between other keys."""
        print_json_in_parts({**before, "trajectories": self._lines(), **after})

    def print_text(self) -> None:
        """Print a table, or every verdict when there is one trajectory; then problems and the count."""
        if self._in_full:
            for line in self._lines():
                for text in line["lines"]:
                    say(text)
        else:
            print_table_in_parts(_HEADER, lambda: (line["row"] for line in self._lines()))
        for line in self._lines():
            if line["problem"]:
                say(line["problem"], err=True)
        say(ngettext("{count} trajectory judged", "{count} trajectories judged", self.judged))

    def _lines(self) -> Iterator[dict[str, Any]]:
        for place in self._places:
            if place != _ABSENT:
                self._file.seek(place)
                yield json.loads(self._file.readline())

    def _printed(self, result: JudgedResult) -> dict[str, object]:
        if self._as_json:
            return _as_dict(result)
        problem = f"{result.trajectory}: {result.problem}" if result.problem else ""
        if self._in_full:
            return {"lines": [_line(item, result) for item in result.judgements], "problem": problem}
        return {"row": [result.task, result.trajectory, *_counts(result)], "problem": problem}


def _as_dict(result: JudgedResult) -> dict[str, object]:
    return {
        "trajectory": result.trajectory,
        "task": result.task,
        "folder": str(result.folder),
        "problem": result.problem,
        "judgements": [judgement_to_line(item) for item in result.judgements],
    }


def _counts(result: JudgedResult) -> tuple[str, str, str]:
    states = [item for item in result.own if item.subject.kind == STATE]
    reached = sum(item.verdict == REACHED for item in states)
    task = result.on_task
    if task is None:
        return UNDECIDED, "-", result.problem
    return task.verdict, f"{reached}/{len(states)}", task.reason


def _line(item: Judgement, result: JudgedResult) -> str:
    """A verdict; one of a judge that the judge asked begins with the name of that judge."""
    by = "" if item in result.own else f"{item.judge}: "
    return f"{item.verdict:<{_WIDEST}}{_about(item.subject)}  {by}{item.reason}"


def _about(subject: Subject) -> str:
    if subject.kind == WINDOW:
        return subject_text(subject)
    at = f" @{subject.first + 1}" if subject.first is not None else ""
    return f"{subject.state or subject.kind}{at}"
