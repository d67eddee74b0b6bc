"""Commands of the mirrored phone: zoom, inspect, keys, rotation, keyboard, screenshot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog

from collector.device.frame import Frame
from collector.model.i18n import _
from collector.model.tree import Node
from studio.bridge import Job
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.phones.touch_palette import TouchPalette
from studio.views.record.side_panel import RecordSidePanel
from studio.views.services import WindowServices
from studio.widgets.device_view.view import MirrorMode
from studio.widgets.dialogs.file_dialog import dress_file_dialog


class MirrorController(QObject):
    """Handles the commands that act on the mirror or directly on the phone."""

    def __init__(self, mirror: MirrorPane, side: RecordSidePanel, services: WindowServices) -> None:
        super().__init__(mirror)
        self._mirror, self._services = mirror, services
        self.touches = TouchPalette(mirror, services)
        self._frame: Frame | None = None
        """The frame that is saved once the person has chosen a file."""
        view = mirror.view
        for command, handler in (
            ("mirror.type", self.type_on_phone),
            ("mirror.toggle-inspect", self.toggle_inspect),
            ("mirror.fit", view.fit),
            ("mirror.one-to-one", view.actual_size),
            ("mirror.zoom-in", view.zoom_in),
            ("mirror.zoom-out", view.zoom_out),
            ("mirror.hud", mirror.toggle_hud),
            ("mirror.refresh-tree", mirror.refresh),
            ("tree.find", side.find_in_tree),
            ("device.back", partial(mirror.press, "back")),
            ("device.home", partial(mirror.press, "home")),
            ("device.recents", partial(mirror.press, "recents")),
            ("device.rotate", self.rotate),
        ):
            services.commander.handle(command, handler)
        view.keyboard_changed.connect(self._keyboard_changed)
        mirror.keyboard_requested.connect(self.hide_keyboard)
        mirror.screenshot_requested.connect(self.save_screenshot)
        mirror.key_bar.rotate_requested.connect(self.rotate)
        mirror.header.owner.clicked.connect(self._ask_owner)
        side.tree.refresh_requested.connect(mirror.refresh)
        side.tree.tree.tapped.connect(self._tap)
        side.tree.tree.pressed_long.connect(self._press_long)

    def toggle_inspect(self) -> None:
        """Switch between touching the phone and inspecting its nodes."""
        view = self._mirror.view
        view.set_mode(MirrorMode.INSPECT if view.mode is MirrorMode.INTERACT else MirrorMode.INTERACT)

    def type_on_phone(self) -> None:
        """Show the live phone and give it the keyboard."""
        self._services.commander.run("mirror.go-live")
        self._mirror.view.set_mode(MirrorMode.INTERACT)
        self._mirror.view.take_keyboard()

    @Slot(object)
    def _tap(self, node: Node) -> None:
        """Tap a node of the tree."""
        if self._takes_touches():
            self._mirror.view.touch_cursor.tap(node)

    @Slot(object)
    def _press_long(self, node: Node) -> None:
        """Press long on a node of the tree."""
        if self._takes_touches():
            self._mirror.view.touch_cursor.long_press(node)

    def _takes_touches(self) -> bool:
        """Whether the live phone is on show; if not, say that a recorded screen takes no touch."""
        if self._mirror.view.is_live:
            return True
        key = self._services.commander.shown_keys("mirror.go-live")
        why = _("'Go to the live phone' ({key}) shows the one that does", key=key)
        self._services.toasts.show("info", _("A recorded screen takes no touch"), why)
        return False

    @Slot(bool)
    def _keyboard_changed(self, has_keyboard: bool) -> None:
        self._services.commander.set_context(phone__typing=has_keyboard)

    @Slot()
    def _ask_owner(self) -> None:
        self._services.run_command("device.owner")

    @Slot()
    def rotate(self) -> None:
        """Turn the screen by a quarter, and back the next time."""
        phone = self._services.devices.current
        if phone is not None:
            phone.require_free()
            self._services.tasks.run(
                lambda job: phone.rotate(job.cancel_event), failure=self._services.toasts.show_error
            )

    @Slot()
    def hide_keyboard(self) -> None:
        """Close the phone's keyboard; a tap into a field opens it again."""
        phone = self._services.devices.current
        if phone is not None:
            self._services.tasks.run(
                lambda job: phone.is_keyboard_shown(job.cancel_event),
                success=self._keyboard_is_shown,
                failure=self._services.toasts.show_error,
            )

    @Slot(object)
    def _keyboard_is_shown(self, shown: bool) -> None:
        if shown:
            self._mirror.press("back")
        else:
            self._services.toasts.show("info", _("The keyboard comes when a field is tapped"))

    @Slot()
    def save_screenshot(self) -> None:
        """Save the screen as it is now in a file that the person chooses."""
        phone = self._services.devices.current
        self._frame = phone.screen.newest_frame() if phone is not None else None
        if self._frame is None:
            return
        dialog = QFileDialog(self._mirror, _("Save a picture of the screen"), "screen.png", "PNG (*.png)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dress_file_dialog(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._write_screenshot)
        dialog.rejected.connect(self._forget_screenshot)
        dialog.open()

    @Slot(str)
    def _write_screenshot(self, path: str) -> None:
        frame, self._frame = self._frame, None
        if frame is None:
            return

        def work(_job: Job) -> str:
            Path(path).write_bytes(frame.png())
            return path

        self._services.tasks.run(
            work, success=self._screenshot_written, failure=self._services.toasts.show_error
        )

    @Slot()
    def _forget_screenshot(self) -> None:
        self._frame = None

    @Slot(object)
    def _screenshot_written(self, path: str) -> None:
        self._services.toasts.show("ok", _("The picture is saved"), path)
