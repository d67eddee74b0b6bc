"""The parts of the Essential state tab: head, form of the conditions, order, and YAML."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _
from collector.model.risk import RISKS
from rule_editor.widgets.broken_entry_view import BrokenEntryView
from rule_editor.widgets.form_inputs import ChoiceInput
from rule_editor.widgets.rule_form.form import RuleForm
from rule_editor.widgets.toolkit_icon import ToolkitIcon
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.states.state_chips import StateChips
from studio.widgets.controls import Button, EmptyState, Label, Switch, surface
from studio.widgets.controls.empty_state import FirstThing

_LABEL = 72


class EssentialStateView(QFrame):
    """Built once; the tab fills it and listens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.name = Label("", "name", "text-2")
        self.title = Label("", "heading", cut=True)
        self.status = Label("", "caption", "text-2")
        self.sentence = SentenceField()
        self.yaml_button = Button("YAML", "code", small=True)
        self.yaml_button.setCheckable(True)
        self.standing_icon = ToolkitIcon(STUDIO_TOOLKIT, "state-todo", 14)
        self.standing = Label("", "body", "text-2", wrap=True)
        self.holds = Label("", "body", "text-2", wrap=True)
        self.after = StateChips(_("After"))
        self.instead = StateChips(_("Or instead"))
        self.optional = Switch(_("Optional"))
        self.risk = ChoiceInput(_("Risk"), [("", "-"), *((risk, _(title)) for risk, title in RISKS.items())])
        self.risk.setToolTip(_("Why an agent should stop or ask there"))
        self.used = Label("", "body", "text-2", wrap=True)
        self.form = RuleForm(STUDIO_TOOLKIT, has_fields=False)
        self.yaml = YamlEditor(STUDIO_TOOLKIT)
        self.broken = BrokenEntryView(STUDIO_TOOLKIT)
        self.nothing = EmptyState(
            _("No essential state selected"),
            _("Click one in the graph, or press N"),
            icon="states",
        )
        self._pages = QStackedWidget()
        self._whole = QWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        self.form.add_above(self._above())
        self.form.add_below(self._below())
        for page in (self.form, self.yaml, self.broken):
            self._pages.addWidget(page)
        inner = QVBoxLayout(self._whole)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self._head())
        inner.addWidget(self._pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._whole)
        column.addWidget(self.nothing)
        self.show_state(False)

    def _head(self) -> QWidget:
        head = surface("panel", "bottom")
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.title, 1)
        row.addWidget(self.status)
        row.addWidget(self.yaml_button)
        return head

    def _above(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.standing_icon)
        line.addWidget(self.standing, 1)
        column.addLayout(line)
        return box

    def _below(self) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(10)
        grid.setColumnMinimumWidth(0, _LABEL)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.holds, 0, 0, 1, 2)
        optional = QWidget()
        switch_row = QHBoxLayout(optional)
        switch_row.setContentsMargins(0, 0, 0, 0)
        switch_row.addWidget(self.optional)
        switch_row.addStretch(1)
        for row, (words, part) in enumerate(
            ((_("After"), self.after), (_("Or instead"), self.instead), (_("Optional"), optional),
             (_("Risk"), self.risk),
             (_("Used by"), self.used)),
            start=1,
        ):  # fmt: skip
            label = Label(words, "body", "text-2")
            label.setMinimumHeight(24)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(part, row, 1)
        return box

    # -- what is shown -------------------------------------------------------
    def show_state(self, shown: bool) -> None:
        """Show the parts of a state, or the sentence that none is selected."""
        self._whole.setVisible(shown)
        self.nothing.setVisible(not shown)

    def offer_first(self, offered: bool) -> None:
        """Offer to add the first state of the task, in place of how one is selected."""
        sentence = _("Choose a step, and add the first one there")
        first = FirstThing(_("No essential state yet"), sentence, _("New essential state"), "plus")
        self.nothing.show_first(first if offered else None)

    def show_page(self, *, is_broken: bool) -> None:
        """Show form or YAML; in place of the form what keeps an entry from being read."""
        if self.yaml_button.isChecked():
            self._pages.setCurrentWidget(self.yaml)
        else:
            self._pages.setCurrentWidget(self.broken if is_broken else self.form)

    def set_read_only(self, read_only: bool) -> None:
        """Show a project that cannot be changed."""
        self.form.setEnabled(not read_only)
        self.yaml.setReadOnly(read_only)


_HEIGHT = 58


class SentenceField(QPlainTextEdit):
    """A short text; Enter and leaving it emit ``edited`` when it changed, Esc takes the typing back."""

    edited = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setAccessibleName(_("What is to be seen"))
        self.setPlaceholderText(_("What is to be seen, in one sentence"))
        self.setFixedHeight(_HEIGHT)
        self.setTabChangesFocus(True)

    def show_sentence(self, sentence: str, *, of_another: bool) -> None:
        """Show a sentence; the same state's does not replace what the person is typing."""
        is_typing = self.hasFocus() and self.toPlainText() != self._shown and not of_another
        self._shown = sentence
        if not is_typing and self.toPlainText() != sentence:
            self.setPlainText(sentence)

    def commit(self) -> None:
        """Emit what was typed."""
        sentence = " ".join(self.toPlainText().split())
        if sentence != self._shown:
            self._shown = sentence
            self.edited.emit(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        self.commit()
        super().focusOutEvent(event)
