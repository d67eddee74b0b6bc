"""Collect what an import or an export notices: a finding for each kind and place, with its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collector.exchange.errors import ExchangeError
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


@dataclass(slots=True)
class Written:
    """What an export wrote, by its names in the project."""

    trajectories: list[str] = field(default_factory=list)
    """Folders, relative to the project."""
    tasks: list[str] = field(default_factory=list)
    """Ids."""
    rules: list[str] = field(default_factory=list)
    """Rule files and the library, relative to the project."""


class ExchangeLog:
    """What is noticed while a format is read or written. Memory hardly grows with the trajectories."""

    def __init__(self, progress: Callable[[str, int, int], None] | None = None, total: int = 0) -> None:
        """``progress`` is called by :meth:`begin` with name, number from 1 and ``total``; it may raise."""
        self.where = ""
        """Where later findings belong: as a rule, the trajectory that is being read or written."""
        self._used: set[int] = set()
        """Hashes of the files that were read: paths would take a kilobyte a step."""
        self.places: set[str] = set()
        """Folders, as ``task/name``, that trajectories of this import went to, or were found in."""
        self.written = Written()
        self.project: Project | None = None
        """The project that is imported into, whose anomalies a source may name."""
        self._progress, self._total = progress, total
        self._begun = 0
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

    def begin(self, name: str) -> None:
        """Begin to write the trajectory ``name``: later findings belong to it."""
        self.where = name
        self._begun += 1
        if self._progress is not None:
            self._progress(name, self._begun, self._total)

    def add(self, code: str, text: str, *, step: object = None, severity: str = LOSS) -> None:
        """Note something. The same code and text at the same place add to the steps of one finding."""
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
        self._used.update(hash(str(path)) for path in paths if path is not None)

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
            if hash(str(path)) not in self._used:
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
