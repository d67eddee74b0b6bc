"""What stands in place of the form while an entry cannot be read: why, its text, and the way to the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import _
from rule_editor.document.entries.entry import FileEntry
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

_MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """An entry that cannot be read: its name, its text and the diagnostics that say why."""

    name: str
    text: str
    start: int
    reasons: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, entry: FileEntry, text: str, diagnostics: Sequence[Diagnostic]) -> BrokenEntry:
        """The entry of ``text``; the errors of the file stand for an entry that has none of its own."""
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
        own = [diagnostic for diagnostic in errors if entry.start <= diagnostic.place.start < entry.end]
        return cls(entry.key, text[entry.start : entry.end].rstrip(), entry.start, tuple(own or errors))

    @property
    def sentence(self) -> str:
        """Why it cannot be read."""
        return self.reasons[0].sentence if self.reasons else _("It is not written as an entry of this file")

    @property
    def place(self) -> int:
        """The character to go to: where reading failed, else where the entry begins."""
        return self.reasons[0].place.start if self.reasons else self.start


class BrokenEntryView(QWidget):
    """Emits ``line_wanted(offset)`` when the person wants to correct the text."""

    line_wanted = Signal(int)

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._toolkit = toolkit
        self._entry: BrokenEntry | None = None
        self.setProperty("surface", "panel")
        self.title = toolkit.label("", "heading", cut=True)
        self.reasons = toolkit.label("", "body", "err", wrap=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setProperty("role", "code")
        self.text.setFont(toolkit.font("code"))
        self.text.setAccessibleName(_("Text of the entry"))
        self.go = toolkit.button(_("Correct it in the YAML"), "code")
        self.go.clicked.connect(self._want_line)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(ToolkitIcon(self._toolkit, "state-err", 16))
        head.addWidget(self.title, 1)
        head.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.reasons)
        column.addWidget(self.text, 1)

    def show_entry(self, entry: BrokenEntry) -> None:
        """Show why an entry cannot be read, and its text."""
        self._entry = entry
        self.title.setText(_("{name} cannot be read", name=entry.name))
        sentences = [reason.sentence for reason in entry.reasons[:_MOST_REASONS]] or [entry.sentence]
        self.reasons.setText("\n".join(sentences))
        if self.text.toPlainText() != entry.text:
            self.text.setPlainText(entry.text)

    def _want_line(self) -> None:
        if self._entry is not None:
            self.line_wanted.emit(self._entry.place)
