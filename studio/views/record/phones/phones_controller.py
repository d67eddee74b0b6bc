"""Commands of the phones of the window: bring one to the front, add, close, show them side by side."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtWidgets import QMenu

from collector.model.errors import UserError
from collector.model.i18n import _, join_sentences
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.phone_recording import PhoneRecording
from studio.bridge.phones.mirrored_input import MirroredInput
from studio.bridge.phones.phone import PhoneLink
from studio.settings.table import SETTINGS
from studio.views.record.phones.phone_stage import PhoneStage
from studio.views.record.phones.phone_tile import PhoneTile
from studio.views.record.phones.window_phone import WindowPhone, window_phone
from studio.views.record.queue.queue_panel import QueuePanel
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices

_SIDE_BY_SIDE = "recording.phones-side-by-side"
_NEED = "tiles"
_LANGUAGES = next(setting.choices for setting in SETTINGS if setting.key == "virtual.locale")


class PhonesController(QObject):
    """Follows the phones of the window; the stage shows them."""

    def __init__(
        self,
        stage: PhoneStage,
        queue: QueuePanel,
        session: RecordSession,
        mirrored: MirroredInput,
        services: WindowServices,
    ) -> None:
        super().__init__(stage)
        self._stage, self._queue, self._session = stage, queue, session
        self._services, self._mirrored = services, mirrored
        self._links, self._recording = services.devices.links, services.recording
        self._is_active = False
        self._leaving: set[str] = set()
        """Phones that leave the window once their recordings are on the disk."""
        self._renewing = QTimer(self, singleShot=True, interval=0)
        self._renewing.timeout.connect(self.show_phones)
        handle = services.commander.handle
        handle("phones.next", partial(self.step, 1))
        handle("phones.previous", partial(self.step, -1))
        handle("phones.add", self.add)
        handle("phones.close", self.close_phone)
        handle("phones.side-by-side", self.toggle_tiles, checked=self._wants_tiles)
        stage.new_tile = self._new_tile
        stage.room_changed.connect(self._renew)
        bar = stage.bar
        bar.chosen.connect(self.use)
        bar.close_asked.connect(self.close_phone)
        bar.add_asked.connect(partial(services.run_command, "phones.add"))
        bar.tiles_asked.connect(partial(services.run_command, "phones.side-by-side"))
        self._links.changed.connect(self._renew)
        self._links.opened.connect(self._follow)
        services.devices.changed.connect(self._renew)
        self._recording.changed.connect(self._renew)
        self._recording.active_changed.connect(self._renew)
        self._recording.ended.connect(self._recording_ended)
        mirrored.changed.connect(self._renew)
        for serial in self._links.serials:
            link = self._links.link(serial)
            if link is not None:
                self._follow(link)
        self._renew()
        self.show_phones()

    # -- what is shown -------------------------------------------------------
    @Slot(object)
    def _follow(self, link: PhoneLink) -> None:
        for changed in (link.source_changed, link.size_changed, link.back, link.taken_changed):
            changed.connect(self._renew)
        link.lost.connect(self._lost)

    @Slot(str)
    def _lost(self, why: str) -> None:
        """Say that a phone is gone that is not in front; of the one in front the mirror says it."""
        link = self.sender()
        if isinstance(link, PhoneLink) and link.serial != self._links.front:
            is_recorded = self._recording.of(link.serial).is_active
            paused = _("Its recording is paused until it is back") if is_recorded else ""
            what = _("{phone} is gone", phone=self._services.devices.name(link.serial))
            self._services.toasts.show("warn", what, join_sentences(why, paused))
        self._renew()

    @Slot()
    def _renew(self) -> None:
        """Show the phones once all that happened now is known; what can be done is known at once."""
        count = len(self._links.serials)
        self._services.commander.set_context(phones__several=count > 1, phones__shown=count > 0)
        self._renewing.start()

    @Slot()
    def show_phones(self) -> None:
        """Show the phones of the window as they are now."""
        phones = [self._facts(serial) for serial in self._links.serials]
        front, bar = self._links.front, self._stage.bar
        possible = self._stage.has_room(len(phones) - 1)
        has_tiles = possible and self._wants_tiles() and self._is_active
        self._links.need(_NEED, (facts.serial for facts in phones) if has_tiles else ())
        links = {serial: link for serial in self._links.serials if (link := self._links.link(serial))}
        shown = phones if has_tiles else [facts for facts in phones if facts.serial == front]
        bar.show_phones(phones, front)
        bar.show_tiles(shown=self._wants_tiles(), possible=possible)
        bar.show_mirroring(self._mirrored.count)
        self._queue.show_recorded_elsewhere(self._recording.task_ids_elsewhere)
        self._stage.show_tiles(shown, front, links, self._mirrored.count)

    def _facts(self, serial: str) -> WindowPhone:
        devices = self._services.devices
        return window_phone(
            serial, devices.name(serial), self._links.link(serial), devices.entry(serial),
            self._recording.of(serial), self._mirrored.problem(serial),
        )  # fmt: skip

    def _new_tile(self, serial: str) -> PhoneTile:
        tile = PhoneTile(serial)
        tile.chosen.connect(self.use)
        return tile

    def set_active(self, active: bool) -> None:
        """Say whether the workspace is in front: tiles that nobody sees decode nothing."""
        self._is_active = active
        self.show_phones()

    def _wants_tiles(self) -> bool:
        return bool(self._services.settings[_SIDE_BY_SIDE])

    # -- commands ------------------------------------------------------------
    @Slot(str)
    def use(self, serial: str) -> None:
        """Bring a phone to the front: it gets the keys."""
        self._services.devices.use(serial)

    def step(self, by: int) -> None:
        """Bring the next phone to the front, or the one before; after the last comes the first."""
        serials = self._links.serials
        if self._links.front in serials:
            self.use(serials[(serials.index(self._links.front) + by) % len(serials)])

    def toggle_tiles(self) -> None:
        """Show the phones side by side where there is room, or the one in front alone."""
        self._services.settings.set(_SIDE_BY_SIDE, not self._wants_tiles())
        self.show_phones()

    def add(self, serial: str = "") -> None:
        """Show one more phone: ``serial``, or what the person picks from a menu."""
        devices = self._services.devices
        if serial:
            if devices.entry(serial) is None:
                raise UserError(
                    _("adb lists no phone {serial}", serial=serial), "", _("Connect it, then add it")
                )
            devices.use(serial, beside=True)
            return
        self._menu().popup(self._menu_place())

    def _menu(self) -> QMenu:
        services, window = self._services, self._stage.window()
        menu = PopupMenu(window)
        free = [
            entry
            for entry in services.devices.entries
            if entry.is_ready and entry.serial not in self._links.serials
        ]
        for entry in free:
            action = menu.addAction(menu_text(_("{phone} ({serial})", phone=entry.name, serial=entry.serial)))
            action.triggered.connect(partial(self._add_entry, entry.serial))
        if free:
            menu.addSeparator()
        own = services.settings["virtual.locale"]
        others = [choice for choice in _LANGUAGES if choice[0] != own]
        for title, command, more in (
            (_("Start one more virtual phone"), "device.start-virtual", {}),
            *(
                (_("Start one more in {language}", language=name), "device.start-virtual", {"language": tag})
                for tag, name in others
            ),
            (_("Connect..."), "device.connect", {}),
        ):
            action = menu.addAction(menu_text(title))
            action.setEnabled(services.commander.enabled(command))
            action.triggered.connect(partial(services.run_command, command, beside="yes", **more))
        return menu

    def _add_entry(self, serial: str) -> None:
        self._services.run_command("phones.add", serial=serial)

    def _menu_place(self) -> QPoint:
        """Under the button of the bar, or at the corner of the mirror while there is no bar."""
        button = self._stage.bar.add
        if button.isVisible():
            return button.mapToGlobal(QPoint(0, button.height()))
        return self._stage.mapToGlobal(QPoint(8, 40))

    @Slot(str)
    def close_phone(self, serial: str = "") -> None:
        """Take a phone out of the window, the one in front without a ``serial``; its recording is kept."""
        serial = serial or self._links.front
        recording = self._recording.of(serial)
        if recording.is_active:
            self._leaving.add(serial)
            recording.stop()
            return
        self._remove(serial)

    @Slot(object, object, object)
    def _recording_ended(self, recording: PhoneRecording, _folder: object, _end: object) -> None:
        if recording.serial in self._leaving:
            self._leaving.discard(recording.serial)
            self._remove(recording.serial)

    def _remove(self, serial: str) -> None:
        self._links.remove(serial)
        self._session.forget_phone(serial)
