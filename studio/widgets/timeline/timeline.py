"""The timeline with its header: transport buttons, playback, zoom and lane menu."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme.mirroring import keep_left_to_right
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.canvas import TimelineCanvas
from studio.widgets.timeline.header import TimelineHeader
from studio.widgets.timeline.lanes import Track

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
_SHORTEST_MS = 60
_LONGEST_MS = 2000
_ZOOM = 1.25


class Timeline(QWidget):
    """Emits the slot that the person chose; the owner sets the current one."""

    slot_chosen = Signal(int)
    track_changed = Signal()
    speed_changed = Signal(float)
    playing_changed = Signal(bool)

    def __init__(
        self, thumbnails: ThumbnailCache, parent: QWidget | None = None, *,
        header: TimelineHeader | None = None, canvas: TimelineCanvas | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        keep_left_to_right(self)
        self.header = header or TimelineHeader()
        self.canvas = canvas or TimelineCanvas(thumbnails)
        self._speed = 1.0
        self._loop = False
        self._is_playing = False
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas, 1)
        self._connect()
        self._show_speed()

    def _connect(self) -> None:
        head, canvas = self.header, self.canvas
        canvas.slot_chosen.connect(self.slot_chosen)
        canvas.scale_changed.connect(head.show_scale)
        head.show_scale(canvas.slot_width)
        head.zoom.valueChanged.connect(self._zoom_to)
        head.first.clicked.connect(self.go_first)
        head.previous.clicked.connect(self.go_back)
        head.next.clicked.connect(self.go_on)
        head.last.clicked.connect(self.go_last)
        head.play.clicked.connect(self.toggle_play)
        head.speed.clicked.connect(self._speed_clicked)
        head.zoom_out.clicked.connect(self.narrower)
        head.zoom_in.clicked.connect(self.wider)
        head.lanes.clicked.connect(self._open_lanes)
        canvas.lanes_asked.connect(self._open_lanes_at)
        self._next.timeout.connect(self._play_on)

    def set_track(self, track: Track, about: str = "") -> None:
        """Show a track; playback stops when no slot is left to play."""
        self.canvas.set_track(track)
        self.header.set_about(about)
        for button in self.header.transport:
            button.setEnabled(track.count > 0)
        self.header.play.setEnabled(track.count > 1)
        if track.count < 2:
            self._stop()
        self.track_changed.emit()

    @property
    def content_height(self) -> int:
        """The height that the header and all lanes take."""
        return self.header.height() + self.canvas.content_height() + 1

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
        return self._is_playing

    @property
    def _played(self) -> range:
        """The slots that are played: the selected range, or all."""
        return self.canvas.selected or range(self.canvas.track.count)

    @Slot()
    def toggle_play(self) -> None:
        """Start or stop playback at the pace of the recording; at the end it starts again."""
        if self._is_playing:
            self._stop()
            return
        played = self._played
        if len(played) < 2:
            return
        self._is_playing = True
        if self.canvas.current not in played[:-1]:
            self.canvas.choose(played.start)
        self.header.play.set_icon("pause", _("Pause"))
        self._wait()
        self.playing_changed.emit(True)

    def _stop(self) -> None:
        if not self._is_playing:
            return
        self._is_playing = False
        self._next.stop()
        self.header.play.set_icon("play", _("Play"))
        self.playing_changed.emit(False)

    def _wait(self) -> None:
        """Delay to the next slot in milliseconds; long pauses are shortened."""
        gap = self.canvas.track.gap_ms(self.canvas.current)
        self._next.start(int(max(_SHORTEST_MS, min(gap, _LONGEST_MS) / self._speed)))

    @Slot()
    def _play_on(self) -> None:
        played = self._played
        at_end = self.canvas.current >= played.stop - 1
        if at_end and self._loop:
            self.canvas.choose(played.start)
        else:
            self.go_on()
        if self.canvas.current >= played.stop - 1 and not self._loop:
            self._stop()
        elif self._is_playing:  # whoever follows the cursor may stop it
            self._wait()

    @property
    def is_looping(self) -> bool:
        return self._loop

    def set_loop(self, on: bool) -> None:
        """Play the selected range, or everything, again and again."""
        self._loop = on

    @property
    def speed(self) -> float:
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Play at one of :data:`SPEEDS`. Raises ValueError for another."""
        if speed not in SPEEDS:
            raise ValueError(f"{speed} is no speed of playback")
        if speed != self._speed:
            self._speed = speed
            self._show_speed()
            self.speed_changed.emit(speed)

    @Slot()
    def next_speed(self) -> None:
        """Switch to the next speed, from 0.5 to 8 times and round again."""
        self.set_speed(SPEEDS[(SPEEDS.index(self._speed) + 1) % len(SPEEDS)])

    @Slot()
    def _speed_clicked(self) -> None:
        self.next_speed()

    def _show_speed(self) -> None:
        self.header.speed.set_face(f"{self._speed:g}x")
        self.header.speed.setToolTip(_("Playback speed"))

    # -- zoom and lanes ----------------------------------------------------
    @Slot(int)
    def _zoom_to(self, value: int) -> None:
        self.canvas.set_slot_width(self.header.slot_width(value))

    @Slot()
    def narrower(self) -> None:
        self.canvas.set_slot_width(self.canvas.slot_width / _ZOOM)

    @Slot()
    def wider(self) -> None:
        self.canvas.set_slot_width(self.canvas.slot_width * _ZOOM)

    def lanes_menu(self) -> QMenu:
        """Show the menu that hides lanes other than the film strips."""
        menu = PopupMenu(self)
        lanes = [lane for group in self.canvas.track.groups for lane in group.lanes[1:]]
        for title in dict.fromkeys(lane.title for lane in lanes):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(not self.canvas.is_lane_hidden(title))
            action.setEnabled(any(lane.title == title and not lane.is_empty() for lane in lanes))
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
