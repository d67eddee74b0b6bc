"""An action of an injection rule: the anomaly, the probability, and the follow-ups of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from collector.model.i18n import _
from collector.rules.grammar.model import Injection
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.field_names import name_field
from rule_editor.widgets.rule_form.field_editor import shown
from rule_editor.widgets.toolkit import Toolkit

_LABEL = 80


@dataclass(frozen=True, slots=True)
class AnomalyChoice:
    """An anomaly in the picker; ``answers`` are pairs of button and follow-up."""

    id: str
    description: str = ""
    answers: tuple[tuple[str, str], ...] = ()


class ActionBox(QWidget):
    """Emits ``edited(index, key, value)``, ``removed(index)``, and ``opened(id)`` to edit the anomaly."""

    edited = Signal(int, str, object)
    removed = Signal(int)
    opened = Signal(str)

    def __init__(self, toolkit: Toolkit, index: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self._index = index
        self._action = Injection()
        self._anomalies: tuple[AnomalyChoice, ...] = ()
        self.picker = ComboBox()
        self.picker.setEditable(True)
        self.picker.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        # As wide as the form allows, however long the ids are.
        self.picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.picker.setMinimumContentsLength(8)
        name_field(self.picker, _("Anomaly to inject"))
        self.picker.setProperty("role", "code")
        self.picker.activated.connect(self._picked)
        self.probability = QLineEdit()
        self.probability.setFixedWidth(56)
        self.probability.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.probability.setAccessibleName(_("Probability"))
        self.probability.editingFinished.connect(self._typed)
        field = self.picker.lineEdit()
        if field is not None:
            field.editingFinished.connect(self._picked)
        self.open = toolkit.button("", "edit", small=True)
        self._problem = toolkit.label("", "caption", "err", wrap=True)
        self._answers = toolkit.label("", "body", "text-2", wrap=True)
        self._lay_out()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, _LABEL)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._toolkit.label(_("Inject"), "body", "text-2"), 0, 0)
        first = QHBoxLayout()
        first.addWidget(self.picker, 1)
        self.open.setAccessibleName(_("Edit this anomaly"))
        self.open.setToolTip(_("Edit this anomaly"))
        self.open.clicked.connect(self._open)
        first.addWidget(self.open)
        remove = self._toolkit.button("", "x", small=True)
        remove.setAccessibleName(_("Remove this action"))
        remove.setToolTip(_("Remove this action"))
        remove.clicked.connect(self._remove)
        first.addWidget(remove)
        grid.addLayout(first, 0, 1)
        grid.addWidget(self._problem, 1, 1)
        grid.addWidget(self._toolkit.label(_("Probability"), "body", "text-2"), 2, 0)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self.probability)
        second.addWidget(
            self._toolkit.label(_("the same draw for every agent"), "body", "text-2", cut=True), 1
        )
        grid.addLayout(second, 2, 1)
        grid.addWidget(self._toolkit.label(_("On answer"), "body", "text-2"), 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._answers, 3, 1)

    def show_action(self, action: Injection, anomalies: Sequence[AnomalyChoice]) -> None:
        """Show an action, and the anomalies to pick from."""
        self._action = action
        if tuple(anomalies) != self._anomalies:
            self._anomalies = tuple(anomalies)
            self.picker.clear()
            for anomaly in self._anomalies:
                self.picker.addItem(anomaly.id)
                self.picker.setItemData(
                    self.picker.count() - 1, anomaly.description, Qt.ItemDataRole.ToolTipRole
                )
        field = self.picker.lineEdit()
        if field is not None and not (field.hasFocus() and field.isModified()):
            self.picker.setEditText(action.interference_id)
            field.setCursorPosition(0)  # show the beginning of a long id
        if not self.probability.hasFocus() or not self.probability.isModified():
            self.probability.setText(shown(action.trigger_probability))
        known = next((anomaly for anomaly in self._anomalies if anomaly.id == action.interference_id), None)
        missing = bool(self._anomalies) and known is None
        self._problem.setText(_("The library has no such anomaly") if missing else "")
        self._problem.setVisible(missing)
        self.open.setEnabled(known is not None)
        self._answers.setText(self._answer_text(known))

    def _answer_text(self, known: AnomalyChoice | None) -> str:
        answers = list(known.answers) if known is not None else []
        answers += [(answer, what) for answer, what in self._action.follow_up.items()]
        lines = [f"{button}  \u203a  {what}" for button, what in answers]
        return "\n".join(lines) or _("nothing follows")

    def _picked(self, _index: int = 0) -> None:
        chosen = self.picker.currentText().strip()
        if chosen and chosen != self._action.interference_id:
            self.edited.emit(self._index, "interference_id", chosen)

    def _typed(self) -> None:
        if not self.probability.isModified():
            return
        self.probability.setModified(False)
        try:
            value = float(self.probability.text())
        except ValueError:
            value = -1.0
        if 0 <= value <= 1:
            self.edited.emit(self._index, "trigger_probability", value)
        else:
            self.probability.setText(shown(self._action.trigger_probability))

    def _open(self) -> None:
        self.opened.emit(self._action.interference_id)

    def _remove(self) -> None:
        self.removed.emit(self._index)
