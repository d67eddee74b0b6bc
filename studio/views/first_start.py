"""What a person sees with no phone and no project: one button to a recording."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from collector.model.words import _
from studio.commands.commander import Commander
from studio.widgets.controls import EmptyState

_LINKS = ("device.connect", "project.open-sample", "project.import")


def first_start(commander: Commander) -> EmptyState:
    """The page; its button and links run commands, and those nobody handles are left out."""
    return _FirstStart(commander)


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
            links=[commander.registry[one].label for one in self._links],
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
