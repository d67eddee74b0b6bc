"""One field of a condition, shown as what it is: words as chips, numbers to the right, code in mono."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QLineEdit, QWidget

from collector.model.action import ACTIONS
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.rules.grammar import specs
from collector.rules.grammar.specs import FieldSpec
from collector.rules.grammar.value_reader import ANY_ACTION
from rule_editor.widgets.kit import Kit
from rule_editor.widgets.rule_form.keyword_chips import KeywordChips

_CHOICES = {
    specs.ACTION: (ANY_ACTION, *ACTIONS),
    specs.METHOD: specs.METHODS,
}
_SHORT = (specs.SHARE, specs.WHOLE, specs.NUMBER)


class FieldEditor(QWidget):
    """``edited(value)`` when a person is done with it; the value is of the type the grammar wants."""

    edited = Signal(object)

    def __init__(self, kit: Kit, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = spec
        self._value: Any = None
        self.chips: KeywordChips | None = None
        self.box: QComboBox | None = None
        self.line: QLineEdit | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if spec.kind in (specs.TEXTS, specs.STATE_IDS):
            self.chips = KeywordChips(kit, spec.name)
            self.chips.changed.connect(self.edited)
            row.addWidget(self.chips)
        elif spec.kind in _CHOICES:
            self.box = _combo(spec)
            self.box.activated.connect(self._chosen)
            row.addWidget(self.box)
        else:
            self.line = _line(spec)
            self.line.editingFinished.connect(self._typed)
            row.addWidget(self.line)

    @property
    def kind(self) -> str:
        """Kind of value, a word of the grammar."""
        return self._spec.kind

    @property
    def busy(self) -> bool:
        """Whether a person is in the middle of typing here."""
        return self.line is not None and self.line.hasFocus() and self.line.isModified()

    def show_value(self, value: Any, missing: tuple[str, ...] | None = None) -> None:
        """Show a value, unless somebody is typing; ``missing`` are the keywords that were not seen."""
        self._value = value
        if self.chips is not None:
            self.chips.show_words(value or (), missing)
        elif self.box is not None:
            self.box.setCurrentText(str(value))
        elif self.line is not None and not self.busy:
            self.line.setText(shown(value))
            self.line.setCursorPosition(0)
            self._say_invalid(wrong=False)

    def offer(self, words: list[str]) -> None:
        """Values to complete from."""
        if self.line is not None and words:
            completer = QCompleter(words, self.line)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            self.line.setCompleter(completer)

    def _chosen(self, _index: int) -> None:
        if self.box is not None and self.box.currentText() != self._value:
            self.edited.emit(self.box.currentText())

    def _typed(self) -> None:
        if self.line is None or not self.line.isModified():
            return
        read = parsed(self._spec, self.line.text())
        self._say_invalid(wrong=read is None)
        if read is not None:
            self.line.setModified(False)
            if read != self._value:
                self.edited.emit(read)

    def _say_invalid(self, *, wrong: bool) -> None:
        if self.line is not None and bool(self.line.property("invalid")) != wrong:
            self.line.setProperty("invalid", wrong)
            self.line.setToolTip(_("This is not {wanted}", wanted=self._spec.kind) if wrong else "")
            self.line.style().unpolish(self.line)
            self.line.style().polish(self.line)


def shown(value: Any) -> str:
    """A value as a person would type it."""
    if isinstance(value, Rect):
        return f"{value.left}, {value.top}, {value.right}, {value.bottom}"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def parsed(spec: FieldSpec, text: str) -> Any:
    """What a typed text means for ``spec``; None when it means nothing."""
    text = text.strip()
    try:
        if spec.kind == specs.WHOLE:
            return int(text)
        if spec.kind in (specs.SHARE, specs.NUMBER):
            number = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
            return number if spec.kind != specs.SHARE or 0 <= number <= 1 else None
        if spec.kind == specs.REGION:
            numbers = [int(one) for one in text.split(",")]
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
    box = QComboBox()
    box.addItems(_CHOICES[spec.kind])
    box.setProperty("small", True)
    box.setAccessibleName(spec.name)
    box.setToolTip(_(spec.doc))
    return box
