"""Explain the outcome of a rule on one state: each clause with its tick and reason, and advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.rules.evaluation.explanation import OUTCOMES, reason, title
from collector.rules.evaluation.proof import Proof, ProofOutcome
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Group
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

_THUMB = QSize(58, 126)
_INDENT = 14
OUTCOME_LOOKS = {
    ProofOutcome.FIRES: ("state-fire", "accent"),
    ProofOutcome.NEAR: ("state-near", "warn"),
    ProofOutcome.SILENT: ("state-todo", "text-2"),
}
"""Icon and tone of each outcome."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggestion: a sentence, and the title of its button (empty for none)."""

    sentence: str
    button: str = ""
    key: object = None
    """Emitted when the button is pressed."""


class ExplanationPanel(QWidget):
    """Emits ``go(position)`` to show the state, ``tried(key)`` for the advice that a person took."""

    go = Signal(int)
    tried = Signal(object)

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self._position = -1
        self._name = toolkit.label("", "name", cut=True)
        self._badge_icon = ToolkitIcon(toolkit, "state-todo", 12)
        self._badge = toolkit.label("", "caption", "text-2")
        self._go = toolkit.button(_("Go there"), "target", "outlined", small=True)
        self._go.clicked.connect(self._went)
        self._thumb = QLabel()
        self._thumb.setFixedSize(_THUMB)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(2)
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._name, 1)
        head.addWidget(self._badge_icon)
        head.addWidget(self._badge)
        head.addWidget(self._go)
        body = QHBoxLayout()
        body.setSpacing(12)
        body.addWidget(self._thumb, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.addLayout(self._lines)
        words.addStretch(1)
        body.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addLayout(head)
        column.addLayout(body, 1)

    def clear(self) -> None:
        """Show that no cell is chosen, and what to do."""
        self._position = -1
        self._empty_lines()
        self._name.hide()
        self._badge.setText(_("Choose a cell to see why"))
        self._badge.setProperty("tone", "text-2")
        self._toolkit.repolish(self._badge)
        self._badge_icon.hide()
        self._go.hide()
        self._thumb.hide()

    def show_proof(
        self, name: str, proof: Proof, view: StateView, position: int,
        *, wrong: str = "", advice: Sequence[Advice] = (),
    ) -> None:  # fmt: skip
        """Explain ``proof`` of the state ``name`` at ``position``; ``wrong`` says why it should not fire."""
        icon, tone = OUTCOME_LOOKS[proof.outcome]
        self.show_head(name, position, icon, tone, _(OUTCOMES[proof.outcome]))
        self.add_clauses(proof, view)
        if wrong:
            self.add_line("state-err", wrong, "err")
        for suggestion in advice:
            self._add_advice(suggestion)

    def show_head(self, name: str, position: int, icon: str, tone: str, outcome: str) -> None:
        """Show the state ``name`` at ``position`` and its outcome; remove the lines of the state before."""
        self._position = position
        self._name.setText(name)
        self._name.show()
        self._badge.setText(outcome)
        self._badge.setProperty("tone", tone)
        self._toolkit.repolish(self._badge)
        self._badge_icon.set_name(icon)
        self._badge_icon.show()
        self._go.show()
        self._empty_lines()

    def add_clauses(self, proof: Proof, view: StateView) -> None:
        """Add a line for each clause, with its tick and reason."""
        for part in proof.parts or (proof,):
            self._add_clause(part, view, 0, wanted=True)

    def set_image(self, image: QImage) -> None:
        """Show a thumbnail of the state's screen; a null image hides it."""
        self._thumb.setVisible(not image.isNull())
        if not image.isNull():
            ratio = self.devicePixelRatioF()
            scaled = image.scaled(
                _THUMB * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            scaled.setDevicePixelRatio(ratio)
            self._thumb.setPixmap(QPixmap.fromImage(scaled))

    @property
    def sentences(self) -> list[str]:
        """The texts of the lines."""
        sentences: list[str] = []
        for place in range(self._lines.count()):
            item = self._lines.itemAt(place)
            row = item.widget() if item is not None else None
            sentences += [label.text() for label in row.findChildren(QLabel)] if row is not None else []
        return sentences

    def _went(self) -> None:
        self.go.emit(self._position)

    def _add_clause(self, proof: Proof, view: StateView, depth: int, *, wanted: bool) -> None:
        """Add a clause and its parts; where ``wanted`` is False, inside a ``not``, it should not hold."""
        sentence = reason(proof, view)
        if isinstance(proof.condition, Group):
            sentence = f"{title(proof.condition)}: {sentence}"
        line = self.add_line("state-ok" if proof.holds == wanted else "state-err", sentence, "text", depth)
        line.setToolTip(title(proof.condition))
        inside = wanted != (isinstance(proof.condition, Group) and proof.condition.kind == "not")
        for part in proof.parts:
            self._add_clause(part, view, depth + 1, wanted=inside)

    def add_line(self, icon: str, text: str, tone: str, depth: int = 0) -> QWidget:
        """Add a line with an icon and a sentence, indented by ``depth`` levels."""
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(depth * _INDENT, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(ToolkitIcon(self._toolkit, icon, 12), 0, Qt.AlignmentFlag.AlignTop)
        label = self._toolkit.label(text, "body", tone, wrap=True)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        row.addWidget(label, 1)
        self._lines.addWidget(line)
        return line

    def _add_advice(self, advice: Advice) -> None:
        line = self.add_line("bulb", advice.sentence, "text-2")
        if advice.button:
            button = self._toolkit.button(advice.button, "", "outlined", small=True)
            button.setProperty("advice", advice.key)
            button.clicked.connect(self._advice_taken)
            layout = line.layout()
            if layout is not None:
                layout.addWidget(button)

    def _advice_taken(self) -> None:
        button = self.sender()
        if button is not None:
            self.tried.emit(button.property("advice"))

    def _empty_lines(self) -> None:
        while self._lines.count():
            item = self._lines.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
