"""The editor of one field of a condition: chips, a combo box or a line, by the kind of the field."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QLineEdit, QWidget

from collector.model.action import ACTIONS
from collector.model.geometry import Rect
from collector.model.i18n import N_, _
from collector.rules.grammar import specs
from collector.rules.grammar.specs import FieldSpec
from collector.rules.grammar.value_reader import ANY_ACTION
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.rule_form.keyword_chips import KeywordChips
from rule_editor.widgets.toolkit import Toolkit

_CHOICES = {specs.ACTION: (ANY_ACTION, *ACTIONS), **specs.WORDS}
VALUE_NAMES = {
    specs.SHARE: N_("a number from 0 to 1"),
    specs.NUMBER: N_("a number"),
    specs.WHOLE: N_("a whole number"),
    specs.REGION: N_("a region: left, top, right, bottom"),
}
_SHORT = (specs.SHARE, specs.WHOLE, specs.NUMBER)


class FieldEditor(QWidget):
    """Emits ``edited(value)`` while a person types, with a value of the grammar's type.

    ``validity_changed`` follows when what is typed is no such value any more, or is one again.
    """

    edited = Signal(object)
    validity_changed = Signal()

    def __init__(self, toolkit: Toolkit, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._toolkit, self._spec = toolkit, spec
        self._value: Any = None
        self.chips: KeywordChips | None = None
        self.box: QComboBox | None = None
        self.line: QLineEdit | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if spec.kind in (specs.TEXTS, specs.STATE_IDS):
            self.chips = KeywordChips(toolkit, spec.name)
            self.chips.changed.connect(self.edited)
            row.addWidget(self.chips)
        elif spec.kind in _CHOICES:
            self.box = _combo(spec)
            self.box.activated.connect(self._chosen)
            row.addWidget(self.box)
        else:
            self.line = _line(spec)
            self.line.textEdited.connect(self._typed)
            self.line.editingFinished.connect(self._finished)
            row.addWidget(self.line)

    @property
    def kind(self) -> str:
        """Kind of the field in the grammar."""
        return self._spec.kind

    @property
    def is_invalid(self) -> bool:
        """Whether the text in the line is no value of the grammar's type."""
        return self.line is not None and bool(self.line.property("invalid"))

    @property
    def busy(self) -> bool:
        """Whether a person is typing here."""
        return self.line is not None and self.line.hasFocus() and self.line.isModified()

    def show_value(self, value: Any, missing: tuple[str, ...] | None = None) -> None:
        """Show a value, unless a person is typing; ``missing`` are keywords that did not match."""
        self._value = value
        if self.chips is not None:
            self.chips.show_words(value or (), missing)
        elif self.box is not None:
            self.box.setCurrentText(str(value))
        elif self.line is not None and not self.busy and not self._is_typed(value):
            self.line.setText(shown(value))
            self.line.setCursorPosition(0)
            self._mark_invalid(wrong=False)

    def offer(self, completions: list[str]) -> None:
        """Set the completions of the line."""
        if self.line is not None and completions:
            completer = QCompleter(completions, self.line)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.activated.connect(self._typed)
            self._toolkit.dress_completer(completer)
            self.line.setCompleter(completer)

    def _chosen(self, _index: int) -> None:
        if self.box is not None and self.box.currentText() != self._value:
            self.edited.emit(self.box.currentText())

    def _is_typed(self, value: Any) -> bool:
        """Whether the line has the value already, written as the person writes it."""
        return (
            self.line is not None and self.line.isModified() and parsed(self._spec, self.line.text()) == value
        )

    def _typed(self, text: str) -> None:
        value = parsed(self._spec, text)
        self._mark_invalid(wrong=value is None)
        if value is not None and value != self._value:
            self._value = value
            self.edited.emit(value)

    def _finished(self) -> None:
        if self.line is not None and not self.is_invalid:
            self.line.setModified(False)
            self.show_value(self._value)

    def _complaint(self) -> str:
        if self.line is None or not self.line.text().strip():
            return _("This field needs a value")
        wanted = VALUE_NAMES.get(self._spec.kind)
        return _("This is not {wanted}", wanted=_(wanted) if wanted else _("a value of this field"))

    def _mark_invalid(self, *, wrong: bool) -> None:
        if self.line is not None and self.is_invalid != wrong:
            self.line.setProperty("invalid", wrong)
            self.line.setToolTip(self._complaint() if wrong else _(self._spec.doc))
            self.line.style().unpolish(self.line)
            self.line.style().polish(self.line)
            self.validity_changed.emit()


def shown(value: Any) -> str:
    """The text for a value, as a person types it."""
    if isinstance(value, Rect):
        return f"{value.left}, {value.top}, {value.right}, {value.bottom}"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def parsed(spec: FieldSpec, text: str) -> Any:
    """The value of a typed text for ``spec``; None when the text is no such value."""
    text = text.strip()
    try:
        if spec.kind == specs.WHOLE:
            return int(text)
        if spec.kind in (specs.SHARE, specs.NUMBER):
            number = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
            return number if spec.kind != specs.SHARE or 0 <= number <= 1 else None
        if spec.kind == specs.REGION:
            numbers = [int(number) for number in text.split(",")]
            return (
                numbers if len(numbers) == 4 and numbers[0] < numbers[2] and numbers[1] < numbers[3] else None
            )
    except ValueError:
        return None
    return text if text or not spec.required else None


def _line(spec: FieldSpec) -> QLineEdit:
    line = QLineEdit()
    line.setProperty("small", True)
    line.setAccessibleName(spec.name)
    line.setToolTip(_(spec.doc))
    line.setPlaceholderText(spec.name)
    if spec.kind in _SHORT:
        line.setFixedWidth(56)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
    else:
        line.setProperty("role", "code")
    return line


def _combo(spec: FieldSpec) -> QComboBox:
    box = ComboBox()
    box.addItems(_CHOICES[spec.kind])
    box.setProperty("small", True)
    box.setAccessibleName(spec.name)
    box.setToolTip(_(spec.doc))
    return box
