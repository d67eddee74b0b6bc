"""Commands of a recording: start, pause, resume, answer, wait, open an app, finish."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.events import RecorderNotice
from collector.recorder.recorder import Recorder
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import delete_trajectory
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.phone_apps import PhoneApps, apps_of
from studio.bridge.recording import RecordingEnd
from studio.views.record.awaited_phone import AwaitedPhone
from studio.views.record.open_app_dialog import OpenAppDialog
from studio.views.record.reset_controller import ResetController
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.widgets.dialogs import input_dialogs


class RecordingController(QObject):
    """Handles the commands that act on the recording, and shows its results as toasts."""

    open_asked = Signal(object)
    """The folder of a finished trajectory that the person wants to open."""
    ending = Signal()
    """The recording was asked to finish or to stop: what is typed from now on is not for the phone."""

    def __init__(
        self, session: RecordSession, services: WindowServices, resets: ResetController, window: QWidget
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._resets = resets
        self._session, self._services, self._window = session, services, window
        recording = self._recording = services.recording
        self._apps = PhoneApps(services.tasks, services.devices, self)
        self._awaited = AwaitedPhone(session, services, self)
        self._awaited.arrived.connect(self._phone_arrived)
        self._continues = False
        """Whether the next task is chosen once the recording is finished."""
        self._starts_next = False
        """Whether the next task is recorded once it is chosen."""
        self._discards = False
        """Whether the recording goes to the trash once it is closed."""
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
        recording.finished.connect(self._finished)

    @Slot(object)
    def _show_failure(self, error: Exception) -> None:
        """Show why nothing is recorded, until recording is started again."""
        self._services.toasts.show_error(error, cause="record.start")

    def _run(self, act: Callable[[Recorder], None]) -> None:
        """Call the recorder; do nothing when none runs."""
        if self._recording.recorder is not None:
            act(self._recording.recorder)

    def _require_free_phone(self) -> None:
        """Raise UserError while something else, as a replay of the steps, uses the phone."""
        phone = self._services.devices.current
        if phone is not None:
            phone.require_free()

    def resume(self) -> None:
        """Continue after a pause, on the phone in use."""
        self._require_free_phone()
        self._recording.resume(self._services.devices.current)

    # -- start and finish ------------------------------------------------------
    def start(self) -> None:
        """Start a recording, resume an unfinished trajectory, or stop the recording that runs.

        While a recording is being finished, the next one starts once that is done.
        """
        if self._continues and self._recording.is_active:
            self._start_next()
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
        if not self._resets.is_running and not self._resets.before_recording(task, start):
            start()

    def _start_recording(self, project: Project, task_id: str, phone: PhoneLink) -> None:
        """Start on a phone that was reset, if that was asked for."""
        if phone is self._services.devices.current:
            self._recording.start(project, task_id, phone, self._resets.take_record(phone))

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
        self._continues = True
        self._recording.finish()

    def discard(self) -> None:
        """End the recording and move it to the project's trash, which can be undone."""
        self._discards, self._continues, self._starts_next = True, False, False
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

    def _start_next(self) -> None:
        """Note that the next task is to be recorded; a second time, take that back."""
        self._starts_next = not self._starts_next
        what = (
            _("The next recording starts once this one is saved")
            if self._starts_next
            else _("The next recording does not start by itself")
        )
        self._services.toasts.show("info", what)

    @Slot(object, object)
    def _finished(self, folder: Path, end: RecordingEnd) -> None:
        if self._discards:
            self._discards = False
            self._move_to_trash(folder)
            return
        self._services.project_library.refresh()
        if end is RecordingEnd.FINISHED:
            self._services.trajectories.add_finish(folder, self._reopened)
        if end is RecordingEnd.MENDED:
            self.open_asked.emit(folder)
            return
        if end is not RecordingEnd.FAILED:
            self._say_saved(folder, is_finished=end is RecordingEnd.FINISHED)
        if self._continues:
            starts_next, self._continues, self._starts_next = self._starts_next, False, False
            self._session.choose_next_task(folder.parent.name)
            if starts_next:
                self._services.run_command("record.start")

    def _say_saved(self, folder: Path, *, is_finished: bool) -> None:
        self._services.toasts.show(
            "ok" if is_finished else "info",
            _("The recording is saved") if is_finished else _("The recording is kept, not finished"),
            folder.name if is_finished else _("{name}: open it and record to go on", name=folder.name),
            action=_("Open"),
            act=lambda: self.open_asked.emit(folder),
        )

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
        label = task.instruction if task is not None else _("Answer to the task")
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

    @Slot(object)
    def _show_notice(self, notice: RecorderNotice) -> None:
        self._services.toasts.show("warn", notice.what, notice.to_do)
