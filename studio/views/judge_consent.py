"""Ask a person before a judge sends something to a host that nobody has allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from studio.bridge.judges.judge_library import JudgeLibrary
from studio.bridge.project_library import ProjectLibrary
from studio.widgets.inject.confirmation_dialogs import TrustDialog

if TYPE_CHECKING:
    from collector.anomalies.anomaly_source import TrustRequest
    from collector.store.project.project import Project


class JudgeConsent(QObject):
    """Does something with judges once a person has allowed what they send."""

    def __init__(
        self, library: JudgeLibrary, projects: ProjectLibrary, window: Callable[[], QWidget], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._library, self._projects, self._window = library, projects, window
        self._then: Callable[[], None] | None = None
        library.trust_known.connect(self._trust_known)

    def when_allowed(self, project: Project, names: Sequence[str], then: Callable[[], None]) -> None:
        """Call ``then`` once everything is allowed that the judges of these names send."""
        self._library.ask_trust(project, names, then)

    @Slot(object, object)
    def _trust_known(self, then: Callable[[], None], request: TrustRequest | None) -> None:
        if request is None:
            then()
            return
        dialog = TrustDialog(request, self._window())
        dialog.accepted.connect(partial(self._trust, request, then))
        dialog.open()

    def _trust(self, request: TrustRequest, then: Callable[[], None]) -> None:
        job = self._projects.grant(request)
        if job is not None:
            self._then = then
            job.succeeded.connect(self._go_on)

    @Slot()
    def _go_on(self) -> None:
        """Do what waited for the consent."""
        then, self._then = self._then, None
        if then is not None:
            then()
