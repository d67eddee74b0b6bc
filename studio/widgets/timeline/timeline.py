"""The timeline with its header: title, transport buttons, speed, zoom and lane menu."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSlider, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Button
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.canvas import MAX_SLOT, MIN_SLOT, TimelineCanvas
from studio.widgets.timeline.lanes import Track

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
_SHORTEST_MS = 60
_LONGEST_MS = 2000
_HEADER = 32


class TimelineHeader(QWidget):
    """The header of 32 px; the timeline connects its buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = ""
        self.first = IconButton("skipp", _("First step"), size=24)
        self.previous = IconButton("chevl", _("Previous step"), size=24)
        self.play = IconButton("play", _("Play"), size=24)
        self.next = IconButton("chevr", _("Next step"), size=24)
        self.last = IconButton("skipn", _("Last step"), size=24)
        self.speed = Button(small=True)
        self.speed.setAccessibleName(_("Playback speed"))
        self.zoom_out = IconButton("minus", _("Narrower steps"), size=24)
        self.zoom = QSlider(Qt.Orientation.Horizontal)
        self.zoom.setRange(MIN_SLOT, MAX_SLOT)
        self.zoom.setFixedWidth(64)
        self.zoom.setAccessibleName(_("Width of a step"))
        self.zoom_in = IconButton("plus", _("Wider steps"), size=24)
        self.lanes = IconButton("list", _("Lanes"), size=24)
        self._lay_out()
        theme.changed.connect(self.update)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(4)
        row.addStretch(1)
        for widget in (self.first, self.previous, self.play, self.next, self.last):
            row.addWidget(widget)
        row.addSpacing(12)
        row.addWidget(self.speed)
        row.addSpacing(8)
        row.addWidget(self.zoom_out)
        row.addWidget(self.zoom)
        row.addWidget(self.zoom_in)
        row.addWidget(self.lanes)

    def set_about(self, text: str) -> None:
        """Set the title, as in ``shop-14 · golden-2 · lin``."""
        self._about = text
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint().width(), _HEADER)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg-1"))
        line = theme.color("line")
        painter.fillRect(0, 0, self.width(), 1, line)
        painter.fillRect(0, self.height() - 1, self.width(), 1, line)
        room = self.first.x() - 12
        used = draw_text(painter, QRect(12, 0, room, self.height()), _("Timeline"), "heading")
        rest = QRect(24 + used, 0, room - used - 24, self.height())
        draw_text(painter, rest, self._about, "body", "text-2")
        for beside in (self.speed.x() - 8, self.zoom_out.x() - 6):
            painter.fillRect(beside, 9, 1, self.height() - 18, line)


class Timeline(QWidget):
    """Emits the slot that the person chose; the owner sets the current one."""

    slot_chosen = Signal(int)

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = TimelineHeader()
        self.canvas = TimelineCanvas(thumbnails)
        self._speed = 1.0
        self._playing = QTimer(self)
        self._playing.setSingleShot(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas, 1)
        self.header.setFixedHeight(_HEADER)
        self._connect()
        self._show_speed()

    def _connect(self) -> None:
        head, canvas = self.header, self.canvas
        canvas.slot_chosen.connect(self.slot_chosen)
        canvas.scale_changed.connect(head.zoom.setValue)
        head.zoom.setValue(canvas.slot_width)
        head.zoom.valueChanged.connect(canvas.set_slot_width)
        head.first.clicked.connect(self.go_first)
        head.previous.clicked.connect(self.go_back)
        head.next.clicked.connect(self.go_on)
        head.last.clicked.connect(self.go_last)
        head.play.clicked.connect(self.toggle_play)
        head.speed.clicked.connect(self.next_speed)
        head.zoom_out.clicked.connect(self.narrower)
        head.zoom_in.clicked.connect(self.wider)
        head.lanes.clicked.connect(self._open_lanes)
        canvas.lanes_asked.connect(self._open_lanes_at)
        self._playing.timeout.connect(self._play_on)

    def set_track(self, track: Track, about: str = "") -> None:
        """Show a track; playback stops when no slot is left to play."""
        self.canvas.set_track(track)
        self.header.set_about(about)
        for button in (self.header.first, self.header.previous, self.header.next, self.header.last):
            button.setEnabled(track.count > 0)
        self.header.play.setEnabled(track.count > 1)
        if track.count < 2:
            self._stop()

    def set_current(self, slot: int) -> None:
        """Move the cursor without a signal."""
        self.canvas.set_current(slot)

    # -- transport ---------------------------------------------------------
    @Slot()
    def go_first(self) -> None:
        self.canvas.choose(0)

    @Slot()
    def go_back(self) -> None:
        self.canvas.choose(self.canvas.current - 1)

    @Slot()
    def go_on(self) -> None:
        self.canvas.choose(self.canvas.current + 1)

    @Slot()
    def go_last(self) -> None:
        self.canvas.choose(self.canvas.track.count - 1)

    @property
    def is_playing(self) -> bool:
        return self._playing.isActive()

    @Slot()
    def toggle_play(self) -> None:
        """Start or stop playback at the pace of the recording; at the end it starts again from slot 0."""
        if self.is_playing:
            self._stop()
            return
        if self.canvas.current >= self.canvas.track.count - 1:
            self.go_first()
        self.header.play.set_icon("pause", _("Pause"))
        self._wait()

    def _stop(self) -> None:
        self._playing.stop()
        self.header.play.set_icon("play", _("Play"))

    def _wait(self) -> None:
        """Delay to the next slot in milliseconds; long pauses are shortened."""
        gap = self.canvas.track.gap_ms(self.canvas.current)
        self._playing.start(int(max(_SHORTEST_MS, min(gap, _LONGEST_MS) / self._speed)))

    @Slot()
    def _play_on(self) -> None:
        self.go_on()
        if self.canvas.current >= self.canvas.track.count - 1:
            self._stop()
        else:
            self._wait()

    @property
    def speed(self) -> float:
        return self._speed

    @Slot()
    def next_speed(self) -> None:
        """Switch to the next speed, from 0.5 to 8 times and round again."""
        self._speed = SPEEDS[(SPEEDS.index(self._speed) + 1) % len(SPEEDS)]
        self._show_speed()

    def _show_speed(self) -> None:
        self.header.speed.set_face(f"{self._speed:g}x")
        self.header.speed.setToolTip(_("Playback speed"))

    # -- zoom and lanes ----------------------------------------------------
    @Slot()
    def narrower(self) -> None:
        self.canvas.set_slot_width(round(self.canvas.slot_width / 1.25))

    @Slot()
    def wider(self) -> None:
        self.canvas.set_slot_width(round(self.canvas.slot_width * 1.25))

    def lanes_menu(self) -> QMenu:
        """Show the menu that hides lanes other than the film strip."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        lanes = {lane.title: lane for lane in reversed(self.canvas.track.lanes[1:])}
        for lane in reversed(lanes.values()):
            action = menu.addAction(lane.title)
            action.setCheckable(True)
            action.setChecked(not self.canvas.is_lane_hidden(lane.title))
            action.setEnabled(not lane.is_empty())
        menu.triggered.connect(self._lane_toggled)
        return menu

    @Slot()
    def _open_lanes(self) -> None:
        button = self.header.lanes
        self.lanes_menu().popup(button.mapToGlobal(QPoint(0, button.height())))

    @Slot(QPoint)
    def _open_lanes_at(self, place: QPoint) -> None:
        self.lanes_menu().popup(place)

    @Slot(object)
    def _lane_toggled(self, action: object) -> None:
        self.canvas.set_lane_shown(action.text(), action.isChecked())  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Space:
            self.toggle_play()
        else:
            super().keyPressEvent(event)
