"""Definition sessions as the documents of ``definitions/<task>.yaml``, and back."""

from __future__ import annotations

from typing import Any

from collector.states.documents.definition import CHOICES, Definition, StateDecision
from collector.states.documents.plain_fields import PlainFields
from collector.states.documents.proposal_codec import (
    act_values,
    acts_of,
    state_of,
    state_values,
    without_empty,
    without_known,
)
from collector.store.files.format_versions import DEFINITION, Document

_KEYS = ("format", "version", "task", "a", "b", "decisions", "pairing", "acts")


def definition_document(definition: Definition) -> Document:
    """The document of a session; keys without a value are left out."""
    sides = zip("ab", definition.operators, definition.proposals, strict=True)
    values = {
        "task": definition.task,
        **{side: without_empty({"who": who, "proposal": digest}) for side, who, digest in sides},
        "decisions": [_decision_values(decision) for decision in definition.decisions],
        "pairing": [{"a": a, "b": b, "same": same} for (a, b), same in definition.pairing.items()],
        "acts": act_values(definition.acts),
    }
    return DEFINITION.stamp({**without_empty(values), **without_known(definition.extra, _KEYS)})


def definition_of(document: object, name: str) -> Definition:
    """The session of a loaded document; ``name`` is that of the file. Raises Damaged or FromTheFuture."""
    fields = PlainFields(DEFINITION.upgrade(document, name), name)
    task = fields.required("task")
    a, b = (fields.mapping(side) or PlainFields({}, name, side) for side in "ab")
    decisions = tuple(map(_decision_of, fields.mappings("decisions")))
    fields.refuse_twice("decisions", [decision.key for decision in decisions])
    return Definition(
        task,
        (a.required("who"), b.required("who")),
        (a.text("proposal"), b.text("proposal")),
        decisions,
        {(pair.required("a"), pair.required("b")): pair.flag("same") for pair in fields.mappings("pairing")},
        acts_of(fields),
        fields.rest(_KEYS),
    )


def _decision_values(decision: StateDecision) -> dict[str, Any]:
    return without_empty(
        {
            "a": decision.a,
            "b": decision.b,
            "choice": decision.choice,
            "state": state_values(decision.state) if decision.state is not None else None,
            "agreed": decision.agreed_id,
            "digest": decision.digest,
            "who": decision.who,
            "time": decision.time,
        }
    )


def _decision_of(fields: PlainFields) -> StateDecision:
    edited = fields.mapping("state")
    a, b = fields.text("a"), fields.text("b")
    if not a:
        b = fields.required("b")
    return StateDecision(
        a,
        b,
        fields.word("choice", CHOICES, ", ".join(CHOICES)),
        state_of(edited) if edited is not None else None,
        fields.text("who"),
        fields.text("time"),
        fields.text("agreed"),
        fields.text("digest"),
    )
