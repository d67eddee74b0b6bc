"""Pages shown without a phone or without a project, with one button for the next thing to do."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.commands.commander import Commander
from studio.widgets.controls import EmptyState

_LINKS = ("device.connect", "project.open-sample", "project.import")
_PROJECT_LINKS = ("project.new", "project.open", "project.import")


def first_start(commander: Commander) -> EmptyState:
    """Return the page shown without a phone; links to commands without a handler are left out."""
    return _NoPhonePage(commander)


def no_project(commander: Commander) -> EmptyState:
    """Return the page shown with a phone and without a project."""
    return _NoProjectPage(commander)


class _NoPhonePage(EmptyState):
    def __init__(self, commander: Commander, parent: QWidget | None = None) -> None:
        self._commander = commander
        self._links = [command for command in _LINKS if commander.exists(command)]
        super().__init__(
            _("No phone is connected"),
            _("A simulated Android phone comes with the studio and records like a real one"),
            _("Start the virtual phone"),
            button_icon="play",
            links=[commander.registry[link].label for link in self._links],
            hint=_(
                "Drop a folder, zip or file here to import it: "
                "D-GARA, AITK, InterDroid, LlamaTouch, plain folders"
            ),
        )
        if parent is not None:
            self.setParent(parent)
        self.pressed.connect(self._start)
        self.linked.connect(self._follow)

    @Slot()
    def _start(self) -> None:
        self._commander.run("device.start-virtual")

    @Slot(int)
    def _follow(self, index: int) -> None:
        self._commander.run(self._links[index])


class _NoProjectPage(EmptyState):
    def __init__(self, commander: Commander) -> None:
        self._commander = commander
        super().__init__(
            _("No project is open"),
            _("A project is a folder with tasks, rules and trajectories, in plain files"),
            commander.registry["project.open-sample"].label,
            icon="project",
            button_icon="project",
            links=[commander.registry[command].label for command in _PROJECT_LINKS],
        )
        self.pressed.connect(self._open)
        self.linked.connect(self._follow)

    @Slot()
    def _open(self) -> None:
        self._commander.run("project.open-sample")

    @Slot(int)
    def _follow(self, index: int) -> None:
        self._commander.run(_PROJECT_LINKS[index])
