"""The search field over the tasks: chips for ``key:value`` terms, text, number of matches, clear button."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QCompleter, QFrame, QHBoxLayout, QLineEdit, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import leading_margins, painter_of
from studio.views.project.tasks.task_filter import KEYS, FilterTerm, parse
from studio.widgets.controls import Label
from studio.widgets.controls.fields import dress_completer
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width


class _Chip(QAbstractButton):
    """One ``key: value`` term; a click removes it."""

    def __init__(self, term: FilterTerm) -> None:
        super().__init__()
        self.term = term
        self.setText(term.text)
        self.setAccessibleName(_("Remove {part}", part=term.text))
        self.setToolTip(self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.update)

    @property
    def _head(self) -> str:
        return f"{'-' if self.term.negative else ''}{self.term.key}: "

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        width = text_width(self._head) + text_width(self.term.value, "heading")
        return QSize(width + 34, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent-weak"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        inner = self.rect().adjusted(7, 0, -22, 0)
        used = draw_text(painter, inner, self._head, "body", "accent")
        draw_text(painter, inner.adjusted(used, 0, 4, 0), self.term.value, "heading", "accent")
        tone = "text" if self.underMouse() else "accent"
        theme.draw_icon_in(painter, "x", QRect(self.width() - 21, 0, 18, self.height()), 12, tone)


class SearchField(QFrame):
    """Edits a search as chips and text."""

    changed = Signal(list)
    """The FilterTerms after every change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: list[_Chip] = []
        self.setFixedHeight(theme.size("input"))
        self.setMinimumWidth(320)
        self.setMaximumWidth(560)
        self.field = QLineEdit()
        self.field.setProperty("plain", "true")
        self.field.setAccessibleName(_("Search tasks"))
        self.field.setPlaceholderText(_("Search tasks: words, app:shop, golden:<2, problem:any"))
        self.field.setToolTip(self.field.placeholderText())
        self.field.textChanged.connect(self._edited)
        self.field.installEventFilter(self)
        completer = QCompleter([f"{key}:" for key in KEYS], self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        dress_completer(completer)
        self.field.setCompleter(completer)
        self._count = Label("", "body", "text-2")
        self._clear = IconButton("x", _("Clear the search"), size=24)
        self._clear.clicked.connect(self.clear)
        self._row = QHBoxLayout(self)
        leading_margins(self._row, 34, 0, 6, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self.field, 1)
        self._row.addWidget(self._count)
        self._row.addWidget(self._clear)
        self._clear.hide()
        theme.changed.connect(self.update)

    @property
    def terms(self) -> list[FilterTerm]:
        """All terms: the chips, then the text."""
        return [*(chip.term for chip in self._chips), *parse(self.field.text())]

    def set_count(self, shown: int, count: int) -> None:
        """Show ``7 of 24`` while there is a search."""
        self._count.setText(_("{shown} of {count}", shown=shown, count=count) if self.terms else "")
        self._clear.setVisible(bool(self.terms))

    def add(self, text: str) -> None:
        """Add terms; a key with a value becomes a chip."""
        for term in parse(text):
            if term.key and term.value:
                self._add_chip(term)
            else:
                self.field.setText(f"{self.field.text()} {term.text}".strip())
        self._emit_changed()

    @Slot()
    def clear(self) -> None:
        """Remove all terms."""
        for chip in list(self._chips):
            self._remove(chip)
        self.field.clear()
        self._emit_changed()

    def _add_chip(self, term: FilterTerm) -> None:
        if any(chip.term == term for chip in self._chips):
            return
        chip = _Chip(term)
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
            self._emit_changed()

    @Slot(str)
    def _edited(self, text: str) -> None:
        if text.endswith(" ") and text.count('"') % 2 == 0:
            self._turn_terms_into_chips()
        self._emit_changed()

    def _turn_terms_into_chips(self) -> None:
        """Turn each complete ``key:value`` term into a chip; other text stays."""
        others = []
        for term in parse(self.field.text()):
            if term.key and term.value:
                self._add_chip(term)
            else:
                others.append(term.text)
        rest = " ".join(others)
        if rest != self.field.text().strip():
            self.field.setText(f"{rest} " if rest else "")

    def _emit_changed(self) -> None:
        self.changed.emit(self.terms)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.field:
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                self.update()
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._handle_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _handle_key(self, key: Qt.Key) -> bool:
        if key == Qt.Key.Key_Backspace and not self.field.text() and self._chips:
            last = self._chips[-1]
            self._remove(last)
            self._emit_changed()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._turn_terms_into_chips()
            self._emit_changed()
            return True
        if key == Qt.Key.Key_Escape and self.terms:
            self.clear()
            return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.field.setFocus()
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.field.hasFocus()
        painter.setPen(QPen(theme.color("accent" if focus else "line-2"), 2 if focus else 1))
        painter.setBrush(theme.color("field"))
        inset = 1.0 if focus else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        theme.draw_icon_in(painter, "search", QRect(8, 0, 20, self.height()), 16)
