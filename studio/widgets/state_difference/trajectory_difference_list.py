"""The differences of a trajectory from the reference, with what became of it after each anomaly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from collector.model.i18n import N_, _
from collector.replay.alignment.aligned import LETTERS
from collector.replay.alignment.differences import AnomalyRecovery, DifferenceKind, TrajectoryDifference
from studio.theme import theme
from studio.widgets.painting import draw_text, text_width
from studio.widgets.wrapped_text import LINE_HEIGHTS, draw_wrapped, wrapped_lines

_ENTRY = Qt.ItemDataRole.UserRole + 1
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
_Index = QModelIndex | QPersistentModelIndex


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


class _EntryDelegate(QStyledItemDelegate):
    """Paints an entry; its height follows the width of the list."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        width = self._view.viewport().width()
        lines = wrapped_lines(index.data(_ENTRY).sentence, "body", width - _TEXT - _SIDE, _MOST_LINES)
        return QSize(width, 2 * _TOP + (len(lines) + 1) * LINE_HEIGHTS["body"])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: DifferenceEntry = index.data(_ENTRY)
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent-weak"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.color("bg-3"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.color("line"))
        height = LINE_HEIGHTS["body"]
        icon = QRect(box.left() + _SIDE, box.top() + _TOP, _ICON, height)
        theme.draw_icon_in(painter, entry.icon, icon, _ICON, entry.tone)
        inner = QRect(box.left() + _TEXT, box.top() + _TOP, box.width() - _TEXT - _SIDE, height)
        place = f"{LETTERS[entry.side]} · {_('slot {place}', place=entry.place)}"
        right = text_width(place, "caption")
        draw_text(painter, inner, place, "caption", "text-2", Qt.AlignmentFlag.AlignRight)
        left = draw_text(painter, inner.adjusted(0, 0, -right - _TOP, 0), entry.title, "name")
        if entry.is_first_divergence:
            rest = inner.adjusted(left + _TOP, 0, -right - _TOP, 0)
            draw_text(painter, rest, _("first divergence"), "caption", "warn")
        below = QRect(inner.left(), box.top(), inner.width(), box.height())
        draw_wrapped(painter, below, inner.bottom() + 1, entry.sentence, "body", "text-2", most=_MOST_LINES)


class TrajectoryDifferenceList(QListView):
    """A click, or Enter, emits the slot where a difference begins."""

    slot_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[DifferenceEntry, ...] = ()
        self._items = QStandardItemModel(self)
        self.setModel(self._items)
        self.setItemDelegate(_EntryDelegate(self))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Differences from the reference"))
        self.setProperty("leavesKeys", "Left Right Home End Space")
        self.clicked.connect(self._open)
        theme.changed.connect(self.viewport().update)

    @property
    def entries(self) -> tuple[DifferenceEntry, ...]:
        """What is listed, by slot."""
        return self._entries

    def show_entries(self, entries: Sequence[DifferenceEntry]) -> None:
        """Replace the list; see :func:`entries_of`."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        self._items.clear()
        for entry in self._entries:
            item = QStandardItem(f"{entry.title} {entry.place}: {entry.sentence}")
            item.setData(entry, _ENTRY)
            item.setToolTip(entry.sentence)
            self._items.appendRow(item)

    def show_slot(self, slot: int) -> None:
        """Select the difference that a slot is in, without a signal."""
        for row, entry in enumerate(self._entries):
            if entry.slot <= slot <= entry.last:
                self.setCurrentIndex(self._items.index(row, 0))
                return
        self.selectionModel().clear()

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        self.slot_chosen.emit(index.data(_ENTRY).slot)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
