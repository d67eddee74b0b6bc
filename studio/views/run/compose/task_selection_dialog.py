"""The dialog that chooses the tasks of an experiment: by a query, by ticks, or all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.run.experiment.scope import ExperimentScope
from collector.store.catalogue.query import QueryError
from collector.store.catalogue.task_query import TASK_KEYS
from rule_editor.widgets.field_names import add_clear_button
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem

_SIZE, _AROUND = QSize(640, 640), QSize(48, 48)


@dataclass(frozen=True, slots=True)
class TaskSelection:
    """The tasks of an experiment as its file can write them."""

    tasks: tuple[str, ...] = ()
    """Ids, unless ``is_all`` or ``where``."""
    is_all: bool = False
    where: str = ""
    left_out: tuple[str, ...] = ()
    """Ids that fit ``where`` and are left out."""

    @property
    def value(self) -> object:
        """The value of ``tasks`` in the file."""
        if self.where:
            return {"where": self.where} | ({"except": list(self.left_out)} if self.left_out else {})
        return "all" if self.is_all else list(self.tasks)


class TaskSelectionDialog(Dialog):
    """Emits ``chosen`` with a :class:`TaskSelection`."""

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, scope: ExperimentScope, tasks: tuple[str, ...], where: str, *, is_all: bool
    ) -> None:  # fmt: skip
        """``tasks`` are the chosen ones now; with ``where`` they fit that query."""
        super().__init__(
            _("Tasks of the experiment"),
            _("Choose"),
            parent,
            sentence=_(
                "A query is kept in the file, so that tasks which fit it later are run, too. "
                "Tick tasks to choose them one by one."
            ),
        )
        self._scope = scope
        self._known: Mapping[str, Task] = scope.tasks
        self.query = QLineEdit(where)
        add_clear_button(self.query)
        hint = _("Query, as in app:Shop level:easy; empty for every task")
        self._problem = self.add_field(_("Query"), self.query, hint=hint)
        self.query.setToolTip(_("Keys: {keys}", keys=", ".join(TASK_KEYS)))
        self.list = CheckList(_("Tasks"), _("Find a task in the list"), 116)
        self._count = Label("", "body", "text-2")
        self.body.addWidget(self.list, 1)
        self.body.addWidget(self._count)
        self._fitting: tuple[str, ...] = ()
        self._is_valid = True
        self._show(frozenset(self._known) if is_all else frozenset(tasks))
        self.query.textChanged.connect(self._ask)
        self.list.changed.connect(self._show_count)
        self.yes.clicked.connect(self._choose)
        self.query.setFocus()
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))

    @Slot()
    def _ask(self) -> None:
        self._show(None)

    def _show(self, ticked: frozenset[str] | None) -> None:
        """List the tasks that fit the query; ``ticked`` are those chosen, None for all that fit."""
        text = self.query.text().strip()
        try:
            self._fitting = tuple(self._scope.select(text)) if text else tuple(self._known)
            self._is_valid = True
            show_problem(self._problem, self.query, "")
        except QueryError as error:
            self._is_valid = False
            show_problem(self._problem, self.query, str(error))
            self._show_count()
            return
        tasks = [self._known[name] for name in self._fitting]
        items = [
            CheckItem(task.id, task.id, task.instruction, task.app or task.package, "phone") for task in tasks
        ]
        chosen = set(self._fitting) if ticked is None else ticked & set(self._fitting)
        self.list.show_items(items, chosen, _("No task fits"))
        self._show_count()

    @Slot()
    def _show_count(self) -> None:
        count = len(self.list.chosen)
        self._count.setText(ngettext("{count} task is chosen", "{count} tasks are chosen", count))
        self.yes.setEnabled(self._is_valid and count > 0)

    @property
    def selection(self) -> TaskSelection:
        """What is chosen now."""
        ticked, text = set(self.list.chosen), self.query.text().strip()
        left_out = tuple(name for name in self._fitting if name not in ticked)
        if text:
            return TaskSelection(where=text, left_out=left_out)
        if not left_out:
            return TaskSelection(is_all=True)
        return TaskSelection(tuple(name for name in self._fitting if name in ticked))

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.selection)
