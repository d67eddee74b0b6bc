"""Rules and conditions to begin with, filled from what is on the screen; and tasks that name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from collector.model.i18n import _
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.min_step import MinStep
from collector.rules.evaluation.condition_semantics import all_semantics
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Condition, Group, Injection, Rule
from studio.bridge.library import Library
from studio.views.rules.list_entries import anomalies_of

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace

_NO_ANOMALY = "low_battery_double_en"
_LONGEST = 90


def free_id(wanted: str, taken: set[str]) -> str:
    """``wanted``, numbered when it is taken."""
    number, name = 2, wanted
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def templates(home: RulesWorkspace) -> list[tuple[str, Callable[[], Rule]]]:
    """What *New rule...* offers: a title, and what makes the rule."""
    state = home.stage.state
    package = state.package if state is not None else ""
    screen: tuple[Condition, ...] = (CurrentPackageIs(value=package),) if package else ()
    stem = _stem(home)
    action = (Injection(interference_id=first_anomaly(home)),)

    def injection(*conditions: Condition) -> Callable[[], Rule]:
        return lambda: Rule(
            id=f"{stem}_injection", kind=INJECTION, conditions=Group(conditions=conditions), actions=action
        )

    def other(kind: str, *conditions: Condition) -> Callable[[], Rule]:
        name = f"{stem}_done" if kind == SUCCESS else f"{stem}_state"
        return lambda: Rule(id=name, kind=kind, conditions=Group(conditions=conditions))

    offered = [
        (INJECTION, _("Injection rule, empty"), injection()),
        (INJECTION, _("Injection rule in this app"), injection(*screen)),
        (INJECTION, _("Injection rule in this app from step 3 on"), injection(*screen, MinStep(value=3))),
        (SUCCESS, _("Success rule, empty"), other(SUCCESS)),
        (STATE, _("Essential state, empty"), other(STATE)),
    ]
    return [(title, make) for kind, title, make in offered if kind in home.book.documents]


def rule_around(home: RulesWorkspace, condition: Condition) -> Rule:
    """A new rule with one condition: an injection rule where such a file is open, else a success rule."""
    group = Group(conditions=(condition,))
    kind = home.kind if home.kind in home.book.documents else next(iter(home.book.documents), INJECTION)
    stem = _stem(home)
    if kind == INJECTION:
        actions = (Injection(interference_id=first_anomaly(home)),)
        return Rule(id=f"{stem}_injection", kind=kind, conditions=group, actions=actions)
    return Rule(id=f"{stem}_done" if kind == SUCCESS else f"{stem}_state", kind=kind, conditions=group)


def conditions(state: StateView | None) -> Iterator[tuple[str, Condition]]:
    """A title and a condition to begin with for every condition type and for groups."""
    starters = {
        semantics.spec.type: (semantics.spec, semantics.starter(state)) for semantics in all_semantics()
    }
    for name, (spec, starter) in starters.items():
        yield f"{name}   {_(spec.doc)}", starter
    inside = (starters["element_exists"][1],)
    yield (
        _("any   at least one of its conditions holds"),
        Group(kind="any", spelling="any", conditions=inside),
    )
    yield _("not   none of its conditions holds"), Group(kind="not", spelling="not", conditions=inside)


def name_in_task(library: Library, task_id: str, rule: Rule) -> None:
    """A task that has no such rule yet names the new one: its rule key, or one more target rule."""
    task = next((task for task in library.tasks if task.id == task_id), None)
    if task is None:
        return
    if rule.kind == SUCCESS and not task.rule_key:
        changed = replace(task, rule_key=rule.id)
    elif rule.kind == INJECTION and rule.id not in task.target_rule_ids:
        changed = replace(task, target_rule_ids=(*task.target_rule_ids, rule.id))
    else:
        return
    tasks = [changed if task.id == task_id else task for task in library.tasks]
    library.edit_tasks(_("name {rule} in {task}", rule=rule.id, task=task_id), tasks)


def rename_in_tasks(library: Library, kind: str, old: str, new: str) -> None:
    """Tasks that name a rule go on naming it."""

    def renamed(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if one == old else one for one in ids)

    tasks = [
        replace(
            task,
            rule_key=new if kind == SUCCESS and task.rule_key == old else task.rule_key,
            target_rule_ids=renamed(task.target_rule_ids) if kind == INJECTION else task.target_rule_ids,
            essential_states=renamed(task.essential_states) if kind == STATE else task.essential_states,
        )
        for task in library.tasks
    ]
    if tuple(tasks) != tuple(library.tasks):
        library.edit_tasks(_("rename {old} to {new}", old=old, new=new), tasks)


def _stem(home: RulesWorkspace) -> str:
    shown = home.stage.shown
    return (shown.trajectory.task_id if shown is not None else "rule").replace("-", "_")


def cut(text: str) -> str:
    """A title short enough for a menu."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def first_anomaly(home: RulesWorkspace) -> str:
    """An anomaly to begin with: the library's first."""
    anomalies = anomalies_of(home.book.offered)
    return anomalies[0].id if anomalies else _NO_ANOMALY
