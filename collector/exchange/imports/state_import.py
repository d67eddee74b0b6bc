"""Import essential states into ``rules/states.yaml``, and name them in a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.imports import state_files
from collector.exchange.source.states import SourceStates, with_project_ids
from collector.model.essential_state import EssentialState
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange


@dataclass(slots=True)
class StateImportResult:
    """What an import of essential states did."""

    new: list[EssentialState] = field(default_factory=list)
    """States that the project did not have."""
    named: list[str] = field(default_factory=list)
    """Ids of the states that the task names now, and did not before."""
    findings: list[Finding] = field(default_factory=list)


def import_states(project: Project, paths: Sequence[Path], task_id: str = "") -> StateImportResult:
    """Read the states of ``paths`` into a project; the task ``task_id`` then names them.

    States with ids keep them: a state that the project has stays as the project has it. Others get free ids
    of the task, and so need one. Raises ExchangeError and StoreError; nothing is written then.
    """
    project.require_writable()
    task = project.task(task_id) if task_id else None
    if task_id and task is None:
        raise ExchangeError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    log, result, known = ExchangeLog(), StateImportResult(), dict(project.states)
    named: list[str] = []
    for path in paths:
        source = _with_ids(state_files.read(path, log), path, task, known)
        for state in source.states:
            if state.id not in known:
                known[state.id] = state
                result.new.append(state)
            elif known[state.id] != state:
                log.add("state-known", _("The project has another state with this id, and keeps it"),
                        step=state.id)  # fmt: skip
            else:
                log.add("state-there", _("The project has this state already"), step=state.id, severity=NOTE)
        named += source.named
    tasks = project.tasks
    if task is not None:
        result.named = [name for name in dict.fromkeys(named) if name not in task.essential_states]
        naming = replace(task, essential_states=(*task.essential_states, *result.named))
        tasks = tuple(naming if other.id == task.id else other for other in tasks)
    project.save_tasks(tasks, states=[StateChange(None, state) for state in result.new])
    result.findings = log.findings
    return result


def _with_ids(
    source: SourceStates, path: Path, task: Task | None, known: dict[str, EssentialState]
) -> SourceStates:
    if source.has_ids:
        return source
    if task is None:
        raise ExchangeError(
            _("The states of {name} have no ids", name=path.name), "", _("Name their task with --task ID")
        )
    placed = with_project_ids(source, task.id, ())
    is_there = all(known.get(state.id) == state for state in placed.states)  # from an import before
    return placed if is_there else with_project_ids(source, task.id, known)
