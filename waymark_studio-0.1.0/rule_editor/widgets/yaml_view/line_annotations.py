"""Annotations of lines in the YAML editor: diagnostics, and ticks of clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from collector.located_yaml.diagnostics import Diagnostic, Severity

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
ICONS = {Severity.ERROR: "state-err", Severity.WARNING: "state-warn", Severity.INFO: "state-info"}
TONES = {Severity.ERROR: "err", Severity.WARNING: "warn", Severity.INFO: "info"}


@dataclass(frozen=True, slots=True)
class ClauseTick:
    """Whether the clause that begins on a line (from 1) holds on the current screen, and the reason."""

    line: int
    holds: bool
    reason: str = ""


@dataclass
class LineAnnotations:
    """Diagnostics, the worst first, and ticks by line; lines count from 1."""

    diagnostics: dict[int, list[Diagnostic]] = field(default_factory=dict)
    ticks: dict[int, ClauseTick] = field(default_factory=dict)

    def set_diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = {}
        for diagnostic in diagnostics:
            self.diagnostics.setdefault(diagnostic.place.line, []).append(diagnostic)
        for on_line in self.diagnostics.values():
            on_line.sort(key=lambda diagnostic: SEVERITIES.index(diagnostic.severity))

    def set_ticks(self, ticks: Iterable[ClauseTick]) -> None:
        self.ticks = {tick.line: tick for tick in ticks}

    def shift(self, line: int, by: int) -> None:
        """Move the annotations of lines after ``line`` by ``by`` lines."""
        if by:
            self.diagnostics = {_moved(at, line, by): on_line for at, on_line in self.diagnostics.items()}
            self.ticks = {_moved(at, line, by): tick for at, tick in self.ticks.items()}

    def messages(self, line: int) -> list[Diagnostic]:
        """Diagnostics written under a line; those of severity INFO are only in its tooltip."""
        on_line = self.diagnostics.get(line, [])
        return [diagnostic for diagnostic in on_line if diagnostic.severity is not Severity.INFO][:2]

    def icon(self, line: int) -> str:
        """The icon of a line: that of its worst diagnostic, else of its tick, else empty."""
        on_line = self.diagnostics.get(line, [])
        if on_line and on_line[0].severity is not Severity.INFO:
            return ICONS[on_line[0].severity]
        tick = self.ticks.get(line)
        if tick is not None:
            return "state-ok" if tick.holds else "state-err"
        return ICONS[on_line[0].severity] if on_line else ""

    def at(self, offset: int, line: int) -> list[Diagnostic]:
        """Diagnostics of a line, those around the character ``offset`` first."""
        on_line = self.diagnostics.get(line, [])
        return sorted(
            on_line, key=lambda diagnostic: not diagnostic.place.start <= offset <= diagnostic.place.end
        )


def _moved(at: int, line: int, by: int) -> int:
    return at if at <= line else max(line, at + by)
