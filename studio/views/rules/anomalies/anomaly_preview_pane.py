"""The preview of the selected anomaly as the phone will show it, light or dark, while it is edited."""

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


class _PreviewImage(QWidget):
    """An image as large as the widget allows, at most as wide as a phone."""

    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self.shows_nothing = False
        """Whether the anomaly shows shows_nothing on the screen."""
        self.setMinimumSize(120, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDEST, _WIDEST)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.image.isNull():
            if self.shows_nothing:
                theme.draw_icon_in(QPainter(self), "eyeoff", self.rect(), 48, "text-3")
            return
        room = QSize(min(self.width(), _WIDEST) if not self._is_wide else self.width(), self.height())
        size = self.image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2,
                     size.width(), size.height())  # fmt: skip
        draw_screen_image(QPainter(self), box, self.image, _RADIUS)

    @property
    def _is_wide(self) -> bool:
        return self.image.width() > self.image.height() * 2


class AnomalyPreviewPane(QWidget):
    """Shows the last image until the next one is drawn."""

    changed = Signal()
    """Another image is shown, or none."""

    def __init__(self, previews: AnomalyPreviews) -> None:
        super().__init__()
        self._previews = previews
        self._anomaly: Anomaly | None = None
        self._values: dict[str, object] = {}
        self._preview_key: PreviewKey | None = None
        self.schemes = SegmentedControl([(LIGHT, _("Light"), ""), (DARK, _("Dark"), "moon")])
        self.schemes.set_current(DARK if theme.scheme == "dark" else LIGHT)
        self.picture = _PreviewImage()
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
        """Whether the preview shows a dark phone."""
        return self.schemes.current == DARK

    def toggle_dark(self) -> None:
        """Show the phone dark instead of light, or light instead of dark."""
        self.schemes.set_current(LIGHT if self.dark else DARK)
        self._ask()

    def show_anomaly(self, anomaly: Anomaly | None) -> None:
        """Show an anomaly with the values of its document."""
        if anomaly is None or self._anomaly is None or anomaly.id != self._anomaly.id:
            self.picture.image, self.picture.shows_nothing = QImage(), False
            self.picture.update()
            self.caption.clear()
        self._anomaly, self._values = anomaly, {}
        self._ask()

    def show_draft(self, values: dict[str, object]) -> None:
        """Show it with values that are being typed, after a pause in typing."""
        self._values = values
        self._typing.start()

    @Slot()
    def _ask(self) -> None:
        self._typing.stop()
        if self._anomaly is None:
            return
        self._preview_key = key_of(self._anomaly, self._values, dark=self.dark)
        picture = self._previews.request(self._anomaly, self._values, dark=self.dark)
        if picture is not None:
            self._show(picture)
        elif self.picture.image.isNull():
            self.caption.setText(_("Drawing..."))

    @Slot(object)
    def _arrived(self, key: PreviewKey) -> None:
        if key == self._preview_key:
            self._ask()

    def _show(self, picture: QImage) -> None:
        self.picture.image, self.picture.shows_nothing = picture, picture.isNull()
        caption = _("As the phone shows it")
        if picture.isNull() and self._anomaly is not None and self._anomaly.kind == NATIVE:
            caption = _("Nothing of this is seen on the phone's screen")
        elif picture.isNull():
            caption = _("There is no picture of this dialog")
        self.caption.setText(caption)
        self.picture.setAccessibleName(caption)
        self.picture.update()
        self.changed.emit()
