"""Under whose name a person works: the command that changes it, and the name in the status bar."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from studio.app.main_window.window import MainWindow
from studio.bridge.project_library import ProjectLibrary
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.widgets.dialogs.input_dialogs import ask_choice
from studio.widgets.window_frame.author_item import author_item

AUTHOR = "recording.author"
_PEOPLE = "recording.people"
_MOST = 12
_LONGEST = 60
"""Characters of a name: it stands in lists, in the status bar and in the names of files."""
_STATUS = "author"


class PersonController(QObject):
    """Handles ``app.work-as``; the setting *Author* holds the name, and workspaces follow it."""

    def __init__(
        self, commander: Commander, settings: Settings, project_library: ProjectLibrary, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._project_library = settings, project_library
        project_library.person = self._name
        commander.handle("app.work-as", self.work_as)
        self._remove = settings.changed.subscribe(self._setting_changed)

    def attach(self, window: MainWindow) -> None:
        """Set the window whose status bar names the person."""
        self._window = window
        window.status.opened.connect(self._status_opened)
        self._show()

    def close(self) -> None:
        """Follow the settings no longer."""
        self._remove()

    def work_as(self, name: str = "") -> None:
        """Work under ``name``, or ask for it: one of the names used before, or another."""
        if name:
            self._work_as(name)
            return
        current = str(self._settings[AUTHOR])
        known = [current, *(other for other in self._known if other != current)]
        label = _("Name under which recordings, proposals, labels and audits are written")
        ask_choice(self._window, _("Work as"), label, known, self._work_as)

    @property
    def _known(self) -> list[str]:
        return [str(name) for name in self._settings[_PEOPLE]]

    @Slot(str)
    def _work_as(self, name: str) -> None:
        name = name.strip()
        wrong = "" if name else _("A person needs a name")
        if len(name) > _LONGEST or len(name.splitlines()) > 1:  # as of what was pasted
            wrong = _("A name has one line and at most {count} characters", count=_LONGEST)
        if wrong:
            self._window.toasts.show_error(UserError(wrong, "", _("Write a short name, such as lin")))
            return
        before = str(self._settings[AUTHOR])
        names = dict.fromkeys((name, before, *self._known))
        self._settings.set(_PEOPLE, [known for known in names if known][:_MOST])
        self._settings.set(AUTHOR, name)
        if name != before:
            self._window.toasts.end_all()  # they were said to another person
            self._window.toasts.show("ok", _("You work as {name} now", name=name))

    @Slot(str)
    def _status_opened(self, key: str) -> None:
        if key == _STATUS:
            self.work_as()

    def _setting_changed(self, key: str) -> None:
        if key == AUTHOR:
            self._project_library.person = self._name
            self._show()

    @property
    def _name(self) -> str:
        return str(self._settings[AUTHOR]).strip()

    def _show(self) -> None:
        name = self._name
        self._window.status.set_item(_STATUS, author_item(name), right=True)
