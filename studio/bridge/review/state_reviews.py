"""The work of people on the essential states of a task: read, changed and undone behind the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.editing.edit_stack import Call, Edit
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import RUN
from collector.store.catalogue.catalogue_row import CatalogueRow
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.rules.rule_documents import RuleDocuments
from studio.bridge.while_alive import call_back, while_alive
from studio.settings import Settings

if TYPE_CHECKING:
    from collector.states.work_change import StateWorkChange
    from collector.states.work_files.state_work import StateWork
    from collector.store.project.project import Project
    from studio.bridge.review.task_review import TaskReview

_AUTHOR = "recording.author"
_Role = TypeVar("_Role")


@dataclass(frozen=True, slots=True)
class _Acted:
    """A change that was made, and what is known of the task since."""

    change: StateWorkChange
    review: TaskReview


class StateReviews(QObject):
    """Follows one task. Files are read and written in the store's queue, after edits made before."""

    changed = Signal()
    """Another :attr:`review`."""
    visibility_changed = Signal()
    """Golden trajectories, or the names of those who recorded them, are hidden for other tasks now."""
    person_changed = Signal(str)
    """Another person works in the window."""
    acted = Signal(object)
    """The ``StateWorkChange`` that was made, undone or made again."""
    failed = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        project_library: ProjectLibrary,
        documents: RuleDocuments,
        settings: Settings,
        parent: QObject | None = None,
    ) -> None:
        """``documents`` hold the history, and the states of an open proposal."""
        super().__init__(parent)
        self._runner, self._project_library = runner, project_library
        self._documents, self._settings = documents, settings
        self.task_id = ""
        self.review: TaskReview | None = None
        """What is known of the task; None until it is read, and without a task."""
        self.blind_tasks: frozenset[str] = frozenset()
        """Tasks for which the person has an open proposal: golden trajectories of others are hidden."""
        self.audited_tasks: frozenset[str] = frozenset()
        """Tasks whose audit the person has not signed: who recorded golden trajectories is hidden."""
        self._newest: TaskReview | None = None
        """What was read last; it becomes :attr:`review`."""
        self._asked = 0
        documents.files_changed.connect(self._show_newest)
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self.reload)
        project_library.reload_asked.connect(self.reload)
        self._unsubscribe = settings.changed.subscribe(self._setting_changed)

    @property
    def person(self) -> str:
        """Who works in the window."""
        return str(self._settings[_AUTHOR]).strip()

    # -- following -----------------------------------------------------------
    def follow(self, task_id: str) -> None:
        """Follow the work on another task; ``changed`` comes at once and again when it is read."""
        if task_id != self.task_id:
            self.task_id, self.review, self._newest = task_id, None, None
            self.changed.emit()
        self.reload()

    def hidden_reason(self, task_id: str, kind: str, who: str) -> str:
        """Why the person may not see a trajectory yet, in a sentence; empty for one that is shown."""
        if task_id not in self.blind_tasks or kind == RUN or who.strip() == self.person:
            return ""
        return _("You see the golden trajectory of {who} when your own proposal is signed", who=who or "?")

    def without_names(self, row: CatalogueRow) -> CatalogueRow:
        """A trajectory as the person may see it: an auditor does not see who recorded a golden one."""
        if row.task not in self.audited_tasks or row.kind == RUN or row.who.strip() == self.person:
            return row
        return replace(row, who="")

    def _read_blind_tasks(self) -> None:
        project, person = self._project_library.project, self.person
        if project is None:
            self._take_blind_tasks((None, frozenset(), frozenset()))
            return

        def work(_job: Job) -> tuple[Project, frozenset[str], frozenset[str]]:
            from collector.states.work_files.blindness import audited_tasks, blind_tasks

            return project, blind_tasks(project, person), audited_tasks(project, person)

        self._runner.run(work, success=self._take_blind_tasks, failure=self.failed.emit, queue=JobQueue.STORE)

    def _take_blind_tasks(self, answer: tuple[Project | None, frozenset[str], frozenset[str]]) -> None:
        project, blind, audited = answer
        is_other = (blind, audited) != (self.blind_tasks, self.audited_tasks)
        if project is self._project_library.project and is_other:
            self.blind_tasks, self.audited_tasks = blind, audited
            self.visibility_changed.emit()

    @Slot()
    def reload(self) -> None:
        """Read what the files say now."""
        self._read_blind_tasks()
        project, task_id, person = self._project_library.project, self.task_id, self.person
        self._asked += 1
        if project is None or not task_id:
            self._take(None)
            return
        number = self._asked

        def work(_job: Job) -> tuple[int, TaskReview]:
            from studio.bridge.review.task_review import read_task_review

            return number, read_task_review(project, task_id, person)

        self._runner.run(work, success=self._read, failure=self.failed.emit, queue=JobQueue.STORE)

    def _read(self, answer: tuple[int, TaskReview]) -> None:
        if answer[0] == self._asked:
            self._take(answer[1])

    def _take(self, review: TaskReview | None) -> None:
        self._newest = review
        self._documents.open_proposal(review.open_proposal if review is not None else None)
        self._show_newest()

    @Slot()
    def _show_newest(self) -> None:
        """Take what was read, once the states of an open proposal are there to be edited.

        Before that an edit would change the states of the project.
        """
        if self._newest != self.review and not self._documents.is_proposal_awaited:
            self.review = self._newest
            self.changed.emit()

    @Slot()
    def _project_opened(self) -> None:
        self.task_id, self.review, self._newest = "", None, None
        self._asked += 1
        self.changed.emit()
        self._read_blind_tasks()

    def _setting_changed(self, key: str) -> None:
        if key == _AUTHOR:
            self.person_changed.emit(self.person)
            self.reload()

    # -- changing ------------------------------------------------------------
    def require(self) -> TaskReview:
        """What is known of the task. Raises UserError when no task is chosen."""
        if self.review is None:
            raise UserError(_("No task is chosen"), "", _("Add one in Project, or import a benchmark"))
        return self.review

    def act_as(
        self, role: Callable[[StateWork, str, str], _Role], change: Callable[[_Role], StateWorkChange]
    ) -> None:
        """Make a change as the person who works here, in a ``role`` such as ``Proposing`` or ``Auditing``."""
        review = self.require()
        self.act(lambda work: change(role(work, review.task_id, review.person)))

    def act(self, make: Callable[[StateWork], StateWorkChange]) -> None:
        """Make a change, which can be undone. ``changed`` and ``acted`` follow, or ``failed``."""
        project = self._project_library.project
        if project is not None:
            self._change(lambda: make(_work_of(project)), self._add, lambda: None)

    def _add(self, change: StateWorkChange) -> None:
        project = self._project_library.project
        if project is None:
            return

        def put(change: StateWorkChange) -> StateWorkChange:
            from collector.states.work_change import apply_work_change

            return apply_work_change(_work_of(project), change)

        def run(again: Call, made: Call, refused: Call) -> None:
            self._change(again, lambda _change: made(), refused)

        self._documents.history.add(
            Edit(change.title, lambda: put(change.reversed), lambda: put(change), run=run)
        )

    def _change(
        self, make: Callable[[], Any], made: Callable[[StateWorkChange], object], refused: Call
    ) -> None:
        """Make a change behind the window; ``refused`` when others changed the same since."""
        project, task_id, person = self._project_library.project, self.task_id, self.person
        if project is None:
            return
        self._documents.save()  # an open proposal is signed as it is shown

        def work(_job: Job) -> _Acted:
            from studio.bridge.review.task_review import read_task_review

            change = make()
            return _Acted(change, read_task_review(project, task_id, person))

        def acted(result: _Acted) -> None:
            made(result.change)
            self._acted(result)

        def failed(error: Exception) -> None:
            call_back(refused)
            self.failed.emit(error)
            self.reload()

        self._asked += 1  # what is being read now may be of before
        self._runner.run(
            work, success=while_alive(self, acted), failure=while_alive(self, failed), queue=JobQueue.STORE,
            saves=True,
        )  # fmt: skip

    def _acted(self, acted: _Acted) -> None:
        change = acted.change
        if change.states or change.task is not None:
            self._project_library.edits.reload()
        self._documents.reload()
        self._read_blind_tasks()
        if acted.review.task_id == self.task_id:
            self._take(acted.review)
        self.acted.emit(change)

    def close(self) -> None:
        """Follow the settings no longer."""
        self._unsubscribe()


def _work_of(project: Project) -> StateWork:
    from collector.states.work_files.state_work import StateWork  # loads what judges states

    return StateWork(project)
