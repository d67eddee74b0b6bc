"""A moving picture of a few scenes: it plays once, can be paused, and is gone through scene by scene."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMovie, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton


class MovingPicture(QWidget):
    """Plays a file of the program once; nothing moves by itself where less motion is asked for."""

    changed = Signal()
    """Another scene is shown, or it plays or stops."""

    def __init__(self, path: Path, room: QSize) -> None:
        super().__init__()
        self._movie = QMovie(str(path), parent=self)
        self._movie.setCacheMode(QMovie.CacheMode.CacheAll)
        self._movie.jumpToFrame(0)
        self.count = self._movie.frameCount()
        """How many scenes there are."""
        self.scene = 0
        """The number of the scene that is shown, from 0."""
        self._clock = QTimer(self, interval=self._movie.nextFrameDelay())
        self._clock.timeout.connect(self._go_on)
        whole = self._movie.currentPixmap().size()
        self.setFixedSize(whole.scaled(room, Qt.AspectRatioMode.KeepAspectRatio))

    @property
    def is_playing(self) -> bool:
        """Whether the scenes go on by themselves."""
        return self._clock.isActive()

    def begin(self) -> None:
        """Play, unless less motion is asked for."""
        if theme.has_motion:
            self.switch()

    @Slot()
    def switch(self) -> None:
        """Pause, or play on; after the last scene from the first one."""
        if self.is_playing:
            self._clock.stop()
        else:
            self._clock.start()
            self._show(0 if self.scene == self.count - 1 else self.scene)
        self.changed.emit()

    def go(self, scene: int) -> None:
        """Show a scene, the first one after the last, and stay there."""
        self._clock.stop()
        self._show(scene % self.count)
        self.changed.emit()

    @Slot()
    def _go_on(self) -> None:
        self._show(self.scene + 1)
        if self.scene == self.count - 1:
            self._clock.stop()
        self.changed.emit()

    def _show(self, scene: int) -> None:
        self._movie.jumpToFrame(scene)
        self.scene = scene
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(self.rect(), self._movie.currentPixmap())
        painter.setPen(theme.color("line-2"))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


class PictureControls(QWidget):
    """Play or pause, the scene before and after, and which scene it is."""

    def __init__(self, picture: MovingPicture) -> None:
        super().__init__()
        self._picture = picture
        self.play = IconButton("play", _("Play"))
        self.back = IconButton("skipp", _("Scene before"))
        self.on = IconButton("skipn", _("Scene after"))
        self._place = Label("", "caption", "text-2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in (self.play, self.back, self.on, self._place):
            row.addWidget(part)
        row.addStretch()
        self.play.clicked.connect(picture.switch)
        self.back.clicked.connect(self._go_back)
        self.on.clicked.connect(self._go_on)
        picture.changed.connect(self._tell)
        self._tell()

    @Slot()
    def _go_back(self) -> None:
        self._picture.go(self._picture.scene - 1)

    @Slot()
    def _go_on(self) -> None:
        self._picture.go(self._picture.scene + 1)

    @Slot()
    def _tell(self) -> None:
        picture = self._picture
        self.play.set_icon(*(("pause", _("Pause")) if picture.is_playing else ("play", _("Play"))))
        self._place.setText(_("Scene {number} of {count}", number=picture.scene + 1, count=picture.count))
