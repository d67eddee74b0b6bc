"""Pages shown where something is missing, with one button for the next thing to do and links to others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot

from collector.model.i18n import _
from studio.commands.commander import Commander
from studio.views.services import WindowServices
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
        other: str = "",
        hint: str = "",
    ) -> None:
        """``button`` is the text of the button, by default the title of ``command``.

        ``other`` is a second command, whose button stands beside it.
        """
        self._commander, self._command, self._other = commander, command, other
        self._links = [link for link in links if commander.exists(link)]
        super().__init__(
            title,
            sentence,
            button or commander.registry[command].label,
            icon=icon,
            button_icon=button_icon or commander.registry[command].icon,
            other=commander.registry[other].label if other else "",
            links=[commander.registry[link].label for link in self._links],
            hint=hint,
        )
        self.pressed.connect(self._press)
        self.other_pressed.connect(self._press_other)
        self.linked.connect(self._follow)

    @Slot()
    def _press(self) -> None:
        self._run(self._command)

    @Slot()
    def _press_other(self) -> None:
        self._run(self._other)

    @Slot(int)
    def _follow(self, index: int) -> None:
        self._run(self._links[index])

    def _run(self, command: str) -> None:
        if self._commander.enabled(command):  # the phone may be starting already
            self._commander.run(command)


class FirstStartPage(NextStepPage):
    """Shown without a phone: that none is connected, or why the adb server could not be asked.

    Without a project it offers to make one, too.
    """

    def __init__(self, services: WindowServices) -> None:
        commander, devices = services.commander, services.devices
        self._devices, self._library = devices, services.project_library
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
            other="project.new",
            hint=_(
                "Drop a folder, zip or file here to import it: "
                "D-GARA, AITK, InterDroid, LlamaTouch, plain folders"
            ),
        )
        devices.changed.connect(self._show_server)
        self._show_server()
        self._library.opened.connect(self._show_project)
        self._show_project()

    @Slot()
    def _show_project(self) -> None:
        has_project = self._library.project is not None
        self.set_other("" if has_project else self._commander.registry["project.new"].label)

    @Slot()
    def _show_server(self) -> None:
        error = self._devices.server_error
        self.set_words(*(self._words if error is None else (error.what, error.to_do)))


def no_tasks(commander: Commander) -> NextStepPage:
    """Return the page shown for a project without tasks."""
    return NextStepPage(
        commander,
        _("This project has no tasks yet"),
        _("A task is a sentence that somebody does on the phone; recordings and rules belong to it"),
        "task.new",
        ("task.add-built-in", "project.import", "project.open"),
        icon="project",
    )
