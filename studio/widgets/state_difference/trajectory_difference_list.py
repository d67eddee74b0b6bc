"""The differences of a trajectory from the reference, with what became of it after each anomaly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from collector.comparison.alignment.aligned import LETTERS
from collector.comparison.alignment.differences import AnomalyRecovery, DifferenceKind, TrajectoryDifference
from collector.model.i18n import N_, _
from studio.theme import theme
from studio.widgets.painting import RIGHT, draw_text, text_width
from studio.widgets.tables.entry_list import EntryList, RowState
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, wrapped_lines

_SIDE, _ICON, _TEXT, _TOP = 12, 14, 36, 6
_MOST_LINES = 4
_LOOKS = {
    DifferenceKind.ANOMALY: ("zap", "warn", N_("Anomaly")),
    DifferenceKind.LOOP: ("loop", "text-2", N_("Loop")),
    DifferenceKind.INVALID: ("state-err", "err", N_("No action")),
    DifferenceKind.DETOUR: ("plus", "text-2", N_("Detour")),
    DifferenceKind.LEFT_OUT: ("minus", "text-2", N_("Left out")),
    DifferenceKind.ENDED: ("stop", "text-2", N_("Ended")),
    DifferenceKind.OTHER_ACTION: ("diff", "text-2", N_("Other action")),
}
"""Icon, tone and name of each kind."""


@dataclass(frozen=True, slots=True)
class DifferenceEntry:
    """A row: a difference of a trajectory, or its recovery from an anomaly."""

    icon: str
    tone: str
    title: str
    sentence: str
    slot: int
    """Where a click leads."""
    last: int
    side: int
    is_first_divergence: bool = False

    @property
    def place(self) -> str:
        """The slots, counted from 1: ``9`` or ``9-11``."""
        return f"{self.slot + 1}" if self.last == self.slot else f"{self.slot + 1}-{self.last + 1}"


def entries_of(
    side: int, differences: Sequence[TrajectoryDifference], recoveries: Sequence[AnomalyRecovery] = ()
) -> tuple[DifferenceEntry, ...]:
    """The rows of a trajectory in the order of their slots; a recovery is where the trajectory came back."""
    entries = []
    for number, each in enumerate(differences):
        icon, tone, title = _LOOKS[each.kind]
        entries.append(
            DifferenceEntry(icon, tone, _(title), each.reason, each.first, each.last, side, number == 0)
        )
    for recovery in recoveries:
        is_back = recovery.back is not None
        icon, tone, title = (
            ("undo", "ok", _("Back on path")) if is_back else ("state-unc", "warn", _("Not back on path"))
        )
        slot = recovery.injected if recovery.back is None else recovery.back
        entries.append(
            DifferenceEntry(icon, tone, f"{title} · {recovery.anomaly}", recovery.reason, slot, slot, side)
        )
    return tuple(sorted(entries, key=lambda entry: entry.slot))


class TrajectoryDifferenceList(EntryList):
    """A click, or Enter, opens the :class:`DifferenceEntry` of a row."""

    opens_on_click = True

    def __init__(self, parent: QWidget | None = None) -> None:
        keys = "Left Right Home End Space"
        super().__init__(_("Differences from the reference"), left_keys=keys, parent=parent)

    def text_of(self, entry: DifferenceEntry) -> str:
        return f"{entry.title} {entry.place}: {entry.sentence}"

    def tip_of(self, entry: DifferenceEntry) -> str:
        return entry.sentence

    def show_slot(self, slot: int) -> None:
        """Select the difference that a slot is in, without a signal."""
        rows = (row for row, entry in enumerate(self.entries) if entry.slot <= slot <= entry.last)
        self.show_row(next(rows, -1))

    def height_of(self, row: int, width: int) -> int:
        lines = wrapped_lines(self.entries[row].sentence, "body", width - _TEXT - _SIDE, _MOST_LINES)
        return 2 * _TOP + (len(lines) + 1) * LINE_HEIGHTS["body"]

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry: DifferenceEntry = self.entries[row]
        state.draw_ground(painter, box)
        height = LINE_HEIGHTS["body"]
        icon = QRect(box.left() + _SIDE, box.top() + _TOP, _ICON, height)
        theme.draw_icon_in(painter, entry.icon, icon, _ICON, entry.tone)
        inner = QRect(box.left() + _TEXT, box.top() + _TOP, box.width() - _TEXT - _SIDE, height)
        slot = _("slot {slot}", slot=entry.place)
        place = f"{LETTERS[entry.side]} · {slot}"
        right = text_width(place, "caption")
        draw_text(painter, inner, place, "caption", "text-2", RIGHT)
        left = draw_text(painter, inner.adjusted(0, 0, -right - _TOP, 0), entry.title, "name")
        if entry.is_first_divergence:
            rest = inner.adjusted(left + _TOP, 0, -right - _TOP, 0)
            draw_text(painter, rest, _("first divergence"), "caption", "warn")
        below = QRect(inner.left(), box.top(), inner.width(), box.height())
        draw_wrapped(painter, below, inner.bottom() + 1, entry.sentence, "body", "text-2", most=_MOST_LINES)
