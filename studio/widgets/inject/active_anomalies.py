"""The active anomalies: a red badge in the status bar, and the list that it opens."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from collector.anomalies.journal import PendingChange
from collector.model.i18n import _, ngettext
from collector.model.text.local_time import local_time
from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.controls import Button, Label, divider, surface
from studio.widgets.inject.anomaly_details import clear_layout
from studio.widgets.painting import text_width

_WIDTH, _MOST = 460, 420


def active_words(active: Sequence[PendingChange]) -> str:
    """Return how many anomalies are active, in words."""
    return ngettext("{count} anomaly active", "{count} anomalies active", len(active))


class ActiveBadge(QAbstractButton):
    """A badge with the number of active anomalies; hidden while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(_("The anomalies on the phone now, and how to undo them"))
        theme.changed.connect(self.update)
        self.hide()

    def show_active(self, active: Sequence[PendingChange]) -> None:
        self.setText(active_words(active) if active else "")
        self.setAccessibleName(self.text())
        self.setVisible(bool(active))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(text_width(self.text(), "caption") + 42, theme.size("status_bar") - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(4, 2, -4, -2)
        painter.setPen(QPen(theme.color("text"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("err-fill"))
        painter.drawRoundedRect(box, 3, 3)
        icon = QRect(11, 0, 12, self.height())
        theme.draw_icon_in(painter, "zap", icon, 12, "on-fill")
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("on-fill"))
        words = QRect(28, 0, self.width() - 28, self.height())
        with upright(painter, words):
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())


class ActivePopup(QFrame):
    """A list of the active anomalies: since when, the commands that undo them, and Undo."""

    undo_asked = Signal(str)
    """Id of an injection; empty for all."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setProperty("surface", "float")
        self.setAccessibleName(_("Active anomalies"))
        self._title = Label("", "heading")
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self.undo_all = Button(_("Undo all"), "undo", "outlined", small=True)
        self.undo_all.clicked.connect(self._undo_all)
        self._active: tuple[PendingChange, ...] = ()
        self._inner = QWidget()
        self._inner.setLayout(self._rows)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        head = surface("", "bottom")
        row = QHBoxLayout(head)
        row.setContentsMargins(14, 8, 8, 8)
        row.addWidget(self._title, 1)
        row.addWidget(self.undo_all)
        column.addWidget(head)
        column.addWidget(self._area, 1)

    def show_active(self, active: Sequence[PendingChange]) -> None:
        """Show the active anomalies, the newest first; close when there are none."""
        self._active = tuple(active)
        if not active:
            self.close()
            return
        self._title.setText(active_words(active))
        clear_layout(self._rows)
        for number, change in enumerate(reversed(self._active)):
            if number:
                self._rows.addWidget(divider())
            self._rows.addWidget(self._row(change))
        self._rows.addStretch(1)

    def open_at(self, corner: QPoint) -> None:
        """Open with the lower right corner at a point of the screen."""
        self.setFixedWidth(_WIDTH)
        self._inner.setFixedWidth(_WIDTH - 2)
        height = min(_MOST, self._rows.heightForWidth(_WIDTH - 2) + 46)
        self.setFixedHeight(height)
        self.move(corner.x() - _WIDTH, corner.y() - height)
        self.show()
        self.undo_all.setFocus()

    def _row(self, change: PendingChange) -> QWidget:
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(14, 10, 8, 10)
        across.setSpacing(12)
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addWidget(Label(change.anomaly, "name", wrap=True))
        words.addWidget(Label("  ·  ".join(_facts(change)), "caption", "text-2", wrap=True))
        for command in change.undo:
            words.addWidget(Label(command, "code", "text-2", wrap=True))
        if change.problem:
            words.addWidget(Label(change.problem, "caption", "err", wrap=True))
        across.addLayout(words, 1)
        undo = Button(_("Undo"), "undo", small=True)
        undo.setAccessibleName(_("Undo {id}", id=change.anomaly))
        undo.setProperty("injection", change.id)
        undo.clicked.connect(self._undo)
        across.addWidget(undo, alignment=Qt.AlignmentFlag.AlignTop)
        return row

    @Slot()
    def _undo(self) -> None:
        self.undo_asked.emit(str(self.sender().property("injection")))

    @Slot()
    def _undo_all(self) -> None:
        self.undo_asked.emit("")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _facts(change: PendingChange) -> list[str]:
    facts = [_("changes the phone") if change.native else _("dialog waits for its answer")]
    if change.since_time is not None:
        facts.append(_("since {time}", time=_clock(change.since_time)))
    if change.earlier:
        facts.append(_("of an earlier session"))
    if change.kept:
        facts.append(_("kept on purpose"))
    return facts


def _clock(moment: dt.datetime) -> str:
    """The time of day, with the date when it is another day."""
    here = local_time(moment)
    today = here.date() == dt.datetime.now().astimezone().date()
    return here.strftime("%H:%M:%S" if today else "%Y-%m-%d %H:%M")
