"""The list of variations: search, a tick for each, and the combination that the ticks make."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.model.i18n import N_, _
from rule_editor.widgets.field_names import add_clear_button
from studio.bridge.variations.listing import ListedVariation
from studio.theme import theme
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width
from studio.widgets.tables.entry_list import EntryList, RowState

FACTOR_TITLES = {
    "appearance": N_("Appearance"), "content": N_("Content"), "pop_ups": N_("Pop-ups"), "noise": N_("Noise"),
}  # fmt: skip
_SIDE, _BOX, _GAP, _HEADER = 12, 14, 8, 32
_TICK = (QPointF(3, 6.8), QPointF(5.6, 9.4), QPointF(10.2, 4))


def factors_text(entry: ListedVariation) -> str:
    """What a variation changes, in words."""
    return ", ".join(_(FACTOR_TITLES[factor]) for factor in entry.factors)


class _Rows(EntryList):
    """Headings, which are texts, and variations. Space ticks the current one, a click on its box that one."""

    tick_wanted = Signal(str, bool)
    is_uniform = True

    def __init__(self) -> None:
        super().__init__(_("Variations"))
        self.ticked: frozenset[str] = frozenset()

    def text_of(self, entry: Any) -> str:
        return entry if isinstance(entry, str) else str(entry.name)

    def spoken_of(self, entry: Any) -> str:
        if isinstance(entry, str):
            return entry
        ticked = _("ticked") if entry.name in self.ticked else _("not ticked")
        return ", ".join(filter(None, (entry.name, ticked, factors_text(entry), entry.problem)))

    def tip_of(self, entry: Any) -> str:
        if isinstance(entry, str):
            return entry
        return "\n".join(filter(None, (entry.description or entry.name, factors_text(entry), entry.problem)))

    def height_of(self, row: int, width: int) -> int:
        del row, width
        return theme.size("row_rule")

    def paint_row(self, painter: QPainter, box: QRect, row: int, state: RowState) -> None:
        entry = self.entries[row]
        if isinstance(entry, str):
            draw_text(painter, box.adjusted(_SIDE, 0, -_SIDE, 0), entry, "name", "text-2")
            return
        ground = "accent-weak" if state.is_selected else "bg-3" if state.is_hovered else ""
        if ground:
            painter.fillRect(box, theme.color(ground))
        self._paint_box(painter, self._box_in(box), on=entry.name in self.ticked)
        note = factors_text(entry)
        width = text_width(note, "caption")
        right = QRect(box.right() - _SIDE - width, box.top(), width + 2, box.height())
        left = box.left() + _SIDE + _BOX + _GAP
        if entry.problem:
            theme.draw_icon_in(painter, "state-err", QRect(left, box.top(), _BOX, box.height()), 12)
            left += _BOX + _GAP
        name = QRect(left, box.top(), right.left() - _GAP - left, box.height())
        draw_text(painter, name, entry.name)
        draw_text(painter, right, note, "caption", "text-3")

    @staticmethod
    def _box_in(row: QRect) -> QRectF:
        return QRectF(
            row.left() + _SIDE + 0.5, row.top() + (row.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1
        )

    @staticmethod
    def _paint_box(painter: QPainter, box: QRectF, *, on: bool) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent-fill" if on else "line-2"), 1))
        painter.setBrush(theme.color("accent-fill" if on else "field"))
        painter.drawRoundedRect(box, 2, 2)
        if on:
            painter.setPen(QPen(theme.color("on-fill"), 1.6))
            painter.drawPolyline([box.topLeft() + offset for offset in _TICK])
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        index = self.indexAt(event.position().toPoint())
        entry = self.entries[index.row()] if index.isValid() else None
        if isinstance(entry, ListedVariation) and event.position().x() < _SIDE + _BOX + _GAP:
            self.tick_wanted.emit(entry.name, entry.name not in self.ticked)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        entry = self.current
        if event.key() == Qt.Key.Key_Space and isinstance(entry, ListedVariation):
            self.tick_wanted.emit(entry.name, entry.name not in self.ticked)
        else:
            super().keyPressEvent(event)


class VariationList(QWidget):
    """Emits ``chosen(name)``, ``tick_wanted(name, on)``, ``untick_wanted`` and ``add_wanted``."""

    chosen = Signal(str)
    tick_wanted = Signal(str, bool)
    untick_wanted = Signal()
    add_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[ListedVariation, ...] = ()
        self.rows = _Rows()
        self._count = Label("", "body", "text-3")
        self.add = Button("", "plus", small=True)
        self.filter = QLineEdit()
        self._combination = Label("", "code", wrap=True)
        self.problem = Label("", "caption", "err", wrap=True)
        self.copy_name = IconButton("copy", _("Copy the name of the combination"), size=24)
        self.untick = Button(_("Untick"), "x", small=True)
        self._lay_out()
        self.filter.textChanged.connect(self._fill)
        self.add.clicked.connect(self.add_wanted)
        self.rows.chosen.connect(self._chosen)
        self.rows.tick_wanted.connect(self.tick_wanted)
        self.untick.clicked.connect(self.untick_wanted)
        self.copy_name.clicked.connect(self._copy_combination)

    def _lay_out(self) -> None:
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head = surface("panel", "bottom")
        head.setFixedHeight(_HEADER)
        row = QHBoxLayout(head)
        row.setContentsMargins(_SIDE, 0, 6, 0)
        row.addWidget(Label(_("Variations"), "heading"))
        row.addWidget(self._count)
        row.addStretch(1)
        self.add.setToolTip(_("New variation that extends the selected one"))
        self.add.setAccessibleName(_("New variation"))
        row.addWidget(self.add)
        self.filter.setPlaceholderText(_("Filter variations"))
        self.filter.setAccessibleName(_("Filter variations"))
        add_clear_button(self.filter)
        field = QHBoxLayout()
        field.setContentsMargins(_SIDE, 8, _SIDE, 8)
        field.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(field)
        column.addWidget(self.rows, 1)
        column.addWidget(self._foot())

    def _foot(self) -> QWidget:
        foot = surface("panel", "top")
        inner = QVBoxLayout(foot)
        inner.setContentsMargins(_SIDE, 8, _SIDE, 8)
        inner.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(Label(_("Combination"), "body", "text-2"), 1)
        head.addWidget(self.copy_name)
        head.addWidget(self.untick)
        inner.addLayout(head)
        inner.addWidget(self._combination)
        inner.addWidget(self.problem)
        return foot

    # -- what is shown -------------------------------------------------------------
    def show_entries(self, entries: Sequence[ListedVariation]) -> None:
        """Show the variations, those of the project first."""
        self._entries = tuple(entries)
        self._count.setText(str(len(entries)))
        self._fill()

    def _fill(self) -> None:
        words = self.filter.text().lower().split()
        shown = [entry for entry in self._entries if self._passes(entry, words)]
        rows: list[object] = []
        for title, is_built_in in ((_("Project"), False), (_("Built in"), True)):
            group = [entry for entry in shown if entry.is_built_in == is_built_in]
            rows += [title, *group] if group else []
        self.rows.show_entries(rows)

    @staticmethod
    def _passes(entry: ListedVariation, words: Collection[str]) -> bool:
        text = f"{entry.name} {entry.description} {factors_text(entry)}".lower()
        return all(word in text for word in words)

    def show_selected(self, name: str) -> None:
        """Make a variation the current row, without a signal."""
        at = next(
            (at for at, entry in enumerate(self.rows.entries) if getattr(entry, "name", "") == name), -1
        )
        self.rows.show_row(at)

    def show_ticked(self, ticked: Collection[str]) -> None:
        """Show which variations are ticked."""
        self.rows.ticked = frozenset(ticked)
        self.rows.renew()
        self.untick.setEnabled(bool(ticked))

    def show_combination(self, name: str, problem: str) -> None:
        """Show the canonical name of the combination, or why it is none."""
        self._combination.setText(name.replace("+", "+\u200b"))
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.copy_name.setEnabled(not problem)

    def _chosen(self, entry: object) -> None:
        if isinstance(entry, ListedVariation):
            self.chosen.emit(entry.name)

    def _copy_combination(self) -> None:
        QGuiApplication.clipboard().setText(self._combination.text().replace("\u200b", ""))
