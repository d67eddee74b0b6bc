"""The timeline of one to four trajectories side by side: range, loop, clock, next difference and previews."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping

from PySide6.QtCore import QPoint, QRect, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QImage
from PySide6.QtWidgets import QMenu, QWidget

from collector.model.i18n import _
from rule_editor.widgets.popup_menu import PopupMenu
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.aligned_header import AlignedHeader
from studio.widgets.timeline.axis import TimeAxis
from studio.widgets.timeline.canvas import TimelineCanvas
from studio.widgets.timeline.lanes import Track
from studio.widgets.timeline.sizes import ALIGNED_SIZES
from studio.widgets.timeline.thumb_preview import ThumbPreview
from studio.widgets.timeline.timeline import SPEEDS, Timeline

PREVIEW_MS = 350
"""How long the pointer rests on a thumbnail before its preview opens."""


class AlignedTimeline(Timeline):
    """Emits what the person asks for; the owner runs its commands, and sets the current slot."""

    next_difference_asked = Signal()
    range_chosen = Signal(object)
    """The slots the person selected, as a range; None when no longer any."""
    loop_changed = Signal(bool)
    axis_changed = Signal(str)
    """A value of :class:`TimeAxis`."""
    end_asked = Signal()
    """The last step: of which trajectory is the owner's to know."""
    preview_asked = Signal(object)
    """The key of a thumbnail of which a sharp picture would be good: give it to :meth:`show_preview`."""

    header: AlignedHeader

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        canvas = TimelineCanvas(thumbnails, sizes=ALIGNED_SIZES, side_by_side=True)
        super().__init__(thumbnails, parent, header=AlignedHeader(), canvas=canvas)
        self.preview = ThumbPreview(thumbnails, self)
        self._hovered = (-1, -1)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(PREVIEW_MS)
        self._rest.timeout.connect(self._open_preview)
        canvas.range_chosen.connect(self.range_chosen)
        canvas.thumb_hovered.connect(self._hover)
        canvas.horizontalScrollBar().valueChanged.connect(self._close_preview)
        head = self.header
        head.next_difference.clicked.connect(self.next_difference_asked)
        head.loop.toggled.connect(self._loop_toggled)
        head.fit.clicked.connect(canvas.fit_all)
        head.axis.chosen.connect(self._axis_chosen)

    # -- what is shown -------------------------------------------------------
    def set_track(self, track: Track, about: str = "") -> None:
        """Show aligned trajectories; the range stays where its slots still exist."""
        super().set_track(track, about)
        head = self.header
        head.show_differences(len(track.differences) if len(track.groups) > 1 else None)
        head.axis.setEnabled(track.has_times)
        head.axis.setToolTip("" if track.has_times else _("These trajectories have no times"))
        head.axis.set_current(self._segment)
        self._close_preview()

    @property
    def _segment(self) -> str:
        return (TimeAxis.STEP if self.canvas.axis is TimeAxis.STEP else TimeAxis.CLOCK).value

    def set_range(self, slots: range | None) -> None:
        """Select slots without a signal; None selects none."""
        self.canvas.set_range(slots)

    def set_matching(self, slots: Collection[int] | None) -> None:
        """Dim the slots that a filter leaves out; None for no filter."""
        self.canvas.set_matching(slots)

    def set_bookmarks(self, bookmarks: Mapping[int, str]) -> None:
        """Mark slots on the ruler, each with its text."""
        self.canvas.set_bookmarks(bookmarks)

    def set_axis(self, axis: TimeAxis) -> None:
        """Show slots by step or by the clock, without a signal."""
        self.canvas.set_axis(axis)
        self.header.axis.set_current(self._segment)
        self._close_preview()

    def set_loop(self, on: bool) -> None:
        """Play the range, or everything, again and again."""
        super().set_loop(on)
        self.header.loop.setChecked(on)

    # -- what the person asks for --------------------------------------------
    def next_difference(self) -> int | None:
        """The slot of the next difference after the cursor, from the end round again; None without any."""
        firsts = [mark.first for mark in self.canvas.track.differences]
        return next((slot for slot in firsts if slot > self.canvas.current), firsts[0] if firsts else None)

    @Slot()
    def go_last(self) -> None:
        """Ask for the last step."""
        self.end_asked.emit()

    @Slot(bool)
    def _loop_toggled(self, on: bool) -> None:
        if on != self.is_looping:
            super().set_loop(on)
            self.loop_changed.emit(on)

    @Slot(str)
    def _axis_chosen(self, segment: str) -> None:
        self.set_axis(TimeAxis(segment))
        self.axis_changed.emit(self.canvas.axis.value)

    @Slot()
    def _speed_clicked(self) -> None:
        button = self.header.speed
        self.speed_menu().popup(button.mapToGlobal(QPoint(0, button.height())))

    def speed_menu(self) -> QMenu:
        """The menu of the speeds of playback."""
        menu = PopupMenu(self)
        for speed in SPEEDS:
            action = menu.addAction(f"{speed:g}x")
            action.setCheckable(True)
            action.setChecked(speed == self.speed)
            action.setData(speed)
        menu.triggered.connect(self._speed_picked)
        return menu

    @Slot(object)
    def _speed_picked(self, action: object) -> None:
        self.set_speed(action.data())  # type: ignore[attr-defined]

    def lanes_menu(self) -> QMenu:
        """The menu of lanes, and of what the clock is."""
        menu = super().lanes_menu()
        menu.addSeparator()
        common = menu.addAction(_("One clock for all trajectories"))
        common.setCheckable(True)
        common.setChecked(self.canvas.axis is TimeAxis.COMMON_CLOCK)
        common.setEnabled(self.canvas.axis is not TimeAxis.STEP)
        common.setData(TimeAxis.COMMON_CLOCK)
        return menu

    @Slot(object)
    def _lane_toggled(self, action: object) -> None:
        if action.data() is None:  # type: ignore[attr-defined]
            super()._lane_toggled(action)
            return
        common = action.isChecked()  # type: ignore[attr-defined]
        self._axis_chosen((TimeAxis.COMMON_CLOCK if common else TimeAxis.CLOCK).value)

    def begin_range(self) -> None:
        """Let the range begin at the cursor, as the person does; it ends where it did, or at the cursor."""
        slot, chosen = self.canvas.current, self.canvas.selected
        last = chosen[-1] if chosen is not None else slot
        self.canvas.choose_range(range(slot, max(slot, last) + 1))

    def end_range(self) -> None:
        """Let the range end at the cursor, as the person does; it begins where it did, or at the cursor."""
        slot, chosen = self.canvas.current, self.canvas.selected
        first = chosen[0] if chosen is not None else slot
        self.canvas.choose_range(range(min(slot, first), slot + 1))

    # -- previews --------------------------------------------------------------
    def show_preview(self, key: Hashable, image: QImage) -> None:
        """Show a sharp picture in the preview that asked for it."""
        self.preview.set_picture(key, image)

    @Slot(int, int)
    def _hover(self, slot: int, group: int) -> None:
        self._hovered = (slot, group)
        if slot < 0:
            self._close_preview()
        elif self.preview.isVisible():
            self._open_preview()
        else:
            self._rest.start()

    @Slot()
    def _open_preview(self) -> None:
        slot, group = self._hovered
        canvas = self.canvas
        if not (0 <= slot < canvas.track.count and group < len(canvas.track.groups)):
            return
        film, grid = canvas.view.film_slot(slot, group), canvas.grid(group)
        place = QRect(
            grid.x(slot), canvas.view.film_top(group), grid.thumb_width + 2 * grid.inset, ALIGNED_SIZES.film
        )
        beside = QRect(canvas.viewport().mapTo(self.window(), place.topLeft()), place.size())
        self.preview.show_step(film.thumb, film.aspect, canvas.track.groups[group].caption(slot), beside)
        if film.thumb is not None:
            self.preview_asked.emit(film.thumb)

    @Slot()
    def _close_preview(self) -> None:
        self._rest.stop()
        self.preview.close_preview()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self._close_preview()
        super().hideEvent(event)
