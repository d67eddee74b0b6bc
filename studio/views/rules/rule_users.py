"""*Used by*: the tasks that name the selected rule, as chips in its form; a dialog chooses them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.project_rules.rules_of_tasks import rules_named, users_of
from collector.rules.grammar.model import SUCCESS
from rule_editor.widgets.rule_form.form import LABEL_WIDTH
from studio.views.rules.rule_diagnostics import CHOOSE_TASKS
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession
from studio.views.rules.task_references import choose_users
from studio.views.services import WindowServices
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.experiment.chip_row import ChipItem, ChipRow

_MOST_CHIPS = 12
_MORE = ""
"""Key of the chip that stands for all tasks without one."""
_NAME_WIDTH = 140
_SIZE, _AROUND = QSize(640, 560), QSize(48, 48)


class RuleUsersRow(QWidget):
    """A line of the form; the chips emit what the person asks for."""

    def __init__(self) -> None:
        super().__init__()
        title = Label(_("Used by"), "body", "text-2")
        title.setFixedWidth(LABEL_WIDTH)
        self.none = Label(_("no task"), "body", "text-3")
        self.chips = ChipRow(_("Used by"), _("Choose the tasks that use the rule"), side=0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(title)
        row.addWidget(self.none)
        row.addWidget(self.chips, 1)

    def show_users(self, users: Sequence[str]) -> None:
        """Show the tasks by their ids; of many the first ones, and how many more there are."""
        shown = users if len(users) <= _MOST_CHIPS else users[: _MOST_CHIPS - 1]
        items = [ChipItem(task, task, _("Show the task")) for task in shown]
        if left := len(users) - len(shown):
            words = ngettext("{count} more", "{count} more", left)
            items.append(ChipItem(_MORE, words, _("Choose the tasks that use the rule")))
        self.chips.show_items(items)
        self.none.setVisible(not users)


class RuleUsersDialog(Dialog):
    """Emits ``chosen`` with the ids of the tasks that use the rule."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, kind: str, rule_id: str, tasks: Sequence[Task], front: str) -> None:
        """``front`` is the task in hand, which the list begins with."""
        sentence = (
            _("A task has one success rule: this one takes the place of the one that judges it now.")
            if kind == SUCCESS
            else ""
        )
        super().__init__(_("Tasks that use {rule}", rule=rule_id), _("Choose"), parent, sentence=sentence)
        self.list = CheckList(_("Tasks"), _("Find a task in the list"), _NAME_WIDTH)
        self.body.addWidget(self.list, 1)
        items = [
            CheckItem(task.id, task.id, _about(task, kind, rule_id), task.app or task.package, "phone")
            for task in sorted(tasks, key=lambda task: task.id != front)
        ]
        self.list.show_items(items, set(users_of(tasks, kind, rule_id)), _("The project has no task"))
        self.yes.clicked.connect(self._choose)
        self.list.field.setFocus()
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(frozenset(self.list.chosen))


class RuleUsersController(QObject):
    """Fills the row from the session, and handles ``rules.choose-tasks``."""

    def __init__(
        self, session: RulesSession, pane: RulePane, services: WindowServices, host: QWidget
    ) -> None:
        """``host`` is the parent of the dialog."""
        super().__init__(host)
        self._session, self._services, self._host = session, services, host
        self._edits = services.project_library.edits
        self.row = RuleUsersRow()
        pane.form.add_above(self.row)
        self.row.chips.add_wanted.connect(self._ask)
        self.row.chips.chosen.connect(self._chip_chosen)
        for signal in (session.selected, session.rule_changed, session.entries_changed,
                       self._edits.changed):  # fmt: skip
            signal.connect(self._show)
        services.commander.handle(CHOOSE_TASKS, self.choose)

    @Slot()
    def _show(self) -> None:
        session = self._session
        rule = session.rule
        self.row.setVisible(rule is not None and session.folder is not None and not session.files)
        if rule is not None:
            self.row.show_users(users_of(self._edits.tasks, rule.kind, rule.id))

    def choose(self, rule: str = "") -> None:
        """Ask which tasks use the rule ``rule`` of the selected file, by default the selected one."""
        session, document = self._session, self._session.document
        chosen = document.rule(rule or session.rule_id) if document is not None else None
        if chosen is None or session.files:
            raise UserError(
                _("No task can use the rule"), _("its file is in no project"),
                _("Add the rule to a rule file of the project"),
            )  # fmt: skip
        kind, rule_id = chosen.kind, chosen.id
        front = self._services.selection.task_id
        dialog = RuleUsersDialog(self._host.window(), kind, rule_id, self._edits.tasks, front)
        dialog.chosen.connect(partial(self._use, kind, rule_id))
        dialog.open()

    def _use(self, kind: str, rule_id: str, users: Collection[str]) -> None:
        edit = choose_users(self._edits, kind, rule_id, users)
        if edit is not None:
            self._session.history.add(edit)

    @Slot()
    def _ask(self) -> None:
        self._services.run_command(CHOOSE_TASKS)

    @Slot(str)
    def _chip_chosen(self, task_id: str) -> None:
        """Show a task in Project."""
        if task_id == _MORE:
            self._ask()
            return
        self._services.selection.choose_task(task_id)
        self._services.run_command("view.project")


def _about(task: Task, kind: str, rule_id: str) -> str:
    """The instruction; of a task that another success rule judges also that rule."""
    others = [rule for rule in rules_named(task, kind) if rule != rule_id]
    if kind != SUCCESS or not others:
        return task.instruction
    return _("judged by {rule}: {instruction}", rule=others[0], instruction=task.instruction)
