"""The dialog that adds built-in tasks, and longer ones made of them, to a project."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.task_library.built_in_tasks import built_in_tasks
from collector.task_library.generator import MOST_TASKS, GenerationOptions, generated_tasks
from rule_editor.widgets.field_names import name_field
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.widgets.controls import Label
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.dialogs.dialog import Dialog

_SIZE, _AROUND, _NAME_WIDTH = QSize(900, 660), QSize(48, 48), 190


class BuiltInTasksDialog(Dialog):
    """Emits ``chosen`` with the ticked tasks, and the longer ones behind them."""

    chosen = Signal(tuple)

    def __init__(self, taken: Collection[str], parent: QWidget) -> None:
        """``taken`` are the ids of the project's tasks: these are not offered."""
        sentence = _(
            "Tasks over the apps of the virtual phone, each with a target, so that nobody has to judge them. "
            "Those that the project has are left out."
        )
        super().__init__(_("Built-in tasks"), _("Add"), parent, sentence=sentence)
        self._taken = frozenset(taken)
        self.list = CheckList(_("Tasks"), _("Filter tasks"), _NAME_WIDTH)
        self.longer, self.seed = _number(MOST_TASKS, 0), _number(2**31 - 1, 1)
        self._count = Label("", "body", "text-2")
        self.body.addWidget(self.list, 1)
        self.body.addLayout(self._longer_row())
        self.body.addWidget(self._count)
        left = [task for task in built_in_tasks() if task.id not in self._taken]
        self.list.show_items(list(map(_item, left)), (), _("The project has all of them"))
        self.list.changed.connect(self._show_count)
        self.longer.valueChanged.connect(self._show_count)
        self.seed.valueChanged.connect(self._show_count)
        self.yes.clicked.connect(self._choose)
        self._show_count()
        self.list.field.setFocus()
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))

    def _longer_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for title, field in ((_("Longer tasks made of them"), self.longer), (_("Seed"), self.seed)):
            name_field(field, title)
            row.addWidget(Label(title, "body", "text-2"))
            row.addWidget(field)
        row.addStretch(1)
        return row

    @property
    def tasks(self) -> tuple[Task, ...]:
        """What is chosen now: the ticked tasks, and of the longer ones those that the project has not."""
        ticked = set(self.list.chosen)
        short = (task for task in built_in_tasks() if task.id in ticked)
        number = self.longer.value()
        longer = generated_tasks(GenerationOptions(number, self.seed.value())) if number else ()
        return (*short, *(task for task in longer if task.id not in self._taken))

    @Slot()
    def _show_count(self) -> None:
        count = len(self.tasks)
        self._count.setText(ngettext("{count} task is chosen", "{count} tasks are chosen", count))
        self.yes.setEnabled(count > 0)

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.tasks)


def _item(task: Task) -> CheckItem:
    tip = f"{task.level}: {task.instruction}"
    return CheckItem(task.id, task.id, task.instruction, task.app, "phone", tip)


def _number(most: int, value: int) -> QSpinBox:
    field = QSpinBox()
    dress_spin_box(field)
    field.setRange(0, most)
    field.setValue(value)
    return field
