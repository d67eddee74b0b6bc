"""The sheet of the Audit tab, from what an auditor answered and from facts that the program found."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.essential_state import EssentialState
from collector.model.i18n import _, ngettext
from collector.states.audit_facts import AuditFacts, GoldenFact, StateFacts
from collector.states.documents.audit import (
    ACCEPT,
    CRITERION_QUESTIONS,
    CRITERION_TITLES,
    FIX,
    NO,
    STATE_CRITERIA,
    SUFFICIENCY,
    VISUAL_VERIFIABILITY,
    Audit,
    AuditedState,
)
from collector.states.work_files.blindness import may_see_audit
from collector.states.work_files.digests import agreed_digest
from studio.bridge.review.task_review import TaskReview
from studio.widgets.state_audit.rows import AuditedRow, AuditSheet, CriterionRow

Facts = tuple[tuple[str, str], ...]
_OK, _WARN, _INFO = "state-ok", "state-warn", "state-info"


def audit_sheet(review: TaskReview, *, is_read_only: bool = False) -> AuditSheet:
    """The checklist of the person of ``review``, whose audit is begun."""
    audit = review.audit
    assert audit is not None
    numbers = {name: f"M{place}" for place, name in enumerate(review.audited_states, start=1)}
    rows = tuple(_row(audit, state, numbers, review.facts) for state in review.audited_states.values())
    return AuditSheet(
        _("by {who}", who=audit.who) if audit.signed else _("by {who}, blind", who=audit.who),
        rows,
        bool(audit.signed),
        is_read_only,
        "" if audit.signed else _problem(audit, review, numbers),
        _verdict(audit) if audit.signed else "",
        tuple(_others(review)),
    )


def _row(
    audit: Audit, state: EssentialState, numbers: dict[str, str], facts: AuditFacts | None
) -> AuditedRow:
    answered = audit.state(state.id) or AuditedState(state.id)
    found = facts.states.get(state.id) if facts is not None else None
    criteria = [
        CriterionRow(
            criterion,
            _(CRITERION_TITLES[criterion]),
            _(CRITERION_QUESTIONS[criterion]),
            answered.answer(criterion).value,
            answered.answer(criterion).note,
            _facts(criterion, found, state, numbers),
        )
        for criterion in STATE_CRITERIA
    ]
    criteria.append(
        CriterionRow(
            SUFFICIENCY,
            _(CRITERION_TITLES[SUFFICIENCY]),
            _(CRITERION_QUESTIONS[SUFFICIENCY]),
            audit.sufficiency.value,
            audit.sufficiency.note,
            _sufficiency_facts(facts),
        )
    )
    return AuditedRow(
        state.id, numbers[state.id], state.label, answered.verdict, _decided(answered), tuple(criteria)
    )


def _decided(answered: AuditedState) -> str:
    """What was decided on a state, with the note or the correction."""
    if answered.verdict == ACCEPT:
        return _("Accepted") if not answered.note else _("Accepted: {note}", note=answered.note)
    if answered.verdict == FIX and answered.fixed is not None:
        return _("Accepted as: {sentence}", sentence=answered.fixed.label)
    return _("Rejected: {note}", note=answered.note) if answered.verdict else ""


# -- facts -----------------------------------------------------------------------


def _facts(criterion: str, found: StateFacts | None, state: EssentialState, numbers: dict[str, str]) -> Facts:
    if found is None:
        return ()
    if criterion == VISUAL_VERIFIABILITY:
        return _visible_facts(found)
    return _critical_facts(found, state, numbers)


def _visible_facts(found: StateFacts) -> Facts:
    """Where the state is reached, and whether it can be seen there."""
    said = [_golden_fact(fact) for fact in found.goldens]
    if not found.judged_by_rules:
        said.append((_INFO, _("It has no conditions: people and models judge it")))
    return tuple(said)


def _golden_fact(fact: GoldenFact) -> tuple[str, str]:
    if fact.step is None:
        return _WARN, _("Golden {golden} does not reach it", golden=fact.golden)
    values = {"golden": fact.golden, "number": fact.step + 1}
    if not fact.has_screenshot:
        return _WARN, _("Golden {golden}: step {number} reaches it, and has no screenshot", **values)
    if not fact.by_rules:
        return _OK, _("Golden {golden}: its operator points at step {number}", **values)
    return _OK, _("Golden {golden}: step {number} reaches it", **values)


def _critical_facts(found: StateFacts, state: EssentialState, numbers: dict[str, str]) -> Facts:
    """What speaks for the state as something that must be done, and what against."""
    said = []
    if found.is_reached_everywhere:
        said.append((_OK, _("Both golden trajectories reach it")))
    elif found.goldens:
        said.append((_WARN, _("Not every golden trajectory reaches it")))
    if found.needed_by:
        names = _names(found.needed_by, numbers)
        count = len(found.needed_by)
        said.append((_OK, ngettext("{states} comes after it", "{states} come after it", count, states=names)))
    if found.together_with:
        names = _names(found.together_with, numbers)
        said.append((_WARN, _("Reached at the same steps as {states}: one may be enough", states=names)))
    if state.optional:
        said.append((_INFO, _("It is optional")))
    return tuple(said)


def _sufficiency_facts(facts: AuditFacts | None) -> Facts:
    """Which steps lead to no state; asked once, of all states together."""
    said = [(_INFO, _("One answer for all states together"))]
    if facts is None:
        return tuple(said)
    for golden, steps in facts.uncovered.items():
        if steps:
            listed = ", ".join(str(step + 1) for step in steps)
            sentence = ngettext(
                "Golden {golden}: step {steps} leads to no state",
                "Golden {golden}: steps {steps} lead to no state",
                len(steps), golden=golden, steps=listed,
            )  # fmt: skip
            said.append((_WARN, sentence))
        else:
            said.append((_OK, _("Golden {golden}: every step leads to a state", golden=golden)))
    return (*said, *((_WARN, problem) for problem in facts.problems))


def _names(states: Sequence[str], numbers: dict[str, str]) -> str:
    return ", ".join(numbers.get(name, name) for name in states)


# -- the whole ---------------------------------------------------------------------


def _problem(audit: Audit, review: TaskReview, numbers: dict[str, str]) -> str:
    """Why the audit cannot be signed yet: the first thing that is missing."""
    if review.definition is None or audit.definition != review.definition.finished:
        return _("The states were defined anew: begin the audit again")
    for name, state in review.audited_states.items():
        answered = audit.state(name) or AuditedState(name)
        missing = [_(CRITERION_TITLES[item]) for item in STATE_CRITERIA if not answered.answer(item).value]
        if missing:
            return _("{state} lacks: {criteria}", state=numbers[name], criteria=", ".join(missing))
        if not answered.verdict:
            return _("{state} is neither accepted nor rejected", state=numbers[name])
        if answered.digest != agreed_digest(state):
            return _("{state} was changed since you looked at it: decide it again", state=numbers[name])
    if not audit.sufficiency.value:
        return _("Sufficiency of all states together is not answered")
    if audit.sufficiency.value == NO and not audit.sufficiency.note:
        return _("Say in a note what the states do not cover")
    return ""


def _verdict(audit: Audit) -> str:
    if audit.has_rejected:
        return _("Signed; the states go back to the operators: {note}", note=audit.objections)
    return _("Signed; all states are accepted")


def _others(review: TaskReview) -> list[str]:
    """What other auditors signed, as far as it may be seen."""
    return [
        _("{who}: {verdict}", who=other.who, verdict=_verdict(other))
        for other in review.work.audits
        if other.who != review.person
        and other.signed
        and may_see_audit(review.work, review.person, other.who).is_allowed
    ]


def why_no_audit(review: TaskReview) -> str:
    """Why the person cannot begin an audit now; empty when that is possible."""
    if review.may_audit:
        return ""
    if review.own is not None or review.person in review.operators:
        return _("You proposed states for this task: somebody else audits them")
    return _("The audit begins when both operators have agreed on the states")
