"""A finding about the health of a project, the fix it has, and the report of all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from collector.located_yaml.codes import CODES
from collector.model.finding import Finding
from collector.model.i18n import N_
from collector.store.files.findings import ERROR, WARNING


class FixKind(StrEnum):
    """What helps against a finding."""

    EDIT_TASK = "edit-task"
    """Open the form of the task ``target``."""
    SHOW_RULE = "show-rule"
    """Open the rule at ``target``, a file and a line."""
    MAKE_OPTIONAL = "make-optional"
    """Make the essential state ``target`` optional: it is no longer asked for, and can be undone."""
    LIST_RUNS = "list-runs"
    """List the trajectories that the query ``target`` finds."""
    RECORD_AGAIN = "record-again"
    """Record another golden of the task ``target``."""
    JUDGE_AGAIN = "judge-again"
    """Let the rules judge again what the query ``target`` finds."""
    RECORD_RUNS = "record-runs"
    """Make the experiment of random runs, or add tasks to it, to be started in Run."""
    REPLAY = "replay"
    """Replay the goldens of all tasks: a solvability check does it before it injects anything."""
    COMPARE_JUDGES = "compare-judges"
    """Compare the judge ``target`` with people, verdict by verdict."""


FIX_TITLES = {
    FixKind.EDIT_TASK: N_("Edit task"),
    FixKind.SHOW_RULE: N_("Open the rule"),
    FixKind.MAKE_OPTIONAL: N_("Make it optional"),
    FixKind.LIST_RUNS: N_("List the runs"),
    FixKind.RECORD_AGAIN: N_("Record again"),
    FixKind.JUDGE_AGAIN: N_("Judge again"),
    FixKind.COMPARE_JUDGES: N_("Compare judges"),
    FixKind.RECORD_RUNS: N_("Make the experiment"),
    FixKind.REPLAY: N_("Check solvability"),
}


@dataclass(frozen=True, slots=True)
class HealthFix:
    """One way to do something about a finding."""

    kind: FixKind
    target: str


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """What is not healthy, where, why, and what helps. ``finding.where`` is what *Open* opens."""

    name: str
    """Of its code: a key of :data:`collector.located_yaml.codes.CODES`."""
    finding: Finding
    task: str = ""
    """Id of the task it is about; empty for none."""
    fix: HealthFix | None = None


def health_finding(
    name: str, what: str, why: str = "", to_do: str = "", *, where: str = "", task: str = "",
    steps: tuple[int, ...] = (), fix: HealthFix | None = None,
) -> HealthFinding:  # fmt: skip
    """A finding with the code and the severity of the kind ``name``."""
    spec = CODES[name]
    severity = ERROR if spec.severity == "error" else WARNING
    return HealthFinding(name, Finding(spec.code, severity, what, why, to_do, where, steps), task, fix)


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """What too little was recorded of to be judged."""

    name: str
    """Of the code that may be missing."""
    what: str
    """How much of what, and why, in a sentence."""
    fix: HealthFix | None = None
    """What records it."""


@dataclass(slots=True)
class HealthReport:
    """Everything that was found, and what could not be told."""

    findings: list[HealthFinding] = field(default_factory=list)
    """Those that are listed, by kind."""
    unmeasured: list[Unmeasured] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Name of a kind -> findings that are not listed, as there are too many."""
    hidden: int = 0
    """Findings about trajectories of whose verdicts something is hidden from the person who asks."""
    goldens: int = 0
    runs: int = 0
    """Trajectories that were looked at."""

    @property
    def counts(self) -> dict[str, int]:
        """Name of each kind that was found -> how often, with what is not listed."""
        counts = Counter(item.name for item in self.findings)
        counts.update(self.left_out)
        return dict(sorted(counts.items(), key=lambda item: CODES[item[0]].code))

    @property
    def errors(self) -> int:
        """Listed findings that are errors."""
        return sum(item.finding.severity == ERROR for item in self.findings)
