"""How far the states of each task are in A3's three stages: who did what, when, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from collector.model.essential_state import AGREED, AUDITED, EssentialState
from collector.model.i18n import N_, _, ngettext
from collector.states.auditing import accepts
from collector.states.defining import realignment_sentence
from collector.states.documents.workflow_act import FINISHED, STARTED, standing_act
from collector.states.proposing import same_course_warning
from collector.states.work_files.blindness import OPERATORS, may_see_audit, may_see_names
from collector.states.work_files.digests import agreed_digest
from collector.states.work_files.state_work import StateWork, TaskWork

NOT_BEGUN, PROPOSING, DEFINING, AUDITING, DONE = "none", "proposals", "definition", "audit", "audited"
STAGE_TITLES = {
    NOT_BEGUN: N_("Not begun"),
    PROPOSING: N_("Proposals"),
    DEFINING: N_("Definition"),
    AUDITING: N_("Audit"),
    DONE: N_("Audited"),
}
OPERATOR, AUDITOR = "operator", "auditor"
ROLE_TITLES = {OPERATOR: N_("operator"), AUDITOR: N_("auditor")}


@dataclass(frozen=True, slots=True)
class PersonStatus:
    """What one person did for a task."""

    role: str
    """``operator`` or ``auditor``."""
    who: str
    """Empty for a reader who may not know it."""
    started: str
    """ISO 8601, UTC, as all times here."""
    signed: str = ""
    """Empty while the work is open."""
    states: int = 0
    """How many states are proposed, or reviewed."""


@dataclass(frozen=True, slots=True)
class AgreedStatus:
    """The status of one state of a task."""

    id: str
    sentence: str
    status: str
    """``proposed``, ``agreed`` or ``audited``: as its file says, but agreed when changed since its audit."""
    who: tuple[str, ...] = ()
    """Who gave it that status: the operators, or the auditor; empty when nobody is known."""
    time: str = ""
    note: str = ""
    """Why the status is another than the file says, in a sentence."""


@dataclass(frozen=True, slots=True)
class TaskStatus:
    """How far a task is."""

    task: str
    stage: str
    """One of ``STAGES``."""
    sentence: str
    """What is done and what comes next."""
    people: tuple[PersonStatus, ...] = ()
    definition_started: str = ""
    definition_started_by: str = ""
    definition_finished: str = ""
    definition_finished_by: str = ""
    """Who did it; empty for a reader who may not know it."""
    states: tuple[AgreedStatus, ...] = ()
    warnings: tuple[str, ...] = ()


def task_status(work: StateWork, task_id: str, person: str = "") -> TaskStatus:
    """The status of one task, as ``person`` may see it. Raises UnsafePath."""
    of_task, project = work.of_task(task_id), work.project
    task = project.task(task_id)
    names = task.essential_states if task is not None else ()
    known = project.states
    states = {name: known[name] for name in names if name in known}
    statuses = tuple(state_status(state, of_task, person) for state in states.values())
    stage, sentence = _stage(of_task, states, person)
    warnings = [str(problem) for problem in of_task.problems]
    if all(proposal.signed for proposal in of_task.proposals):
        warnings += filter(None, [same_course_warning(work, of_task)])
    warnings += [status.note for status in statuses if status.note]
    return TaskStatus(
        task_id,
        stage,
        sentence,
        _people(of_task, person),
        *_definition_acts(of_task, person),
        statuses,
        tuple(dict.fromkeys(warnings)),
    )


def edited_since_audit(work: StateWork) -> frozenset[str]:
    """Ids of the states whose file says audited, and that count as agreed because they were edited since."""
    states = work.project.states
    edited: set[str] = set()
    for task in work.project.tasks:
        audited = [
            states[name]
            for name in task.essential_states
            if name in states and states[name].status == AUDITED
        ]
        of_task = work.of_task(task.id) if audited else TaskWork(task.id)
        edited.update(state.id for state in audited if state_status(state, of_task).status != AUDITED)
    return frozenset(edited)


def project_status(work: StateWork, person: str = "") -> list[TaskStatus]:
    """The status of every task, in the order of the tasks."""
    return [task_status(work, task.id, person) for task in work.project.tasks]


def state_status(state: EssentialState, of_task: TaskWork, person: str = "") -> AgreedStatus:
    """The status of a state: audited only while it is as it was audited."""
    definition = of_task.definition
    shown = may_see_names(of_task, person).is_allowed
    if state.status == AUDITED:
        reviews = [
            (audit, review)
            for audit in of_task.audits
            if audit.signed and not audit.has_rejected and (review := audit.state(state.id)) is not None
        ]
        if not reviews:  # audited elsewhere, as in an import: the file alone says so
            return AgreedStatus(state.id, state.label, AUDITED)
        digest = agreed_digest(state)
        valid = [audit for audit, review in reviews if review.digest == digest]
        if valid:
            return AgreedStatus(state.id, state.label, AUDITED, (valid[0].who,), valid[0].signed)
        note = _("{state} was changed since its audit, so it counts as agreed", state=state.id)
        return AgreedStatus(state.id, state.label, AGREED, note=note)
    if state.status == AGREED and definition is not None and definition.finished:
        return AgreedStatus(
            state.id, state.label, AGREED, definition.operators if shown else (), definition.finished
        )
    return AgreedStatus(state.id, state.label, state.status)


def _stage(of_task: TaskWork, states: Mapping[str, EssentialState], person: str) -> tuple[str, str]:
    definition = of_task.definition
    if definition is None:
        return _before_definition(of_task)
    if sentence := realignment_sentence(of_task):
        if not may_see_names(of_task, person).is_allowed:
            sentence = _("A proposal was changed since it was aligned")
        return DEFINING, _("{what}: align them again", what=sentence)
    if not definition.finished:
        decided = sum(1 for decision in definition.decisions if decision.choice)
        return DEFINING, ngettext("{count} pair is decided", "{count} pairs are decided", decided)
    current = [audit for audit in of_task.audits if audit.definition == definition.finished]
    rejecting = [audit for audit in current if audit.signed and audit.has_rejected]
    if rejecting:
        return DEFINING, _("The audit sent the states back: {note}", note=rejecting[0].objections)
    if any(accepts(audit, of_task) for audit in current):
        if all(state_status(state, of_task).status == AUDITED for state in states.values()):
            return DONE, _("All states are audited")
        return AUDITING, _("States were changed since their audit: audit them again")
    if current:
        return AUDITING, _("The audit is not signed yet")
    return AUDITING, _("The states are agreed and wait for an audit")


def _before_definition(of_task: TaskWork) -> tuple[str, str]:
    signed = [proposal for proposal in of_task.proposals if proposal.signed]
    if not of_task.proposals and not of_task.unread_proposals:
        return NOT_BEGUN, _("Nobody has proposed states")
    if len(signed) >= OPERATORS:
        return DEFINING, _("Both proposals are signed: the definition can begin")
    if len(of_task.proposals) < OPERATORS:
        return PROPOSING, _("A second operator is needed")
    return PROPOSING, ngettext(
        "{count} of 2 proposals is signed", "{count} of 2 proposals are signed", len(signed)
    )


def _definition_acts(of_task: TaskWork, person: str) -> tuple[str, str, str, str]:
    """When the definition was started and by whom, when it was finished and by whom."""
    definition = of_task.definition
    if definition is None:
        return "", "", "", ""
    names = may_see_names(of_task, person).is_allowed
    started = next((act for act in definition.acts if act.kind == STARTED), None)
    finished = standing_act(definition.acts, FINISHED)
    return (
        started.time if started is not None else "",
        started.who if started is not None and names else "",
        finished.time if finished is not None else "",
        finished.who if finished is not None and names else "",
    )


def _people(of_task: TaskWork, person: str) -> tuple[PersonStatus, ...]:
    names = may_see_names(of_task, person).is_allowed
    operators = [
        PersonStatus(
            OPERATOR,
            proposal.who if names else "",
            proposal.started,
            proposal.signed,
            len(proposal.states) if proposal.signed or proposal.who == person else 0,
        )
        for proposal in of_task.proposals
    ]
    auditors = [
        PersonStatus(
            AUDITOR,
            audit.who if may_see_audit(of_task, person, audit.who).is_allowed or not audit.signed else "",
            audit.started,
            audit.signed,
            len(audit.states),
        )
        for audit in of_task.audits
    ]
    return (*operators, *auditors)
