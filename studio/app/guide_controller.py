"""The command *Guide*: it reads the pages behind the window, and opens one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from shiboken6 import isValid

from collector.guide.guide import CONTENTS, Guide, read_guide
from collector.guide.search import GuideIndex
from collector.model.i18n import language
from collector.model.resources import guide_folder
from studio.app.main_window.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.commands.commander import Commander
from studio.views.desktop_toast import open_page_or_say
from studio.views.guide.guide_window import GuideWindow


class GuideController(QObject):
    """Handles ``help.guide``. The guide is open once."""

    def __init__(self, commander: Commander, tasks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._wanted = CONTENTS
        self._shown: GuideWindow | None = None
        commander.handle("help.guide", self.open)

    def attach(self, window: MainWindow) -> None:
        """Set the window that the guide stands beside."""
        self._window = window

    @property
    def shown(self) -> GuideWindow | None:
        """The guide, while it is open."""
        guide = self._shown
        # One that was closed is deleted a moment later.
        return guide if guide is not None and isValid(guide) and guide.isVisible() else None

    def open(self) -> None:
        """Open the guide, or bring it to the front, where it is."""
        if self.shown is not None:
            self._raise(self.shown)
        else:
            self.open_page(CONTENTS)

    @Slot(str)
    def open_page(self, path: str) -> None:
        """Open a page of the guide, by its path in the checkout."""
        self._wanted = path
        if self.shown is not None:
            self.shown.show_page(path)
            self._raise(self.shown)
        else:
            self._tasks.run(_read, success=self._show)

    @Slot(object)
    def _show(self, read: tuple[Guide, GuideIndex]) -> None:
        shown = self.shown
        if shown is None:
            shown = self._shown = GuideWindow(*read, self._window)
            shown.address_asked.connect(self._open_address)
        shown.show_page(self._wanted)
        self._raise(shown)

    @Slot(str)
    def _open_address(self, address: str) -> None:
        open_page_or_say(self._window.services, address)

    def _raise(self, guide: GuideWindow) -> None:
        guide.show()
        guide.raise_()
        guide.activateWindow()


def _read(_job: Job) -> tuple[Guide, GuideIndex]:
    guide = read_guide(guide_folder(), language())
    return guide, GuideIndex(guide)
