"""What a person sees with no phone and no project: one button to a recording."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _
from studio.commands.commander import Commander
from studio.widgets.controls import EmptyState

_LINKS = ("device.connect", "project.open-sample", "project.import")
_PROJECT_LINKS = ("project.new", "project.open", "project.import")


def first_start(commander: Commander) -> EmptyState:
    """The page; its button and links run commands, and those nobody handles are left out."""
    return _FirstStart(commander)


def no_project(commander: Commander) -> EmptyState:
    """The page for somebody who has a phone and only lacks a project."""
    return _NoProject(commander)


class _FirstStart(EmptyState):
    def __init__(self, commander: Commander, parent: QWidget | None = None) -> None:
        self._commander = commander
        self._links = [one for one in _LINKS if commander.exists(one)]
        super().__init__(
            _("No phone is connected"),
            _("A simulated Android phone comes with the studio and records like a real one"),
            _("Start the virtual phone"),
            button_icon="play",
            key="Enter",
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


class _NoProject(EmptyState):
    def __init__(self, commander: Commander) -> None:
        self._commander = commander
        super().__init__(
            _("No project is open"),
            _("A project is a folder with tasks, rules and trajectories, in plain files"),
            commander.registry["project.open-sample"].label,
            icon="project",
            button_icon="project",
            links=[commander.registry[one].label for one in _PROJECT_LINKS],
        )
        self.pressed.connect(self._open)
        self.linked.connect(self._follow)

    @Slot()
    def _open(self) -> None:
        self._commander.run("project.open-sample")

    @Slot(int)
    def _follow(self, index: int) -> None:
        self._commander.run(_PROJECT_LINKS[index])
