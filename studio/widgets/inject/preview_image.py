"""The preview of an anomaly as the phone will show it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painting import draw_screen_image, draw_text


class PreviewImage(QWidget):
    """An image scaled to the widget; a text while there is none."""

    def __init__(self, size: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self.setFixedSize(size)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("As the phone will show it"))
        theme.changed.connect(self.update)

    def show_image(self, image: QImage | None) -> None:
        """Show an image; None while it is being drawn, a null image when the phone shows nothing."""
        self._image = image
        self.setAccessibleDescription(self._words)
        self.update()

    @property
    def image(self) -> QImage | None:
        return self._image

    @property
    def _words(self) -> str:
        if self._image is None:
            return _("Drawing...")
        return _("Nothing of it shows") if self._image.isNull() else ""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._words or self._image is None:
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(theme.color("bg-3"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            place = self.rect().adjusted(6, 0, -6, 0)
            draw_text(painter, place, self._words, "caption", "text-2", Qt.AlignmentFlag.AlignHCenter)
            return
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2,
                     size.width(), size.height())  # fmt: skip
        draw_screen_image(painter, box, self._image, 6)
