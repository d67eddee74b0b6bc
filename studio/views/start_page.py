"""The first page, shown while no project is open: a phone for a new one, or a sample to look at."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.device.device_entry import DeviceEntry
from collector.model.i18n import _
from collector.store.project.samples import SAMPLES
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label
from studio.widgets.controls.empty_state import EnterButton
from studio.widgets.theme_icon import ThemeIcon

_CARD_WIDTH, _CARD_HEIGHT, _CENTRE = 300, 164, Qt.AlignmentFlag.AlignHCenter
_LINKS = ("project.new", "project.open", "project.import", "tour.start")


class StartPage(QWidget):
    """Two cards say live which phones there are; their buttons lead to a new project with that phone."""

    def __init__(self, services: WindowServices) -> None:
        super().__init__()
        self._services = services
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.offer = _TourOffer(services)
        self.virtual = PhoneCard("phone", _("Virtual phone"), _("Start the virtual phone"), "play")
        self.real = PhoneCard("link", _("Your own phone"), _("Connect over Wi-Fi..."), "wifi")
        self.virtual.button.clicked.connect(self._start)
        self.real.button.clicked.connect(self._use_real)
        self._title = Label(_("Record your first task"), "empty")
        self._sentence = Label(_("Choose a phone: a new project is made with it"), "lead", "text-2")
        self._lay_out()
        services.devices.changed.connect(self._refresh)
        services.devices.current_changed.connect(self._refresh)
        self._remove = services.commander.changed.subscribe(self._refresh)
        self.destroyed.connect(self._remove)
        self._refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.addWidget(self.offer, alignment=_CENTRE)
        column.addStretch(4)
        column.addWidget(self._title, alignment=_CENTRE)
        column.addSpacing(6)
        column.addWidget(self._sentence, alignment=_CENTRE)
        column.addSpacing(20)
        cards = QHBoxLayout()
        cards.setSpacing(16)
        cards.addStretch()
        cards.addWidget(self.virtual)
        cards.addWidget(self.real)
        cards.addStretch()
        column.addLayout(cards)
        column.addSpacing(24)
        column.addWidget(
            Label(_("Or look around in a sample project first"), "body", "text-2"), alignment=_CENTRE
        )
        column.addSpacing(8)
        column.addLayout(self._samples())
        column.addSpacing(24)
        column.addLayout(self._links())
        column.addSpacing(24)
        hint = _(
            "Drop a folder, zip or file here to import it: "
            "D-GARA, AITK, InterDroid, LlamaTouch, plain folders"
        )
        column.addWidget(Label(hint, "caption", "text-3"), alignment=_CENTRE)
        column.addStretch(5)

    def _samples(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        for sample in SAMPLES.values():
            button = Button(sample.label, "project", "outlined")
            button.setToolTip(sample.help)
            button.setAccessibleDescription(sample.help)
            button.setProperty("command", sample.command)
            button.clicked.connect(self._run)
            row.addWidget(button)
        row.addStretch()
        return row

    def _links(self) -> QHBoxLayout:
        row, commander = QHBoxLayout(), self._services.commander
        row.setSpacing(10)
        row.addStretch()
        for command in filter(commander.exists, _LINKS):
            if command != _LINKS[0]:
                row.addWidget(Label("·", tone="text-3"))
            link = Button(commander.registry[command].label, kind="link", small=True)
            link.setProperty("command", command)
            link.clicked.connect(self._run)
            row.addWidget(link)
        row.addStretch()
        return row

    # -- phones ----------------------------------------------------------------
    @Slot()
    def _refresh(self, _event: object = None) -> None:
        """Say which phones there are now."""
        entries = self._services.devices.entries
        virtual = next((entry for entry in entries if _is_virtual(entry)), None)
        real = [entry for entry in entries if _is_real(entry)]
        is_starting = bool(self._services.commander.context.get("virtual.starting"))
        self._show_virtual(virtual, is_starting=is_starting)
        self._show_real(min(real, key=lambda entry: not entry.is_ready, default=None))

    def _show_virtual(self, entry: DeviceEntry | None, *, is_starting: bool) -> None:
        if entry is not None and entry.is_ready:
            self.virtual.show_phone(
                _("{phone} is running", phone=entry.name), _("New project..."), "plus", "ok"
            )
        elif is_starting:
            self.virtual.show_phone(_("It is starting..."), _("New project..."), "plus")
        else:
            self.virtual.show_phone(
                _("A simulated Android phone comes with the studio and records like a real one"),
                _("Start the virtual phone"), "play",
            )  # fmt: skip

    def _show_real(self, entry: DeviceEntry | None) -> None:
        error = self._services.devices.server_error
        if error is not None:
            self.real.show_phone(f"{error.what}. {error.to_do}", _("Connect over Wi-Fi..."), "wifi", "warn")
        elif entry is None:
            self.real.show_phone(
                _("Allow USB debugging on it and plug it in: it appears here by itself"),
                _("Connect over Wi-Fi..."), "wifi",
            )  # fmt: skip
        elif entry.is_ready:
            self.real.show_phone(
                _("{phone} is connected", phone=entry.name), _("New project..."), "plus", "ok"
            )
        else:
            self.real.show_phone(f"{entry.name}: {entry.words}", _("Connect over Wi-Fi..."), "wifi", "warn")

    @Slot()
    def _start(self) -> None:
        self._services.run_command("project.new-with-phone")

    @Slot()
    def _use_real(self) -> None:
        ready = [entry for entry in self._services.devices.entries if entry.is_ready and _is_real(entry)]
        if not ready:
            self._services.run_command("device.connect")
            return
        current = self._services.devices.current
        if current is None or current.serial not in [entry.serial for entry in ready]:
            self._services.devices.use(ready[0].serial)
        self._services.run_command("project.new")

    @Slot()
    def _run(self) -> None:
        self._services.run_command(self.sender().property("command"))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        # The button shows Enter as its key while it has the focus. Nobody's typing is interrupted.
        if not isinstance(QApplication.focusWidget(), QLineEdit):
            self.virtual.button.setFocus()
        super().showEvent(event)


class PhoneCard(QFrame):
    """A kind of phone, what is known of it now, and the button that goes on with it."""

    def __init__(self, icon: str, title: str, button: str, button_icon: str) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self.setFixedSize(_CARD_WIDTH, _CARD_HEIGHT)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(ThemeIcon(icon))
        head.addWidget(Label(title, "heading"), 1)
        column.addLayout(head)
        row = QHBoxLayout()
        row.setSpacing(6)
        self._state = ThemeIcon("state-ok")
        self.sentence = Label("", "body", "text-2", wrap=True)
        row.addWidget(self._state, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        column.addLayout(row)
        column.addStretch()
        self.button = EnterButton(button, button_icon, "primary" if icon == "phone" else "outlined")
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)

    def show_phone(self, sentence: str, button: str, button_icon: str, state: str = "") -> None:
        """Say what is known; ``state`` is ok, warn or empty."""
        self.sentence.setText(sentence)
        self._state.setVisible(bool(state))
        if state:
            self._state.set_icon(f"state-{state}")
        self.button.set_face(button, button_icon)


class _TourOffer(QFrame):
    """Offers the guided tour at the first start, and never again."""

    def __init__(self, services: WindowServices) -> None:
        super().__init__()
        self._services = services
        self.setProperty("surface", "card")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 10, 8)
        row.setSpacing(12)
        row.addWidget(ThemeIcon("flag", "accent"))
        row.addWidget(
            Label(_("New here? A tour of five minutes leads to a first recording and its verdict"), "name")
        )
        self.start = Button(_("Start the tour"), kind="outlined")
        self.not_now = Button(_("Not now"), kind="link")
        self.start.clicked.connect(self._begin)
        self.not_now.clicked.connect(self._end)
        row.addWidget(self.start)
        row.addWidget(self.not_now)
        if services.settings["window.tour-offered"]:
            self.hide()

        self._remove = services.commander.changed.subscribe(self._hide_in_tour)
        self.destroyed.connect(self._remove)

    def _hide_in_tour(self, _event: None) -> None:
        if self._services.commander.context.get("tour.running"):
            self.hide()

    @Slot()
    def _begin(self) -> None:
        self._services.run_command("tour.start")

    @Slot()
    def _end(self) -> None:
        self._services.settings.set("window.tour-offered", True)
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        self._services.settings.set("window.tour-offered", True)
        super().showEvent(event)


def _is_virtual(entry: DeviceEntry) -> bool:
    return entry.info is not None and entry.info.is_virtual


def _is_real(entry: DeviceEntry) -> bool:
    """Whether it is known for no virtual phone; one that takes commands answers soon who it is."""
    return not entry.info.is_virtual if entry.info is not None else not entry.is_ready
