"""What is to be done before a workspace has something to show: the one next action, with its button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.i18n import N_, _
from studio.views.services import WindowServices
from studio.widgets.controls import EmptyState
from studio.widgets.controls.empty_state import FirstThing


@dataclass(frozen=True, slots=True)
class PresentThings:
    """What there is already."""

    has_project: bool = False
    can_change: bool = False
    """Whether the project may be written to, and was looked at."""
    has_phone: bool = False
    task: str = ""
    """Id of the task in hand, or of the first one; empty for none."""
    has_trajectories: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """Something that has to be there first, and the command that makes it."""

    title: str
    sentence: str
    command: str
    button: str
    icon: str
    is_met: Callable[[PresentThings], bool]


PROJECT = Need(
    N_("No project is open"),
    N_("A project is a folder that keeps your tasks, recordings and rules"),
    "project.new", N_("New project..."), "plus",
    lambda facts: facts.has_project,
)  # fmt: skip
PHONE = Need(
    N_("No phone is connected"),
    N_("Plug one in, or start the simulated one: what is done on it is recorded, and shown here"),
    "device.start-virtual", N_("Start the virtual phone"), "play",
    lambda facts: facts.has_phone or facts.has_trajectories,
)  # fmt: skip
TASK = Need(
    N_("No task yet"),
    N_("A task is a sentence that somebody does on the phone; recordings and rules belong to it"),
    "task.new", N_("New task"), "plus",
    lambda facts: bool(facts.task) or facts.has_trajectories,
)  # fmt: skip
RECORDING = Need(
    N_("Nothing is recorded yet"),
    N_("Do a task on the phone once: its screens are shown here"),
    "record.task", N_("Record a task"), "record",
    lambda facts: facts.has_trajectories,
)  # fmt: skip
NEEDS: Mapping[str, tuple[Need, ...]] = {
    "rules": (PROJECT, PHONE, TASK, RECORDING),
    "states": (PROJECT, PHONE, TASK, RECORDING),
    "run": (PROJECT, TASK),
    "review": (PROJECT, PHONE, TASK, RECORDING),
    "metrics": (PROJECT, TASK),
}
"""By workspace, in their order. Project and Record have pages of their own for it."""


def first_need(workspace: str, facts: PresentThings) -> Need | None:
    """The first thing that is missing; None when nothing is, or when the project cannot be changed."""
    needs = NEEDS[workspace] if facts.can_change or not facts.has_project else ()
    return next((need for need in needs if not need.is_met(facts)), None)


class FirstThings(QObject):
    """Shows in the empty state of a workspace what is missing first; its button does it."""

    changed = Signal()
    """Another thing is missing, or nothing is."""

    def __init__(self, empty: EmptyState, workspace: str, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._empty, self._workspace, self._services = empty, workspace, services
        self._need: Need | None = None
        empty.first_pressed.connect(self._do)
        library, devices = services.project_library, services.devices
        for signal in (library.opened, library.changed, library.edits.changed, devices.current_changed):
            signal.connect(self._look)
        self.destroyed.connect(services.commander.changed.subscribe(self._look))
        self._look()

    @property
    def is_missing(self) -> bool:
        """Whether something is to be done first."""
        return self._need is not None

    def _facts(self) -> PresentThings:
        library, services = self._services.project_library, self._services
        snapshot, tasks = library.snapshot, library.edits.tasks
        has_phone = services.devices.current is not None
        if snapshot is None:
            return PresentThings(has_phone=has_phone)
        chosen = services.selection.task_id or (tasks[0].id if tasks else "")
        return PresentThings(
            has_project=True,
            can_change=snapshot.is_read and not snapshot.is_read_only,
            has_phone=has_phone,
            task=chosen,
            has_trajectories=sum(snapshot.counts.values()) > 0,
        )

    @Slot()
    def _look(self, _event: object = None) -> None:
        before, self._need = self._need, first_need(self._workspace, self._facts())
        need = self._need
        self._empty.show_first(
            None if need is None else FirstThing(
                _(need.title), _(need.sentence), _(need.button), need.icon,
                need is not PHONE or not self._services.commander.context.get("virtual.starting"),
            )
        )  # fmt: skip
        if need is not before:
            self.changed.emit()

    @Slot()
    def _do(self) -> None:
        need = self._need
        if need is TASK:
            self._services.run_command("view.project")  # a task is made where its line appears
        if need is not None:
            arguments = {"task": self._facts().task} if need is RECORDING else {}
            self._services.run_command(need.command, **arguments)
