"""The anomaly lanes: one bar an injection, over the steps under it, in the parts of its story; no Qt."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.i18n import _
from collector.store.interruptions import Interruption
from studio.widgets.interruption_text import ICON, answer_icon, answer_text, interruption_tooltip
from studio.widgets.timeline.lanes import LaneMark, MarkLane, MarkPart


def anomaly_lanes(found: Sequence[Interruption], slots: int) -> tuple[MarkLane, ...]:
    """One lane, and more where what is on the phone overlaps; ``slots`` counts the live one in."""
    marks = sorted((anomaly_mark(one, slots) for one in found), key=lambda mark: mark.slot)
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


def anomaly_mark(one: Interruption, slots: int) -> LaneMark:
    """Injected, answered, followed and undone, one after the other."""
    slot = max(0, min(one.slot, slots - 1))
    last = one.steps[-1] if one.steps else slot
    if one.over_ms is None:
        last = slots - 1
    return LaneMark(
        slot,
        one.anomaly,
        ICON,
        "warn",
        bar=max(1, last - slot + 1),
        parts=tuple(_parts(one)),
        tip=interruption_tooltip(one),
    )


def _parts(one: Interruption) -> list[MarkPart]:
    found = []
    if one.gone_ms is not None:
        found.append(MarkPart(answer_icon(one), answer_text(one)))
    if one.follow_ups:
        failed = any(follow.problem for follow in one.follow_ups)
        ran = any(follow.command for follow in one.follow_ups)
        icon = "state-err" if failed else "play" if ran else "note"
        found.append(MarkPart(icon, str(len(one.follow_ups)) if len(one.follow_ups) > 1 else ""))
    if one.undone_ms is not None:
        found.append(MarkPart("undo", _("undone")))
    found += [MarkPart("state-err", "")] * bool(one.problems)
    return found
