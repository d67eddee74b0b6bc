"""The licences of the program and of all that comes with it, opened as a file on the desktop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.host.user_folders import cache_folder
from studio.app.main_window.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.commands.commander import Commander
from studio.views.desktop_toast import open_or_say


class LicencesController(QObject):
    """Handles ``help.licences``."""

    def __init__(self, commander: Commander, tasks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._window: MainWindow | None = None
        commander.handle("help.licences", self._write)

    def attach(self, window: MainWindow) -> None:
        """Say in this window when nothing opens the file."""
        self._window = window

    def _write(self) -> None:
        self._tasks.run(_write_file, success=self._open)

    @Slot(object)
    def _open(self, file: Path) -> None:
        if self._window is not None:
            open_or_say(self._window.services, file)


def _write_file(_job: Job) -> Path:
    from collector.host.licences import licences_text

    file = cache_folder() / "licences.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(licences_text(), encoding="utf-8", newline="\n")
    return file
