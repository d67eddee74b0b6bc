"""Check the files of proposals, definitions and audits. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.states.documents.proposal import Proposal
from collector.states.documents.proposed_rules import condition_problem
from collector.states.task_status import edited_since_audit
from collector.states.work_files.goldens import open_own_golden
from collector.states.work_files.state_work import StateWork, WorkDocument
from collector.store.files.errors import StoreError
from collector.store.files.findings import ERROR, WARNING
from collector.store.files.layout import RULE_FILES
from collector.store.project.project import Project


def check_state_work(project: Project) -> Iterator[Finding]:
    """One finding for each file that cannot be read, and for each name in the others that leads nowhere."""
    tasks = {task.id for task in project.tasks}
    for path, document in StateWork(project).everything():
        where = project.paths.relative(path)
        if isinstance(document, StoreError):
            yield Finding("state-work-damaged", ERROR, str(document), where=where)
            continue
        if document.task not in tasks:
            text = _("Its task {id} is not in tasks.yaml", id=document.task)
            yield Finding("state-work-task", WARNING, text, where=where)
        yield from _unknown_names(document, where)
        if isinstance(document, Proposal) and document.golden and document.task in tasks:
            yield from _golden_problems(project, document, where)
    yield from _outdated_audits(project)


def _outdated_audits(project: Project) -> Iterator[Finding]:
    """States that say they are audited and were changed since."""
    for state_id in sorted(edited_since_audit(StateWork(project))):
        text = _("{state} was changed since its audit, so it counts as agreed", state=state_id)
        yield Finding("audit-outdated", WARNING, text, where=RULE_FILES["state"])


def _golden_problems(project: Project, proposal: Proposal, where: str) -> Iterator[Finding]:
    try:
        open_own_golden(project, proposal.task, proposal.golden, proposal.who)
    except UserError as error:
        yield Finding("state-work-golden", WARNING, str(error), where=where)


def _unknown_names(document: WorkDocument, where: str) -> Iterator[Finding]:
    if not isinstance(document, Proposal):
        return
    ids = {state.id for state in document.states}
    for state in document.states:
        for name in _unknown((*state.after, *state.alternatives), ids):
            text = _("State {id} names {name}, which the proposal does not have", id=state.id, name=name)
            yield Finding("state-work-name", WARNING, text, where=where)
        if problem := condition_problem(state.conditions):
            text = _("The conditions of state {id} cannot be judged: {why}", id=state.id, why=problem)
            yield Finding("state-work-condition", WARNING, text, where=where)


def _unknown(names: Iterable[str], known: set[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name not in known]
