"""The command that mirrors input to all phones, and what is said when it does not reach one of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.bridge.phones.mirrored_input import MirroredInput
from studio.views.record.phones.phone_stage import PhoneStage
from studio.views.services import WindowServices
from studio.widgets.device_view.events import PointerEvent, ScrollEvent


class MirroredInputController(QObject):
    """Passes the input of the mirror on, and shows the switch's state."""

    def __init__(self, stage: PhoneStage, mirrored: MirroredInput, services: WindowServices) -> None:
        super().__init__(stage)
        self._stage, self._mirrored, self._services = stage, mirrored, services
        self._said: dict[str, str] = {}
        services.commander.handle("phones.mirror-input", self.toggle, checked=lambda: mirrored.is_on)
        mirror, view = stage.mirror, stage.mirror.view
        view.pointer.connect(self._pointer)
        view.scrolled.connect(self._scrolled)
        view.text_committed.connect(mirrored.text)
        mirror.pressed.connect(mirrored.key)
        mirrored.changed.connect(self._show)
        mirrored.ended.connect(self._say_ended)
        self._show()

    def toggle(self) -> None:
        """Send input to all phones of the window, or to the one in front alone."""
        self._mirrored.switch(not self._mirrored.is_on)

    @Slot(object)
    def _pointer(self, event: PointerEvent) -> None:
        self._mirrored.touch(event.action, event.pointer, event.position)

    @Slot(object)
    def _scrolled(self, event: ScrollEvent) -> None:
        self._mirrored.scroll(event.position, event.horizontal, event.vertical)

    @Slot()
    def _show(self) -> None:
        """Say on which phone something was not done, once for each time; a tile says it on its own."""
        self._services.commander.set_context(phones__mirrored=self._mirrored.is_on)
        devices = self._services.devices
        now = {serial: self._mirrored.problem(serial) for serial in devices.links.serials}
        for serial, problem in now.items():
            if problem and problem != self._said.get(serial) and serial not in self._stage.tiles:
                name = devices.name(serial)
                self._services.toasts.show(
                    "warn", _("Not mirrored to {phone}: nothing was sent", phone=name), problem
                )
        self._said = now

    @Slot()
    def _say_ended(self) -> None:
        self._services.toasts.show(
            "info", _("Input goes to the phone in front alone"), _("The phones of the window are others now")
        )
