"""Watch the video recorded beside the steps: each step is a chapter."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QSlider, QWidget

from collector.model.i18n import _
from collector.store.video.mkv import Chapter, VideoFacts
from collector.store.video.recorded_video import clock_text
from studio.bridge.video_playback import VideoPlayback
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.icon_button import IconButton
from studio.widgets.tables.act_list import ActEntry, ActList

_PICTURE = QSize(320, 560)
_REST = 280
"""At least so high is all that is around the picture."""
_CHAPTERS = 300
_KEY_STEP_MS, _PAGE_STEP_MS = 1000, 10_000


class VideoDialog(Dialog):
    """Opens at a place of the video and stands still. The list has its chapters, the slider all places."""

    opened_outside = Signal()
    """The person wants the file in a player of the desktop."""

    def __init__(self, path: Path, t_ms: int, title: str, parent: QWidget) -> None:
        super().__init__(title, _("Close"), parent, width=_PICTURE.width() + _CHAPTERS + 60)
        self.no.hide()
        self.playback = VideoPlayback(path, self)
        self.picture = _Picture(min(_PICTURE.height(), parent.window().height() - _REST))
        self.chapters = ActList(_("Chapters"))
        self.play = IconButton("play", _("Play"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.time = Label("", "body", "text-2")
        self.problem = Label("", "body", "err", wrap=True)
        self.outside = QPushButton(_("Open in a player"))
        self._starts: list[int] = []
        self._length_ms = 0
        self._lay_out()
        self._connect()
        self.playback.start(t_ms)

    def _lay_out(self) -> None:
        self.slider.setAccessibleName(_("Place in the video"))
        self.slider.setSingleStep(_KEY_STEP_MS)
        self.slider.setPageStep(_PAGE_STEP_MS)
        self.chapters.setFixedWidth(_CHAPTERS)
        self.problem.hide()
        self.outside.setAutoDefault(False)
        self.add_left(self.outside)
        middle, below = QHBoxLayout(), QHBoxLayout()
        middle.setSpacing(12)
        middle.addWidget(self.picture, 1)
        middle.addWidget(self.chapters)
        below.setSpacing(8)
        below.addWidget(self.play)
        below.addWidget(self.slider, 1)
        below.addWidget(self.time)
        self.body.addLayout(middle, 1)
        self.body.addWidget(self.problem)
        self.body.addLayout(below)

    def _connect(self) -> None:
        playback = self.playback
        playback.opened.connect(self._opened)
        playback.shown.connect(self._shown)
        playback.ended.connect(self._stopped)
        playback.failed.connect(self._failed)
        self.picture.resized.connect(playback.set_size)
        self.play.clicked.connect(self.toggle)
        self.slider.valueChanged.connect(playback.seek)
        self.chapters.chosen.connect(self._choose)
        self.outside.clicked.connect(self.opened_outside)
        self.finished.connect(playback.close)

    @Slot()
    def toggle(self) -> None:
        """Play, or stand still; at the end it plays from the beginning."""
        plays = not self.playback.plays
        if plays and self.slider.value() >= self._length_ms - 1:
            self.playback.seek(0)
        self.playback.play(plays)
        self._show_plays(plays)

    @Slot(object)
    def _opened(self, facts: VideoFacts) -> None:
        self._length_ms = facts.length_ms
        self._starts = [chapter.start_ms for chapter in facts.chapters]
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(1, facts.length_ms))
        self.slider.blockSignals(False)
        self.chapters.show_entries([_entry(chapter) for chapter in facts.chapters])

    @Slot(QImage, int)
    def _shown(self, image: QImage, t_ms: int) -> None:
        self.picture.show_image(image)
        self.time.setText(f"{clock_text(t_ms)} / {clock_text(self._length_ms)}")
        if not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(t_ms)
            self.slider.blockSignals(False)
        self.chapters.show_row(bisect_right(self._starts, t_ms) - 1)

    @Slot(object)
    def _choose(self, _entry: ActEntry) -> None:
        self.playback.seek(self._starts[self.chapters.currentIndex().row()])

    @Slot()
    def _stopped(self) -> None:
        self._show_plays(False)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._show_plays(False)
        self.problem.setText(str(error))
        self.problem.show()
        self.grow()
        self.play.setEnabled(False)
        self.slider.setEnabled(False)

    def _show_plays(self, plays: bool) -> None:
        self.play.set_icon("pause" if plays else "play", _("Pause") if plays else _("Play"))


class _Picture(QWidget):
    """A picture in the middle of its room, which keeps its shape."""

    resized = Signal(QSize)
    """Its size in pixels of the screen."""

    def __init__(self, height: int) -> None:
        """``height`` is its least one."""
        super().__init__()
        self._image = QImage()
        self.setMinimumSize(_PICTURE.width(), height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Video"))
        theme.changed.connect(self.update)

    def show_image(self, image: QImage) -> None:
        self._image = image
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.resized.emit(self.size() * self.devicePixelRatioF())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg-0"))
        if self._image.isNull():
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(0, 0, size.width(), size.height())
        place.moveCenter(self.rect().center())
        painter.drawImage(place, self._image)


def _entry(chapter: Chapter) -> ActEntry:
    return ActEntry("play", chapter.title, clock_text(chapter.start_ms), subject=str(chapter.start_ms))
