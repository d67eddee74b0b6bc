"""The Project workspace itself: its parts put together, and its commands."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QByteArray, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.store.catalogue import CatalogueRow
from studio.bridge.library import Snapshot
from studio.views.first_start import first_start, no_project
from studio.views.project.bottom_panel import PROBLEMS, SOLVABILITY, BottomPanel
from studio.views.project.devices_panel import DevicesPanel
from studio.views.project.problem_list import ProblemRow, problem_rows
from studio.views.project.recent_trajectories import RecentPanel
from studio.views.project.search_row import SearchRow
from studio.views.project.task_counts import TaskCounts
from studio.views.project.task_dialog import TaskDialog
from studio.views.project.task_model import TaskModel
from studio.views.project.task_rows import task_rows
from studio.views.project.task_table import TaskTable, WholeRows
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.project.trajectory_thumbnails import TrajectoryThumbnails
from studio.views.services import WindowServices
from studio.views.solvability.controller import SolvabilityController
from studio.views.solvability.panel import SolvabilityPanel
from studio.views.workspace import Workspace
from studio.widgets.status_bar import StatusItem

_NO_PHONE, _NO_PROJECT, _WORK = range(3)
_ROOM_FOR_RESULTS, _ROOM_ABOVE = 320, 400
"""Heights: what a matrix of results wants, and what is left to the tasks for it."""


class ProjectWorkspace(Workspace):
    """Tasks with everything that belongs to them, and the phones."""

    scope = "project"

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self._library = services.library
        self._checked = False
        self._in_front = False
        self.model = TaskModel(self)
        self.table = TaskTable(self.model)
        self.search_row = SearchRow(self.model, self.table)
        self._pictures = TrajectoryThumbnails(services, self)
        self.recent = RecentPanel(self._pictures)
        surveys = SolvabilityPanel(services.solvability, services.library, services.tasks)
        surveys.offer_to(services.toasts)
        self.bottom = BottomPanel(services.tasks, surveys)
        self.solvability = SolvabilityController(
            services, self, lambda: [task.id for task in self.table.selected]
        )
        self.devices_panel = DevicesPanel(services)
        self._counts = TaskCounts()
        self._pages = QStackedWidget()
        self._handle_commands()
        self._first = first_start(services.commander)
        self._pages.addWidget(self._first)
        self._pages.addWidget(no_project(services.commander))
        self._pages.addWidget(self._work())
        self.set_centre(self._pages)
        self.set_right(self.devices_panel, "devices")
        self.toolbar.add_command("project.import", place=1)
        record = self.toolbar.buttons["task.record"]
        # Outlined, as everything that leads out of the view.
        record.set_face(record.text(), record.icon_name, "outlined")
        self.toolbar.facts.addWidget(self._counts)
        self._connect()
        self._opened(self._library.snapshot)

    def _work(self) -> QWidget:
        """Table, trajectories and problems over each other."""
        top = WholeRows(self.search_row, self.table)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        self._rows.setHandleWidth(1)
        self._rows.setChildrenCollapsible(False)
        # Cards have one height: what is shared out is the room of the table and of the list below.
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top, 1)
        column.addWidget(self.recent)
        for part, stretch in ((upper, 5), (self.bottom, 3)):
            self._rows.addWidget(part)
            self._rows.setStretchFactor(self._rows.count() - 1, stretch)
        self.bottom.setMinimumHeight(96)
        top.setMinimumHeight(160)
        return self._rows

    def _handle_commands(self) -> None:
        handle = self.services.commander.handle
        handle("task.new", self.new_task)
        handle("task.edit", self.edit_task)
        handle("task.delete", self.delete_tasks)
        handle("task.record", self.record_task)
        handle("trajectory.open", self.open_trajectory)
        handle("project.check", self.check)
        handle("project.find", self.find_tasks)

    def _connect(self) -> None:
        self.table.chosen.connect(self._tasks_chosen)
        self.table.activated_task.connect(self._task_activated)
        self.recent.cards.chosen.connect(self._card_chosen)
        self.recent.cards.activated.connect(self._show_trajectory)
        self.recent.show_all.connect(self.show_all)
        self.bottom.problems.acted.connect(self._act_on)
        self.search_row.search.changed.connect(self._searched)
        library = self._library
        library.opened.connect(self._opened)
        library.changed.connect(self._renew)
        library.history_changed.connect(self._tasks_edited)
        library.checked.connect(self._problems_found)
        self.services.devices.changed.connect(self._choose_page)
        library.task_chosen.connect(self._chosen_elsewhere)
        self.bottom.solvability.asked.connect(self._ask_survey)
        self.bottom.solvability.opened.connect(self._open_at)
        self.services.solvability.changed.connect(self._survey_changed)

    def activate(self) -> None:
        """Say in the status bar how many tasks are shown."""
        self._in_front = True
        self._show_facts()

    def deactivate(self) -> None:
        """Leave the status bar to others."""
        self._in_front = False
        self._show_facts()

    def close_workspace(self) -> None:
        """Stop following the log and the phones."""
        self.bottom.log.stop()
        self.devices_panel.stop()

    # -- what is shown -------------------------------------------------------
    @Slot(object)
    def _opened(self, snapshot: Snapshot | None) -> None:
        self._checked = False
        self.search_row.search.clear()
        self.recent.cards.clear_choice()
        self.services.commander.set_context(trajectory__selected=False)
        self._choose_page()
        self._counts.setVisible(snapshot is not None)
        for command in ("task.record", "trajectory.open", "project.check"):
            self.toolbar.set_shown(command, snapshot is not None)
        if snapshot is None:
            self.model.show_rows([])
            self._show_facts()
            return
        self._renew(snapshot)
        self._tasks_chosen([])
        focused = QApplication.focusWidget()
        if self._in_front and (focused is None or self.isAncestorOf(focused)):
            # Not the search: letters are to run the commands whose buttons show them. And not while a
            # palette has the keyboard: what is typed there would run commands too.
            self.table.setFocus()

    @Slot()
    def _choose_page(self) -> None:
        """What is missing first: a phone, then a project."""
        if self._library.snapshot is not None:
            self._pages.setCurrentIndex(_WORK)
        else:
            self._pages.setCurrentIndex(_NO_PROJECT if self.services.devices.entries else _NO_PHONE)

    @Slot(object)
    def _renew(self, snapshot: Snapshot) -> None:
        self._tasks_edited()
        self.recent.show_rows(snapshot.recent, snapshot.counts)
        self.bottom.show_problems(problem_rows(snapshot, self._library.problems), checked=self._checked)

    @Slot()
    def _tasks_edited(self) -> None:
        snapshot = self._library.snapshot
        if snapshot is None:
            return
        tasks = self._library.tasks
        self.model.show_rows(task_rows(snapshot, tasks, self._library.problems))
        self.search_row.renew()
        self._counts.show_counts(len(tasks), snapshot.counts.get("golden", 0))
        self._show_facts()

    @Slot(object)
    def _problems_found(self, _problems: tuple[object, ...]) -> None:
        """Warnings from earlier are listed beside what the check found: the toast counts what is listed."""
        self._checked = True
        snapshot = self._library.snapshot
        if snapshot is not None:
            self._renew(snapshot)
            self.bottom.tabs.set_current(PROBLEMS)
            self._tell_check(problem_rows(snapshot, self._library.problems))

    def _tell_check(self, rows: list[ProblemRow]) -> None:
        toasts, count = self.services.toasts, len(rows)
        if not rows:
            toasts.show("ok", _("The check found nothing wrong"), _("Every file is as it was recorded"))
            return
        broken = any(row.state == "err" for row in rows)
        words = ngettext("{count} problem is listed below", "{count} problems are listed below", count)
        toasts.show("warn" if broken else "info", _("The project was checked"), words)

    def _show_facts(self) -> None:
        """How many tasks are shown and selected, in the status bar."""
        status, chosen = self.services.status, len(self.table.selected)
        shown = self._library.snapshot is not None and self._in_front
        text = _("{shown} of {count} tasks", shown=self.model.rowCount(), count=self.model.count)
        status.set_item("tasks", StatusItem(text) if shown else None, right=True)
        selected = StatusItem(ngettext("{count} selected", "{count} selected", chosen))
        status.set_item("selected", selected if shown and chosen else None, right=True)

    @Slot(list)
    def _searched(self, _parts: list[object]) -> None:
        self._show_facts()

    # -- selection -----------------------------------------------------------
    @Slot(list)
    def _tasks_chosen(self, ids: list[str]) -> None:
        self.services.commander.set_context(task__selected=bool(ids))
        if ids and self._library.chosen not in ids:
            self._library.choose_task(ids[-1])
        self._show_facts()

    @Slot(str)
    def _chosen_elsewhere(self, task_id: str) -> None:
        if task_id and task_id not in [task.id for task in self.table.selected]:
            self.table.select([task_id])

    @Slot(object)
    def _card_chosen(self, row: CatalogueRow) -> None:
        self.services.commander.set_context(trajectory__selected=True)
        if self.model.row_of(row.task) >= 0:
            self.table.select([row.task])

    # -- tasks ---------------------------------------------------------------
    def new_task(self) -> None:
        """Ask for a task and add it."""
        near = next(iter(self.table.selected), None)
        tasks = self._library.tasks
        like = near or (tasks[-1] if tasks else None)
        draft = Task(next_id(like.id if like else "task-00", {task.id for task in tasks}), "")
        if like is not None:
            draft = replace(draft, app=like.app, package=like.package, golden_wanted=like.golden_wanted)
        editor = TaskDialog(draft, [task.id for task in tasks], self, new=True)
        editor.edited.connect(self._add)
        editor.open()

    @Slot(object)
    def _add(self, task: Task) -> None:
        self._library.edit_tasks(_("add {task}", task=task.id), [*self._library.tasks, task])
        self.search_row.search.clear()
        self.table.select([task.id])

    def edit_task(self) -> None:
        """Change the selected task."""
        chosen = self.table.selected
        if chosen:
            self._edit(chosen[0].id)

    def _edit(self, task_id: str) -> None:
        tasks = self._library.tasks
        task = next((task for task in tasks if task.id == task_id), None)
        if task is None:
            return
        editor = TaskDialog(task, [task.id for task in tasks if task.id != task_id], self, new=False)
        editor.setProperty("task", task_id)
        editor.edited.connect(self._replace)
        editor.open()

    @Slot(object)
    def _replace(self, task: Task) -> None:
        before = str(self.sender().property("task"))
        tasks = [task if one.id == before else one for one in self._library.tasks]
        if tuple(tasks) != self._library.tasks:
            self._library.edit_tasks(_("edit {task}", task=task.id), tasks)
            self.table.select([task.id])

    def delete_tasks(self) -> None:
        """Take the selected tasks away; their trajectories stay on the disk."""
        gone = {task.id for task in self.table.selected}
        if not gone:
            return
        title = _("delete {task}", task=next(iter(gone))) if len(gone) == 1 else ngettext(
            "delete {count} task", "delete {count} tasks", len(gone)
        )  # fmt: skip
        self._library.edit_tasks(title, [task for task in self._library.tasks if task.id not in gone])
        done = ngettext("{count} task deleted", "{count} tasks deleted", len(gone))
        why = _("Their trajectories stay in the project")
        self.services.toasts.show("ok", done, why, action=_("Undo"), act=self._library.undo)

    def record_task(self) -> None:
        """Go to Record with the selected task."""
        chosen = self.table.selected
        if chosen:
            self._library.choose_task(chosen[0].id)
            self._run("view.record")

    @Slot(str)
    def _task_activated(self, task_id: str) -> None:
        self._edit(task_id)

    # -- trajectories --------------------------------------------------------
    def open_trajectory(self) -> None:
        """Step through the trajectory whose card is chosen."""
        row = self.recent.cards.current
        if row is not None:
            self._show_trajectory(row)

    @Slot(object)
    def _show_trajectory(self, row: CatalogueRow) -> None:
        self._step_through(row.folder)

    def _step_through(self, folder: str) -> None:
        """Record shows what was recorded too."""
        self._run("view.record")
        self._library.show_folder(folder)

    def show_all(self, query: str = "") -> None:
        """A list of all trajectories, searched by ``query``."""
        dialog = TrajectoryListDialog(self._library, self, query)
        dialog.opened.connect(self._show_trajectory)
        dialog.open()

    # -- project -------------------------------------------------------------
    def check(self) -> None:
        """Verify everything."""
        self._library.check()

    def find_tasks(self) -> None:
        """Go to the search."""
        self.search_row.search.field.setFocus()
        self.search_row.search.field.selectAll()

    @Slot(object)
    def _act_on(self, row: ProblemRow) -> None:
        """The one thing to do about a problem."""
        snapshot = self._library.snapshot
        if snapshot is None:
            return
        if row.act == "edit-task":
            self._edit(row.target)
        elif row.act == "open":
            self._step_through(row.target)
        elif row.act == "recover":
            self._library.recover(row.target)
        elif row.act == "list":
            self.show_all(f'task:"{row.target}" problem:any')
        else:
            folder = (snapshot.folder / row.target).parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    # -- solvability ---------------------------------------------------------
    @Slot()
    def _ask_survey(self) -> None:
        self._run("project.solvability")

    @Slot()
    def _survey_changed(self) -> None:
        """What runs is to be seen."""
        surveys = self.services.solvability
        if surveys.is_running and not surveys.is_stopping:
            self.bottom.tabs.set_current(SOLVABILITY)
            upper, lower = self._rows.sizes()
            more = min(_ROOM_FOR_RESULTS - lower, upper - _ROOM_ABOVE)
            if more > 0:
                self._rows.setSizes([upper - more, lower + more])

    @Slot(str, int)
    def _open_at(self, folder: str, step: int) -> None:
        self._run("record.open-trajectory", folder=folder, step=str(step))

    def _run(self, command_id: str, **arguments: str) -> None:
        try:
            self.services.commander.run(command_id, **arguments)
        except UserError as error:
            self.services.toasts.show_error(error)

    # -- remembering ---------------------------------------------------------
    def places(self) -> dict[str, str]:
        """Panels as the frame says, and the columns of the table."""
        state = bytes(self.table.horizontalHeader().saveState().toBase64().data()).decode()
        return super().places() | {"columns": state}

    def restore(self, places: dict[str, str]) -> None:
        """Panels and columns where they were."""
        super().restore(places)
        if "columns" in places:
            self.table.horizontalHeader().restoreState(QByteArray.fromBase64(places["columns"].encode()))


def next_id(like: str, taken: set[str]) -> str:
    """The next free id in the row ``like`` belongs to: after ``shop-14`` comes ``shop-15``."""
    head = like.rstrip("0123456789")
    digits = like[len(head) :]
    number, width = int(digits or 0), max(len(digits), 1)
    head = head if digits else f"{like}-"
    while True:
        number += 1
        wanted = f"{head}{number:0{width}}"
        if wanted not in taken:
            return wanted
