"""The right panel of the Project workspace: a card for each phone, and findings about this computer."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.device.device_entry import DeviceEntry
from collector.device.frame import Frame
from collector.model.finding import Finding
from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.theme import theme
from studio.views.project.device_card import SCREEN_SIZE, DeviceCard
from studio.views.project.icon_line import IconLine
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, surface
from studio.widgets.device_view.view_frame import image_over

_REFRESH_MS = 1000
_MOST_CARDS = 24
_SERVER_CODES = ("adb", "no_adb")
"""Findings about the adb server that were true when this computer was checked."""


class DevicesPanel(QWidget):
    """Follows ``services.devices``. The screen of the phone in use is updated every second."""

    def __init__(self, services: WindowServices) -> None:
        super().__init__()
        self._services, self._devices = services, services.devices
        self.cards: dict[str, DeviceCard] = {}
        self._lines: list[IconLine] = []
        self._seen = -1
        self._phone = FollowedPhone(source_changed=self._refresh, lost=self._refresh)
        self._count = Label("0", "body", "text-2")
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 6, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch()
        self._lay_out()
        self._timer = QTimer(self, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self._devices.changed.connect(self._changed)
        self._devices.current_changed.connect(self._current_changed)
        self._devices.computer_changed.connect(self._computer_changed)
        self._devices.owners_changed.connect(self._show_owners)
        services.anomalies.active_changed.connect(self._refresh)
        self._changed(self._devices.entries)

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("toolbar"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Devices"), "heading"))
        row.addWidget(self._count)
        row.addStretch()
        connect = Button(_("Connect..."), "plus")
        connect.clicked.connect(self._connect)
        row.addWidget(connect)
        outer.addWidget(head)
        area = QScrollArea()
        area.setAccessibleName(_("Phones"))
        area.setWidgetResizable(True)
        body = surface("panel")
        body.setLayout(self._column)
        area.setWidget(body)
        outer.addWidget(area, 1)
        foot = surface("panel", "top")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        self._start = Button(_("Start a virtual phone"), "play", "outlined")
        self._start.clicked.connect(self._start_virtual)
        row.addWidget(self._start)
        row.addStretch()
        outer.addWidget(foot)
        self._remove = self._services.commander.changed.subscribe(self._commands_changed)
        self._commands_changed(None)

    def stop(self) -> None:
        """Stop following the phones."""
        self._remove()
        self._timer.stop()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._timer.start()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._timer.stop()

    # -- buttons ---------------------------------------------------------------
    @Slot()
    def _connect(self) -> None:
        self._services.commander.run("device.connect")

    @Slot()
    def _start_virtual(self) -> None:
        self._services.commander.run("device.start-virtual")

    def _commands_changed(self, _event: None) -> None:
        self._start.setEnabled(self._services.commander.enabled("device.start-virtual"))

    @Slot(str)
    def _use(self, serial: str) -> None:
        self._devices.use(serial)

    @Slot(str)
    def _check(self, serial: str) -> None:
        self._devices.check(serial)

    @Slot(str)
    def _check_fully(self, serial: str) -> None:
        self._services.run_command("device.check", serial=serial)

    @Slot(str)
    def _disconnect(self, serial: str) -> None:
        self._devices.disconnect_address(serial)

    # -- cards -----------------------------------------------------------------
    @Slot(object)
    def _changed(self, entries: tuple[DeviceEntry, ...]) -> None:
        current = self._devices.current
        count, entries = len(entries), _shown(entries, current.serial if current is not None else "")
        present = {entry.serial for entry in entries}
        for serial in [card for card in self.cards if card not in present]:
            card = self.cards.pop(serial)
            card.hide()
            card.deleteLater()
        for number, entry in enumerate(entries):
            card = self.cards.get(entry.serial) or self._new_card(entry)
            self._column.removeWidget(card)
            self._column.insertWidget(number, card)
            card.show_entry(entry, in_use=current is not None and current.serial == entry.serial)
        self._count.setText(str(count))
        self._show_computer()
        self._refresh()

    def _new_card(self, entry: DeviceEntry) -> DeviceCard:
        card = self.cards[entry.serial] = DeviceCard(entry)
        card.use_asked.connect(self._use)
        card.check_asked.connect(self._check)
        card.full_check_asked.connect(self._check_fully)
        card.disconnect_asked.connect(self._disconnect)
        return card

    @Slot(object)
    def _current_changed(self, link: PhoneLink | None) -> None:
        self._seen = -1
        self._phone.follow(link)
        self._changed(self._devices.entries)

    @Slot(object)
    def _computer_changed(self, _findings: tuple[Finding, ...]) -> None:
        self._show_computer()

    def _show_computer(self) -> None:
        """Show what was found about this computer; only problems when there is a phone."""
        for line in self._lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        findings = [
            finding for finding in self._devices.computer if finding.severity != "ok" or not self.cards
        ]
        error = self._devices.server_error
        if error is not None:
            findings = [finding for finding in findings if finding.code not in _SERVER_CODES]
            findings.insert(0, Finding.from_error("no_adb", "problem", error))
        elif self.cards:
            findings = [finding for finding in findings if finding.severity == "problem"]
        elif self._devices.computer:
            what, why = _("No phone in USB or Wi-Fi reach"), _("Plug one in, it appears here by itself")
            findings.append(Finding("no_device", "notice", what, why))
        hidden = len(self._devices.entries) - len(self.cards)
        if hidden > 0:
            more = ngettext("{count} more phone", "{count} more phones", hidden)
            findings.append(Finding("more", "notice", more, _("`waymark device list` shows all of them")))
        self._lines = [IconLine(finding) for finding in findings]
        if not self.cards and not self._lines:
            looking = Finding("looking", "notice", _("Looking for adb and scrcpy"), _("on this computer"))
            self._lines = [IconLine(looking, "state-prog")]
        for number, line in enumerate(self._lines):
            self._column.insertWidget(len(self.cards) + number, line)

    @Slot()
    def _show_owners(self) -> None:
        for serial, card in self.cards.items():
            owner = self._devices.owners.get(serial)
            card.set_owner(owner.words if owner is not None else "")

    @Slot()
    def _refresh(self) -> None:
        """Update owners, and sources, measurements, anomalies and screen of the phone in use."""
        self._devices.read_owners()
        link = self._devices.current
        for serial, card in self.cards.items():
            if link is None or serial != link.serial:
                card.set_sources("", "", "")
                card.set_anomalies(())
        card_in_use = self.cards.get(link.serial) if link is not None else None
        if link is None or card_in_use is None:
            return
        source, stats = link.screen.frame_source, link.stats
        video = _("starting")
        if source:
            # A still screen sends no frames: that is not a low frame rate.
            pace = f"{stats.fps:.0f} fps" if stats.fps else _("still")
            video = f"{source}, {pace}, {stats.decode_ms + stats.scale_ms:.0f} ms"
        age, newest = stats.tree_age_ms, link.screen.newest_tree()
        tree = ""
        if age is not None and newest is not None:
            seconds = f"{age / 1000:.1f}"
            tree = _("{source}, {seconds} s old", source=newest.source, seconds=seconds)
        touch = "" if not source else _("scrcpy control") if source == "scrcpy" else "adb shell input"
        card_in_use.set_sources(video, tree, touch)
        card_in_use.set_anomalies([injection.anomaly for injection in self._services.anomalies.active])
        self._refresh_screen(link, card_in_use)

    def _refresh_screen(self, link: PhoneLink, card: DeviceCard) -> None:
        frame = link.screen.newest_frame()
        if frame is None or frame.sequence == self._seen or not self.isVisible():
            return
        self._seen = frame.sequence
        size = _fitting(frame.size, self.devicePixelRatioF())
        serial = card.serial
        self._services.tasks.run(lambda _job: (serial, _image(frame, size)), success=self._screen_ready)

    @Slot(object)
    def _screen_ready(self, result: tuple[str, QImage]) -> None:
        serial, image = result
        card = self.cards.get(serial)
        if card is not None:
            card.thumbnail.show_image(image)


def _shown(entries: tuple[DeviceEntry, ...], serial: str) -> tuple[DeviceEntry, ...]:
    """The phones that have a card: the first ones, and the one in use."""
    in_use = (entry for entry in entries[_MOST_CARDS:] if entry.serial == serial)
    return (*entries[:_MOST_CARDS], *in_use)


def _fitting(size: Size, ratio: float) -> Size:
    """Return the size of a frame scaled to its place on the card, in physical pixels."""
    scale = min(SCREEN_SIZE[0] / size.width, SCREEN_SIZE[1] / size.height) * ratio
    return Size(max(2, round(size.width * scale)), max(2, round(size.height * scale)))


def _image(frame: Frame, size: Size) -> QImage:
    return image_over(frame.scaled_bgra(size)).copy()
