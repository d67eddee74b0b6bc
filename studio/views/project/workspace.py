"""The Project workspace: its panels, and its commands on trajectories and findings."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from collector.model.trajectory import RUN
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.views.context_menu import ContextMenu, item_choice
from studio.views.desktop_toast import open_or_say
from studio.views.first_start import no_tasks
from studio.views.panel_layout import Panel
from studio.views.project.bottom_panel import HEALTH, PROBLEMS, SOLVABILITY, BottomPanel
from studio.views.project.devices_panel import DevicesPanel
from studio.views.project.findings_controller import FindingsController
from studio.views.project.health.health_controller import HealthController
from studio.views.project.health.health_panel import HealthPanel
from studio.views.project.phone_check.phone_check_controller import PhoneCheckController
from studio.views.project.problem_list import ProblemRow, problem_rows
from studio.views.project.recent_trajectories import RecentPanel
from studio.views.project.search_row import SearchRow
from studio.views.project.tasks.task_controller import TaskController
from studio.views.project.tasks.task_counts import TaskCounts
from studio.views.project.tasks.task_model import TaskModel
from studio.views.project.tasks.task_rows import task_rows
from studio.views.project.tasks.task_table import TaskTable, WholeRowFrame
from studio.views.project.trajectory_change_controller import TrajectoryChangeController
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.project.trajectory_thumbnails import TrajectoryThumbnails
from studio.views.redaction.rules_controller import RedactionRulesController
from studio.views.services import WindowServices
from studio.views.solvability.controller import SolvabilityController
from studio.views.solvability.panel import SolvabilityPanel
from studio.views.start_page import StartPage
from studio.views.undo_source import UndoSource, stack_source
from studio.views.workspace import Workspace
from studio.widgets.window_frame.status_bar import StatusItem

_START_PAGE, _PROJECT_PAGE = range(2)
TASK_MENU = (
    ("record.open-task", "task.record"),
    ("task.new", "task.add-built-in", "task.edit", "task.duplicate", "task.delete"),
    ("project.solvability",),
)
TRAJECTORY_MENU = (
    ("trajectory.open",),
    ("trajectory.rename", "trajectory.duplicate", "trajectory.delete"),
    ("trajectory.show-folder", "trajectory.practise"),
)
_BOTTOM_HEIGHT, _MATRIX_HEIGHT, _TASKS_HEIGHT = 280, 320, 400
"""Heights in pixels: the bottom panel at first, what a solvability matrix needs, and what the tasks keep."""


@dataclass(frozen=True, slots=True)
class ProjectState:
    """What the workspace leaves to that of the next window."""

    search: str
    selected: tuple[str, ...]
    checked: bool


class ProjectWorkspace(Workspace):
    """Tasks, recent trajectories, problems and phones of a project."""

    scope = "project"
    folds_right_below = 1200  # the tasks need the width more than the cards of phones

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self._project_library = services.project_library
        self._checked = False
        self._is_front = False
        self.model = TaskModel(self)
        self.table = TaskTable(self.model)
        self.search_row = SearchRow(self.model, self.table)
        self._thumbnails = TrajectoryThumbnails(services, self)
        self.recent = RecentPanel(self._thumbnails)
        solvability = SolvabilityPanel(services.solvability, services.project_library, services.tasks)
        solvability.offer_to(services.toasts)
        self.bottom = BottomPanel(services.tasks, HealthPanel(services.health), solvability)
        self.solvability = SolvabilityController(
            services, self, lambda: [task.id for task in self.table.selected]
        )
        self.redaction = RedactionRulesController(services, self)
        self.devices_panel = DevicesPanel(services)
        PhoneCheckController(services, self)
        self._counts = TaskCounts()
        self.pages = QStackedWidget()
        self.tasks = TaskController(self.table, self.search_row.search, services, self)
        self._handle_commands()
        self.trajectory_changes = TrajectoryChangeController(services, self._selected_folder, self)
        self.start = StartPage(services)
        self.pages.addWidget(self.start)
        self.pages.addWidget(self._build_project_page())
        self.set_centre(self.pages)
        self.set_below(self.bottom, head=self.bottom.head_height, height=_BOTTOM_HEIGHT)
        self.set_right(self.devices_panel, "devices", _("Devices"))
        self.toolbar.add_command("project.import", place=1)
        record = self.toolbar.buttons["task.record"]
        # Outlined, as every command that leaves the workspace.
        record.set_face(record.text(), record.icon_name, "outlined")
        self.toolbar.facts.addWidget(self._counts)
        # After _connect: a check is listed before F8 goes to its first finding.
        self._connect()
        self.findings = FindingsController(
            services, self.bottom.problems, self._show_problems, self._show_task, self
        )
        self.health = HealthController(
            services, self.bottom.health, self._show_health, self._show_task, self.tasks.edit, self.show_all,
            self,
        )  # fmt: skip
        self._add_context_menus()
        self._project_opened(self._project_library.snapshot)

    def _build_project_page(self) -> QWidget:
        """Return the page with task table and recent trajectories."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = WholeRowFrame(self.search_row, self.table)
        top.setMinimumHeight(160)
        self._task_pages = QStackedWidget()
        self._task_pages.addWidget(top)
        self._task_pages.addWidget(no_tasks(self.services.commander))
        column.addWidget(self._task_pages, 1)
        column.addWidget(self.recent)
        return page

    def _handle_commands(self) -> None:
        handle = self.services.commander.handle
        handle("trajectory.open", self.open_trajectory)
        handle("project.check", self.check)

    def _connect(self) -> None:
        self.table.chosen.connect(self._selection_changed)
        self.table.activated_task.connect(self._open_task)
        self.services.state_reviews.visibility_changed.connect(self._show_visibility)
        self.recent.cards.chosen.connect(self._card_chosen)
        self.recent.cards.chosen.connect(self._thumbnails.read_chosen)
        self.recent.cards.activated.connect(self._show_trajectory)
        self.recent.show_all.connect(self.show_all)
        self.bottom.problems.action_asked.connect(self._run_problem_action)
        self.bottom.tabs.pressed.connect(self._open_bottom)
        self.bottom.idle_changed.connect(self._bottom_idle)
        self.search_row.search.changed.connect(self._searched)
        project_library = self._project_library
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._refresh)
        project_library.history_changed.connect(self.history_changed)
        self.services.findings.checked.connect(self._check_finished)
        self.services.findings.changed.connect(self._findings_changed)
        self.services.selection.task_chosen.connect(self._task_chosen_elsewhere)
        self.bottom.solvability.asked.connect(self._check_solvability)
        self.bottom.solvability.opened.connect(self._open_at)
        self.services.solvability.changed.connect(self._solvability_changed)

    def show_entry(self, kind: str, entry_id: str) -> None:  # noqa: ARG002 - it shows tasks alone
        """Select a task; a search that hides it is cleared."""
        if self.model.row_of(entry_id) < 0:
            self.search_row.search.clear()
        self.table.select([entry_id])
        self.table.setFocus()

    @property
    def history(self) -> UndoSource:
        """The edits of the tasks."""
        return stack_source(self._project_library.history)

    def _add_context_menus(self) -> None:
        services, cards = self.services, self.recent.cards
        ContextMenu(self.table, TASK_MENU, services, item_choice(self.table))
        ContextMenu(cards, TRAJECTORY_MENU, services, cards.choose_at)

    def take_keyboard(self) -> None:
        self.table.setFocus()

    def activate(self) -> None:
        """Show the number of tasks in the status bar."""
        self._is_front = True
        self._show_facts()

    def deactivate(self) -> None:
        """Remove the number of tasks from the status bar."""
        self._is_front = False
        self._show_facts()

    def close_workspace(self) -> None:
        """Stop following the log and the phones."""
        self.bottom.log.stop()
        self.devices_panel.stop()

    # -- what is shown -------------------------------------------------------
    @Slot(object)
    def _project_opened(self, snapshot: ProjectSnapshot | None) -> None:
        self._checked = False
        self.search_row.search.clear()
        self.recent.cards.clear_choice()
        self.services.commander.set_context(trajectory__selected=False, run__selected=False)
        self._choose_page()
        self._counts.setVisible(snapshot is not None)
        for command in ("task.record", "trajectory.open", "project.check"):
            self.toolbar.set_shown(command, snapshot is not None)
        if snapshot is None:
            self.model.show_rows([])
            self._show_facts()
            return
        self._refresh(snapshot)
        self._selection_changed([])
        focused = QApplication.focusWidget()
        if self._is_front and (focused is None or self.isAncestorOf(focused)):
            # Not the search: letters must run the commands whose buttons show them. Not while a palette
            # has the focus: what is typed there would run commands.
            self.table.setFocus()

    @Slot()
    def _open_bottom(self) -> None:
        self.show_panel(Panel.BOTTOM)

    @Slot(bool)
    def _bottom_idle(self, idle: bool) -> None:
        self.suggest_height_below(min(_BOTTOM_HEIGHT, self.bottom.content_height))
        self.set_panel_idle(Panel.BOTTOM, idle)

    @Slot()
    def _choose_page(self) -> None:
        """Show the project, or the first page while none is open."""
        is_open = self._project_library.snapshot is not None
        self.set_panel_needed(Panel.BOTTOM, is_open)
        self.pages.setCurrentIndex(_PROJECT_PAGE if is_open else _START_PAGE)
        _need_room_of_front(self.pages)

    @Slot(object)
    def _refresh(self, snapshot: ProjectSnapshot) -> None:
        self._tasks_edited()
        self._show_visibility()
        self.bottom.show_problems(problem_rows(snapshot, self.services.findings.every), checked=self._checked)

    @Slot()
    def _show_visibility(self) -> None:
        """Show the recent trajectories, without the pictures and names that the person may not see yet."""
        snapshot, why = self._project_library.snapshot, self.services.state_reviews.hidden_reason
        rows = snapshot.recent if snapshot is not None else ()
        if snapshot is not None:
            self.recent.show_rows(
                [self.services.state_reviews.without_names(row) for row in rows], snapshot.kinds,
                is_known=snapshot.knows_trajectories,
            )  # fmt: skip
        reasons = {row.folder: why(row.task, row.kind, row.who) for row in rows}
        self.recent.cards.set_hidden({folder: reason for folder, reason in reasons.items() if reason})

    def _tasks_edited(self) -> None:
        snapshot = self._project_library.snapshot
        if snapshot is None:
            return
        tasks = self._project_library.edits.tasks
        self.model.show_rows(task_rows(snapshot, tasks, self.services.findings.every))
        self.search_row.show_count()
        self._task_pages.setCurrentIndex(0 if tasks else 1)
        _need_room_of_front(self._task_pages)
        golden = sum(snapshot.golden.get(task.id, 0) for task in tasks)
        self._counts.show_counts(len(tasks), golden if snapshot.knows_trajectories else None)
        self._show_facts()

    @Slot()
    def _findings_changed(self) -> None:
        snapshot = self._project_library.snapshot
        if snapshot is not None:
            self._refresh(snapshot)

    def _show_problems(self) -> None:
        """Bring the list of findings to the front."""
        self.services.run_command("view.project")
        self.bottom.tabs.set_current(PROBLEMS)

    def _show_health(self) -> None:
        """Bring the list of health to the front, with room for it."""
        self.services.run_command("view.project")
        self.bottom.tabs.set_current(HEALTH)
        self.raise_below(_MATRIX_HEIGHT, _TASKS_HEIGHT)

    def _show_task(self, task_id: str) -> None:
        self.show_entry("task", task_id)

    @Slot(object)
    def _check_finished(self, _problems: tuple[object, ...]) -> None:
        """List the findings of a check beside older warnings, and show the number of all in a toast."""
        self._checked = True
        snapshot = self._project_library.snapshot
        if snapshot is not None:
            self._refresh(snapshot)
            self.bottom.tabs.set_current(PROBLEMS)
            if not self.bottom.is_idle:
                self.show_panel(Panel.BOTTOM)
            self._show_check_toast(problem_rows(snapshot, self.services.findings.every))

    def _show_check_toast(self, rows: list[ProblemRow]) -> None:
        toasts, count = self.services.toasts, len(rows)
        if not rows:
            toasts.show("ok", _("The check found nothing wrong"), _("Every file is as it was recorded"))
            return
        broken = any(row.state == "err" for row in rows)
        sentence = ngettext("{count} problem is listed below", "{count} problems are listed below", count)
        toasts.show("warn" if broken else "info", _("The project was checked"), sentence)

    def _show_facts(self) -> None:
        """Show the number of tasks and of selected tasks in the status bar."""
        status, chosen = self.services.status, len(self.table.selected)
        shown = self._project_library.snapshot is not None and self._is_front
        text = _("{shown} of {count} tasks", shown=self.model.rowCount(), count=self.model.count)
        status.set_item("tasks", StatusItem(text) if shown else None, right=True)
        selected = StatusItem(ngettext("{count} selected", "{count} selected", chosen))
        status.set_item("selected", selected if shown and chosen else None, right=True)

    @Slot(list)
    def _searched(self, _parts: list[object]) -> None:
        self._show_facts()

    # -- selection -----------------------------------------------------------
    @Slot(list)
    def _selection_changed(self, ids: list[str]) -> None:
        card = self.recent.cards.current
        if ids and card is not None and card.task not in ids:
            self.recent.cards.clear_choice()
        card = self.recent.cards.current
        self.services.selection.selected_tasks = tuple(ids)
        self.services.commander.set_context(
            task__selected=bool(ids),
            trajectory__selected=card is not None,
            run__selected=card is not None and card.kind == RUN,
        )
        if ids and self.services.selection.task_id not in ids:
            self.services.selection.choose_task(ids[-1])
        self._show_facts()

    @Slot(str)
    def _task_chosen_elsewhere(self, task_id: str) -> None:
        if task_id and task_id not in [task.id for task in self.table.selected]:
            self.table.select([task_id])

    @Slot(object)
    def _card_chosen(self, row: CatalogueRow) -> None:
        self.services.commander.set_context(trajectory__selected=True, run__selected=row.kind == RUN)
        if self.model.row_of(row.task) >= 0:
            self.table.select([row.task])

    # -- trajectories --------------------------------------------------------
    def _selected_folder(self) -> str:
        row = self.recent.cards.current
        return row.folder if row is not None else ""

    def open_trajectory(self) -> None:
        """Open the trajectory of the chosen card, or the newest one of the selected task."""
        row = self.recent.cards.current
        if row is not None:
            self._show_trajectory(row)
        elif self.table.selected:
            self._open_task(self.table.selected[0].id)

    @Slot(str)
    def _open_task(self, task_id: str) -> None:
        self.services.run_command("record.open-task", task=task_id)

    @Slot(object)
    def _show_trajectory(self, row: CatalogueRow) -> None:
        self._open(row.folder)

    def _open(self, folder: str, step: int = 0) -> None:
        self.services.run_command("review.open", folder=folder, step=str(step))

    def show_all(self, query: str = "") -> None:
        """Open the list of all trajectories, searched by ``query``."""
        dialog = TrajectoryListDialog(self._project_library, self.services.trajectories, self, query)
        dialog.model.as_seen = self.services.state_reviews.without_names
        dialog.change_asked.connect(self.trajectory_changes.change)
        dialog.export_asked.connect(self._export_found)
        dialog.opened.connect(self._show_trajectory)
        dialog.open()

    @Slot(str)
    def _export_found(self, query: str) -> None:
        self.services.run_command("project.export", where=query)

    # -- project -------------------------------------------------------------
    def check(self) -> None:
        """Check all files of the project."""
        self.services.findings.check()

    @Slot(object)
    def _run_problem_action(self, row: ProblemRow) -> None:
        """Run the action of a problem."""
        snapshot = self._project_library.snapshot
        if snapshot is None:
            return
        if row.act == "edit-task":
            self.tasks.edit(row.target)
        elif row.act == "open":
            self._open(row.target)
        elif row.act == "recover":
            self.services.findings.recover(row.target)
        elif row.act == "list":
            self.show_all(f'task:"{row.target}" problem:any')
        elif row.act == "rules":
            self.services.run_command("view.rules")
            self.services.run_command("rules.show-line", place=row.target)
        else:
            folder = (snapshot.folder / row.target).parent
            open_or_say(self.services, folder)

    # -- solvability ---------------------------------------------------------
    @Slot()
    def _check_solvability(self) -> None:
        self.services.run_command("project.solvability")

    @Slot()
    def _solvability_changed(self) -> None:
        """Show a solvability check that runs, and make room for its matrix."""
        solvability = self.services.solvability
        if solvability.is_running and not solvability.is_stopping:
            self.bottom.tabs.set_current(SOLVABILITY)
            self.raise_below(_MATRIX_HEIGHT, _TASKS_HEIGHT)

    @Slot(str, int)
    def _open_at(self, folder: str, step: int) -> None:
        self._open(folder, step)

    # -- replaced windows ----------------------------------------------------
    def keep_state(self) -> ProjectState:
        """The search and the selected tasks."""
        terms = self.search_row.search.terms
        return ProjectState(
            " ".join(term.text for term in terms),
            tuple(task.id for task in self.table.selected),
            self._checked,
        )

    def take_state(self, state: ProjectState) -> None:
        """Search and select what was searched and selected."""
        self._checked = state.checked
        self.search_row.search.add(state.search)
        snapshot = self._project_library.snapshot
        if snapshot is not None:
            self._refresh(snapshot)
        self.table.select(list(state.selected))

    # -- saved layout ----------------------------------------------------------
    def places(self) -> dict[str, str]:
        """Return the layout of the panels and of the columns of the table."""
        state = self.table.column_state()
        return super().places() | {"columns": state}

    def restore(self, places: dict[str, str]) -> None:
        """Restore panels and columns."""
        super().restore(places)
        if "columns" in places:
            self.table.restore_columns(places["columns"])


def _need_room_of_front(pages: QStackedWidget) -> None:
    """Let the page in front alone decide how low the pages can be."""
    for index in range(pages.count()):
        page = pages.widget(index)
        assert page is not None
        policy = page.sizePolicy()
        is_front = index == pages.currentIndex()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred if is_front else QSizePolicy.Policy.Ignored)
        page.setSizePolicy(policy)
