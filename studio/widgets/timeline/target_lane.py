"""The lanes of a target: its parts where they begin and cease to hold, and the side effects. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from collector.judge.target_events import TargetChange, TargetEvent
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from studio.widgets.timeline.lanes import LaneMark, MarkLane, MarkPart

_ICONS = {
    TargetChange.HELD: "state-ok", TargetChange.LOST: "state-err", TargetChange.MISSED: "state-err",
    TargetChange.SIDE_EFFECT: "state-warn", TargetChange.UNDONE: "undo",
}  # fmt: skip
_MOST = 12
"""Changes that a mark and its tip name."""


def target_lanes(
    events: Sequence[TargetEvent], slots: Sequence[int], count: int, reached: Mapping[int, int]
) -> tuple[MarkLane, MarkLane]:
    """The parts of a target, and the side effects, one mark a slot; ``slots`` has the slot of each step.

    A part that never holds is missed where the reference has it, by ``reached``, else at the end.
    """
    end = slots[-1] if slots else max(0, count - 1)
    parts: dict[int, list[TargetEvent]] = {}
    effects: dict[int, list[TargetEvent]] = {}
    for event in events:
        slot = reached.get(event.part, end) if event.step is None else _slot(event.step, slots, end)
        (effects if event.part < 0 else parts).setdefault(slot, []).append(event)
    return (
        MarkLane(_("Target"), "target", [_mark(slot, given) for slot, given in sorted(parts.items())]),
        MarkLane(_("Side effects"), "diff", [_mark(slot, given) for slot, given in sorted(effects.items())]),
    )


def reached_parts(events: Sequence[TargetEvent], slots: Sequence[int]) -> dict[int, int]:
    """The slot from which each part of a target holds to the end."""
    return {
        event.part: _slot(event.step, slots, 0)
        for event in events
        if event.change is TargetChange.HELD and event.until is None and event.step is not None
    }


def _slot(step: int, slots: Sequence[int], end: int) -> int:
    return slots[step] if step < len(slots) else end


def _mark(slot: int, events: Sequence[TargetEvent]) -> LaneMark:
    """The mark of all changes in a slot."""
    shown = [(event, shown_reason(event.text)) for event in events[:_MOST]]
    first, *others = [MarkPart(_ICONS[event.change], what) for event, what in shown]
    lines = [_SENTENCES[event.change](event, what) for event, what in shown]
    if len(events) > _MOST:
        lines.append(_("and {count} more", count=len(events) - _MOST))
    return LaneMark(slot, first.text, first.icon, parts=tuple(others), tip="\n".join(lines))


def _held(event: TargetEvent, what: str) -> str:
    first, end = (event.step or 0) + 1, event.until
    if end is None:
        return _("Part of the target, held from step {step} on: {what}", step=first, what=what)
    if end == first:
        return _("Part of the target, held at step {step} alone: {what}", step=first, what=what)
    return _("Part of the target, held from step {step} to step {end}: {what}", step=first, end=end,
             what=what)  # fmt: skip


def _effect(event: TargetEvent, what: str) -> str:
    first, end = (event.step or 0) + 1, event.until
    if end is None:
        return _("Side effect from step {step} on: {what}", step=first, what=what)
    if end == first:
        return _("Side effect at step {step} alone: {what}", step=first, what=what)
    return _("Side effect from step {step} to step {end}: {what}", step=first, end=end, what=what)


_SENTENCES: Mapping[TargetChange, Callable[[TargetEvent, str], str]] = {
    TargetChange.HELD: _held,
    TargetChange.LOST: lambda _event, what: _("Part of the target, held no longer: {what}", what=what),
    TargetChange.MISSED: lambda _event, what: _("Part of the target, never reached: {what}", what=what),
    TargetChange.SIDE_EFFECT: _effect,
    TargetChange.UNDONE: lambda _event, what: _("Side effect, taken back: {what}", what=what),
}
