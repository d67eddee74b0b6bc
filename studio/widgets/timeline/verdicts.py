"""The lanes of verdicts, one a judge: essential states at their steps, the task at the end. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.model.episode_text import subject_text, verdict_text
from collector.model.i18n import _, ngettext
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.judgement import (
    MISSED,
    REACHED,
    STATE,
    STEP,
    STEP_ERRORS,
    TASK,
    WINDOW,
    Judgement,
)
from studio.widgets.captions.verdict_text import better_text, judge_icon, verdict_icon
from studio.widgets.timeline.lanes import LaneMark, MarkLane, MarkPart


def verdict_lanes(
    judgements: Iterable[Judgement], slots: int, states: Mapping[str, str] | None = None
) -> tuple[MarkLane, ...]:
    """One lane for each judge, in the order of their names.

    ``judgements`` are those that count, ``states`` the sentence of an essential state by its id.
    """
    by_judge: dict[str, list[Judgement]] = {}
    for judgement in judgements if slots else ():
        by_judge.setdefault(judgement.judge, []).append(judgement)
    return tuple(_lane(judge, given, slots, states or {}) for judge, given in sorted(by_judge.items()))


def _lane(judge: str, given: list[Judgement], slots: int, states: Mapping[str, str]) -> MarkLane:
    at: dict[int, list[Judgement]] = {}
    for judgement in given:
        slot = judgement_slot(judgement, slots)
        if slot is not None:
            at.setdefault(slot, []).append(judgement)
    wrong = [item for item in given if item.subject.kind == STEP and item.verdict in STEP_ERRORS]
    first_error = min(wrong, key=lambda item: item.subject.first or 0, default=None)
    marks = [_mark(slot, at[slot], states, first_error) for slot in sorted(at)]
    return MarkLane(judge, judge_icon(given[0].kind), marks)


def judgement_slot(judgement: Judgement, slots: int) -> int | None:
    """Where a judgement is shown: one on a step and a state reached at their step, the rest at the end.

    A window counts only where a state was seen; the others say nothing by themselves.
    """
    subject, end = judgement.subject, slots - 1
    if subject.kind == WINDOW and judgement.verdict != REACHED:
        return None
    if (judgement.verdict == REACHED or subject.kind == STEP) and subject.last is not None:
        return min(subject.last, end)
    return end


def _mark(
    slot: int, judgements: list[Judgement], states: Mapping[str, str], first_error: Judgement | None
) -> LaneMark:
    """The mark of all judgements in one slot: the task first, and states that were missed as their number."""
    ordered = sorted(judgements, key=lambda judgement: judgement.subject.kind != TASK)
    missed = [judgement for judgement in ordered if judgement.verdict == MISSED]
    parts = [
        MarkPart(verdict_icon(judgement.verdict), _words(judgement, states, first_error))
        for judgement in ordered
        if judgement not in missed or len(missed) == 1
    ]
    if len(missed) > 1:
        count = ngettext("{count} state missed", "{count} states missed", len(missed))
        parts.append(MarkPart(verdict_icon(MISSED), count))
    tip = "\n".join(judgement_line(judgement, states) for judgement in ordered)
    return LaneMark(slot, parts[0].text, parts[0].icon, parts=tuple(parts[1:]), tip=tip)


def _words(judgement: Judgement, states: Mapping[str, str], first_error: Judgement | None) -> str:
    subject = judgement.subject
    if judgement is first_error:
        return _("first error: {verdict}", verdict=verdict_text(judgement.verdict))
    if subject.kind == STEP:  # its place says which
        return verdict_text(judgement.verdict)
    if subject.kind == TASK:
        return verdict_text(judgement.verdict)
    return states.get(subject.state, subject.state)


def judgement_line(judgement: Judgement, states: Mapping[str, str] | None = None) -> str:
    """A judgement in one line: what it is about, the verdict, the confidence and the reason."""
    subject = judgement.subject
    about = (states or {}).get(subject.state) if subject.kind == STATE else ""
    verdict = verdict_text(judgement.verdict)
    if judgement.confidence is not None:
        verdict = _("{verdict}, confidence {share}", verdict=verdict, share=f"{judgement.confidence:.2f}")
    line = f"{about or subject_text(subject)}: {verdict}"
    reason = shown_reason(judgement.reason) if judgement.reason else ""
    return " · ".join(filter(None, (line, reason, better_text(judgement))))
