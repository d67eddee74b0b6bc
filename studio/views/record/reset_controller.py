"""Commands that reset the phone: now, or before each recording of the chosen task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.errors import UserError
from collector.model.message import _
from collector.model.task import RESET_APP, RESET_PHONE, RESET_PROJECT, Task
from collector.reset.reset_record import ResetRecord
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.phone_resets import PhoneResets, ResetEnd
from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.inject.confirmation_dialogs import TrustDialog

Start = Callable[[tuple[PhoneLink, ...]], None]
_NOW = {
    "record.reset-app": RESET_APP,
    "record.reset-phone": RESET_PHONE,
    "record.reset-project": RESET_PROJECT,
}
_NEED = "reset"
_BEFORE = {
    "record.reset-before-nothing": "",
    "record.reset-before-app": RESET_APP,
    "record.reset-before-phone": RESET_PHONE,
    "record.reset-before-project": RESET_PROJECT,
}


class ResetController(QObject):
    """Handles the reset commands, and resets the phone for a recording that is about to start."""

    def __init__(self, services: WindowServices, button: QWidget, window: QWidget) -> None:
        """``button`` is the toolbar button under which the menu opens; ``window`` the parent of dialogs."""
        super().__init__(window)
        self._services, self._button, self._window = services, button, window
        self._resets = PhoneResets(services.tasks, self)
        self._then: Start | None = None
        """Starts the recordings that wait for the reset."""
        self._again: Callable[[], bool] | None = None
        """Repeats the reset once its commands are trusted."""
        handle = services.commander.handle
        handle("record.reset", self.open_menu)
        for command, kind in _NOW.items():
            handle(command, partial(self.reset_now, kind))
        for command, kind in _BEFORE.items():
            handle(command, partial(self.declare, kind), checked=partial(self._declares, kind))
        self._resets.ended.connect(self._ended)
        self._resets.refused.connect(self._ask_trust)

    def is_running_on(self, phone: PhoneLink) -> bool:
        """Whether ``phone`` is being reset."""
        return self._resets.is_running_on(phone)

    def take_record(self, phone: PhoneLink) -> ResetRecord | None:
        """What was reset on ``phone`` since its last recording."""
        return self._resets.take_record(phone)

    def open_menu(self) -> None:
        """Offer what can be reset now, and before each recording of the task."""
        services = self._services
        menu = CommandMenu(
            services.commander, (tuple(_NOW), tuple(_BEFORE)), services.run_command, self._window
        )
        menu.popup(self._button.mapToGlobal(QPoint(0, self._button.height())))

    def reset_now(self, kind: str) -> None:
        """Reset the phone without a recording; the next recording's header says what was done."""
        self._run(self._task(), kind)

    def before_recording(self, task: Task, others: Sequence[PhoneLink], start: Start) -> bool:
        """Reset what ``task`` declares on the phone in front and on ``others``, then call ``start``.

        It gets those of ``others`` that were reset. False when the task declares nothing. Raises UserError
        while another phone is reset.
        """
        if task.reset and self._resets.is_running:
            raise UserError(_("Another phone is being reset"), "", _("Record once that is done"))
        self._then = start
        try:
            begun = self._run(task, "", others)
        except UserError:
            self._then = None
            raise
        if not begun:
            self._then = None
        return begun

    def _run(self, task: Task | None, kind: str, others: Sequence[PhoneLink] = ()) -> bool:
        project, phone = self._services.project_library.project, self._services.devices.current
        if project is None or phone is None:
            raise UserError(_("No phone can be reset"), _("a phone and a project are needed"))
        phones = (phone, *others)
        self._again = partial(self._resets.run, project, task, phones, kind)
        begun = self._again()
        if begun:  # their links stay, also when another phone comes to the front
            self._services.devices.links.need(_NEED, (each.serial for each in phones))
        return begun

    def _let_go(self) -> None:
        self._services.devices.links.need(_NEED, ())

    # -- the task's own reset --------------------------------------------------
    def _task(self) -> Task | None:
        chosen = self._services.selection.task_id
        return next((task for task in self._services.project_library.edits.tasks if task.id == chosen), None)

    def _declares(self, kind: str) -> bool:
        task = self._task()
        return task is not None and task.reset == kind

    def declare(self, kind: str) -> None:
        """Reset ``kind`` before each recording of the chosen task; empty for nothing."""
        task, project_library = self._task(), self._services.project_library
        if task is None or task.reset == kind:
            return
        tasks = [
            replace(task, reset=kind) if other.id == task.id else other
            for other in project_library.edits.tasks
        ]
        project_library.edits.edit(_("reset of {task}", task=task.id), tasks)

    # -- what follows ----------------------------------------------------------
    @Slot(object)
    def _ended(self, ends: tuple[ResetEnd, ...]) -> None:
        """Start on the phones that were reset: on none when the one in front was not."""
        start, self._then = self._then, None
        front, *others = ends
        if front.record is not None:
            self._services.toasts.show("ok", front.record.sentence)
            if start is not None:
                start(tuple(end.phone for end in others if end.record is not None))
        elif front.error is not None:
            self._services.toasts.show_error(front.error)
        for end in others:
            if end.error is not None:
                self._say_left_out(end)
        self._let_go()

    def _say_left_out(self, end: ResetEnd) -> None:
        name = self._services.devices.name(end.phone.serial)
        what = _("{phone} was not reset, so it is not recorded", phone=name)
        self._services.toasts.show("warn", what, str(end.error))

    @Slot(object)
    def _ask_trust(self, request: TrustRequest) -> None:
        dialog = TrustDialog(request, self._window.window())
        dialog.accepted.connect(partial(self._trust, request))
        dialog.rejected.connect(self._not_trusted)
        dialog.open()

    def _trust(self, request: TrustRequest) -> None:
        job = self._services.project_library.grant(request)
        if job is not None:
            job.succeeded.connect(self._run_again)

    @Slot()
    def _run_again(self) -> None:
        if self._again is not None:
            self._again()

    @Slot()
    def _not_trusted(self) -> None:
        self._then = None
        self._let_go()
