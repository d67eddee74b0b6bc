"""An edit of the States workspace that changes no rule file: which states a task names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.model.i18n import _
from studio.bridge.project_library import ProjectLibrary


@dataclass(frozen=True, slots=True)
class TaskNaming:
    """A task names other essential states than before."""

    title: str
    library: ProjectLibrary
    task_id: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def redo(self) -> None:
        """Let the task name the states."""
        self._put(self.after, self.before)

    def undo(self) -> None:
        """Let the task name the states that it named before."""
        self._put(self.before, self.after)

    def _put(self, wanted: tuple[str, ...], known: tuple[str, ...]) -> None:
        """Write the names; what others changed since they were ``known`` stays."""
        tasks = []
        for task in self.library.tasks:
            names = task.essential_states
            if task.id == self.task_id:
                kept = [name for name in wanted if name in names or name not in known]
                task = replace(task, essential_states=(*kept, *(name for name in names if name not in known)))
            tasks.append(task)
        self.library.edit_tasks(_("{edit} in {task}", edit=self.title, task=self.task_id), tasks)
