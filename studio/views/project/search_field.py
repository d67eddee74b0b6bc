"""The search over tasks: chips for ``key:value``, words after them, how many fit, and a way to clear."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QCompleter, QFrame, QHBoxLayout, QLineEdit, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.views.project.task_filter import KEYS, Part, parse
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width

_HEIGHT = 36


class _Chip(QAbstractButton):
    """One ``key: value``; a click takes it away."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        self.part = part
        self.setText(part.text)
        self.setAccessibleName(_("Remove {part}", part=part.text))
        self.setToolTip(self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.update)

    @property
    def _head(self) -> str:
        return f"{'-' if self.part.negative else ''}{self.part.key}: "

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = text_width(self._head) + text_width(self.part.value, "heading")
        return QSize(width + 34, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent-weak"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        inner = self.rect().adjusted(7, 0, -22, 0)
        used = draw_text(painter, inner, self._head, "body", "accent")
        draw_text(painter, inner.adjusted(used, 0, 4, 0), self.part.value, "heading", "accent")
        tone = "text" if self.underMouse() else "accent"
        theme.draw_icon_in(painter, "x", QRect(self.width() - 21, 0, 18, self.height()), 12, tone)


class SearchField(QFrame):
    """``changed(parts)`` tells what is asked for after every change."""

    changed = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: list[_Chip] = []
        self.setFixedHeight(_HEIGHT)
        self.setMinimumWidth(320)
        self.setMaximumWidth(560)
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setAccessibleName(_("Search tasks"))
        self.field.setPlaceholderText(_("Search tasks: words, app:shop, golden:<2, problem:any"))
        self.field.textChanged.connect(self._edited)
        self.field.installEventFilter(self)
        completer = QCompleter([f"{key}:" for key in KEYS], self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self._count = Label("", "body", "text-2")
        self._clear = IconButton("x", _("Clear the search"), size=24)
        self._clear.clicked.connect(self.clear)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(34, 0, 6, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self.field, 1)
        self._row.addWidget(self._count)
        self._row.addWidget(self._clear)
        self._clear.hide()
        theme.changed.connect(self.update)

    @property
    def parts(self) -> list[Part]:
        """Everything asked for: chips, then what is written."""
        return [*(chip.part for chip in self._chips), *parse(self.field.text())]

    def set_count(self, shown: int, count: int) -> None:
        """Say ``7 of 24`` while something is asked for."""
        self._count.setText(_("{shown} of {count}", shown=shown, count=count) if self.parts else "")
        self._clear.setVisible(bool(self.parts))

    def add(self, text: str) -> None:
        """Ask for more; a key with a value becomes a chip."""
        for part in parse(text):
            if part.key and part.value:
                self._add_chip(part)
            else:
                self.field.setText(f"{self.field.text()} {part.text}".strip())
        self._tell()

    @Slot()
    def clear(self) -> None:
        """Ask for nothing."""
        for chip in list(self._chips):
            self._remove(chip)
        self.field.clear()
        self._tell()

    def _add_chip(self, part: Part) -> None:
        if any(chip.part == part for chip in self._chips):
            return
        chip = _Chip(part)
        chip.clicked.connect(self._chip_clicked)
        self._row.insertWidget(len(self._chips), chip)
        self._chips.append(chip)
        self.field.setPlaceholderText("")

    def _remove(self, chip: _Chip) -> None:
        self._chips.remove(chip)
        self._row.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        if not self._chips:
            self.field.setPlaceholderText(_("Search tasks: words, app:shop, golden:<2, problem:any"))

    @Slot()
    def _chip_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, _Chip):
            self._remove(chip)
            self._tell()

    @Slot(str)
    def _edited(self, text: str) -> None:
        if text.endswith(" ") and text.count('"') % 2 == 0:
            self._take_chips()
        self._tell()

    def _take_chips(self) -> None:
        """What is written as ``key:value`` and ended becomes a chip; words stay."""
        words = []
        for part in parse(self.field.text()):
            if part.key and part.value:
                self._add_chip(part)
            else:
                words.append(part.text)
        rest = " ".join(words)
        if rest != self.field.text().strip():
            self.field.setText(f"{rest} " if rest else "")

    def _tell(self) -> None:
        self.changed.emit(self.parts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.field:
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                self.update()
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Backspace and not self.field.text() and self._chips:
            last = self._chips[-1]
            self._remove(last)
            self._tell()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_chips()
            self._tell()
            return True
        if key == Qt.Key.Key_Escape and self.parts:
            self.clear()
            return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.field.setFocus()
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.field.hasFocus()
        painter.setPen(QPen(theme.color("accent" if focus else "line-2"), 2 if focus else 1))
        painter.setBrush(theme.color("field"))
        inset = 1.0 if focus else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        theme.draw_icon_in(painter, "search", QRect(8, 0, 20, self.height()), 16)
