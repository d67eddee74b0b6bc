"""What the commands of the Record workspace do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu

from collector.device.frame import Frame
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.recorder import Recorder
from collector.store.names import inside
from rule_editor.widgets.menu_words import as_written
from studio.bridge import Job
from studio.commands.commander import Handler
from studio.views.record import input_dialogs as prompts
from studio.views.record.side_panel import TREE
from studio.widgets.device_view.view import MirrorMode

if TYPE_CHECKING:
    from studio.views.record.workspace import RecordWorkspace


class RecordingController(QObject):
    """Handlers only; what they change is told by the document, the recording and the phone."""

    def __init__(self, workspace: RecordWorkspace) -> None:
        super().__init__(workspace)
        self._home = workspace
        self._shell = workspace.shell
        self._recording = workspace.shell.recording
        self._document = workspace.document
        self._frame: Frame | None = None
        self._handle()

    def _handle(self) -> None:
        document, mirror, recording = self._document, self._home.mirror, self._recording
        view = mirror.view
        deeds: dict[str, Handler] = {
            "record.start": self.start,
            "record.pause": lambda: self._record(Recorder.pause),
            "record.resume": lambda: recording.resume(mirror.phone),
            "record.undo": document.undo,
            "record.redo": document.redo,
            "record.mark-state": self.mark_state,
            "record.answer": self.answer,
            "record.wait": lambda: self._record(Recorder.wait),
            "record.open-app": self.open_app,
            "record.finish": self._home.submit,
            "record.close-trajectory": document.close,
            "record.open-trajectory": self.show_trajectory,
            "record.next-task": self.take_task,
            "step.delete": self.delete,
            "step.rerecord": self.rerecord,
            "step.delete-before": self.keep_from,
            "step.delete-after": self.keep_to,
            "step.caption": self.edit_caption,
            "step.note": self.write_note,
            "step.previous": lambda: document.go(document.current - 1),
            "step.next": lambda: document.go(document.current + 1),
            "step.first": lambda: document.go(0),
            "step.last": lambda: document.go(len(document.steps) - 1),
            "mirror.go-live": self.go_live,
            "mirror.toggle-inspect": self.switch_mode,
            "mirror.fit": view.fit,
            "mirror.one-to-one": view.actual_size,
            "mirror.zoom-in": view.zoom_in,
            "mirror.zoom-out": view.zoom_out,
            "mirror.hud": mirror.toggle_hud,
            "mirror.refresh-tree": mirror.refresh,
            "tree.find": self.find_in_tree,
            "device.back": lambda: mirror.press("back"),
            "device.home": lambda: mirror.press("home"),
            "device.recents": lambda: mirror.press("recents"),
            "device.rotate": self.rotate,
        }
        for command, deed in deeds.items():
            self._shell.commander.handle(command, deed)

    def _record(self, act: Callable[[Recorder], None]) -> None:
        """Let the running recorder do something; nothing happens while there is none."""
        recorder = self._recording.recorder
        if recorder is not None:
            act(recorder)

    # -- recording -----------------------------------------------------------
    def start(self) -> None:
        """Begin, go on with an unfinished trajectory, or stop what runs."""
        if self._recording.is_active:
            self._recording.stop()
            return
        project, phone = self._shell.library.project, self._home.mirror.phone
        if project is None or phone is None:
            self._offer_project()
            return
        phone.require_free()
        folder = self._document.folder
        if self._home.is_unfinished and folder is not None:
            self._document.close()
            self._recording.resume_existing(folder, phone)
            return
        task = self._home.task
        if task is None:
            raise UserError(_("No task is chosen"), "", _("Choose one in the queue, or make one in Project"))
        self._document.close()
        self._recording.start(project, task.id, phone)

    def _offer_project(self) -> None:
        commander = self._shell.commander
        for command in ("project.open-sample", "project.new", "project.open"):
            if commander.enabled(command):
                self._shell.toasts.show(
                    "info",
                    _("A recording belongs to a project"),
                    _("No project is open"),
                    action=commander.registry[command].label,
                    act=lambda command=command: commander.run(command),  # type: ignore[misc]
                )
                return
        raise UserError(_("A recording belongs to a project"), _("no project is open"), _("Open one first"))

    def rerecord(self) -> None:
        if self._document.step is not None:
            self.rerecord_at(self._document.current)

    @Slot(int)
    def rerecord_at(self, index: int) -> None:
        """The next action takes the place of a step; the phone is to be brought to its state first."""
        phone, folder = self._home.mirror.phone, self._document.folder
        if phone is None or folder is None or not phone.is_live:
            raise UserError(_("A step is recorded again on a phone"), _("none is there"), _("Connect one"))
        phone.require_free()
        if self._recording.recorder is not None:
            self._recording.recorder.rerecord(index)
            self._document.go_live()
        else:
            self._document.close()
            self._recording.resume_existing(folder, phone, rerecord=index)
        self._shell.toasts.show(
            "info",
            _("Your next action takes the place of step {number}", number=index + 1),
            _("Bring the phone to the state before it; pause while you do"),
        )

    def answer(self, text: str = "") -> None:
        """Record an answer: ``text``, or what the person writes."""
        if text:
            self._record_answer(text)
        else:
            task = self._home.task
            label = task.instruction if task is not None else _("Answer to the task")
            prompts.ask_text(self._home, _("Answer"), label, self._record_answer)

    @Slot(str)
    def _record_answer(self, text: str) -> None:
        self._record(lambda recorder: recorder.answer(text))

    def open_app(self, package: str = "") -> None:
        """Start an app as a step: ``package``, or what the person chooses."""
        if package:
            self._open_package(package)
            return
        snapshot = self._shell.library.snapshot
        tasks = snapshot.tasks if snapshot is not None else ()
        packages = sorted({task.package for task in tasks if task.package})
        prompts.ask_app(self._home, packages, self._open_package)

    @Slot(str)
    def _open_package(self, package: str) -> None:
        try:
            self._record(lambda recorder: recorder.open_app(package.strip()))
        except ValueError:
            error = UserError(
                _("{name} is no package", name=package), "", _("Write it as in com.example.shop")
            )
            self._shell.toasts.show_error(error)

    # -- essential states ----------------------------------------------------
    def mark_state(self, state: str = "") -> None:
        """Mark the current step as reaching ``state``, or one the person picks from a menu."""
        task = self._home.task
        if task is None or not task.essential_states:
            raise UserError(
                _("This task names no essential states"), "", _("Write them in Project, in the task's form")
            )
        if state:
            self._home.milestones.toggle(self._document.current, state)
            return
        menu = QMenu(self._home)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        reached = {one.state: one.step for one in self._home.milestones.reached}
        for name in task.essential_states:
            action = menu.addAction(as_written(name))
            action.setCheckable(True)
            action.setChecked(reached.get(name) == self._document.current)
            if name not in reached and menu.activeAction() is None:
                menu.setActiveAction(action)
        menu.triggered.connect(self._state_picked)
        button = self._home.toolbar.buttons["record.mark-state"]
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    @Slot(QAction)
    def _state_picked(self, action: QAction) -> None:
        self._home.milestones.toggle(self._document.current, action.text())

    # -- steps ---------------------------------------------------------------
    def delete(self) -> None:
        if self._document.step is not None:
            self._document.delete(self._document.current)

    def keep_from(self) -> None:
        self._document.trim(self._document.current, len(self._document.steps))

    def keep_to(self) -> None:
        self._document.trim(0, self._document.current + 1)

    def edit_caption(self) -> None:
        self._home.side.tabs.set_current(0)
        self._home.side.steps.edit_caption(self._document.current)

    def write_note(self) -> None:
        self._home.side.tabs.set_current(2)
        self._home.side.details.edit_words()

    def go_live(self) -> None:
        self._document.go_live()

    # -- what others hand over -----------------------------------------------
    def show_trajectory(self, folder: str = "", step: str = "") -> None:
        """Step through a trajectory of the open project: the latest when none is named.

        It is opened at ``step``, an index from 0, else at its first.
        """
        library = self._shell.library
        if library.project is None or library.snapshot is None:
            raise UserError(_("No project is open"))
        if not folder and not library.snapshot.recent:
            raise UserError(_("This project has no trajectory yet"), "", _("Record one"))
        path = Path(folder or library.snapshot.recent[0].folder)
        path = path if path.is_absolute() else inside(library.project.folder, str(path))
        self._home.show_trajectory(path, int(step) if step.isdecimal() else 0)

    def take_task(self, task: str = "") -> None:
        """Bring Record to the front with a task chosen, the next one to do when none is named."""
        self._shell.commander.run("view.record")
        following = self._home.queue.rows.after(self._home.queue.task_id)
        task = task or (following.id if following is not None else "")
        if task:
            self._home.queue.choose(task)

    # -- the mirror ----------------------------------------------------------
    def switch_mode(self) -> None:
        view = self._home.mirror.view
        view.set_mode(MirrorMode.INSPECT if view.mode is MirrorMode.INTERACT else MirrorMode.INTERACT)

    def find_in_tree(self) -> None:
        self._home.side.tabs.set_current(TREE)
        self._home.side.tree.search_field.setFocus()

    # -- the phone -----------------------------------------------------------
    @Slot()
    def rotate(self) -> None:
        """Turn the screen a quarter, and back."""
        phone = self._home.mirror.phone
        if phone is not None:
            phone.require_free()
            self._shell.tasks.run(lambda _job: phone.rotate(), failure=self._shell.toasts.show_error)

    @Slot()
    def hide_keyboard(self) -> None:
        """Put the phone's keyboard away; a tap into a field brings it back."""
        phone = self._home.mirror.phone
        if phone is not None:
            self._shell.tasks.run(
                lambda _job: phone.is_keyboard_shown(), success=self._keyboard_is_shown,
                failure=self._shell.toasts.show_error,
            )  # fmt: skip

    @Slot(object)
    def _keyboard_is_shown(self, shown: bool) -> None:
        if shown:
            self._home.mirror.press("back")
        else:
            self._shell.toasts.show("info", _("The keyboard comes when a field is tapped"))

    @Slot()
    def save_region_image(self) -> None:
        """Save the screen as it is now where the person says."""
        phone = self._home.mirror.phone
        frame = phone.screen.newest_frame() if phone is not None else None
        if frame is None:
            return
        dialog = QFileDialog(self._home, _("Save a picture of the screen"), "screen.png", "PNG (*.png)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        self._frame = frame
        dialog.fileSelected.connect(self._write_picture)
        dialog.open()

    @Slot(str)
    def _write_picture(self, path: str) -> None:
        frame = self._frame
        if frame is None:
            return

        def work(_job: Job) -> str:
            Path(path).write_bytes(frame.png())
            return path

        self._shell.tasks.run(work, success=self._picture_written, failure=self._shell.toasts.show_error)

    @Slot(object)
    def _picture_written(self, path: str) -> None:
        self._shell.toasts.show("ok", _("The picture is saved"), path)
