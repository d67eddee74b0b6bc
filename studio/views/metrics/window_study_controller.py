"""The command for studies of windows: asks what to study, asks for consent, and shows the table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.metrics.views import JUDGES
from collector.model.i18n import _
from collector.model_judges.methods.windows_judge import KIND
from studio.bridge.judges.judge_library import JudgeLibrary
from studio.bridge.judges.window_studies import EndedWindowStudy, WindowStudies, WindowStudyRequest
from studio.views.judge_consent import JudgeConsent
from studio.views.metrics.session import MetricsSession
from studio.views.metrics.window_study_dialog import WindowStudyDialog
from studio.views.services import WindowServices
from studio.widgets.controls import Button


class WindowStudyController(QObject):
    """Lives with the workspace, whose window the dialogs belong to."""

    def __init__(
        self, session: MetricsSession, services: WindowServices, button: Button, workspace: QWidget
    ) -> None:
        super().__init__(workspace)
        self._session, self._services, self._workspace = session, services, workspace
        self._button = button
        button.clicked.connect(self._pressed)
        self.library = JudgeLibrary(services.tasks, self)
        self.studies = WindowStudies(services.tasks, self)
        self._consent = JudgeConsent(self.library, services.project_library, workspace.window, self)
        self._is_asked = False
        """Whether the dialog is to open once the judges are read."""
        services.commander.handle("metrics.study-windows", self.ask)
        self.library.changed.connect(self._offer)
        self.library.failed.connect(session.failed)
        self.studies.changed.connect(self._show_context)
        self.studies.ended.connect(self._show_end)
        session.project_opened.connect(self._show_context)
        self._show_context()

    @Slot()
    def _show_context(self) -> None:
        self._services.commander.set_context(metrics__studying=self.studies.is_running)
        self._button.setEnabled(not self.studies.is_running)

    @Slot()
    def _pressed(self) -> None:
        self._services.run_command("metrics.study-windows")

    def ask(self) -> None:
        """Read the judges of the project, and let the person compose a study."""
        project = self._session.project_library.project
        if project is not None:
            self._is_asked = True
            self.library.read(project)

    @Slot()
    def _offer(self) -> None:
        project = self._session.project_library.project
        if project is None or not self._is_asked:
            return
        self._is_asked = False
        judges = [judge.name for judge in self.library.judges if judge.can_judge and judge.method == KIND.id]
        dialog = WindowStudyDialog(
            self._workspace.window(), self.studies, project, judges, self._session.project_library.person
        )
        dialog.chosen.connect(self._start_when_allowed)
        dialog.open()

    @Slot(object)
    def _start_when_allowed(self, request: WindowStudyRequest) -> None:
        project = self._session.project_library.project
        if project is not None:
            start = partial(self.studies.start, project, request)
            self._consent.when_allowed(project, request.judges, start)

    @Slot(object)
    def _show_end(self, ended: EndedWindowStudy) -> None:
        if ended.error is not None:
            self._session.failed.emit(ended.error)
        if ended.table is None or ended.project != self._session.folder:
            return
        self._session.add_study(ended.table)
        if self._session.layout.view != JUDGES:
            self._services.toasts.show(
                "ok", _("The study of windows is done"), _("It is among the studies of judges in Metrics"),
                action=_("Show"), act=self._show_studies,
            )  # fmt: skip

    def _show_studies(self) -> None:
        self._session.lay_out(replace(self._session.layout, view=JUDGES))
