"""Proposals as the documents of ``proposals/<task>/<who>.yaml``, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collector.states.documents.plain_fields import PlainFields
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.documents.workflow_act import ACT_KINDS, WorkflowAct
from collector.store.files.format_versions import PROPOSAL, Document

_KEYS = ("format", "version", "task", "who", "golden", "states", "acts")
_STATE_KEYS = ("id", "sentence", "description", "step", "after", "optional", "alternatives", "conditions")


def proposal_document(proposal: Proposal) -> Document:
    """The document of a proposal; keys without a value are left out."""
    values = {
        "task": proposal.task,
        "who": proposal.who,
        "golden": proposal.golden,
        "states": [state_values(state) for state in proposal.states],
        "acts": act_values(proposal.acts),
    }
    known = {**without_empty(values), "states": values["states"]}  # an empty list says where states go
    ordered = {key: known[key] for key in values if key in known}
    return PROPOSAL.stamp({**ordered, **without_known(proposal.extra, _KEYS)})


def proposal_of(document: object, name: str) -> Proposal:
    """The proposal of a loaded document; ``name`` is that of the file. Raises Damaged or FromTheFuture."""
    fields = PlainFields(PROPOSAL.upgrade(document, name), name)
    states = tuple(map(state_of, fields.mappings("states")))
    fields.refuse_twice("states", [state.id for state in states])
    return Proposal(
        fields.required("task"),
        fields.required("who"),
        fields.text("golden"),
        states,
        acts_of(fields),
        fields.rest(_KEYS),
    )


def state_values(state: ProposedState) -> dict[str, Any]:
    """The entry of a proposed state; keys without a value are left out."""
    values = {
        "id": state.id,
        "sentence": state.sentence,
        "step": state.step,
        "after": list(state.after),
        "optional": state.optional,
        "alternatives": list(state.alternatives),
        "conditions": state.conditions,
    }
    return {**without_empty(values), **without_known(state.extra, _STATE_KEYS)}


def state_of(fields: PlainFields) -> ProposedState:
    """The proposed state of an entry. Raises Damaged."""
    return ProposedState(
        fields.required("id"),
        fields.text("sentence") or fields.text("description"),  # as rules/states.yaml calls it
        fields.plain("conditions") or None,
        fields.texts("after"),
        fields.flag("optional"),
        fields.texts("alternatives"),
        fields.step("step"),
        fields.rest(_STATE_KEYS),
    )


def act_values(acts: Iterable[WorkflowAct]) -> list[dict[str, str]]:
    """The entries of acts."""
    return [{"act": act.kind, "who": act.who, "time": act.time} for act in acts]


def acts_of(fields: PlainFields) -> tuple[WorkflowAct, ...]:
    """The acts under ``acts``. Raises Damaged."""
    return tuple(
        WorkflowAct(
            act.word("act", ACT_KINDS, ", ".join(ACT_KINDS)), act.required("who"), act.required("time")
        )
        for act in fields.mappings("acts")
    )


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that say something: 0 is a step, and stays."""
    return {key: value for key, value in values.items() if value or (value == 0 and value is not False)}


def without_known(extra: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Other keys of a document, without those that the program writes itself."""
    names = frozenset(known)
    return {key: value for key, value in extra.items() if key not in names}
