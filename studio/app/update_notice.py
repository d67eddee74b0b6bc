"""The notice of a newer version: asked for by a person, or once a day where the settings say so."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from collector.releases.newest_release import NewestRelease, ask_newest_release
from studio.app.main_window.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.commands.commander import Commander
from studio.settings import Settings

_SETTING, _LAST = "privacy.update-notice", "window.last-update-check"


class UpdateNotice(QObject):
    """Handles ``help.updates``. By itself it asks only while the setting is on, and says nothing but news."""

    def __init__(self, commander: Commander, settings: Settings, tasks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._settings, self._tasks = settings, tasks
        commander.handle("help.updates", self.ask)

    def attach(self, window: MainWindow) -> None:
        """Set the window for toasts."""
        self._window = window

    def start(self) -> None:
        """Ask where the settings say so, unless it was asked today."""
        today = date.today().isoformat()
        if self._settings[_SETTING] and self._settings[_LAST] != today:
            self._settings.set(_LAST, today)
            self._tasks.run(_ask, success=self._say_news, failure=self._keep_quiet)

    def ask(self) -> None:
        """Ask now, and say the answer in any case."""
        self._tasks.run(_ask, title=_("Asking for the newest version"), success=self._say)

    @Slot(object)
    def _say(self, release: NewestRelease) -> None:
        if release.is_newer:
            self._say_news(release)
        else:
            sentence = _(
                "{installed} is installed; no newer version is published", installed=release.installed
            )
            self._window.toasts.show("ok", sentence)

    @Slot(object)
    def _say_news(self, release: NewestRelease) -> None:
        if release.is_newer:
            self._window.toasts.show(
                "info",
                _("{newest} is published; {installed} is installed", **vars(release)),
                _("Install it the way you installed this version"),
            )

    @Slot(object)
    def _keep_quiet(self, _error: Exception) -> None:
        """Nobody asked: a computer without a network is no news."""


def _ask(job: Job) -> NewestRelease:
    return ask_newest_release(job.cancel_event)
