"""The rows of the list of health: a head for each kind with its count, then its findings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from collector.located_yaml.codes import CODES
from collector.model.errors import problem_text
from collector.model.i18n import _, ngettext
from collector.project_health.health_finding import FIX_TITLES, HealthFinding, HealthFix, HealthReport
from collector.store.files.findings import ERROR

UNKNOWN = "unknown"
"""Name of the kind of rows that say what too little is recorded of."""


@dataclass(frozen=True, slots=True)
class HealthEntry:
    """A row: the head of a kind, or a finding below one."""

    kind: str
    """Name of the kind."""
    text: str
    why: str = ""
    state: str = ""
    """err, warn or info."""
    count: int = 0
    """Of a head: how many findings."""
    is_folded: bool = False
    found: HealthFinding | None = None
    """None for a head, and for what is not known."""
    fix: HealthFix | None = None
    """What its first link does."""
    is_head: bool = False

    @property
    def fix_title(self) -> str:
        """What the button of its fix says; empty without one."""
        return _(FIX_TITLES[self.fix.kind]) if self.fix is not None else ""

    @property
    def can_open(self) -> bool:
        """Whether it has a place to open, and its fix opens another one."""
        if self.found is None:
            return False
        where = self.found.finding.where
        return bool(where) and (self.fix is None or self.fix.target != where)


def health_entries(report: HealthReport, folded: Collection[str]) -> list[HealthEntry]:
    """All rows of a report, errors first; the findings of ``folded`` kinds are left out."""
    rows: list[HealthEntry] = []
    for kind, count in sorted(report.counts.items(), key=lambda item: CODES[item[0]].severity != "error"):
        spec = CODES[kind]
        state = "err" if spec.severity == ERROR else "warn"
        rows.append(
            HealthEntry(kind, _(spec.doc), spec.code, state, count, kind in folded, is_head=True)
        )  # fmt: skip
        if kind in folded:
            continue
        rows += (
            HealthEntry(kind, item.finding.what, _reason(item), state, found=item, fix=item.fix)
            for item in report.findings
            if item.name == kind
        )
        if more := report.left_out[kind]:
            said = ngettext("{count} more is not listed", "{count} more are not listed", more)
            rows.append(
                HealthEntry(kind, said, _("`waymark project health --task` lists those of a task"), "info")
            )
    return rows + _unknown(report, folded)


def _reason(item: HealthFinding) -> str:
    return problem_text(item.finding.why, item.finding.to_do)


def _unknown(report: HealthReport, folded: Collection[str]) -> list[HealthEntry]:
    """What is not known, at the end."""
    if not report.unmeasured:
        return []
    is_folded = UNKNOWN in folded
    head = HealthEntry(
        UNKNOWN, _("Not known: too little is recorded"), "", "info", len(report.unmeasured), is_folded,
        is_head=True,
    )  # fmt: skip
    rows = (
        HealthEntry(
            UNKNOWN,
            item.what,
            _("Not looked for: {kind}", kind=_(CODES[item.name].doc)),
            "info",
            fix=item.fix,
        )
        for item in report.unmeasured
    )
    return [head, *(() if is_folded else rows)]
