"""What is wrong with a part of an anomaly, beside it: a sentence each, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic, QuickFix, Severity
from rule_editor.widgets.kit import Kit
from rule_editor.widgets.kit_icon import KitIcon

_LOOKS = {Severity.ERROR: ("state-err", "err"), Severity.WARNING: ("state-warn", "warn")}


class DiagnosticList(QWidget):
    """Hidden while there is nothing wrong; ``fix_chosen(QuickFix)``."""

    fix_chosen = Signal(object)

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.found: tuple[Diagnostic, ...] = ()
        self.hide()

    def show_found(self, found: Sequence[Diagnostic]) -> None:
        """Show these; the same ones again are left as they are."""
        if tuple(found) == self.found:
            return
        self.found = tuple(found)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for one in self.found:
            self._column.addWidget(self._row(one))
        self.setAccessibleName("\n".join(one.sentence for one in self.found))
        self.setVisible(bool(self.found))

    def _row(self, one: Diagnostic) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        icon, tone = _LOOKS.get(one.severity, ("state-info", "text-2"))
        row.addWidget(KitIcon(self._kit, icon, 12), 0, Qt.AlignmentFlag.AlignTop)
        words = self._kit.label(one.sentence, "caption", tone, wrap=True)
        words.setToolTip(one.code)
        row.addWidget(words, 1)
        for fix in one.fixes[:2]:
            button = self._kit.button(fix.title, "", "link", small=True)
            button.clicked.connect(self._teller(fix))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return made

    def _teller(self, fix: QuickFix) -> object:
        return lambda: self.fix_chosen.emit(fix)
