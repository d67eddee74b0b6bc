"""The diagnostics of a part of the anomaly form: a sentence and quick fixes for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic, QuickFix, Severity
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

_LOOKS = {Severity.ERROR: ("state-err", "err"), Severity.WARNING: ("state-warn", "warn")}


class DiagnosticList(QWidget):
    """Hidden without diagnostics; emits ``fix_chosen(QuickFix)``."""

    fix_chosen = Signal(object)

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._toolkit = toolkit
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.shown: tuple[Diagnostic, ...] = ()
        self.hide()

    def show_diagnostics(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Show these diagnostics."""
        if tuple(diagnostics) == self.shown:
            return
        self.shown = tuple(diagnostics)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for diagnostic in self.shown:
            self._column.addWidget(self._row(diagnostic))
        self.setAccessibleName("\n".join(diagnostic.sentence for diagnostic in self.shown))
        self.setVisible(bool(self.shown))

    def _row(self, diagnostic: Diagnostic) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        icon, tone = _LOOKS.get(diagnostic.severity, ("state-info", "text-2"))
        row.addWidget(ToolkitIcon(self._toolkit, icon, 12), 0, Qt.AlignmentFlag.AlignTop)
        sentence = self._toolkit.label(diagnostic.sentence, "caption", tone, wrap=True)
        sentence.setToolTip(diagnostic.code)
        row.addWidget(sentence, 1)
        for fix in diagnostic.fixes[:2]:
            button = self._toolkit.button(fix.title, "", "link", small=True)
            button.clicked.connect(partial(self._choose, fix))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return line

    def _choose(self, fix: QuickFix, _checked: bool = False) -> None:
        self.fix_chosen.emit(fix)
