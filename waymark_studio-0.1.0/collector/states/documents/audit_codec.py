"""Audits as the documents of ``audits/<task>/<who>.yaml``, and back."""

from __future__ import annotations

from typing import Any

from collector.states.documents.audit import (
    ANSWERS,
    CRITICALITY,
    STATE_CRITERIA,
    SUFFICIENCY,
    VERDICTS_OF_AUDIT,
    VISUAL_VERIFIABILITY,
    Audit,
    AuditedState,
    CriterionAnswer,
)
from collector.states.documents.plain_fields import PlainFields
from collector.states.documents.proposal_codec import (
    act_values,
    acts_of,
    state_of,
    state_values,
    without_empty,
    without_known,
)
from collector.store.files.format_versions import AUDIT, Document

_KEYS = ("format", "version", "task", "who", "definition", "states", SUFFICIENCY, "acts")
_STATE_KEYS = ("state", *STATE_CRITERIA, "verdict", "note", "fixed", "digest")


def audit_document(audit: Audit) -> Document:
    """The document of an audit; keys without a value are left out."""
    values = {
        "task": audit.task,
        "who": audit.who,
        "definition": audit.definition,
        "states": list(map(_state_values, audit.states)),
        SUFFICIENCY: _answer_values(audit.sufficiency),
        "acts": act_values(audit.acts),
    }
    return AUDIT.stamp({**without_empty(values), **without_known(audit.extra, _KEYS)})


def audit_of(document: object, name: str) -> Audit:
    """The audit of a loaded document; ``name`` is that of the file. Raises Damaged or FromTheFuture."""
    fields = PlainFields(AUDIT.upgrade(document, name), name)
    states = tuple(map(_state_of, fields.mappings("states")))
    fields.refuse_twice("states", [state.state for state in states])
    return Audit(
        fields.required("task"),
        fields.required("who"),
        states,
        _answer_of(fields, SUFFICIENCY),
        fields.text("definition"),
        acts_of(fields),
        fields.rest(_KEYS),
    )


def _state_values(state: AuditedState) -> dict[str, Any]:
    answers = {criterion: _answer_values(state.answer(criterion)) for criterion in STATE_CRITERIA}
    values = {
        "state": state.state,
        **answers,
        "verdict": state.verdict,
        "note": state.note,
        "fixed": state_values(state.fixed) if state.fixed is not None else None,
        "digest": state.digest,
    }
    return {**without_empty(values), **without_known(state.extra, _STATE_KEYS)}


def _state_of(fields: PlainFields) -> AuditedState:
    fixed = fields.mapping("fixed")
    return AuditedState(
        fields.required("state"),
        _answer_of(fields, VISUAL_VERIFIABILITY),
        _answer_of(fields, CRITICALITY),
        fields.word("verdict", VERDICTS_OF_AUDIT, ", ".join(VERDICTS_OF_AUDIT)),
        fields.text("note"),
        state_of(fixed) if fixed is not None else None,
        fields.text("digest"),
        fields.rest(_STATE_KEYS),
    )


def _answer_values(answer: CriterionAnswer) -> dict[str, str]:
    return without_empty({"answer": answer.value, "note": answer.note})


def _answer_of(fields: PlainFields, key: str) -> CriterionAnswer:
    """An answer: a mapping with its note, or the word alone."""
    value = fields.plain(key)
    if value is None:
        return CriterionAnswer()
    if not isinstance(value, dict):
        return CriterionAnswer(fields.word(key, ANSWERS, ", ".join(ANSWERS)))
    inside = fields.mapping(key)
    assert inside is not None
    return CriterionAnswer(inside.word("answer", ANSWERS, ", ".join(ANSWERS)), inside.text("note"))
