"""Buttons beside the mirror for the hardware keys of the phone and for capture tools."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QSize, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import N_, _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.icon_button import IconButton
from studio.widgets.info_card import draw_card

_WIDTH = 36
_BUTTON = 28
_GROUPS = (
    (("back", "back", N_("Back")), ("home", "home", N_("Home")), ("recents", "recents", N_("Recent apps"))),
    (
        ("power", "power", N_("Power")),
        ("vol", "volume_up", N_("Volume up; right click for down")),
        ("rotate", "", N_("Rotate the screen")),
    ),
    (
        ("keyb", "", N_("Show or hide the phone's keyboard")),
        ("camera", "", N_("Save a picture of the screen")),
        ("refresh", "", N_("Read screen and tree again")),
    ),
)


class KeyBar(QWidget):
    """Emits a signal for keys of the phone, and another one for each other button."""

    key_pressed = Signal(str, int)
    """A key by its name, once it is lifted, and for how many milliseconds it was down."""
    rotate_requested = Signal()
    keyboard_requested = Signal()
    screenshot_requested = Signal()
    refresh_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, IconButton] = {}
        """Buttons by the name of their icon."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Keys of the phone"))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(0)
        for index, group in enumerate(_GROUPS):
            if index:
                column.addSpacing(7)
            for icon, _key, name in group:
                button = IconButton(icon, _(name), size=_BUTTON)
                self.buttons[icon] = button
                column.addWidget(button)
        self._down = QElapsedTimer()
        """Since the button that is pressed went down."""
        self._connect()
        theme.changed.connect(self.update)

    def _connect(self) -> None:
        for button in self.buttons.values():
            button.pressed.connect(self._down.start)
            button.clicked.connect(self._clicked)
        self.buttons["rotate"].clicked.connect(self.rotate_requested)
        self.buttons["keyb"].clicked.connect(self.keyboard_requested)
        self.buttons["camera"].clicked.connect(self.screenshot_requested)
        self.buttons["refresh"].clicked.connect(self.refresh_requested)

    @Slot()
    def _clicked(self) -> None:
        for icon, key, _name in (item for group in _GROUPS for item in group):
            if key and self.sender() is self.buttons[icon]:
                self.key_pressed.emit(key, self._down.elapsed())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if self.buttons["vol"].geometry().contains(event.pos()):
            self.key_pressed.emit("volume_down", 0)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDTH, 8 + 9 * _BUTTON + 14)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        draw_card(painter, self.rect())
        for name in ("power", "keyb"):
            painter.fillRect(8, self.buttons[name].y() - 4, _WIDTH - 16, 1, theme.color("line"))
