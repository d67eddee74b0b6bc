"""What the person works on now: a task, a recorded state and the trajectory that is stepped through."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from studio.bridge.project_library import ProjectLibrary


class WorkSelection(QObject):
    """One for all workspaces: each follows what was chosen in another."""

    task_chosen = Signal(str)
    """Id of the task the person works on now; empty when none."""
    state_chosen = Signal(str, int)
    """Id of a trajectory, and the index of its state that the person looks at now."""

    def __init__(self, library: ProjectLibrary, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.task_id = ""
        """The task to work on; empty for none."""
        self.state: tuple[str, int] = ("", 0)
        """Trajectory and index of the recorded state that the person looks at."""
        self.stepped_folder: Path | None = None
        """Folder of the stored trajectory that is open to step through."""
        self.front_folder: Path | None = None
        """Folder of the stored trajectory that was opened last, in Record or in Review."""
        self.selected_tasks: tuple[str, ...] = ()
        """Ids of the tasks that are selected in Project."""
        library.opened.connect(self._forget)

    @Slot()
    def _forget(self) -> None:
        self.task_id, self.state = "", ("", 0)
        self.front_folder, self.selected_tasks = None, ()

    def choose_task(self, task_id: str) -> None:
        """Choose the task to work on; every workspace follows."""
        if task_id != self.task_id:
            self.task_id = task_id
            self.task_chosen.emit(task_id)

    def choose_state(self, trajectory_id: str, index: int) -> None:
        """Say which recorded state the person looks at; the Rules workspace follows."""
        if (trajectory_id, index) != self.state:
            self.state = trajectory_id, index
            self.state_chosen.emit(trajectory_id, index)
