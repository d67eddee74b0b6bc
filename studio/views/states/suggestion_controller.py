"""The command that suggests essential states: it asks behind the window, and adds what is ticked."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, Slot
from PySide6.QtGui import QImage

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.project_rules.project_rules import ProjectRules
from collector.states.suggestions.suggest import SuggestionRequest, suggest_states
from collector.states.suggestions.suggestion import StateSuggestion, StateSuggestions
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.jobs import Job
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.pictures import scaled_image
from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.views.states.state_edits import StateEdits
from studio.views.states.suggestion_dialog import SuggestionDialog
from studio.views.workspace import Workspace

_PICTURE = QSize(480, 960)


class SuggestionController(QObject):
    """Handles ``states.suggest``."""

    def __init__(
        self, session: StatesSession, edits: StateEdits, services: WindowServices, parent: Workspace
    ) -> None:
        super().__init__(parent)
        self._session, self._edits, self._services, self._parent = session, edits, services, parent
        self._answers = NewestAnswers(services.tasks, self)
        self._answers.failed.connect(self._failed)
        self.dialog: SuggestionDialog | None = None
        """The dialog while it is open."""
        services.commander.handle("states.suggest", self.suggest)

    def suggest(self) -> None:
        """Open the dialog, and look for suggestions behind it."""
        task = self._session.refuse_without_task()
        self._session.documents.save()
        dialog = self.dialog = SuggestionDialog(self._parent.window(), task.id)
        dialog.added.connect(self._add)
        dialog.shown.connect(self._show)
        dialog.shared_changed.connect(self._ask)
        dialog.finished.connect(self._closed)
        dialog.open()
        self._ask()

    @Slot()
    def _ask(self) -> None:
        session, dialog = self._session, self.dialog
        project = session.project_library.project
        if dialog is None or project is None:
            return
        request = SuggestionRequest(session.task_id, (), dialog.shared.isChecked(), session.author)
        states = session.states

        def work(job: Job) -> StateSuggestions:
            return suggest_states(
                ProjectRules(project), request, is_cancelled=lambda: job.cancelled, states=states
            )

        self._answers.ask("suggest", work, self._show_result)

    def _show_result(self, result: StateSuggestions) -> None:
        if self.dialog is not None:
            self.dialog.show_result(result)

    def _failed(self, error: Exception) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(str(error))
        else:
            self._services.toasts.show_error(error)

    # -- the current suggestion ----------------------------------------------
    @Slot(object)
    def _show(self, suggestion: StateSuggestion | None) -> None:
        """Show the screens that reach a suggestion, and go to its step in the film strip."""
        if suggestion is None:
            return
        session = self._session
        trajectory = session.trajectory
        if trajectory is not None and trajectory.id in suggestion.steps:
            session.go(suggestion.steps[trajectory.id])
        stored = {item.id: item.stored for item in session.trajectories if item.id in suggestion.steps}
        steps, state_id = dict(suggestion.steps), suggestion.id

        def work(_job: Job) -> tuple[str, dict[str, QImage]]:
            return state_id, {name: _picture(golden, steps[name]) for name, golden in stored.items()}

        self._answers.ask("pictures", work, self._show_pictures)

    def _show_pictures(self, read: tuple[str, dict[str, QImage]]) -> None:
        if self.dialog is not None:
            self.dialog.show_pictures(*read)

    # -- adding --------------------------------------------------------------
    @Slot(list)
    def _add(self, ids: list[str]) -> None:
        dialog = self.dialog
        if dialog is None or not ids:
            return
        chosen = dialog.result_shown.chosen(ids)
        added = self._edits.add_all([item.rule for item in chosen])
        if added:
            count = ngettext("{count} state added", "{count} states added", len(added))
            self._services.toasts.show(
                "ok", count, action=_("Undo"), act=self._session.history.undo, for_now=True
            )

    @Slot()
    def _closed(self) -> None:
        self.dialog = None
        self._answers.forget()


def _picture(golden: StoredTrajectory, step: int) -> QImage:
    """The screenshot of a step; a null image without one."""
    try:
        data = golden.screenshot(golden.steps[step])
    except (UserError, IndexError):
        data = None
    return scaled_image(data, _PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
