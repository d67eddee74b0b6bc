"""Who may see whose work on the states of a task: operators and auditors work blind (A3, section 3.2).

The files lie open in the project, so this protects from a look by accident, not from intent.
"""

from __future__ import annotations

import glob
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.states.documents.audit import Audit
from collector.states.documents.proposal import Proposal
from collector.states.work_files.state_work import StateWork, TaskWork
from collector.store.files.errors import StoreError
from collector.store.files.layout import PROPOSALS
from collector.store.files.names import folder_name
from collector.store.project.folder_list import FolderList
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header

OPERATORS = 2
"""A3 has two operators propose states for a task."""


@dataclass(frozen=True, slots=True)
class ViewPermission:
    """Whether something may be seen; when not, ``reason`` says why in a sentence."""

    reason: str = ""

    @property
    def is_allowed(self) -> bool:
        return not self.reason

    def require(self, what: str) -> None:
        """Raise UserError with the reason when it may not be seen; ``what`` is said to be not shown."""
        if self.reason:
            raise UserError(what, self.reason)


def may_see_proposal(work: TaskWork, person: str, other: str) -> ViewPermission:
    """Whether ``person`` may see what ``other`` proposes for the task.

    An operator may, once the own proposal is signed; an auditor, once the audit is signed; anybody else, once
    both operators have signed, so that nobody looks first and proposes then.
    """
    if person == other or (own := _signs_first(work, person, other)) is None:
        return ViewPermission()
    if own:
        return ViewPermission(own)
    signed = [proposal.who for proposal in work.proposals if proposal.signed]
    if len(signed) < OPERATORS:
        return ViewPermission(_("Proposals are shown when both operators have signed theirs"))
    return ViewPermission()


def may_see_golden(work: TaskWork, person: str, header: TrajectoryHeader) -> ViewPermission:
    """Whether ``person`` may see a trajectory of the task.

    A golden trajectory of another person is not shown to an operator whose proposal is open. Runs are shown,
    and so is everything to a person who proposes nothing for the task.
    """
    if header.kind == RUN or header.who.strip() == person:
        return ViewPermission()
    own = work.proposal(person)
    if not work.has_unread_proposal(person) and (own is None or own.signed):
        return ViewPermission()
    return ViewPermission(
        _("You see the golden trajectory of {who} when your own proposal is signed", who=header.who or "?")
    )


def may_see_audit(work: TaskWork, person: str, other: str) -> ViewPermission:
    """Whether ``person`` may see the audit of ``other``: an auditor only after the own one is signed."""
    if person == other:
        return ViewPermission()
    own = work.audit(person)
    if own is not None and not own.signed:
        return ViewPermission(_("You see other audits when your own is signed"))
    theirs = work.audit(other)
    if theirs is not None and not theirs.signed:
        return ViewPermission(_("An audit is shown when it is signed"))
    return ViewPermission()


def may_see_names(work: TaskWork, person: str) -> ViewPermission:
    """Whether ``person`` may see who the operators are: an auditor only after the own audit is signed."""
    own = work.audit(person)
    if own is not None and not own.signed:
        return ViewPermission(_("An audit is blind: you see who proposed when it is signed"))
    return ViewPermission()


def blind_tasks(project: Project, person: str) -> frozenset[str]:
    """Ids of the tasks for which ``person`` has an open proposal, so that others' goldens are hidden."""
    work = StateWork(project)
    return _unsigned(project, person, work.proposal) if work.has_proposals else frozenset()


def audited_tasks(project: Project, person: str) -> frozenset[str]:
    """Ids of the tasks whose audit ``person`` has not signed, so that operators' names are hidden."""
    work = StateWork(project)
    return _unsigned(project, person, work.audit) if work.has_audits else frozenset()


def _unsigned(
    project: Project, person: str, read: Callable[[str, str], Proposal | Audit | None]
) -> frozenset[str]:
    """Ids of the tasks for which ``read`` gives something of ``person`` that is not signed."""
    unsigned = set()
    for task in project.tasks:
        try:
            document = read(task.id, person)
        except StoreError:
            continue  # a damaged file is a finding of the check
        if document is not None and not document.signed:
            unsigned.add(task.id)
    return frozenset(unsigned)


def sees_every_trajectory(project: Project, person: str) -> bool:
    """Whether no trajectory can be hidden from ``person``, who proposes states for no task."""
    return not any(project.folder.glob(f"{PROPOSALS}/*/{glob.escape(folder_name(person))}.yaml"))


def require_visible_golden(project: Project, header: TrajectoryHeader, person: str) -> None:
    """Raise UserError when a trajectory may not be shown to ``person``."""
    if header.kind == RUN or header.who.strip() == person:
        return
    work = StateWork(project).of_task(header.task_id)
    may_see_golden(work, person, header).require(_("{id} is not shown", id=header.id))


def visible_trajectories(project: Project, person: str) -> Callable[[TrajectoryHeader], bool]:
    """Whether ``person`` may see a trajectory, by its header, as the proposals say now."""
    works: dict[str, TaskWork] = {}

    def is_visible(header: TrajectoryHeader) -> bool:
        if header.kind == RUN or header.who.strip() == person:
            return True
        if header.task_id not in works:
            works[header.task_id] = StateWork(project).of_task(header.task_id)
        return may_see_golden(works[header.task_id], person, header).is_allowed

    return is_visible


def visible_folders(project: Project, person: str) -> FolderList:
    """The folders of the trajectories that ``person`` may see; one that cannot be read is among them."""
    if sees_every_trajectory(project, person):  # or each header is read twice
        return FolderList(project.trajectory_folders())
    is_visible = visible_trajectories(project, person)

    def may_see(folder: Path) -> bool:
        try:
            return is_visible(read_header(folder))
        except StoreError:
            return True

    return FolderList(filter(may_see, project.trajectory_folders()))


def _signs_first(work: TaskWork, person: str, other: str) -> str | None:
    """Why ``person`` has to sign first; None when the signature is there, empty without any own work."""
    own = work.proposal(person)
    if own is not None or work.has_unread_proposal(person):
        if own is not None and own.signed:
            return None
        return _("You see the proposal of {who} when your own is signed", who=other)
    return may_see_names(work, person).reason
