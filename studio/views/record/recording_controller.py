"""Commands of a recording: start, pause, resume, answer, wait, open an app, finish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.device.protocols import InputTarget
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.events import RecorderNotice
from collector.recorder.recorder import Recorder
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import delete_trajectory
from studio.bridge.phone_recording import PhoneRecording, RecordingEnd
from studio.bridge.phones.mirrored_input import MirroredInput
from studio.bridge.phones.mirrored_start import MirroredStart
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.phone_apps import PhoneApps, apps_of
from studio.views.record.open_app_dialog import OpenAppDialog
from studio.views.record.phones.awaited_phone import AwaitedPhone
from studio.views.record.reset_controller import ResetController
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.widgets.captions.task_text import instruction_text
from studio.widgets.dialogs import input_dialogs


class RecordingController(QObject):
    """Handles the commands that act on the recording, and shows its results as toasts."""

    open_asked = Signal(object)
    """The folder of a finished trajectory that the person wants to open."""
    ending = Signal()
    """The recording was asked to finish or to stop: what is typed from now on is not for the phone."""

    def __init__(
        self,
        session: RecordSession,
        services: WindowServices,
        resets: ResetController,
        mirrored: MirroredInput,
        window: QWidget,
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._resets, self._mirrored = resets, mirrored
        self._starts = MirroredStart(self)
        self._starts.elsewhere.connect(self._say_elsewhere)
        self._session, self._services, self._window = session, services, window
        recording = self._recording = services.recording
        self._apps = PhoneApps(services.tasks, services.devices, self)
        self._awaited = AwaitedPhone(session, services, self)
        self._awaited.arrived.connect(self._phone_arrived)
        self._wishes: dict[str, _Wishes] = {}
        """What follows the end of the recordings that were asked to end, by the serials of their phones."""
        for command, handler in (
            ("record.start", self.start),
            ("record.pause", partial(self._run, Recorder.pause)),
            ("record.resume", self.resume),
            ("record.answer", self.answer),
            ("record.wait", partial(self._run, Recorder.wait)),
            ("record.open-app", self.open_app),
            ("record.finish", self.finish),
            ("record.discard", self.discard),
            ("record.next-task", self.next_task),
            ("record.task", self.record_task),
        ):
            services.commander.handle(command, handler)
        recording.problem.connect(self._show_notice)
        recording.failed.connect(self._show_failure)
        recording.ended.connect(self._ended)
        recording.changed.connect(self._end_finish_error)
        recording.place_changed.connect(self._end_finish_error)

    @Slot(object, object)
    def _show_failure(self, _recording: PhoneRecording, error: Exception) -> None:
        """Show why nothing is recorded, until recording is started again."""
        self._services.toasts.show_error(error, cause="record.start")

    def _run(self, act: Callable[[Recorder], None]) -> None:
        """Call the recorder, and those of the phones that get the same input; do nothing when none runs."""
        if self._recording.recorder is None:
            return
        act(self._recording.recorder)

        def do(target: InputTarget, _link: PhoneLink) -> None:
            if isinstance(target, Recorder):
                act(target)

        self._mirrored.act(do)

    def _require_free_phone(self) -> None:
        """Raise UserError while something else, as a replay of the steps, uses the phone."""
        phone = self._services.devices.current
        if phone is not None:
            phone.require_free()

    def resume(self) -> None:
        """Continue after a pause, on the phone in use."""
        self._require_free_phone()
        self._recording.resume(self._services.devices.current)
        self._mirrored.act(lambda _target, link: self._recording.of(link.serial).resume(link))

    # -- start and finish ------------------------------------------------------
    def start(self) -> None:
        """Start a recording, resume an unfinished trajectory, or stop the recording that runs.

        While a recording is being finished, the next one starts once that is done.
        """
        wishes = self._wishes.get(self._recording.front.serial)
        if wishes is not None and wishes.continues and self._recording.is_active:
            self._start_next(wishes)
            return
        if self._recording.is_active:
            self.ending.emit()
            self._recording.stop()
            return
        session = self._session
        project, phone = self._services.project_library.project, self._services.devices.current
        if project is None or phone is None:
            self._offer_project()
            return
        phone.require_free()
        if session.is_resumable and session.folder is not None:
            folder = session.folder
            session.close()
            self._recording.resume_existing(folder, phone)
            return
        task = session.task
        if task is None:
            self._offer_task()
            return
        session.close()
        start = partial(self._start_recording, project, task.id, phone)
        others = tuple(link for link in self._mirrored.others if self._can_start(link))
        for link in self._mirrored.others:
            if link not in others and not self._recording.of(link.serial).is_active:
                name = self._services.devices.name(link.serial)
                why = link.busy or _("The phone is gone")
                self._services.toasts.show("warn", _("{phone} is not recorded", phone=name), why)
        if not self._resets.is_running_on(phone) and not self._resets.before_recording(task, others, start):
            start(others)

    def _can_start(self, link: PhoneLink) -> bool:
        return link.is_live and not link.busy and not self._recording.of(link.serial).is_active

    def _start_recording(
        self, project: Project, task_id: str, phone: PhoneLink, others: tuple[PhoneLink, ...]
    ) -> None:
        """Start on a phone, and on ``others`` that get the same input; they were reset, if so asked."""
        links = self._services.devices.links
        if phone is not links.link(phone.serial):
            return  # it left the window meanwhile
        self._recording.of(phone.serial).start(project, task_id, phone, self._resets.take_record(phone))
        begun = [link for link in others if link is links.link(link.serial) and self._can_start(link)]
        for link in begun:
            self._recording.of(link.serial).start(project, task_id, link, self._resets.take_record(link))
        self._starts.compare(phone, begun)

    @Slot(str, str)
    def _say_elsewhere(self, serial: str, what: str) -> None:
        name = self._services.devices.name(serial)
        self._services.toasts.show(
            "warn",
            _("{phone} does not begin where the phone in front does", phone=name),
            f"{what}. " + _("Discard its recording, bring it to the same screen and record again"),
        )

    def record_task(self, task: str = "") -> None:
        """Bring Record to the front with ``task``, or the chosen one, and record it once a phone is live.

        Raises UserError while a recording runs.
        """
        if self._recording.is_active:
            raise UserError(_("A recording is running"), "", _("Finish it first"))
        self._services.commander.run("view.record")
        self._session.close()
        self._session.choose_task(task or self._session.task_id)
        phone = self._services.devices.current
        if phone is not None and phone.is_live:
            self.start()
        else:
            self._awaited.wait()

    @Slot()
    def _phone_arrived(self) -> None:
        try:
            self.start()
        except UserError as error:
            self._services.toasts.show_error(error)

    def _offer_task(self) -> None:
        self._services.toasts.show(
            "warn",
            _("No task is chosen"),
            _("Choose one in the queue, or make one"),
            action=_("New task"),
            act=partial(self._services.run_command, "record.new-task"),
        )

    def _offer_project(self) -> None:
        commander = self._services.commander
        for command in ("project.open-sample", "project.new", "project.open"):
            if commander.enabled(command):
                self._services.toasts.show(
                    "info",
                    _("A recording belongs to a project"),
                    _("No project is open"),
                    action=commander.registry[command].label,
                    act=partial(self._services.run_command, command),
                )
                return
        raise UserError(_("A recording belongs to a project"), _("no project is open"), _("Open one first"))

    def finish(self) -> None:
        """Finish the trajectory; the next task is chosen once all files are written."""
        self._require_free_phone()
        self.ending.emit()
        if self._recording.is_mending:  # its end is there
            self._recording.stop()
            return
        self._finish(self._recording.front)
        self._mirrored.act(lambda _target, link: self._finish(self._recording.of(link.serial)))

    @Slot()
    def _end_finish_error(self) -> None:
        """Close the error of a recording that could not end: it has an action and its phone, or is over."""
        is_mended = self._recording.steps and not self._recording.is_elsewhere
        if is_mended or not self._recording.is_running:
            self._services.toasts.end("record.finish")

    def _finish(self, recording: PhoneRecording) -> None:
        if recording.is_running:
            self._wishes[recording.serial] = _Wishes(continues=True)
            recording.finish()

    def discard(self) -> None:
        """End the recording and move it to the project's trash, which can be undone."""
        self._wishes[self._recording.front.serial] = _Wishes(discards=True)
        self.ending.emit()
        self._recording.stop()

    def _move_to_trash(self, folder: Path) -> None:
        job = self._services.trajectories.change(folder, delete_trajectory, is_announced=False)
        if job is not None:
            job.succeeded.connect(self._discarded)

    @Slot()
    def _discarded(self) -> None:
        self._services.toasts.show(
            "ok",
            _("The recording is discarded"),
            _("It is in the project's trash"),
            action=_("Undo"),
            act=self._services.project_library.history.undo,
            for_now=True,
        )

    def _start_next(self, wishes: _Wishes) -> None:
        """Note that the next task is to be recorded; a second time, take that back."""
        wishes.starts_next = not wishes.starts_next
        what = (
            _("The next recording starts once this one is saved")
            if wishes.starts_next
            else _("The next recording does not start by itself")
        )
        self._services.toasts.show("info", what)

    @Slot(object, object, object)
    def _ended(self, recording: PhoneRecording, folder: Path, end: RecordingEnd) -> None:
        wishes = self._wishes.pop(recording.serial, None) or _Wishes()
        if wishes.discards and end is not RecordingEnd.EMPTY:
            self._move_to_trash(folder)
            return
        is_front = recording is self._recording.front
        self._services.project_library.refresh()
        if end is RecordingEnd.FINISHED:
            self._services.trajectories.add_finish(folder, self._reopened)
        if end is RecordingEnd.MENDED and is_front:
            self.open_asked.emit(folder)
            return
        if end is RecordingEnd.EMPTY:
            self._say_empty(folder)
        elif end is not RecordingEnd.FAILED:
            phone = "" if is_front else self._services.devices.name(recording.serial)
            self._say_saved(folder, phone, is_finished=end is not RecordingEnd.UNFINISHED)
        if wishes.continues:
            self._session.choose_next_task_of(recording.serial, folder.parent.name)
            if wishes.starts_next and is_front:
                self._services.run_command("record.start")

    def _say_saved(self, folder: Path, phone: str, *, is_finished: bool) -> None:
        """Say what became of a recording; ``phone`` is the name of one that is not in front."""
        detail = folder.name if is_finished else _("{name}: open it and record to go on", name=folder.name)
        self._services.toasts.show(
            "ok" if is_finished else "info",
            _("The recording is saved") if is_finished else _("The recording is kept, not finished"),
            " · ".join(filter(None, (phone, detail))),
            action=_("Open"),
            act=lambda: self.open_asked.emit(folder),
        )

    def _say_empty(self, folder: Path) -> None:
        why = _("{name} had no step, so it is not kept", name=folder.name)
        self._services.toasts.show("info", _("Nothing was recorded"), why)

    def _reopened(self, folder: Path) -> None:
        """The end of a recording was undone: it is open again, where the person sees recordings."""
        if self._window.isVisible() and not self._recording.is_active:
            self.open_asked.emit(folder)

    def next_task(self, task: str = "") -> None:
        """Bring Record to the front with ``task`` chosen, or with the next task to do."""
        self._services.commander.run("view.record")
        if task:
            self._session.choose_task(task)
        else:
            self._session.choose_next_task(self._session.task_id)

    # -- actions without a touch -----------------------------------------------
    def answer(self, text: str = "") -> None:
        """Record an answer to the task: ``text``, or what the person types in a dialog."""
        if text:
            self._record_answer(text)
            return
        task = self._session.task
        label = instruction_text(task) if task is not None else _("Answer to the task")
        input_dialogs.ask_text(self._window, _("Answer"), label, self._record_answer)

    @Slot(str)
    def _record_answer(self, text: str) -> None:
        self._run(lambda recorder: recorder.answer(text))

    def open_app(self, package: str = "") -> None:
        """Open an app as a step: ``package``, or the app that the person chooses in a dialog."""
        self._require_free_phone()
        if package:
            self._open_package(package)
            return
        apps = self._apps
        dialog = OpenAppDialog(apps_of(self._services.project_library.edits.tasks), self._window)
        dialog.field.show_apps(apps.known)
        dialog.chosen.connect(self._open_package)
        apps.changed.connect(dialog.field.show_apps)
        apps.read()
        dialog.open()

    @Slot(str)
    def _open_package(self, app: str) -> None:
        self._run(lambda recorder: recorder.open_app(app))

    @Slot(object, object)
    def _show_notice(self, recording: PhoneRecording, notice: RecorderNotice) -> None:
        is_front = recording is self._recording.front
        phone = "" if is_front else self._services.devices.name(recording.serial)
        self._services.toasts.show("warn", " · ".join(filter(None, (phone, notice.what))), notice.to_do)


@dataclass(slots=True)
class _Wishes:
    """What is to follow the end of a recording."""

    continues: bool = False
    """The next task is chosen."""
    starts_next: bool = False
    """The next task is recorded once it is chosen."""
    discards: bool = False
    """The recording goes to the trash."""
