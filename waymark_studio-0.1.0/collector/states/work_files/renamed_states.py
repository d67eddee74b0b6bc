"""Follow an essential state that got another id in the definitions and audits that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collector.model.essential_state import EssentialState
from collector.states.documents.audit import Audit, AuditedState
from collector.states.documents.definition import Definition
from collector.states.documents.proposal import ProposedState
from collector.states.work_files.digests import agreed_digest
from collector.states.work_files.state_work import StateWork
from collector.store.files.errors import StoreError
from collector.store.project.project import Project


def rename_in_work(project: Project, old: str, new: str) -> int:
    """Name the state ``old`` by its id ``new`` in all definitions and audits; return how many files changed.

    An audited state stays audited: its digest follows the ids that it names. Files that cannot be read stay
    as they are. Raises StoreError.
    """
    work, count = StateWork(project), 0
    states = {_renamed(name, old, new): state for name, state in project.states.items()}
    for _path, document in list(work.everything()):
        if isinstance(document, StoreError):
            continue
        changed = document
        if isinstance(document, Definition):
            changed = _renamed_definition(document, old, new)
        elif isinstance(document, Audit):
            changed = _renamed_audit(document, old, new, states)
        if changed != document:
            work.merge(document, changed)
            count += 1
    return count


def _renamed_definition(definition: Definition, old: str, new: str) -> Definition:
    decisions = (
        replace(decision, agreed_id=_renamed(decision.agreed_id, old, new))
        for decision in definition.decisions
    )
    return replace(definition, decisions=tuple(decisions))


def _renamed_audit(audit: Audit, old: str, new: str, states: Mapping[str, EssentialState]) -> Audit:
    return replace(audit, states=tuple(_renamed_review(review, old, new, states) for review in audit.states))


def _renamed_review(
    review: AuditedState, old: str, new: str, states: Mapping[str, EssentialState]
) -> AuditedState:
    name = _renamed(review.state, old, new)
    fixed = _renamed_state(review.fixed, old, new) if review.fixed is not None else None
    state, digest = states.get(name), review.digest
    if state is not None:
        # The file of the states may have the new id already, or not yet.
        before, after = _with_names(state, new, old), _with_names(state, old, new)
        digest = agreed_digest(after) if digest == agreed_digest(before) else digest
    return replace(review, state=name, fixed=fixed, digest=digest)


def _renamed_state(state: ProposedState, old: str, new: str) -> ProposedState:
    return replace(
        state,
        id=_renamed(state.id, old, new),
        after=_all_renamed(state.after, old, new),
        alternatives=_all_renamed(state.alternatives, old, new),
    )


def _with_names(state: EssentialState, old: str, new: str) -> EssentialState:
    return replace(
        state,
        after=_all_renamed(state.after, old, new),
        alternatives=_all_renamed(state.alternatives, old, new),
    )


def _all_renamed(names: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(_renamed(name, old, new) for name in names)


def _renamed(name: str, old: str, new: str) -> str:
    return new if name == old else name
