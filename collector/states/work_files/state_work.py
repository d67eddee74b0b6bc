"""The files of proposals, definitions and audits of a project: read one or all, and change them.

A file is changed by a function of its present content while a lock is held, so two programs that change the
same file one after another both count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from collector.model.editing.three_way_merge import merge
from collector.model.i18n import _
from collector.states.documents.audit import Audit
from collector.states.documents.audit_codec import audit_document, audit_of
from collector.states.documents.definition import Definition
from collector.states.documents.definition_codec import definition_document, definition_of
from collector.states.documents.proposal import Proposal
from collector.states.documents.proposal_codec import proposal_document, proposal_of
from collector.store.files import lock, yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, NotFound, StoreError
from collector.store.files.format_versions import Document
from collector.store.files.layout import AUDITS, DEFINITIONS, PROPOSALS
from collector.store.files.links import refuse_links_outside
from collector.store.files.names import folder_name
from collector.store.project.project import Project

WorkDocument = Proposal | Definition | Audit
_Kind = TypeVar("_Kind", bound=WorkDocument)
ENTRY_KEYS: dict[type, tuple[str, ...]] = {Proposal: ("id",), Definition: ("a", "b"), Audit: ("state",)}
"""Which keys name an entry in the lists of each kind of file."""


@dataclass(frozen=True, slots=True)
class TaskWork:
    """Everything that people wrote on the states of one task."""

    task: str
    proposals: tuple[Proposal, ...] = ()
    """In order of their start."""
    definition: Definition | None = None
    audits: tuple[Audit, ...] = ()
    """In order of their start."""
    problems: tuple[StoreError, ...] = ()
    """A file that cannot be read is left out, and its error is here."""
    unread_proposals: tuple[str, ...] = ()
    """Names of files, without their endings, of proposals that cannot be read."""

    def proposal(self, who: str) -> Proposal | None:
        """The proposal of a person; None when there is none."""
        return next((proposal for proposal in self.proposals if proposal.who == who), None)

    def audit(self, who: str) -> Audit | None:
        """The audit of a person; None when there is none."""
        return next((audit for audit in self.audits if audit.who == who), None)

    def has_unread_proposal(self, who: str) -> bool:
        """Whether a person has a proposal that cannot be read."""
        return folder_name(who) in self.unread_proposals

    @property
    def operators(self) -> tuple[str, ...]:
        """Who proposes states for the task, in order of their start."""
        return tuple(proposal.who for proposal in self.proposals)


class StateWork:
    """The workflow's files of one project. Any thread may call; each call reads the disk."""

    def __init__(self, project: Project, disk: Disk | None = None) -> None:
        self.project = project
        self._paths, self._disk = project.paths, disk or Disk()

    # Reading

    @property
    def has_proposals(self) -> bool:
        """Whether anybody proposes states in this project."""
        return (self._paths.folder / PROPOSALS).is_dir()

    @property
    def has_audits(self) -> bool:
        """Whether anybody audits states in this project."""
        return (self._paths.folder / AUDITS).is_dir()

    def of_task(self, task_id: str) -> TaskWork:
        """All work on a task; what cannot be read is left out and reported. Raises UnsafePath."""
        problems: list[StoreError] = []
        proposals = self._all(self._paths.proposals_of(task_id), proposal_of, problems)
        read = {self.path_of(proposal) for proposal in proposals}
        files = self._paths.proposals_of(task_id).glob("*.yaml")
        audits = self._all(self._paths.audits_of(task_id), audit_of, problems)
        definition = None
        try:
            definition = self.definition(task_id)
        except StoreError as error:
            problems.append(error)
        return TaskWork(
            task_id,
            tuple(sorted(proposals, key=_order)),
            definition,
            tuple(sorted(audits, key=_order)),
            tuple(problems),
            tuple(sorted(path.stem for path in files if path not in read)),
        )

    def proposal(self, task_id: str, who: str) -> Proposal | None:
        """A person's proposal for a task, or None. Raises StoreError."""
        return self._read(self._paths.proposal(task_id, who), proposal_of)

    def definition(self, task_id: str) -> Definition | None:
        """The definition session of a task, or None. Raises StoreError."""
        return self._read(self._paths.definition(task_id), definition_of)

    def audit(self, task_id: str, who: str) -> Audit | None:
        """A person's audit of a task, or None. Raises StoreError."""
        return self._read(self._paths.audit(task_id, who), audit_of)

    def everything(self) -> Iterator[tuple[Path, WorkDocument | StoreError]]:
        """Each file of the workflow with what it holds, or with the error that says why it cannot be read."""
        for path in self._paths.state_work_files():
            kind = path.relative_to(self._paths.folder).parts[0]
            try:
                document = self._read(path, _READERS[kind])
            except StoreError as error:
                yield path, error
                continue
            if document is not None:
                yield path, document

    def path_of(self, document: WorkDocument) -> Path:
        """Where a document is kept."""
        if isinstance(document, Proposal):
            return self._paths.proposal(document.task, document.who)
        if isinstance(document, Definition):
            return self._paths.definition(document.task)
        return self._paths.audit(document.task, document.who)

    # Writing

    def change_proposal(
        self, task_id: str, who: str, change: Callable[[Proposal | None], Proposal | None]
    ) -> tuple[Proposal | None, Proposal | None]:
        """Replace a proposal by what ``change`` makes of it; None deletes it. Returns both.

        Raises StoreError, and what ``change`` raises; the file is whole or unchanged then.
        """
        return self._change(self._paths.proposal(task_id, who), proposal_of, change)

    def change_definition(
        self, task_id: str, change: Callable[[Definition | None], Definition | None]
    ) -> tuple[Definition | None, Definition | None]:
        """As :meth:`change_proposal`, for the definition session of a task."""
        return self._change(self._paths.definition(task_id), definition_of, change)

    def change_audit(
        self, task_id: str, who: str, change: Callable[[Audit | None], Audit | None]
    ) -> tuple[Audit | None, Audit | None]:
        """As :meth:`change_proposal`, for an audit."""
        return self._change(self._paths.audit(task_id, who), audit_of, change)

    def merge(
        self, base: WorkDocument | None, mine: WorkDocument | None
    ) -> tuple[WorkDocument | None, WorkDocument | None]:
        """Change the file of ``base`` as ``mine`` differs from it; what others changed since stays.

        Returns what the file held and what it holds now. Raises Damaged when both changed the same.
        """
        some = mine or base
        if some is None:
            return None, None
        path = self.path_of(some)
        read = _READERS[path.relative_to(self._paths.folder).parts[0]]

        def merged(current: WorkDocument | None) -> WorkDocument | None:
            if current == base:
                return mine
            if mine is not None and current is not None:
                old = document_of(base) if base is not None else {}
                both = merge(old, document_of(mine), document_of(current), ENTRY_KEYS[type(some)])
                if not both.conflicts:
                    return read(both.value, self._paths.relative(path))
            raise StoreError(
                _("{name} was changed since", name=self._paths.relative(path)),
                _("the same part of it says something else now"),
                _("Change it by hand; nothing was lost"),
            )

        return self._change(path, read, merged)

    def _change(
        self, path: Path, read: Callable[[object, str], _Kind], change: Callable[[_Kind | None], _Kind | None]
    ) -> tuple[_Kind | None, _Kind | None]:
        self.project.require_writable()
        with lock.held_for_a_moment(self._paths.state_work_lock):
            before = self._read(path, read)
            after = change(before)
            if after is None:
                self._disk.remove(path)
            elif after != before:
                self._disk.make_folder(path.parent)
                yaml_files.write(path, document_of(after), self._disk, ENTRY_KEYS[type(after)])
        return before, after

    def _read(self, path: Path, read: Callable[[object, str], _Kind]) -> _Kind | None:
        refuse_links_outside(self._paths.folder, [path.parent.parent, path.parent, path])
        try:
            document = yaml_files.load(path)
        except NotFound:
            return None
        name = self._paths.relative(path)
        value = read(document, name)
        if self.path_of(value) != path:
            who = "" if isinstance(value, Definition) else value.who
            raise Damaged(
                _("{name} cannot be read", name=name),
                _("it says {says}, which is not its place", says=f"{value.task} {who}".strip()),
                _("Move it to where it belongs, or correct `task` and `who`"),
            )
        return value

    def _all(
        self, folder: Path, read: Callable[[object, str], _Kind], problems: list[StoreError]
    ) -> list[_Kind]:
        values = []
        for path in sorted(folder.glob("*.yaml")):
            try:
                value = self._read(path, read)
            except StoreError as error:
                problems.append(error)
                continue
            if value is not None:
                values.append(value)
        return values


_READERS: dict[str, Callable[[object, str], WorkDocument]] = {
    PROPOSALS: proposal_of,
    DEFINITIONS: definition_of,
    AUDITS: audit_of,
}


def document_of(value: WorkDocument) -> Document:
    """The document that a file holds for a value."""
    if isinstance(value, Proposal):
        return proposal_document(value)
    if isinstance(value, Definition):
        return definition_document(value)
    return audit_document(value)


def kind_of(value: WorkDocument) -> str:
    """Which of the folders of the workflow a document belongs to."""
    return {Proposal: PROPOSALS, Definition: DEFINITIONS, Audit: AUDITS}[type(value)]


def value_of(kind: str, document: object, name: str) -> WorkDocument:
    """The value of a document of :func:`kind_of`. Raises KeyError, Damaged or FromTheFuture."""
    return _READERS[kind](document, name)


def _order(document: Proposal | Audit) -> tuple[str, str]:
    return document.started, document.who
