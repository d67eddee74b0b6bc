"""Pages shown where something is missing, with one button for the next thing to do and links to others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot

from collector.model.i18n import _
from studio.bridge.phones.devices import Devices
from studio.commands.commander import Commander
from studio.widgets.controls import EmptyState


class NextStepPage(EmptyState):
    """The button and the links run commands; links to commands without a handler are left out."""

    def __init__(
        self,
        commander: Commander,
        title: str,
        sentence: str,
        command: str,
        links: Sequence[str],
        *,
        button: str = "",
        icon: str = "mark",
        button_icon: str = "",
        hint: str = "",
    ) -> None:
        """``button`` is the text of the button, by default the title of ``command``."""
        self._commander, self._command = commander, command
        self._links = [link for link in links if commander.exists(link)]
        super().__init__(
            title,
            sentence,
            button or commander.registry[command].label,
            icon=icon,
            button_icon=button_icon or commander.registry[command].icon,
            links=[commander.registry[link].label for link in self._links],
            hint=hint,
        )
        self.pressed.connect(self._press)
        self.linked.connect(self._follow)

    @Slot()
    def _press(self) -> None:
        self._run(self._command)

    @Slot(int)
    def _follow(self, index: int) -> None:
        self._run(self._links[index])

    def _run(self, command: str) -> None:
        if self._commander.enabled(command):  # the phone may be starting already
            self._commander.run(command)


class FirstStartPage(NextStepPage):
    """Shown without a phone: that none is connected, or why the adb server could not be asked."""

    def __init__(self, commander: Commander, devices: Devices) -> None:
        self._devices = devices
        self._words = (
            _("No phone is connected"),
            _("A simulated Android phone comes with the studio and records like a real one"),
        )
        super().__init__(
            commander,
            *self._words,
            "device.start-virtual",
            ("device.connect", "project.open", "project.open-sample", "project.import"),
            button=_("Start the virtual phone"),
            button_icon="play",
            hint=_(
                "Drop a folder, zip or file here to import it: "
                "D-GARA, AITK, InterDroid, LlamaTouch, plain folders"
            ),
        )
        devices.changed.connect(self._show_server)
        self._show_server()

    @Slot()
    def _show_server(self) -> None:
        error = self._devices.server_error
        self.set_words(*(self._words if error is None else (error.what, error.to_do)))


def no_project(commander: Commander) -> NextStepPage:
    """Return the page shown with a phone and without a project."""
    return NextStepPage(
        commander,
        _("No project is open"),
        _("A project is a folder with tasks, rules and trajectories, in plain files"),
        "project.open-sample",
        ("project.open", "project.new", "project.import"),
        icon="project",
        button_icon="project",
    )


def no_tasks(commander: Commander) -> NextStepPage:
    """Return the page shown for a project without tasks."""
    return NextStepPage(
        commander,
        _("This project has no tasks yet"),
        _("A task is a sentence that somebody does on the phone; recordings and rules belong to it"),
        "task.new",
        ("project.import", "project.open"),
        icon="project",
    )
