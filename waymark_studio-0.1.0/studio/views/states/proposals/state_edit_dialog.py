"""The dialog in which a state is written together by two operators, or corrected by an auditor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.i18n import _
from collector.states.documents.proposal import ProposedState
from collector.states.documents.proposed_rules import condition_problem
from studio.widgets.controls import Button, Label, Switch
from studio.widgets.dialogs.dialog import Dialog, show_problem

_CODE_HEIGHT, _ROW, _MOST_ROWS = 132, 24, 5
_ID = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class StateSource:
    """A version of the state that the fields can be filled with: whose it is, and what it says."""

    name: str
    state: ProposedState


class StateEditDialog(Dialog):
    """Emits ``edited(ProposedState)`` when it is accepted."""

    edited = Signal(object)

    def __init__(
        self, parent: QWidget, title: str, sentence: str, state: ProposedState,
        sources: Sequence[StateSource] = (), others: Sequence[tuple[str, str]] = (),
    ) -> None:  # fmt: skip
        """``others`` are ids and labels of the states that it can come after."""
        super().__init__(title, _("Save"), parent, sentence=sentence, width=640)
        self._state = state
        self._sources = tuple(sources)
        self.sentence = QLineEdit()
        self.conditions = QPlainTextEdit()
        self.conditions.setProperty("role", "code")
        self.conditions.setTabChangesFocus(True)
        self.conditions.setFixedHeight(_CODE_HEIGHT)
        self.conditions.setPlaceholderText(_("No conditions: people and models judge the state"))
        self.after = QListWidget()
        self.optional = Switch(_("Optional"))
        self._add_sources()
        self._sentence_problem = self.add_field(
            _("Sentence"), self.sentence, hint=_("What is to be seen when the state is reached")
        )
        self._conditions_problem = self.add_field(_("Conditions, as YAML"), self.conditions)
        self._others = tuple(others)
        if others:
            self.after.setFixedHeight(_ROW * min(_MOST_ROWS, len(others)) + 4)
            self.after.setUniformItemSizes(True)
            self.add_field(_("After"), self.after)
        row = QHBoxLayout()
        row.addWidget(self.optional)
        row.addWidget(Label(_("Optional: the task can be done without it")), 1)
        self.body.addLayout(row)
        self._fill(state)
        self.sentence.setFocus()

    def _add_sources(self) -> None:
        if not self._sources:
            return
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(Label(_("Fill in as"), "caption", "text-2"))
        for number, source in enumerate(self._sources):
            button = Button(source.name, kind="outlined", small=True)
            button.setProperty("number", number)
            button.clicked.connect(self._source_chosen)
            row.addWidget(button)
        row.addStretch()
        self.body.addLayout(row)

    @Slot()
    def _source_chosen(self) -> None:
        self._fill(self._sources[int(self.sender().property("number"))].state)

    def _fill(self, state: ProposedState) -> None:
        self.sentence.setText(state.sentence)
        self.conditions.setPlainText(_text_of(state.conditions))
        self.optional.setChecked(state.optional)
        self.after.clear()
        for state_id, label in self._others:
            item = QListWidgetItem(label)
            item.setData(_ID, state_id)
            item.setSizeHint(QSize(0, _ROW))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            checked = state_id in state.after
            item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
            self.after.addItem(item)

    @Slot()
    def accept(self) -> None:
        """Emit the state when it can be read; else say what is wrong with it."""
        sentence = " ".join(self.sentence.text().split())
        show_problem(self._sentence_problem, self.sentence, "" if sentence else _("A state needs a sentence"))
        conditions, problem = _conditions_of(self.conditions.toPlainText())
        show_problem(self._conditions_problem, self.conditions, problem)
        if not sentence or problem:
            (self.conditions if sentence else self.sentence).setFocus()
            return
        items = [self.after.item(row) for row in range(self.after.count())]
        after = tuple(item.data(_ID) for item in items if item.checkState() == Qt.CheckState.Checked)
        self.edited.emit(
            replace(
                self._state,
                sentence=sentence,
                conditions=conditions,
                after=after if self._others else self._state.after,
                optional=self.optional.isChecked(),
            )
        )
        super().accept()


def _text_of(conditions: Any) -> str:
    return yaml.safe_dump(conditions, allow_unicode=True, sort_keys=False) if conditions else ""


def _conditions_of(text: str) -> tuple[Any, str]:
    """The plain conditions of a text, or what is wrong with it."""
    if not text.strip():
        return None, ""
    try:
        conditions = safe_load(text, _("The text"))
    except YamlError as error:
        return None, str(error)
    if not isinstance(conditions, (dict, list)):
        return None, _("Conditions are a list, or a group such as `all:`")
    return conditions, condition_problem(conditions)
