"""Successes that look wrong: nothing touched that goldens touch, refused, too short, changed from behind.

Each is compared with all goldens of its task. One pass over the goldens, one over the runs; only what the
goldens of all tasks have in common is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from collector.model.cancellation import check_cancelled
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.model.verdicts.judgement import SUCCESS
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix, health_finding
from collector.project_health.project_facts import ProjectFacts
from collector.project_health.refusals import refusal_in
from collector.rules.grammar.model import SUCCESS as SUCCESS_RULE
from collector.store.catalogue.health_rows import TouchedTrajectory
from collector.store.catalogue.touches import BETWEEN, Touches

_SHORTEST = 4
"""Of a golden of fewer actions a run may be half as long by chance."""
_TOOLS = ("settings", "clock", "deskclock", "alarm")
"""What packages of apps are called that change the phone itself, or its time."""
_NAMED = 3


@dataclass(slots=True)
class GoldenWay:
    """What the goldens of one task do, taken together."""

    nodes: set[str] = field(default_factory=set)
    """Role and label of what they touch, see :func:`_labels`."""
    ids: set[str] = field(default_factory=set)
    """Role and id of what they touch, of nodes with an id."""
    packages: set[str] = field(default_factory=set)
    behind: set[str] = field(default_factory=set)
    shortest: int = 0
    """Actions of the shortest; 0 without a golden."""
    has_unseen: bool = False
    """Whether one of them was recorded without trees."""

    def add(self, golden: TouchedTrajectory) -> None:
        """Take another golden in."""
        touches = golden.touches
        self.nodes.update(_labels(touches.nodes))
        self.ids.update(_ids(touches.nodes))
        self.packages.update(touches.packages)
        self.behind.update(map(_collection, touches.behind))
        self.shortest = min(golden.actions, self.shortest) if self.shortest else golden.actions
        self.has_unseen = self.has_unseen or touches.unseen > 0


@dataclass(frozen=True, slots=True)
class _Success:
    run: TouchedTrajectory
    task: Task
    way: GoldenWay
    short: float

    @property
    def touches(self) -> Touches:
        return self.run.touches


_Suspicion = Callable[[_Success], tuple[str, str] | None]
"""What is wrong with a success, and the evidence; None when nothing is."""


def suspicious_runs(facts: ProjectFacts, names: frozenset[str]) -> Iterator[HealthFinding]:
    """Successes of the kinds ``names`` that look wrong, by task."""
    ways: dict[str, GoldenWay] = {}
    for golden in facts.rows.goldens():
        facts.report.goldens += 1
        if facts.is_asked(golden.task):
            ways.setdefault(golden.task, GoldenWay()).add(golden)
    tasks = {task.id: task for task in facts.tasks}
    checks = {name: check for name, check in _SUSPICIONS.items() if name in names}
    without = set[str]()
    for run in facts.rows.runs():
        check_cancelled()
        facts.report.runs += 1
        task = tasks.get(run.task)
        if task is None or run.outcome != SUCCESS:
            continue
        if run.task not in ways:
            without.add(run.task)
        place = facts.place_of_rule(SUCCESS_RULE, task.rule_key)
        fix = HealthFix(FixKind.SHOW_RULE, place) if place else HealthFix(FixKind.EDIT_TASK, task.id)
        success = _Success(run, task, ways.get(run.task, GoldenWay()), facts.thresholds.short)
        for name, suspicion in checks.items():
            if (found := suspicion(success)) is not None:
                yield _finding(name, run, *found, fix)
    if without:
        facts.leave_out("success-untouched", ngettext(
            "{count} task has successes and no golden to compare them with",
            "{count} tasks have successes and no golden to compare them with", len(without),
        ))  # fmt: skip


def _finding(name: str, run: TouchedTrajectory, what: str, why: str, fix: HealthFix) -> HealthFinding:
    return health_finding(
        name, what, why, _("Look at the run; if it did not do the task, correct its rules and judge again"),
        where=run.folder, task=run.task, fix=fix,
    )  # fmt: skip


def _untouched(success: _Success) -> tuple[str, str] | None:
    run, way, touches = success.run, success.way, success.touches
    if not way.nodes or way.has_unseen or touches.unseen or not way.nodes.isdisjoint(_labels(touches.nodes)):
        return None
    if (run.variation or run.language) and not way.ids.isdisjoint(_ids(touches.nodes)):
        return None  # labels are in other words there
    what = _("Run {run} of task {id} touched none of {count} elements that its goldens touch",
             run=run.id, id=run.task, count=len(way.nodes))  # fmt: skip
    touched = (
        _("It touched {names}", names=_listed(list(_labels(touches.nodes))))
        if touches.nodes
        else _("It touched nothing")
    )
    return what, _("{touched}; goldens touch {names}", touched=touched, names=_listed(sorted(way.nodes)))


def _refused(success: _Success) -> tuple[str, str] | None:
    run, answer = success.run, success.touches.answer
    expected = success.task.expected_answer
    refusal = _("impossible") if run.claimed == "impossible" else refusal_in(answer)
    if not refusal or (expected is not None and any(refusal_in(text) for text in expected.texts)):
        return None
    what = _("Run {run} of task {id} refused, and counts as a success", run=run.id, id=run.task)
    said = _("It answered {answer}", answer=repr(answer)) if answer else _("It said that it is impossible")
    return what, said


def _too_short(success: _Success) -> tuple[str, str] | None:
    run, shortest = success.run, success.way.shortest
    if shortest < _SHORTEST or run.actions > shortest * success.short:
        return None
    what = ngettext(
        "Run {run} of task {id} was done in {count} action",
        "Run {run} of task {id} was done in {count} actions",
        run.actions, run=run.id, id=run.task,
    )  # fmt: skip
    return what, _("The shortest golden takes {count}", count=shortest)


def _from_behind(success: _Success) -> tuple[str, str] | None:
    run, way = success.run, success.way
    changed = [item for item in success.touches.behind if _collection(item) not in way.behind]
    if not changed:
        return None
    what = _("In run {run} of task {id} data changed that none of its actions can have changed",
             run=run.id, id=run.task)  # fmt: skip
    places = [
        _("{collection} at step {step}", collection=_collection(item), step=int(item.partition("@")[2]) + 1)
        for item in changed[:_NAMED]
    ]
    return what, _("Changed behind it: {places}", places=", ".join(places))


def _by_settings(success: _Success) -> tuple[str, str] | None:
    run, way = success.run, success.way
    used = [name for name in success.touches.packages if _is_tool(name) and name not in way.packages]
    if not used or not way.shortest:
        return None
    what = _("Run {run} of task {id} used {app}, as no golden does", run=run.id, id=run.task, app=used[0])
    return what, _("Goldens are in {apps}", apps=", ".join(sorted(way.packages)[:_NAMED]))


_SUSPICIONS: dict[str, _Suspicion] = {
    "success-untouched": _untouched,
    "success-refused": _refused,
    "success-too-short": _too_short,
    "success-from-behind": _from_behind,
    "success-by-settings": _by_settings,
}
SUSPICIONS = frozenset(_SUSPICIONS)
"""Names of the kinds that this module tells."""


def _is_tool(package: str) -> bool:
    return package.rpartition(".")[2].lower() in _TOOLS


def _collection(item: str) -> str:
    return item.partition("@")[0]


def _labels(nodes: Iterable[str]) -> Iterator[str]:
    """Role and label of nodes, as the catalogue keeps them."""
    return (node.rpartition(BETWEEN)[0] for node in nodes)


def _ids(nodes: Iterable[str]) -> Iterator[str]:
    """Role and id of those nodes that have one."""
    parts = (node.split(BETWEEN) for node in nodes)
    return (f"{role}{BETWEEN}{own_id}" for role, *_label, own_id in parts if own_id)


def _listed(labels: Sequence[str]) -> str:
    """Some nodes by their labels."""
    names = [label.partition(BETWEEN)[2] or label.partition(BETWEEN)[0] for label in labels[:_NAMED]]
    return ", ".join(map(repr, names)) + (", ..." if len(labels) > _NAMED else "")
