"""What stands beside and under the lines of a rule file: ticks of clauses and messages of diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from collector.located_yaml.diagnostics import Diagnostic, Severity

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
ICONS = {Severity.ERROR: "state-err", Severity.WARNING: "state-warn", Severity.INFO: "state-info"}
TONES = {Severity.ERROR: "err", Severity.WARNING: "warn", Severity.INFO: "info"}


@dataclass(frozen=True, slots=True)
class ClauseTick:
    """Whether the clause that begins on a line (from 1) holds on the screen shown, and why."""

    line: int
    holds: bool
    reason: str = ""


@dataclass
class LineAnnotations:
    """By line, from 1: diagnostics with the worst first, and ticks."""

    diagnostics: dict[int, list[Diagnostic]] = field(default_factory=dict)
    ticks: dict[int, ClauseTick] = field(default_factory=dict)

    def set_diagnostics(self, found: Iterable[Diagnostic]) -> None:
        self.diagnostics = {}
        for one in found:
            self.diagnostics.setdefault(one.place.line, []).append(one)
        for on_line in self.diagnostics.values():
            on_line.sort(key=lambda one: SEVERITIES.index(one.severity))

    def set_ticks(self, ticks: Iterable[ClauseTick]) -> None:
        self.ticks = {tick.line: tick for tick in ticks}

    def shift(self, line: int, by: int) -> None:
        """Lines behind ``line`` stand ``by`` lines further down now."""
        if by:
            self.diagnostics = {_moved(at, line, by): found for at, found in self.diagnostics.items()}
            self.ticks = {_moved(at, line, by): tick for at, tick in self.ticks.items()}

    def told(self, line: int) -> list[Diagnostic]:
        """Diagnostics written out under a line; what is only information is told in its tool tip."""
        return [one for one in self.diagnostics.get(line, []) if one.severity is not Severity.INFO][:2]

    def icon(self, line: int) -> str:
        """The icon beside a line: its worst diagnostic, else its tick, else nothing."""
        found = self.diagnostics.get(line, [])
        if found and found[0].severity is not Severity.INFO:
            return ICONS[found[0].severity]
        tick = self.ticks.get(line)
        if tick is not None:
            return "state-ok" if tick.holds else "state-err"
        return ICONS[found[0].severity] if found else ""

    def at(self, offset: int, line: int) -> list[Diagnostic]:
        """Diagnostics on a line, those around the character at ``offset`` first."""
        found = self.diagnostics.get(line, [])
        return sorted(found, key=lambda one: not one.place.start <= offset <= one.place.end)


def _moved(at: int, line: int, by: int) -> int:
    return at if at <= line else max(line, at + by)
