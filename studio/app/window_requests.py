"""Run the requests of a command line or of a later start in their order, behind the opening of a project."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot

from collector.model.errors import UserError
from studio.app.single_instance import WindowRequest
from studio.app.studio import Studio

_log = logging.getLogger(__name__)
OPEN_PROJECT = "project.open"


class WindowRequests(QObject):
    """Commands that come while a project is being opened wait until it is open, or refused."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._waiting: list[WindowRequest] | None = None
        """What waits for a project; None while none is being opened."""

    def answer(self, request: WindowRequest) -> object:
        """Run a request and return its result, or let it wait. Raises what the command raises."""
        if self._waiting is not None and "run" in request:
            self._waiting.append(request)
            return True
        path = _project_in(request)
        if path and self._studio.project_library.is_open(Path(path)):
            return True  # opened anew it would forget what can be undone
        result = self._studio.answer(request)
        if path:
            self._wait()
        return result

    def _wait(self) -> None:
        self._waiting, library = [], self._studio.project_library
        # Queued: the workspaces hear of the project first, and leave what they showed.
        for signal in (library.opened, library.failed):
            signal.connect(self._go_on, Qt.ConnectionType.QueuedConnection)

    def run(self, requests: Sequence[WindowRequest]) -> None:
        """Run requests; an error is shown in the window, and the next one follows."""
        for request in requests:
            try:
                self.answer(request)
            except UserError as error:
                self._studio.window.toasts.show_error(error)
                _log.warning("%s", error)

    @Slot(object)
    def _go_on(self, _result: object) -> None:
        waiting, self._waiting, library = self._waiting, None, self._studio.project_library
        if waiting is not None:
            for signal in (library.opened, library.failed):
                signal.disconnect(self._go_on)
            self.run(waiting)


def _project_in(request: WindowRequest) -> str:
    """The folder of the project that a request opens; empty when it opens none."""
    arguments = request.get("arguments")
    if request.get("run") != OPEN_PROJECT or not isinstance(arguments, dict):
        return ""
    return str(arguments.get("path") or "")
