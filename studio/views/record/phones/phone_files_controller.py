"""Install apps and send files: dropped on the mirror, or chosen from the menu or the palette."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from studio.bridge.phones.phone_files import PhoneFiles, is_app_file
from studio.views.services import WindowServices
from studio.widgets.controls import Label
from studio.widgets.dropped_files import dropped_files
from studio.widgets.window_frame.status_bar import StatusItem

_HINT_MARGIN = 12


class PhoneFilesController(QObject):
    """Handles ``device.install`` and ``device.push``, and files dropped on ``view``."""

    def __init__(self, services: WindowServices, view: QWidget, window: QWidget) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._services, self._view, self._window = services, view, window
        self._files = PhoneFiles(services.tasks, self)
        self._hint = Label("", "heading")
        self._hint.setParent(view)
        self._hint.setProperty("surface", "float")
        self._hint.setMargin(_HINT_MARGIN)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        view.setAcceptDrops(True)
        view.installEventFilter(self)
        services.commander.handle("device.install", self.install)
        services.commander.handle("device.push", self.push)
        self._files.progressed.connect(self._show_progress)
        self._files.done.connect(self._show_done)
        self._files.failed.connect(services.toasts.show_error)

    # -- commands ----------------------------------------------------------
    def install(self, path: str = "") -> None:
        """Install the APK ``path``, or those that the person chooses."""
        filters = [_("Android apps") + " (*.apk)", _("All files") + " (*)"]
        self._send_or_ask(path, _("Install apps on the phone"), filters)

    def push(self, path: str = "") -> None:
        """Send the file ``path``, or those that the person chooses."""
        self._send_or_ask(path, _("Send files to the phone"), [_("All files") + " (*)"])

    def _send_or_ask(self, path: str, title: str, filters: list[str]) -> None:
        if path:
            self.send([Path(path).expanduser()])
            return
        dialog = QFileDialog(self._window, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(filters)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._chosen)
        dialog.open()

    @Slot(list)
    def _chosen(self, names: list[str]) -> None:
        try:
            self.send([Path(name) for name in names])
        except UserError as error:
            self._services.toasts.show_error(error)

    def send(self, paths: list[Path]) -> None:
        """Send files to the phone in use; apps are installed."""
        phone = self._services.devices.current
        if phone is None or not phone.is_live:
            raise UserError(_("There is no phone to send files to"), "", _("Connect one"))
        self._files.send(phone, paths)

    # -- drops ---------------------------------------------------------------
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QDragLeaveEvent):
            self._hint.hide()
        elif isinstance(event, QDragEnterEvent | QDropEvent):  # a move is a QDropEvent, too
            return self._dragged(event)
        return super().eventFilter(watched, event)

    def _dragged(self, event: QDropEvent) -> bool:
        phone, paths = self._services.devices.current, dropped_files(event)
        if not paths or phone is None or not phone.is_live:
            return False  # the window imports what is dropped while there is no phone
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.DragEnter:
            self._show_hint(paths, phone.name)
        elif event.type() == QEvent.Type.Drop:
            self._hint.hide()
            try:
                self.send(paths)
            except UserError as error:
                self._services.toasts.show_error(error)
        return True

    def _show_hint(self, paths: list[Path], phone: str) -> None:
        apps = sum(is_app_file(path) for path in paths)
        text = ngettext(
            "Send {count} file to {phone}", "Send {count} files to {phone}", len(paths), phone=phone
        )
        if apps == len(paths):
            text = ngettext(
                "Install {count} app on {phone}", "Install {count} apps on {phone}", apps, phone=phone
            )
        self._hint.setText(text)
        self._hint.adjustSize()
        self._hint.move(self._view.rect().center() - self._hint.rect().center())
        self._hint.show()
        self._hint.raise_()

    # -- progress --------------------------------------------------------------
    @Slot(str, int)
    def _show_progress(self, title: str, percent: int) -> None:
        item = StatusItem(f"{title}  {percent} %", "down") if title else None
        self._services.status.set_item("transfer", item)

    @Slot(str)
    def _show_done(self, sentence: str) -> None:
        self._services.toasts.show("ok", sentence)
