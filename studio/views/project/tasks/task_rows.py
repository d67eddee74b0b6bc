"""The rows of the task table, from the project's snapshot and the findings of the last check. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from collector.model.essential_state import labels
from collector.model.finding import Finding
from collector.model.i18n import N_, _, ngettext
from collector.model.task import PLACEHOLDER, Task
from collector.model.verdicts.state_progress import StateProgress
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.files.findings import ERROR
from collector.store.files.layout import TRAJECTORIES
from collector.store.files.names import folder_name

UNREVIEWED = N_("unreviewed")
# Worst first, as the column sorts.
STATES = ("err", "warn", "todo", "")


@dataclass(frozen=True, slots=True)
class TaskTableRow:
    """One task with its progress and its worst problem."""

    task: Task
    golden: int
    review: str
    state: str
    """Severity of ``problem``: err, warn, todo (something is missing) or empty."""
    problem: str
    changed: str
    """ISO 8601, empty for a task without trajectories."""
    sentences: tuple[str, ...] = ()
    """What its essential states say."""
    states: StateProgress = field(default_factory=StateProgress)
    """How far its essential states are."""
    is_known: bool = True
    """Whether its trajectories were read: before that it has none that is known, and no review."""

    @property
    def golden_words(self) -> str:
        """How many golden trajectories there are of those wanted."""
        return f"{self.golden} / {self.task.golden_wanted}" if self.is_known else "…"

    @property
    def rule_count(self) -> int:
        """How many rules the task names: those that inject, and the one that judges it."""
        return len(self.task.target_rule_ids) + (self.task.rule_key not in ("", PLACEHOLDER))

    @property
    def has_verified_states(self) -> bool:
        """Whether golden trajectories, as many as are wanted, reach all its states."""
        return self.states.is_verified(self.task.golden_wanted)

    @property
    def is_complete(self) -> bool:
        """Whether the task has all golden trajectories that it asks for."""
        return self.golden >= self.task.golden_wanted

    @property
    def review_words(self) -> str:
        """The review status in the person's language; empty before the trajectories were read."""
        return _(self.review) if self.is_known else ""


def task_rows(
    snapshot: ProjectSnapshot, tasks: Sequence[Task], findings: Iterable[Finding]
) -> list[TaskTableRow]:
    """Return a row for each of ``tasks``, in their order."""
    by_task = _findings_by_task(findings)
    return [_row(snapshot, task, by_task.get(folder_name(task.id), [])) for task in tasks]


def task_folder_of(finding: Finding) -> str:
    """Return the folder of the task whose trajectory a finding is about; empty for other findings."""
    parts = finding.where.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == TRAJECTORIES else ""


def _findings_by_task(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    by_task: dict[str, list[Finding]] = {}
    for finding in findings:
        by_task.setdefault(task_folder_of(finding), []).append(finding)
    return by_task


def _row(snapshot: ProjectSnapshot, task: Task, findings: list[Finding]) -> TaskTableRow:
    golden = snapshot.golden.get(task.id, 0)
    state, problem = _state_and_problem(snapshot, task, findings, golden)
    review = snapshot.reviews.get(task.id, UNREVIEWED)
    sentences = labels(task.essential_states, snapshot.states)
    changed = snapshot.changed.get(task.id, "")
    states = _states(snapshot, task)
    return TaskTableRow(
        task, golden, review, state, problem, changed, tuple(sentences), states, snapshot.knows_trajectories
    )


def _states(snapshot: ProjectSnapshot, task: Task) -> StateProgress:
    """How far the states are; after an edit what is known of them without their verdicts."""
    known = snapshot.state_progress.get(task.id)
    own = [name for name, state in snapshot.states.items() if state.task == task.id]
    ids = dict.fromkeys([*task.essential_states, *own])
    if known is not None and known.count == len(ids):
        return known
    by_rules = sum(name in snapshot.states and "conditions" in snapshot.states[name].extra for name in ids)
    return StateProgress(by_rules, len(ids) - by_rules, golden=snapshot.golden.get(task.id, 0))


def _state_and_problem(
    snapshot: ProjectSnapshot, task: Task, findings: list[Finding], golden: int
) -> tuple[str, str]:
    if findings:
        worst = min(findings, key=lambda finding: finding.severity != ERROR)
        more = len(findings) - 1
        text = worst.what
        if more:
            text = _("{text}, {more}", text=text, more=ngettext("{count} more", "{count} more", more))
        return ("err" if worst.severity == ERROR else "warn"), text
    if task.id in snapshot.damaged:
        return "warn", snapshot.damaged[task.id]
    if not task.instruction.strip():
        return "warn", _("no instruction")
    if not golden and task.golden_wanted and snapshot.knows_trajectories:
        return "todo", _("no golden")
    return "", ""
