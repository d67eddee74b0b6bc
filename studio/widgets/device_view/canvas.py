"""Draw a phone's screen at any zoom, with overlays: the part of the device view without input."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.captions.node_text import node_size, short_kind
from studio.widgets.device_view.highlight import USUAL_OVERLAYS, Highlight, HighlightStyle, Overlay, Trace
from studio.widgets.device_view.highlight_painter import (
    NodeBoxes,
    draw_highlights,
    grown,
    node_highlight,
    outline,
    q,
)
from studio.widgets.device_view.injected_dialogs import injected_dialogs
from studio.widgets.device_view.trace_painter import draw_traces
from studio.widgets.device_view.transform import ViewTransform
from studio.widgets.device_view.view_frame import FramePainter, ViewFrame
from studio.widgets.node_selection import NodeSelection
from studio.widgets.painted_items import Role

FrameSource = Callable[[], ViewFrame | None]
_FRAME = 2
_GAP = 2
_CORNER = 4
_NOTICE_WIDTH = 140
_CORNER_LENGTH = 18
_ZOOM_STEP = 1.25
_NO_SCREEN = Size(1080, 2400)
"""Size of the outline before the phone's own is known."""


class ScreenCanvas(QWidget):
    """Show frames and marks within a 1 px outline.

    Frames are given to :meth:`show_frame`, or fetched from the source of :meth:`set_frame_source` at
    :meth:`frame_arrived`; only the newest frame is painted, and of it only what changed.
    """

    margin = 20
    """Least distance in logical pixels between a fitted screen and the edge of the view."""
    view_size_wanted = Signal(object)
    """The Size in physical pixels frames should be scaled to, for the decode thread."""
    zoom_changed = Signal()
    overlays_changed = Signal()

    spoken_role = Role.Canvas

    def __init__(self, selection: NodeSelection | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self.selection = selection or NodeSelection(self)
        self._source: FrameSource | None = None
        self._frame: ViewFrame | None = None
        self._picture = FramePainter()
        self._boxes = NodeBoxes()
        self._transform = ViewTransform.fit(_NO_SCREEN, Size(100, 100))
        self._fitted = True
        self._overlays = USUAL_OVERLAYS
        self._traces: tuple[Trace, ...] = ()
        self._density = 0
        self._marks: dict[Overlay, tuple[Highlight, ...]] = {}
        self._notice = ("", "")
        self._requested_size: Size | None = None
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.timeout.connect(self.update)
        self.paint_ms = 0.0
        """Duration of the last repaint in milliseconds."""
        self.latency_ms: float | None = None
        """From the last byte of the newest live frame to the end of its painting."""
        self.frames_painted = 0
        """Number of frames of the source that were shown."""
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._injected: tuple[Tree | None, list[Highlight]] = (None, [])
        self.setMinimumSize(120, 160)
        self.setAccessibleName(_("Phone screen"))
        self._listen()

    def _listen(self) -> None:
        self.selection.selected_changed.connect(self._flash_selected)
        for changed in (
            self.selection.tree_changed,
            self.selection.selected_changed,
            self.selection.hovered_changed,
            self.selection.hits_changed,
            theme.changed,
        ):
            changed.connect(self._repaint)

    # -- what is shown -----------------------------------------------------
    @property
    def frame(self) -> ViewFrame | None:
        """The frame now shown."""
        return self._frame

    @property
    def screen_size(self) -> Size:
        """Size of the phone's screen in device pixels, of the frame now shown."""
        return self._transform.screen

    def set_frame_source(self, take: FrameSource | None) -> None:
        """Set the function that returns the newest frame, or None when there is nothing newer."""
        self._source = take

    @Slot()
    def frame_arrived(self) -> None:
        """Fetch a newer frame and paint it now: an update would wait for the next turn of the event loop."""
        if not self.isVisible():
            return  # the source keeps it for the next repaint
        before, newest = self._frame, self._fetch()
        if newest is None:
            return
        transform = self._transform
        changed = newest.changed_since(before)
        if changed is None or newest.pixel_size != transform.image:
            self.repaint()
        elif not changed.is_empty:
            place = transform.image_rect
            self.repaint(self._logical(changed.translated(place.left, place.top)))
        self._count_shown(newest)

    def _fetch(self) -> ViewFrame | None:
        """Take the newest frame of the source; None when there is none newer than the one shown."""
        newest = self._source() if self._source is not None else None
        if newest is not None:
            self._take_frame(newest)
        return newest

    def _count_shown(self, frame: ViewFrame) -> None:
        self.frames_painted += 1
        if frame.received_ns:
            self.latency_ms = (time.monotonic_ns() - frame.received_ns) / 1e6

    def show_frame(self, frame: ViewFrame | None) -> None:
        """Show this frame; None shows "no picture yet"."""
        self._take_frame(frame)
        self.update()

    def set_notice(self, title: str, detail: str = "") -> None:
        """Show a sentence over the picture ("The phone is gone"); an empty one removes it."""
        self._notice = (title, detail)
        self.update()

    @property
    def notice(self) -> tuple[str, str]:
        """The sentence over the picture and its detail; both empty for none."""
        return self._notice

    @property
    def overlays(self) -> Overlay:
        return self._overlays

    def set_overlay(self, overlay: Overlay, on: bool) -> None:
        """Switch layers on or off."""
        chosen = self._overlays | overlay if on else self._overlays & ~overlay
        if chosen != self._overlays:
            self._overlays = chosen
            self.overlays_changed.emit()
            self.update()

    def set_traces(self, traces: Sequence[Trace], density: int = 0) -> None:
        """Set the actions to draw where they happened (layer TRACE).

        With the ``density`` of the screen in dots per inch, distances are also said in dp.
        """
        self._traces, self._density = tuple(traces), density
        self.update()

    def set_marks(self, overlay: Overlay, marks: Sequence[Highlight]) -> None:
        """Set the marked rectangles of a layer: RULES, STATES, TARGET, INJECTED or DIFFERENCES."""
        self._marks[overlay] = tuple(marks)
        self.update()

    def set_target(self, bounds: Rect | None) -> None:
        """Set the node a step's action landed on (layer TARGET)."""
        self.set_marks(Overlay.TARGET, node_highlight(bounds, HighlightStyle.TARGET))

    # -- zoom --------------------------------------------------------------
    @property
    def transform(self) -> ViewTransform:
        return self._transform

    @property
    def is_fitted(self) -> bool:
        return self._fitted

    @Slot()
    def fit(self) -> None:
        """Zoom to show the whole screen as large as possible."""
        self._fitted = True
        self._place(self._fit())

    @Slot()
    def actual_size(self) -> None:
        """Zoom to one screen pixel per device pixel."""
        self._zoom(1.0)

    @Slot()
    def zoom_in(self) -> None:
        self._zoom(self._transform.scale * _ZOOM_STEP)

    @Slot()
    def zoom_out(self) -> None:
        self._zoom(self._transform.scale / _ZOOM_STEP)

    def zoom_at(self, at: QPointF, notches: float) -> None:
        """Zoom by turns of the wheel around a point of the view."""
        self._zoom(self._transform.scale * _ZOOM_STEP**notches, at)

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by logical pixels."""
        self._place(self._transform.panned(dx, dy))

    def _zoom(self, scale: float, at: QPointF | None = None) -> None:
        at = at or QPointF(self.width() / 2, self.height() / 2)
        self._fitted = False
        self._place(self._transform.zoomed(scale, at.x(), at.y()))

    def _fit(self) -> ViewTransform:
        ratio = self.devicePixelRatioF()
        return ViewTransform.fit(self.screen_size, self._physical_size(), ratio, round(self.margin * ratio))

    def _physical_size(self) -> Size:
        ratio = self.devicePixelRatioF()
        return Size(max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))

    def _place(self, transform: ViewTransform) -> None:
        if transform != self._transform:
            self._transform = transform
            self.zoom_changed.emit()
            self.update()
        self._want_size()

    def _want_size(self) -> None:
        """Ask for frames of the shown size, at most the screen's own: enlarging is left to the painter."""
        image, screen = self._transform.image, self.screen_size
        requested = image if image.width <= screen.width else screen
        if requested != self._requested_size:
            self._requested_size = requested
            self.view_size_wanted.emit(requested)

    # -- events ------------------------------------------------------------
    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        self._picture.forget()
        self._boxes.forget()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._refit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._refit()
        return super().event(event)

    def _refit(self) -> None:
        resized = self._transform.resized(self._physical_size(), self.devicePixelRatioF())
        self._place(self._fit() if self._fitted else resized)

    def _take_frame(self, frame: ViewFrame | None) -> None:
        self._frame = frame
        if frame is not None and frame.screen != self.screen_size and not frame.screen.is_empty:
            # After a rotation, or on another phone, the zoomed area no longer exists.
            self._fitted = True
            self._transform = ViewTransform.fit(frame.screen, self._transform.view, self._transform.ratio)
            self._place(self._fit())

    @Slot(object)
    def _flash_selected(self, node: Node | None) -> None:
        """Fill a node selected elsewhere for a moment, to draw attention to it."""
        duration = theme.duration("flash_selection")
        if node is not None and duration:
            self._flash.start(duration)

    @Slot()
    def _repaint(self) -> None:
        if self.sender() is theme:
            self._boxes = NodeBoxes()
        self.update()

    # -- painting ----------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        started = time.perf_counter()
        # A newer frame in a part of the picture alone would stand beside the older one.
        newest = self._fetch() if event.rect().contains(self.rect()) else None
        painter = painter_of(self)
        in_picture = self._whole_picture_rect().contains(event.rect())
        if not in_picture:
            painter.fillRect(self.rect(), theme.color("bg-0"))
        to_pixels(painter, self._transform.ratio)
        self._paint_screen(painter)
        self._paint_overlays(painter)
        if not in_picture:
            self._paint_frame(painter)
        painter.scale(self._transform.ratio, self._transform.ratio)
        self._paint_notice(painter, event.rect())
        painter.end()
        self.paint_ms = (time.perf_counter() - started) * 1000
        if newest is not None:
            self._count_shown(newest)

    @property
    def _is_black(self) -> bool:
        return self._frame is None or self._frame.secure

    def _paint_screen(self, painter: QPainter) -> None:
        frame = self._frame
        if frame is None or frame.secure:
            painter.fillRect(q(self._transform.image_rect), Qt.GlobalColor.black)
        else:
            self._picture.paint(painter, frame.image, self._transform)

    def _paint_overlays(self, painter: QPainter) -> None:
        painter.save()
        painter.setClipRect(q(self._transform.image_rect))
        tree = self.selection.tree
        if Overlay.NODES in self._overlays and tree is not None:
            self._boxes.paint(painter, tree, self._transform, black=self._is_black)
        draw_highlights(painter, self.highlights(), self._transform, black=self._is_black, tree=tree)
        if Overlay.TRACE in self._overlays and self._traces:
            painter.scale(self._transform.ratio, self._transform.ratio)
            draw_traces(painter, self._traces, self._transform, self._density)
        painter.restore()

    def highlights(self) -> list[Highlight]:
        """Return all present highlights in drawing order, with one tag per node."""
        highlights: list[Highlight] = []
        chosen = self.selection
        injected: list[Highlight] = []
        if Overlay.INJECTED in self._overlays:
            if self._injected[0] is not chosen.tree:
                self._injected = (chosen.tree, injected_dialogs(chosen.tree))
            injected = [*self._injected[1], *self._marks.get(Overlay.INJECTED, ())]
        dialogs = {dialog.bounds for dialog in injected}
        for overlay, marks in self._marks.items():
            if overlay is Overlay.DIFFERENCES:
                # That a dialog was injected says more than that its nodes were added.
                marks = tuple(mark for mark in marks if mark.bounds not in dialogs)
            if overlay in self._overlays and overlay is not Overlay.INJECTED:
                highlights += marks
        highlights += injected
        if Overlay.SEARCH in self._overlays:
            for hit in chosen.hits:
                highlights += node_highlight(hit.bounds, HighlightStyle.SEARCH)
        return highlights + self._chosen_highlights(chosen.selected, chosen.hovered)

    def _chosen_highlights(self, selected: Node | None, hovered: Node | None) -> list[Highlight]:
        highlights: list[Highlight] = []
        if selected is not None:
            if selected.parent is not None:
                highlights += node_highlight(selected.parent.bounds, HighlightStyle.PARENT)
            style = HighlightStyle.HOVER if self._flash.isActive() else HighlightStyle.SELECTED
            highlights += node_highlight(selected.bounds, style, "" if hovered else _tag(selected))
        if hovered is not None:
            highlights += node_highlight(hovered.bounds, HighlightStyle.HOVER, _tag(hovered))
        return highlights

    def _paint_frame(self, painter: QPainter) -> None:
        ratio = self._transform.ratio
        outline(painter, self._transform.image_rect, max(1, round(ratio)), theme.color("line-2"))

    def _paint_live_frame(self, painter: QPainter, tone: str, *, corners: bool, strong: bool = False) -> None:
        """Draw the frame of an interactive screen: 2 px with a 2 px gap, or four brackets for Inspect.

        A ``strong`` frame, of twice the width, says that the keyboard is the phone's.
        """
        ratio = self._transform.ratio
        gap, width = round(_GAP * ratio), round(_FRAME * ratio) * (2 if strong else 1)
        inner = grown(self._transform.image_rect, gap)
        outline(painter, inner, width, theme.color(tone))
        if corners:
            thick, length = round(_CORNER * ratio), round(_CORNER_LENGTH * ratio)
            for rect in _brackets(grown(inner, thick), thick, length):
                painter.fillRect(rect, theme.color(tone))

    def _paint_notice(self, painter: QPainter, _area: QRect) -> None:
        """Write the notice; ``_area`` is the part of the view that is painted."""
        title, detail = self._notice
        frame = self._frame
        if not title and frame is None:
            title = _("No picture yet")
        elif not title and frame is not None and frame.secure:
            title, detail = _("This app hides its pixels"), _("The tree can still be used")
        elif title and frame is not None and not frame.secure:
            scrim = theme.overlay("mark_halo")
            scrim.setAlphaF(0.72)
            painter.fillRect(self.picture_rect(), scrim)
        if title:
            self._write_notice(painter, title, detail)

    def _write_notice(self, painter: QPainter, title: str, detail: str) -> None:
        # A picture that is narrower than a word leaves its sentence the whole view.
        picture = self.picture_rect()
        room = picture if picture.width() >= _NOTICE_WIDTH else self.rect()
        area = room.adjusted(12, 0, -12, 0)
        wrap = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter
        color = theme.overlay("tag_text")
        painter.setFont(theme.font("title"))
        head = painter.boundingRect(area, wrap, title)
        painter.setFont(theme.font("caption"))
        below = painter.boundingRect(area, wrap, detail).height() + 4 if detail else 0
        usual = area.top() + round(area.height() * 0.36)
        top = free_place(self._occupied(), area, head.height() + below + 16, usual - 8) + 8
        place = area.adjusted(0, top - area.top(), 0, 0)
        head.moveTop(top)
        rest = place.adjusted(0, head.height() + 4, 0, 0)
        if self._is_black:
            # Node boxes would cross the text.
            plate = head.united(painter.boundingRect(rest, wrap, detail) if detail else head)
            painter.fillRect(plate.adjusted(-8, -6, 8, 6), Qt.GlobalColor.black)
        painter.setPen(color)
        painter.setFont(theme.font("title"))
        painter.drawText(place, wrap, title)
        color.setAlphaF(0.7)
        painter.setPen(color)
        painter.setFont(theme.font("caption"))
        painter.drawText(rest, wrap, detail)

    def _occupied(self) -> list[range]:
        """Rows of the view that controls and texts cover on a screen whose pixels are hidden."""
        tree = self.selection.tree
        if tree is None or not self._is_black:
            return []
        ratio, rows = self._transform.ratio, []
        for node in tree.nodes:
            if node.bounds is not None and (node.flag("clickable") or node.label):
                box = self._transform.to_physical(node.bounds)
                rows.append(range(int(box.top / ratio), int(box.bottom / ratio) + 1))
        return rows

    def picture_rect(self) -> QRect:
        """Return the rectangle of the picture in logical pixels."""
        return self._logical(self._transform.image_rect)

    def _whole_picture_rect(self) -> QRect:
        """Return the logical pixels that the picture covers to the last physical one."""
        rect, ratio = self._transform.image_rect, self._transform.ratio
        left, top = math.ceil(rect.left / ratio), math.ceil(rect.top / ratio)
        return QRect(left, top, math.floor(rect.right / ratio) - left, math.floor(rect.bottom / ratio) - top)

    def _logical(self, rect: Rect) -> QRect:
        """Return the smallest rectangle in logical pixels around one in physical pixels."""
        ratio = self._transform.ratio
        return QRectF(
            rect.left / ratio, rect.top / ratio, rect.width / ratio, rect.height / ratio
        ).toAlignedRect()


def free_place(occupied: Sequence[range], area: QRect, height: int, usual: int) -> int:
    """Return the y of a free strip of ``height`` nearest to ``usual``; of the largest gap where none fits."""
    # What covers most of the screen is its ground, not something on it.
    rows = sorted((row for row in occupied if len(row) < area.height() * 0.6), key=lambda row: row.start)
    gaps, top = [], area.top()
    for row in [*rows, range(area.bottom() + 1, area.bottom() + 2)]:
        if row.start > top:
            gaps.append(range(top, min(row.start, area.bottom() + 1)))
        top = max(top, row.stop)
    fitting = [gap for gap in gaps if len(gap) >= height]
    places = [min(max(usual, gap.start), gap.stop - height) for gap in fitting]
    if places:
        return min(places, key=lambda place: abs(place - usual))
    largest = max(gaps, key=len, default=range(usual, usual + height))
    return max(area.top(), largest.start + (len(largest) - height) // 2)


def _tag(node: Node) -> str:
    return f"{short_kind(node)}  {node_size(node)}"


def to_pixels(painter: QPainter, ratio: float) -> None:
    """Scale the painter to physical pixels, with integers on the pixel grid."""
    painter.scale(1 / ratio, 1 / ratio)
    offset = painter.deviceTransform()
    painter.translate(round(offset.dx()) - offset.dx(), round(offset.dy()) - offset.dy())


def _brackets(outer: Rect, thick: int, length: int) -> list[QRect]:
    """Return two bars for each corner, inside ``outer``."""
    bars: list[QRect] = []
    for x in (outer.left, outer.right - length):
        bars += [QRect(x, y, length, thick) for y in (outer.top, outer.bottom - thick)]
    for y in (outer.top, outer.bottom - length):
        bars += [QRect(x, y, thick, length) for x in (outer.left, outer.right - thick)]
    return bars
