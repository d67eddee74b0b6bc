"""The anomaly on show as the phone will show it, light or dark, while its words are typed."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.anomalies.model import NATIVE, Anomaly
from collector.model.i18n import _
from studio.bridge.previews import AnomalyPreviews, PreviewKey, key_of
from studio.theme import theme
from studio.widgets.controls import Label, SegmentedControl, surface
from studio.widgets.painting import draw_screen_image

LIGHT, DARK = "light", "dark"
_TYPING_MS = 200
_WIDEST, _MARGIN, _RADIUS = 360, 24, 12


class _Picture(QWidget):
    """A picture as large as there is room, and no larger than a phone is wide."""

    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self.nothing = False
        """Whether it is known that there is nothing to see."""
        self.setMinimumSize(120, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDEST, _WIDEST)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.image.isNull():
            if self.nothing:
                theme.draw_icon_in(QPainter(self), "eyeoff", self.rect(), 48, "text-3")
            return
        room = QSize(min(self.width(), _WIDEST) if not self._lies else self.width(), self.height())
        size = self.image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2,
                     size.width(), size.height())  # fmt: skip
        draw_screen_image(QPainter(self), box, self.image, _RADIUS)

    @property
    def _lies(self) -> bool:
        return self.image.width() > self.image.height() * 2


class AnomalyPreviewPane(QWidget):
    """Shows what it was given last until the next picture is there."""

    changed = Signal()
    """Another picture is shown, or none."""

    def __init__(self, previews: AnomalyPreviews) -> None:
        super().__init__()
        self._previews = previews
        self._anomaly: Anomaly | None = None
        self._values: dict[str, object] = {}
        self._wanted: PreviewKey | None = None
        self.schemes = SegmentedControl([(LIGHT, _("Light"), ""), (DARK, _("Dark"), "moon")])
        self.schemes.set_current(DARK if theme.scheme == "dark" else LIGHT)
        self.picture = _Picture()
        self.caption = Label("", "caption", "text-2", wrap=True)
        self.caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._lay_out()
        self._typing.timeout.connect(self._ask)
        self.schemes.chosen.connect(self._ask)
        previews.arrived.connect(self._arrived)

    def _lay_out(self) -> None:
        bar = surface("panel", "bottom")
        bar.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 8, 0)
        row.addWidget(Label(_("Preview"), "heading"))
        row.addStretch(1)
        row.addWidget(self.schemes)
        stage = surface("canvas")
        inner = QVBoxLayout(stage)
        inner.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        inner.setSpacing(12)
        inner.addWidget(self.picture, 1)
        inner.addWidget(self.caption)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(stage, 1)

    @property
    def dark(self) -> bool:
        """Whether the phone of the picture is dark."""
        return self.schemes.current == DARK

    def toggle_dark(self) -> None:
        """Show the phone dark instead of light, or light instead of dark."""
        self.schemes.set_current(LIGHT if self.dark else DARK)
        self._ask()

    def show_anomaly(self, anomaly: Anomaly | None) -> None:
        """Show an anomaly as it is written."""
        if anomaly is None or self._anomaly is None or anomaly.id != self._anomaly.id:
            self.picture.image, self.picture.nothing = QImage(), False
            self.picture.update()
            self.caption.clear()
        self._anomaly, self._values = anomaly, {}
        self._ask()

    def show_draft(self, values: dict[str, object]) -> None:
        """Show it with values that are being typed, once there is a pause."""
        self._values = values
        self._typing.start()

    @Slot()
    def _ask(self) -> None:
        self._typing.stop()
        if self._anomaly is None:
            return
        self._wanted = key_of(self._anomaly, self._values, dark=self.dark)
        picture = self._previews.request(self._anomaly, self._values, dark=self.dark)
        if picture is not None:
            self._show(picture)
        elif self.picture.image.isNull():
            self.caption.setText(_("Drawing..."))

    @Slot(object)
    def _arrived(self, key: PreviewKey) -> None:
        if key == self._wanted:
            self._ask()

    def _show(self, picture: QImage) -> None:
        self.picture.image, self.picture.nothing = picture, picture.isNull()
        said = _("As the phone shows it")
        if picture.isNull() and self._anomaly is not None and self._anomaly.kind == NATIVE:
            said = _("Nothing of this is seen on the phone's screen")
        elif picture.isNull():
            said = _("There is no picture of this dialog")
        self.caption.setText(said)
        self.picture.setAccessibleName(said)
        self.picture.update()
        self.changed.emit()
