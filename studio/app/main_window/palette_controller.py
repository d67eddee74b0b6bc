"""Fill the palette, and go to what is chosen in it: run a command, show a setting, a task, a rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.model.task import Task
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.app.main_window.palette_entries import (
    command_entries,
    rule_entries,
    setting_entries,
    task_entries,
    trajectory_entries,
)
from studio.bridge.rules.rule_names import RuleName, read_rule_names
from studio.bridge.while_alive import while_alive
from studio.commands.command import GLOBAL
from studio.commands.search import PaletteEntry, PaletteSource
from studio.views.services import WindowServices
from studio.views.workspace import Workspace
from studio.widgets.window_frame.command_palette import CommandPalette

_PAUSE_MS, _MOST_TRAJECTORIES = 150, 50
_PATIENCE_MS = 5000
"""How long a workspace may take to read its files before a command chosen for it is given up."""


class PaletteController(QObject):
    """Commands and settings are listed at once, entries of the project are looked up while a person types.

    Commands are made to entries once until any of them changes, tasks once for each edit of them: a key costs
    the search alone. Rules are read once each time the palette opens, and the catalogue is asked for
    trajectories when typing pauses.
    """

    setting_chosen = Signal(str)
    """Key of a setting to show."""
    entry_chosen = Signal(str, str, str)
    """A workspace, and the kind and the id of what it has to show: ``task``, or a group of rules."""

    def __init__(
        self,
        palette: CommandPalette,
        services: WindowServices,
        unbuilt: Callable[[], list[str]],
        front: Callable[[], Workspace | None],
    ) -> None:
        """``unbuilt`` returns the ids of the workspaces not in front yet, ``front`` the one that is."""
        super().__init__(palette)
        self._palette, self._services, self._unbuilt, self._front = palette, services, unbuilt, front
        self._library, self._stored = services.project_library, services.trajectories
        self._commands: tuple[list[str], list[PaletteEntry]] = ([], [])
        """Entries of the commands, and the unbuilt workspaces with which they were made."""
        self._settings = setting_entries()
        self._tasks: tuple[tuple[Task, ...], list[PaletteEntry]] = ((), [])
        self._rules: list[PaletteEntry] = []
        self._trajectories: list[PaletteEntry] = []
        self._query = ""
        self._reads_rules = False
        self._awaited = ""
        """The command that runs once its workspace is ready for it."""
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._look_up_trajectories)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)
        self._remove = services.commander.changed.subscribe(self._commands_changed)
        palette.searched.connect(self._searched)
        palette.chosen.connect(self.go_to)

    def close(self) -> None:
        """Stop following the commands."""
        self._remove()
        self._pause.stop()
        self._patience.stop()

    # -- entries -------------------------------------------------------------
    def entries(self, query: str) -> list[PaletteEntry]:
        """All entries for a query; without one, the commands alone."""
        commands = self._command_entries()
        if not query.strip():
            return commands
        source = self._source()
        found_there = source.entries(query) if source is not None else ()
        found = (*self._settings, *self._rules, *self._task_entries(), *self._trajectories)
        return [*found_there, *commands, *found]

    def _source(self) -> PaletteSource | None:
        front = self._front()
        return front.palette_source if front is not None else None

    def _command_entries(self) -> list[PaletteEntry]:
        unbuilt = self._unbuilt()
        if not self._commands[1] or self._commands[0] != unbuilt:
            self._commands = (unbuilt, command_entries(self._services.commander, unbuilt))
        return self._commands[1]

    def _task_entries(self) -> list[PaletteEntry]:
        tasks = self._library.edits.tasks if self._library.project is not None else ()
        if tasks is not self._tasks[0]:
            self._tasks = (tasks, task_entries(tasks))
        return self._tasks[1]

    @Slot(str)
    def _searched(self, query: str) -> None:
        self._query = query.strip()
        if (source := self._source()) is not None:
            source.follow(query)
        if not self._query:
            self._trajectories, self._rules = [], []
            self._pause.stop()
            return
        self._pause.start()
        if not self._rules and not self._reads_rules:
            self._read_rules()

    def _read_rules(self) -> None:
        project = self._library.project
        if project is not None:
            folder, self._reads_rules = project.folder, True
            self._services.tasks.run(
                lambda _job: read_rule_names(folder), success=self._rules_read, failure=self._rules_not_read
            )

    @Slot(object)
    def _rules_read(self, names: tuple[RuleName, ...]) -> None:
        self._reads_rules = False
        self._rules = rule_entries(names)
        self._refresh()

    @Slot(object)
    def _rules_not_read(self, _error: Exception) -> None:
        self._reads_rules = False  # the Rules workspace shows what is wrong with them

    @Slot()
    def _look_up_trajectories(self) -> None:
        query = self._query

        def show(page: tuple[int, list[CatalogueRow]]) -> None:
            if query == self._query:
                self._trajectories = trajectory_entries(page[1])
                self._refresh()

        self._stored.page(query, 0, _MOST_TRAJECTORIES, while_alive(self, show), self._not_found)

    @Slot(object)
    def _not_found(self, _error: Exception) -> None:
        """A text that the query language of the catalogue refuses finds no trajectories."""

    def _refresh(self) -> None:
        if self._palette.isVisible() and self._query:
            self._palette.refresh()

    # -- going there ---------------------------------------------------------
    @Slot(object)
    def go_to(self, entry: PaletteEntry) -> None:
        """Run a command, in its workspace; show anything else where it is edited."""
        if entry.kind == "command":
            self._run(entry.id)
        elif entry.kind == "setting":
            self.setting_chosen.emit(entry.id)
        elif entry.kind == "task":
            front = self._services.commander.scope
            self.entry_chosen.emit(front if front == "record" else "project", "task", entry.id)
        elif entry.kind == "rule":
            self.entry_chosen.emit("rules", entry.target[0], entry.id)
        elif entry.kind == "trajectory":
            self._services.run_command("review.open", folder=str(Path(entry.target[0])))
        elif (source := self._source()) is not None:
            source.run(entry)

    def _run(self, command_id: str) -> None:
        commander = self._services.commander
        scope = commander.registry[command_id].scope
        if scope not in (GLOBAL, commander.scope):
            reads_files = scope in self._unbuilt()
            self._services.run_command(f"view.{scope}")
            if reads_files and not commander.enabled(command_id):
                self._awaited = command_id
                self._patience.start()
                return
        self._services.run_command(command_id)

    def _commands_changed(self, _event: None) -> None:
        self._commands = ([], [])
        if self._awaited and self._services.commander.enabled(self._awaited):
            self._patience.stop()
            QTimer.singleShot(0, self, self._run_awaited)

    @Slot()
    def _run_awaited(self) -> None:
        command_id, self._awaited = self._awaited, ""
        if command_id:
            self._services.run_command(command_id)

    @Slot()
    def _give_up(self) -> None:
        self._run_awaited()
