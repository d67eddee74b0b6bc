"""Collect what an import or an export notices: a finding for each kind and place, with its steps."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.export_journal import ExportJournal, NotedFinding
from collector.exchange.seen_texts import SeenTexts
from collector.model.finding import Finding
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project

NOTE = "note"
"""For information: nothing is missing."""
LOSS = "loss"
"""Something of the source is not in the project, or is doubtful there."""
PASSWORD_KEPT = "password-kept"  # noqa: S105 - a code
"""Code of the finding that a typed password is in plain text."""
_LOSSES_SHOWN = _NAMES_SHOWN = 3
_MOST_PLACES, _MOST_TEXTS = 200, 2000
"""Findings with one code and text, and with one code; what is more is counted."""
_STEPS_SHOWN = 10
_MOST_NAMED = 10_000
"""Trajectories that a report names; the others are counted."""
_Item = TypeVar("_Item")


class FirstOnes(list[_Item]):
    """Trajectories that a report names: the first ten thousand, and how many there are in all."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, item: _Item) -> None:
        self.total += 1
        if len(self) < _MOST_NAMED:
            super().append(item)


@dataclass(slots=True)
class Written:
    """What an export wrote, by its names in the project."""

    trajectories: FirstOnes[str] = field(default_factory=FirstOnes)
    """Folders, relative to the project."""
    tasks: list[str] = field(default_factory=list)
    """Ids."""
    rules: list[str] = field(default_factory=list)
    """Rule files and the library, relative to the project."""


class ExchangeLog:
    """What is noticed while a format is read or written. Memory hardly grows with the trajectories.

    An export says of each trajectory when it begins, what it makes and when that is whole; so an export that
    was interrupted goes on from there.
    """

    def __init__(self, progress: Callable[[str, int, int], None] | None = None, total: int = 0) -> None:
        """``progress`` is called by :meth:`begin` with name, number from 1 and ``total``; it may raise."""
        self.where = ""
        """Where later findings belong: as a rule, the trajectory that is being read or written."""
        self._used = SeenTexts()
        """The files that were read."""
        self._used_bytes = 0
        """Size of these files."""
        self._reading: Path | None = None
        """The file of many trajectories that is read now."""
        self._unread = 0
        """Bytes of that file which are still to be read."""
        self.places = SeenTexts()
        """Folders, as ``task/name``, that trajectories of this import went to, or were found in."""
        self.written = Written()
        self.project: Project | None = None
        """The project that is imported into, whose anomalies a source may name."""
        self._progress, self._total = progress, total
        self.check: Callable[[str], None] | None = None
        """Called with the name of each trajectory before it is written; it may raise."""
        self.is_left_out = False
        """Whether the trajectory that was begun is not written."""
        self._begun = 0
        self._journal: ExportJournal | None = None
        self._names: list[str] = []
        """The trajectories that were begun and are not whole yet, and what of them in a further pass."""
        self._noted: list[NotedFinding] = []
        self._counted = 0
        """How many written trajectories the journal has."""
        self._severities: dict[tuple[str, str, str], str] = {}
        self._steps: dict[tuple[str, str, str], list[str]] = {}
        self._places: Counter[tuple[str, str]] = Counter()
        """How many findings there are by code and text, and by code alone."""
        self._more: dict[tuple[str, str, str], int] = {}
        """Code, severity and text of the findings that are only counted, and how often."""

    @property
    def findings(self) -> list[Finding]:
        """The findings so far, in the order they were first noticed; of very many alike the first ones."""
        shown = [
            Finding(code, severity, text, where=where, steps=tuple(self._steps[code, where, text]))
            for (code, where, text), severity in self._severities.items()
        ]
        more = [
            Finding(code, severity, _("{text} (and so {count} times more)", text=text, count=count))
            for (code, severity, text), count in self._more.items()
        ]
        return [*shown, *more]

    def go_on(self, journal: ExportJournal) -> None:
        """Take over what an interrupted export said, and write to its journal from now on."""
        for written, more, findings in journal.entries():
            for name in written:
                self.written.trajectories.append(name)
            self.written.trajectories.total += more
            for note in findings:
                self.where = note.where
                self.add(note.code, note.text, step=note.step, severity=note.severity)
        self.where = ""
        self._counted = self.written.trajectories.total
        self._journal = journal

    def begin(self, name: str, further: str = "") -> bool:
        """Begin to write the trajectory ``name``: later findings belong to it.

        ``further`` names what is written of one that was begun before, in another pass over all of them.
        False for what an interrupted export wrote: it is passed over.
        """
        self.where, self.is_left_out = name, False
        self._begun += not further
        known = f"{name}\n{further}" if further else name
        if self._journal is not None and self._journal.has(known):
            return False
        if self._progress is not None:
            self._progress(name, self._begun, self._total)
        self._names.append(known)
        if self.check is not None and not further:
            self.check(name)
        return True

    def beside(self, path: Path, name: str) -> Path:
        """A file for the work on what is made at ``path``, of which the whole is made in the end.

        It is no part of the export, and goes with the folder in which that is built.
        """
        if self._journal is not None:
            return self._journal.beside(path, name)
        folder = path.with_name(f".{path.name}-work")  # of a preview
        folder.mkdir(exist_ok=True)
        return folder / name

    def makes(self, path: Path) -> None:
        """Say which file or folder is about to be made for the trajectory that was begun."""
        if self._journal is not None:
            self._journal.makes(path)

    def append(self, path: Path, data: bytes) -> None:
        """Add to a file that grows with the trajectories; nothing else may write to it."""
        if self._journal is not None:
            self._journal.append(path, data)
        else:
            with path.open("ab") as file:
                file.write(data)

    def keep(self) -> None:
        """Say that all trajectories that were begun are written whole, and so are the files made for them."""
        if self._journal is not None:
            names = self.written.trajectories
            written = names[self._counted :]
            more = names.total - self._counted - len(written)
            self._journal.keep(self._names, written, more, self._noted)
            self._counted = names.total
        self._names, self._noted = [], []

    def leave_out(self, code: str, text: str) -> None:
        """Report why the trajectory that was begun is not written."""
        self.add(code, text)
        self.is_left_out = True

    def add(self, code: str, text: str, *, step: object = None, severity: str = LOSS) -> None:
        """Note something. The same code and text at the same place add to the steps of one finding."""
        if self._names and self._journal is not None:
            note = NotedFinding(self.where, code, text, None if step is None else str(step), severity)
            self._noted.append(note)
        key = (code, self.where, text)
        if key not in self._severities:
            if max(self._places[code, text] / _MOST_PLACES, self._places[code, ""] / _MOST_TEXTS) >= 1:
                shown = text if self._places[code, text] else _("Others like the ones before")
                self._more[code, severity, shown] = self._more.get((code, severity, shown), 0) + 1
                return
            self._places.update([(code, text), (code, "")])
            self._severities[key] = severity
        steps = self._steps.setdefault(key, [])
        if step is not None and steps[-1:] != [str(step)]:
            steps.append(str(step))

    def use(self, *paths: Path | None) -> None:
        """Mark files as read, so that :meth:`add_unused` leaves them out."""
        for path in filter(None, paths):
            if self._used.add(str(path)):
                with contextlib.suppress(OSError):
                    self._used_bytes += path.stat().st_size

    def read_to(self, path: Path, place: int, whole: int = 0) -> None:
        """Say how far a file of many trajectories is read: up to a byte, or a number of a ``whole``."""
        self._reading = path
        self.use(path)
        with contextlib.suppress(OSError):
            size = path.stat().st_size
            share = place / (whole or size or 1)
            self._unread = max(size - round(size * share), 0)

    @property
    def read_bytes(self) -> int:
        """How much of the source is read, by the size of its files."""
        return self._used_bytes - self._unread

    def add_problems(self, sentences: Iterable[str]) -> None:
        """Report plug-ins that could not be loaded, a sentence each."""
        self.where = ""
        for sentence in sentences:
            self.add("plug-in-failed", sentence, severity=NOTE)

    def add_unused(self, root: Path, files: Iterable[Path]) -> None:
        """Report the files of the source that no part of the importer read."""
        counts: Counter[str] = Counter()
        first: dict[str, list[str]] = {}
        for path in files:
            if str(path) not in self._used:
                counts[path.suffix] += 1
                names = [*first.get(path.suffix, ()), path.relative_to(root).as_posix()]
                first[path.suffix] = sorted(names)[:_NAMES_SHOWN]
        self.where = ""
        for ending in sorted(counts):
            shown = ", ".join(first[ending]) + (", ..." if counts[ending] > _NAMES_SHOWN else "")
            self.add(
                "not-understood",
                _(
                    "Files left out because this format does not know them: {count} ({names})",
                    count=counts[ending],
                    names=shown,
                ),
            )


def sentence_of(finding: Finding) -> str:
    """What a finding of an import says, with the steps it holds for."""
    if not finding.steps:
        return finding.what
    steps = [str(step) for step in finding.steps]
    ranges = _ranges(steps)
    shown = ", ".join(ranges[:_STEPS_SHOWN])
    if len(ranges) > _STEPS_SHOWN:
        shown = _("{names} and {count} more", names=shown, count=len(ranges) - _STEPS_SHOWN)
    if not all(step.isdigit() for step in steps):
        return _("{text} ({steps})", text=finding.what, steps=shown)
    return ngettext(
        "{text} (number {steps})",
        "{text} (numbers {steps})",
        len(steps),
        text=finding.what,
        steps=shown,
    )


def losses_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, losses before notes."""
    return sorted(findings, key=lambda finding: finding.severity != LOSS)


def refuse_losses(findings: Sequence[Finding]) -> None:
    """Raise ExchangeError when anything is lost, or a password is in plain text."""
    lost = [item for item in findings if item.severity == LOSS or item.code == PASSWORD_KEPT]
    if lost:
        shown = [f"{item.where}: {sentence_of(item)}".removeprefix(": ") for item in lost[:_LOSSES_SHOWN]]
        raise ExchangeError(
            ngettext(
                "{count} thing cannot be kept, so nothing was done",
                "{count} things cannot be kept, so nothing was done",
                len(lost),
            ),
            "; ".join(shown) + ("; ..." if len(lost) > len(shown) else ""),
            _("Mend it, choose other trajectories, or do it without --strict"),
        )


def _ranges(steps: list[str]) -> list[str]:
    """``1, 2, 3, 7`` as ``1-3, 7``; names that are not numbers stay as they are."""
    runs: list[list[str]] = []
    for step in steps:
        if runs and step.isdigit() and runs[-1][-1].isdigit() and int(step) == int(runs[-1][-1]) + 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
