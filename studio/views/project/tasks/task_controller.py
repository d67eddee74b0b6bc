"""Commands on the tasks of a project: new, edit, delete, record, find."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.message import _, ngettext
from collector.model.task import Task
from collector.store.tasks.state_file import deleted_with_tasks
from collector.store.tasks.task_ids import next_task_id, with_duplicate
from collector.store.tasks.task_merge import TaskConflict, merge_task
from collector.task_library.built_in_tasks import with_added
from studio.bridge.phones.phone_apps import PhoneApps, apps_of
from studio.bridge.rules.rule_names import read_rule_names
from studio.bridge.while_alive import while_alive
from studio.views.project.search_field import SearchField
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.views.project.tasks.task_table import TaskTable
from studio.views.services import WindowServices
from studio.views.task_library.built_in_tasks_dialog import BuiltInTasksDialog


class TaskController(QObject):
    """Handles the task commands. Every edit goes through the project library, which can undo it."""

    def __init__(
        self, table: TaskTable, search: SearchField, services: WindowServices, window: QWidget
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._table, self._search, self._window = table, search, window
        self._apps = PhoneApps(services.tasks, services.devices, self)
        self._services, self._edits, self._selection = (
            services,
            services.project_library.edits,
            services.selection,
        )
        for command, handler in (
            ("task.new", self.new),
            ("task.add-built-in", self.choose_built_in),
            ("task.edit", self.edit_selected),
            ("task.duplicate", self.duplicate_selected),
            ("task.delete", self.delete_selected),
            ("record.new-task", self.new),
            ("record.edit-task", lambda: self.edit(self._selection.task_id)),
            ("record.duplicate-task", lambda: self.duplicate(self._selection.task_id)),
            ("record.show-task", self.show_chosen),
            ("task.record", self.record),
            ("project.find", self.find),
        ):
            services.commander.handle(command, handler)
        self._selection.task_chosen.connect(self._task_chosen)
        self._task_chosen(self._selection.task_id)

    def new(self) -> None:
        """Ask for a task and add it; app and package are those of the selected or the last task."""
        tasks = self._edits.tasks
        template = next(iter(self._table.selected), None) or (tasks[-1] if tasks else None)
        ids = {task.id for task in tasks}
        draft = Task("", "")
        if template is not None:
            draft = replace(
                draft,
                app=template.app,
                package=template.package,
                golden_wanted=template.golden_wanted,
            )
        dialog = self._dialog(draft, ids, new=True)
        dialog.edited.connect(self._add)
        dialog.record_asked.connect(self.record)
        self._open(dialog)

    def _open(self, dialog: TaskDialog) -> None:
        """Open the dialog; it offers the rules of the project once they are read."""
        dialog.open()
        project = self._services.project_library.project
        if project is None:
            return
        folder = project.folder
        offer = while_alive(dialog, dialog.rules.offer)  # which is no object of Qt
        self._services.tasks.run(lambda _job: read_rule_names(folder), success=offer)

    def _dialog(self, task: Task, taken: Collection[str], *, new: bool) -> TaskDialog:
        """The dialog of a task; it lists the apps of the phone as soon as they are read."""
        edits, apps = self._edits, self._apps
        dialog = TaskDialog(
            task, taken, self._window, new=new, states=edits.states, apps=apps_of(edits.tasks)
        )
        dialog.app.show_apps(apps.known)
        apps.changed.connect(dialog.app.show_apps)
        apps.read()
        return dialog

    @Slot(object)
    def _add(self, task: Task) -> None:
        dialog = self.sender()
        assert isinstance(dialog, TaskDialog)
        tasks = self._edits.tasks
        ids = {other.id for other in tasks}
        if task.id in ids:  # another program added one of that name while the dialog was open
            task = replace(task, id=next_task_id(task.id, ids))
        self._edits.edit(_("add {task}", task=task.id), [*tasks, task], dialog.state_changes)
        self._search.clear()
        self._table.select([task.id])
        self._selection.choose_task(task.id)

    def choose_built_in(self) -> None:
        """Ask which of the studio's tasks to add, and for longer ones made of them."""
        dialog = BuiltInTasksDialog([task.id for task in self._edits.tasks], self._window)
        dialog.chosen.connect(self._add_several)
        dialog.open()

    @Slot(tuple)
    def _add_several(self, chosen: tuple[Task, ...]) -> None:
        tasks, new = with_added(self._edits.tasks, chosen)
        if not new:  # another program added them while the dialog was open
            return
        added = ngettext("add {count} task", "add {count} tasks", len(new))
        self._edits.edit(added, tasks)
        self._search.clear()
        self._table.select([new[0].id])
        self._services.toasts.show("ok", ngettext("Added {count} task", "Added {count} tasks", len(new)))

    def edit_selected(self) -> None:
        """Edit the selected task; the first of several."""
        selected = self._table.selected
        if selected:
            self.edit(selected[0].id)

    @Slot(str)
    def edit(self, task_id: str) -> None:
        """Edit a task in a dialog."""
        tasks = {task.id: task for task in self._edits.tasks}
        task = tasks.pop(task_id, None)
        if task is None:
            return
        dialog = self._dialog(task, tasks, new=False)
        dialog.edited.connect(self._replace)
        self._open(dialog)

    @Slot(object)
    def _replace(self, task: Task) -> None:
        dialog = self.sender()
        assert isinstance(dialog, TaskDialog)
        original, states = dialog.original, dialog.state_changes
        if task == original and not states:
            return
        before = self._edits.tasks
        current = next((other for other in before if other.id == original.id), None)
        conflict: TaskConflict | None = None
        if current is None:  # deleted by another program meanwhile: what was typed stays
            tasks, conflict = (*before, task), TaskConflict(task.id, task, None)
        else:
            task, conflict = merge_task(original, task, current)
            tasks = tuple(task if other is current else other for other in before)
        self._edits.edit(_("edit {task}", task=task.id), tasks, states)
        self._table.select([task.id])
        if conflict is not None:
            self._edits.conflicted.emit((conflict,))

    def duplicate_selected(self) -> None:
        """Duplicate the selected task; the first of several."""
        selected = self._table.selected
        if selected:
            self.duplicate(selected[0].id)

    def duplicate(self, task_id: str) -> None:
        """Add a copy of a task behind it, and select the copy."""
        tasks, copy = with_duplicate(self._edits.tasks, task_id)
        self._edits.edit(_("duplicate {task}", task=task_id), tasks)
        self._table.select([copy.id])

    def show_chosen(self) -> None:
        """Bring Project to the front, with the chosen task selected."""
        task_id = self._selection.task_id
        self._services.run_command("view.project")
        self._table.select([task_id])
        self._table.setFocus()

    @Slot(str)
    def _task_chosen(self, task_id: str) -> None:
        self._services.commander.set_context(task__chosen=bool(task_id))

    def delete_selected(self) -> None:
        """Delete the selected tasks; their trajectories stay on the disk."""
        deleted = {task.id for task in self._table.selected}
        if not deleted:
            return
        count = len(deleted)
        title = _("delete {task}", task=next(iter(deleted))) if count == 1 else ngettext(
            "delete {count} task", "delete {count} tasks", count
        )  # fmt: skip
        tasks = self._edits.tasks
        left = [task for task in tasks if task.id not in deleted]
        gone = (task for task in tasks if task.id in deleted)
        states = deleted_with_tasks(gone, left, self._edits.states)
        self._edits.edit(title, left, states)
        self._services.toasts.show(
            "ok",
            ngettext("{count} task deleted", "{count} tasks deleted", count),
            _("Their trajectories stay in the project"),
            action=_("Undo"),
            act=self._services.project_library.history.undo,
            for_now=True,
        )

    def record(self) -> None:
        """Record the selected task."""
        selected = self._table.selected
        if selected:
            self._services.run_command("view.record")
            self._services.run_command("record.task", task=selected[0].id)

    def find(self) -> None:
        """Put the keyboard focus into the search."""
        self._search.field.setFocus()
        self._search.field.selectAll()
