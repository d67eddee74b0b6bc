"""What a person may know of the work on the essential states of a task, as one value. Runs on a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.states.audit_facts import AuditFacts, read_facts
from collector.states.auditing import Auditing
from collector.states.defining import read_alignment, realignment_sentence
from collector.states.documents.audit import Audit
from collector.states.documents.definition import Definition
from collector.states.documents.proposal import Proposal
from collector.states.proposal_alignment import ProposalAlignment, align
from collector.states.work_files.blindness import OPERATORS, ViewPermission, may_see_names, may_see_proposal
from collector.states.work_files.state_work import StateWork, TaskWork
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class TaskReview:
    """The work on a task, read for one person."""

    task_id: str
    person: str
    work: TaskWork
    open_proposal: Path | None = None
    """The file of the person's own proposal while it is not signed."""
    alignment: ProposalAlignment | None = None
    """Both proposals, aligned; None while they must not be compared, or there are not two."""
    stale_reason: str = ""
    """Why the proposals have to be aligned again, in a sentence."""
    audited_states: Mapping[str, EssentialState] = field(default_factory=dict)
    """By id, the states that the person audits, in the order of the task; empty without an audit."""
    facts: AuditFacts | None = None
    """What the program found about them; None without an audit, and while it cannot be known."""

    @property
    def own(self) -> Proposal | None:
        """The proposal of the person."""
        return self.work.proposal(self.person)

    @property
    def audit(self) -> Audit | None:
        """The audit of the person."""
        return self.work.audit(self.person)

    @property
    def may_audit(self) -> bool:
        """Whether the person can begin an audit, or begin it again: others have agreed on the states."""
        definition = self.definition
        if definition is None or not definition.finished or self.stale_reason:
            return False
        if self.own is not None or self.person in definition.operators:
            return False
        return self.audit is None or self.audit.definition != definition.finished

    @property
    def definition(self) -> Definition | None:
        """The session in which both operators agree."""
        return self.work.definition

    @property
    def operators(self) -> tuple[str, ...]:
        """Operator A and operator B, as far as there are two."""
        if self.definition is not None:
            return self.definition.operators
        return self.work.operators[:OPERATORS]

    @property
    def may_propose(self) -> bool:
        """Whether the person can be one of the operators, or is one."""
        others = [who for who in self.work.operators if who != self.person]
        return len(others) < OPERATORS and self.work.audit(self.person) is None

    @property
    def may_see_names(self) -> bool:
        """Whether the person may see who the operators are."""
        return may_see_names(self.work, self.person).is_allowed

    def permission(self, operator: str) -> ViewPermission:
        """Whether the person may see the proposal of an operator."""
        return may_see_proposal(self.work, self.person, operator)


def read_task_review(project: Project, task_id: str, person: str) -> TaskReview:
    """Read the work on a task, and what follows from it for ``person``. Raises UserError."""
    work = StateWork(project)
    of_task = work.of_task(task_id)
    own = of_task.proposal(person)
    path = project.paths.proposal(task_id, person) if own is not None and not own.signed else None
    audit = of_task.audit(person)
    states = Auditing(work, task_id, person).states() if audit is not None else {}
    return TaskReview(
        task_id,
        person,
        of_task,
        path,
        _alignment(work, of_task, person),
        realignment_sentence(of_task),
        states,
        _facts(work, task_id, states) if audit is not None else None,
    )


def _facts(work: StateWork, task_id: str, states: Mapping[str, EssentialState]) -> AuditFacts | None:
    try:
        return read_facts(work, task_id, states)
    except UserError:
        return None


def _alignment(work: StateWork, of_task: TaskWork, person: str) -> ProposalAlignment | None:
    signed = [proposal for proposal in of_task.proposals if proposal.signed]
    definition = of_task.definition
    if definition is not None:
        signed = [found for who in definition.operators for found in signed if found.who == who]
    pair = signed[:OPERATORS]
    if len(pair) < OPERATORS:
        return None
    if not all(may_see_proposal(of_task, person, proposal.who).is_allowed for proposal in pair):
        return None
    pairing = definition.pairing if definition is not None else None
    a, b = pair
    try:
        return read_alignment(work, a, b, pairing)
    except UserError:  # a golden trajectory is gone: the proposals are still there to be compared
        return align(a, b, pairing=pairing)
