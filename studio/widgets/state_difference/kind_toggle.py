"""A count of differences of one kind, as ``+16``; pressed out, that kind is not listed."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.hierarchy.difference_groups import NodeDifferenceKind
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_text, text_width
from studio.widgets.state_difference.difference_line import SIGNS, TONES

_SIDE = 4


class KindToggle(HoverButton):
    """Hidden while there is nothing of its kind."""

    def __init__(self, kind: NodeDifferenceKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setCheckable(True)
        self.setChecked(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._describe)
        theme.changed.connect(self.update)
        self._count = 0
        self.set_count(0, "")

    def set_count(self, count: int, meaning: str) -> None:
        """Show a count; ``meaning`` says it in words: ``16 nodes added``."""
        self._count, self._meaning = count, meaning
        self.setText(f"{SIGNS[self.kind]}{count}")
        self.setVisible(count > 0)
        self._describe()
        self.updateGeometry()

    def _describe(self) -> None:
        self.setAccessibleName(self._meaning)
        state = (
            _("listed, click to leave them out") if self.isChecked() else _("left out, click to list them")
        )
        self.setToolTip(f"{self._meaning}: {state}")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(text_width(self.text(), "heading") + 2 * _SIDE, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._hovered or self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("bg-3") if self._hovered else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 3, 3)
        tone = TONES[self.kind] if self.isChecked() else "text-3"
        box = self.rect().adjusted(_SIDE, 0, 0, 0)
        width = draw_text(painter, box, self.text(), "heading", tone)
        if not self.isChecked():
            painter.fillRect(_SIDE, self.height() // 2, width, 1, theme.color(tone))


def nodes_in_words(kind: NodeDifferenceKind, count: int) -> str:
    """A count of nodes of a kind, in words."""
    if kind is NodeDifferenceKind.ADDED:
        return ngettext("{count} node added", "{count} nodes added", count)
    if kind is NodeDifferenceKind.REMOVED:
        return ngettext("{count} node removed", "{count} nodes removed", count)
    if kind is NodeDifferenceKind.CHANGED:
        return ngettext("{count} node changed", "{count} nodes changed", count)
    return ngettext("{count} node moved", "{count} nodes moved", count)


def texts_in_words(kind: NodeDifferenceKind, count: int) -> str:
    """A count of texts that were added or removed, in words."""
    if kind is NodeDifferenceKind.ADDED:
        return ngettext("{count} text added", "{count} texts added", count)
    return ngettext("{count} text removed", "{count} texts removed", count)
