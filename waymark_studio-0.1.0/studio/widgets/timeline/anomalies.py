"""The anomaly lanes: a bar per injected anomaly over the steps that it affects. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from collector.model.i18n import _
from collector.store.trajectory.interruptions import Interruption
from studio.widgets.captions.interruption_text import ICON, answer_icon, answer_text, interruption_tooltip
from studio.widgets.timeline.lanes import LaneMark, MarkLane, MarkPart


def anomaly_lanes(
    interruptions: Sequence[Interruption], slots: int, *, in_segments: bool = False
) -> tuple[MarkLane, ...]:
    """One lane, or more where anomalies overlap; ``slots`` includes the live interruption.

    ``in_segments`` shows an anomaly as one outlined bar of its parts, without its name.
    """
    make = segmented_mark if in_segments else anomaly_mark
    marks = sorted((make(interruption, slots) for interruption in interruptions), key=lambda mark: mark.slot)
    rows: list[list[LaneMark]] = []
    for mark in marks if slots else ():
        free = (row for row in rows if row[-1].slot + row[-1].bar <= mark.slot)
        row = next(free, None)
        if row is None:
            rows.append([mark])
        else:
            row.append(mark)
    title = _("Anomalies")
    return tuple(MarkLane(title, ICON, row) for row in rows) or (MarkLane(title, ICON),)


def anomaly_mark(interruption: Interruption, slots: int) -> LaneMark:
    """The bar of one anomaly, with parts for its answer, follow-ups and undo."""
    slot = max(0, min(interruption.slot, slots - 1))
    last = interruption.steps[-1] if interruption.steps else slot
    if interruption.over_ms is None:
        last = slots - 1
    return LaneMark(
        slot,
        interruption.anomaly,
        ICON,
        "warn",
        bar=max(1, last - slot + 1),
        parts=tuple(_parts(interruption)),
        tip=interruption_tooltip(interruption),
    )


def segmented_mark(interruption: Interruption, slots: int) -> LaneMark:
    """The bar of one anomaly in segments: injected, answered, followed up, undone."""
    segments = [MarkPart(ICON, _("inject"))]
    if interruption.gone_ms is not None:
        segments.append(MarkPart(answer_icon(interruption), _("answer")))
    if interruption.follow_ups:
        failed = any(follow.problem for follow in interruption.follow_ups)
        segments.append(MarkPart("state-err" if failed else "play", _("follow-up")))
    if interruption.undone_ms is not None:
        segments.append(MarkPart("undo", _("undone")))
    if interruption.problems:
        segments.append(MarkPart("state-err", _("failed")))
    return replace(anomaly_mark(interruption, slots), parts=(), segments=tuple(segments))


def _parts(interruption: Interruption) -> list[MarkPart]:
    parts = []
    if interruption.gone_ms is not None:
        parts.append(MarkPart(answer_icon(interruption), answer_text(interruption)))
    if interruption.follow_ups:
        failed = any(follow.problem for follow in interruption.follow_ups)
        ran = any(follow.command for follow in interruption.follow_ups)
        icon = "state-err" if failed else "play" if ran else "note"
        parts.append(
            MarkPart(icon, str(len(interruption.follow_ups)) if len(interruption.follow_ups) > 1 else "")
        )
    if interruption.undone_ms is not None:
        parts.append(MarkPart("undo", _("undone")))
    parts += [MarkPart("state-err", "")] * bool(interruption.problems)
    return parts
