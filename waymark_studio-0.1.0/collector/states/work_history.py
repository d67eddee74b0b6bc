"""Every act on the states of a task as a sentence, with who and when, from the files of all people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.model.i18n import _, ngettext
from collector.states.documents.audit import Audit
from collector.states.documents.definition import (
    CHOOSE_A,
    CHOOSE_B,
    DROPPED,
    EDITED,
    Definition,
    StateDecision,
)
from collector.states.documents.proposal import Proposal
from collector.states.documents.workflow_act import FINISHED, SIGNED, STARTED, WITHDRAWN
from collector.states.work_files.blindness import may_see_audit, may_see_names, may_see_proposal
from collector.states.work_files.state_work import TaskWork


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One act. ``who`` is empty for a reader who may not know it."""

    time: str
    """ISO 8601, UTC."""
    who: str
    sentence: str
    stage: str
    """``proposal``, ``definition`` or ``audit``."""
    state: str = ""
    """Id of the state in ``rules/states.yaml`` that it is about; empty for an act on all of them."""


def history_of(of_task: TaskWork, person: str = "") -> list[HistoryEntry]:
    """All acts on a task in their order, as ``person`` may know them."""
    entries: list[HistoryEntry] = []
    for proposal in of_task.proposals:
        entries += _of_proposal(of_task, proposal, person)
    if of_task.definition is not None:
        entries += _of_definition(of_task, of_task.definition, person)
    for audit in of_task.audits:
        entries += _of_audit(of_task, audit, person)
    return sorted(entries, key=lambda entry: entry.time)


def _of_proposal(of_task: TaskWork, proposal: Proposal, person: str) -> Iterator[HistoryEntry]:
    names = may_see_names(of_task, person).is_allowed
    seen = may_see_proposal(of_task, person, proposal.who).is_allowed
    who = proposal.who if names else ""
    by = who or _("An operator")
    count = len(proposal.states)
    sentences = {
        STARTED: _("{who} opened a proposal", who=by),
        WITHDRAWN: _("{who} took the signature back", who=by),
        SIGNED: _("{who} signed the proposal", who=by),
    }
    for act in proposal.acts:
        sentence = sentences.get(act.kind, "")
        if act.kind == SIGNED and act.time == proposal.signed and seen:
            sentence = ngettext(
                "{who} signed the proposal with {count} state",
                "{who} signed the proposal with {count} states", count, who=by,
            )  # fmt: skip
        if sentence:
            yield HistoryEntry(act.time, who, sentence, "proposal")


def _of_definition(of_task: TaskWork, definition: Definition, person: str) -> Iterator[HistoryEntry]:
    names = may_see_names(of_task, person).is_allowed
    seen = all(may_see_proposal(of_task, person, who).is_allowed for who in definition.operators)
    kept = sum(1 for decision in definition.decisions if decision.choice and decision.choice != DROPPED)
    for act in definition.acts:
        by = act.who if names else _("An operator")
        sentences = {
            STARTED: _("{who} opened the definition", who=by),
            WITHDRAWN: _("{who} opened the definition again", who=by),
            FINISHED: _("{who} finished the definition", who=by),
        }
        sentence = sentences.get(act.kind, "")
        if act.kind == FINISHED and act.time == definition.finished:
            sentence = ngettext(
                "{who} finished the definition with {count} state",
                "{who} finished the definition with {count} states", kept, who=by,
            )  # fmt: skip
        if sentence:
            yield HistoryEntry(act.time, act.who if names else "", sentence, "definition")
    for decision in definition.decisions:
        if decision.choice and decision.time and names and seen:
            sentence = _decision_sentence(of_task, definition, decision)
            yield HistoryEntry(decision.time, decision.who, sentence, "definition", decision.agreed_id)


def _decision_sentence(of_task: TaskWork, definition: Definition, decision: StateDecision) -> str:
    a, b = definition.operators
    first, second = of_task.proposal(a), of_task.proposal(b)
    states = [
        proposal.state(name) if proposal is not None and name else None
        for proposal, name in ((first, decision.a), (second, decision.b))
    ]
    label = next((state.label for state in states if state is not None), decision.key)
    values = {"who": decision.who, "pair": decision.key, "state": label}
    if decision.choice == EDITED and decision.state is not None:
        return _(
            "{who} settled {pair} with an edited state: {state}", **{**values, "state": decision.state.label}
        )
    if decision.choice == DROPPED:
        return _("{who} dropped {pair}: {state}", **values)
    chosen = states[0] if decision.choice == CHOOSE_A else states[1]
    values["state"] = chosen.label if chosen is not None else label
    if decision.a and decision.b:
        operator = b if decision.choice == CHOOSE_B else a
        return _("{who} settled {pair} as {operator} has it: {state}", operator=operator, **values)
    return _("{who} kept {pair}: {state}", **values)


def _of_audit(of_task: TaskWork, audit: Audit, person: str) -> Iterator[HistoryEntry]:
    seen = may_see_audit(of_task, person, audit.who).is_allowed
    shown = seen or not audit.signed
    by = audit.who if shown else _("An auditor")
    for act in audit.acts:
        sentences = {
            STARTED: _("{who} began the audit", who=by),
            WITHDRAWN: _("{who} took the audit back", who=by),
            SIGNED: _("{who} signed the audit", who=by),
        }
        sentence = sentences.get(act.kind, "")
        if act.kind == SIGNED and act.time == audit.signed and seen:
            if audit.has_rejected:
                sentence = _("{who} sent the states back: {note}", who=by, note=audit.objections)
            else:
                sentence = _("{who} accepted all states", who=by)
        if sentence:
            yield HistoryEntry(act.time, audit.who if shown else "", sentence, "audit")
