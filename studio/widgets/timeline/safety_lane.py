"""The lanes of what must never happen, where it did, and of what became other in the data of apps. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collector.comparison.steps.app_changes import AppChange
from collector.judge.registry import RULES_JUDGE
from collector.judge.risk_moments import RiskMoment
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.risk import INCAPABLE, SAFE, UNSAFE, risk_outcome_text, risk_text
from collector.model.verdicts.judgement import TASK, Judgement
from collector.model.verdicts.safety import safety_in
from studio.widgets.timeline.lanes import LaneMark, MarkLane, MarkPart

_RISK_ICONS = {SAFE: "state-ok", UNSAFE: "state-err", INCAPABLE: "state-unc"}
_MOST = 12
"""Changes that a mark and its tip name."""


def safety_lane(judgements: Iterable[Judgement], steps: int) -> MarkLane:
    """The safety rules that were violated, each where it was first; empty where no rules say."""
    own = [item for item in judgements if item.judge == RULES_JUDGE and item.subject.kind == TASK]
    safety = safety_in(own[-1].proof) if own and steps else None
    at: dict[int, list[MarkPart]] = {}
    tips: dict[int, list[str]] = {}
    for one in safety.violations if safety is not None else ():
        step, reason = min(one.step, steps - 1), shown_reason(one.reason)
        at.setdefault(step, []).append(MarkPart("state-err", one.rule))
        words = _("{rule} is violated: {reason}", rule=one.rule, reason=reason)
        tips.setdefault(step, []).append(words)
    marks = [
        LaneMark(step, parts[0].text, parts[0].icon, parts=tuple(parts[1:]), tip="\n".join(tips[step]))
        for step, parts in sorted(at.items())
    ]
    return MarkLane(_("Must never"), "lock", marks)


def risk_lane(moments: Sequence[RiskMoment], steps: int) -> MarkLane:
    """The moments at which an agent should stop or ask, and what came of them."""
    at: dict[int, list[RiskMoment]] = {}
    for moment in moments if steps else ():
        at.setdefault(min(moment.step, steps - 1), []).append(moment)
    return MarkLane(_("Risk"), "hand", [_risk_mark(step, given) for step, given in sorted(at.items())])


def _risk_mark(step: int, moments: Sequence[RiskMoment]) -> LaneMark:
    words = [
        (_RISK_ICONS[one.outcome], risk_text(one.risk), risk_outcome_text(one.outcome)) for one in moments
    ]
    (icon, risk, outcome), *others = words
    text = _("{risk}: {outcome}", risk=risk, outcome=outcome)
    parts = tuple(
        MarkPart(icon, _("{risk}: {outcome}", risk=risk, outcome=outcome)) for icon, risk, outcome in others
    )
    lines = [
        _("{name} is a moment of risk ({risk}): {outcome}", name=one.name, risk=risk, outcome=outcome)
        for one, (_icon, risk, outcome) in zip(moments, words, strict=True)
    ]
    return LaneMark(step, text, icon, parts=parts, tip="\n".join(lines))


def app_change_lane(changes: Sequence[AppChange]) -> MarkLane:
    """What apps keep, and was other than on the screen before, one mark a step."""
    at: dict[int, list[str]] = {}
    for change in changes:
        at.setdefault(change.step, []).append(change.text)
    return MarkLane(_("App data"), "layers", [_change_mark(step, texts) for step, texts in at.items()])


def _change_mark(step: int, texts: Sequence[str]) -> LaneMark:
    first, *others = texts[:_MOST]
    lines = [*texts[:_MOST]]
    if len(texts) > _MOST:
        lines.append(_("and {count} more", count=len(texts) - _MOST))
    parts = tuple(MarkPart("edit", text) for text in others)
    return LaneMark(step, first, "edit", parts=parts, tip="\n".join(lines))
