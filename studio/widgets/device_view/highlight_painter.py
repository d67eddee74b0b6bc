"""Draw outlines, tags and node boxes over the phone's picture, on whole physical pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from collector.model.geometry import Rect, Size
from collector.model.tree import Tree
from studio.theme import theme
from studio.widgets.device_view.highlight import Highlight, HighlightLook, HighlightStyle, OutlineStyle
from studio.widgets.device_view.transform import ViewTransform

TAG_HEIGHT = 18
_TAG_PADDING = 5
_DASHES = {
    OutlineStyle.DASHED: (4.0, 3.0),
    OutlineStyle.DOTTED: (1.0, 1.5),
    OutlineStyle.DASH_DOTTED: (5.0, 1.5, 1.0, 1.5),
}


def q(rect: Rect) -> QRect:
    """Return the same rectangle for Qt."""
    return QRect(rect.left, rect.top, rect.width, rect.height)


def grown(rect: Rect, by: int) -> Rect:
    """Return the rectangle grown on every side; negative values shrink it."""
    return Rect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)


def outline(painter: QPainter, inner: Rect, width: int, color: QColor) -> None:
    """Draw a solid frame of ``width`` pixels around ``inner``."""
    outer = grown(inner, width)
    across = outer.width
    painter.fillRect(outer.left, outer.top, across, width, color)
    painter.fillRect(outer.left, inner.bottom, across, width, color)
    painter.fillRect(outer.left, inner.top, width, inner.height, color)
    painter.fillRect(inner.right, inner.top, width, inner.height, color)


def broken_outline(painter: QPainter, inner: Rect, width: int, color: QColor, line: OutlineStyle) -> None:
    """Draw a frame of dashes or dots around ``inner``."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setDashPattern([part * (2 if width == 1 else 1) for part in _DASHES[line]])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = width / 2
    painter.drawRect(QRectF(inner.left - half, inner.top - half, inner.width + width, inner.height + width))


def draw_box(painter: QPainter, inner: Rect, look: HighlightLook, ratio: float, *, black: bool) -> None:
    """Draw one marked rectangle, in physical pixels."""
    width = max(1, round(look.width * ratio))
    color = theme.overlay(look.on_black if black and look.on_black else look.color)
    if look.fill:
        painter.fillRect(q(inner), theme.overlay(look.fill))
    if look.line is OutlineStyle.SOLID:
        outline(painter, inner, width, color)
    else:
        broken_outline(painter, inner, width, color, look.line)
    if look.hairline and not black:
        outline(painter, grown(inner, width), max(1, round(ratio)), theme.overlay(look.hairline))


def draw_highlights(
    painter: QPainter, highlights: Sequence[Highlight], transform: ViewTransform, *, black: bool,
    tree: Tree | None = None,
) -> None:  # fmt: skip
    """Draw all marked rectangles, then their tags, so that no box crosses a tag; physical pixels.

    A tag is put where it hides least of the words of ``tree``.
    """
    ratio = transform.ratio
    placed = [
        (_kept_on_screen(transform.to_physical(highlight.bounds), highlight.style.look, transform), highlight)
        for highlight in highlights
    ]
    for rect, highlight in placed:
        draw_box(painter, rect, highlight.style.look, ratio, black=black)
    tagged = [
        (grown(rect, round(highlight.style.look.width * ratio)), highlight)
        for rect, highlight in placed
        if highlight.tag
    ]
    if not tagged:
        return
    font = _tag_font(ratio)
    metrics = QFontMetricsF(font)
    area = transform.image_rect.intersection(Rect(0, 0, transform.view.width, transform.view.height))
    if area is None:
        return
    height = round(TAG_HEIGHT * ratio)
    limit = area.width - round(2 * _TAG_PADDING * ratio)
    texts = [
        metrics.elidedText(highlight.tag, Qt.TextElideMode.ElideRight, limit) for _rect, highlight in tagged
    ]
    sizes = [
        Size(round(metrics.horizontalAdvance(text) + 2 * _TAG_PADDING * ratio), height) for text in texts
    ]
    nodes = tree if tree is not None else ()
    words = [transform.to_physical(node.bounds) for node in nodes if node.bounds and node.text]
    places = place_tags([rect for rect, _highlight in tagged], sizes, area, words)
    painter.setFont(font)
    for text, place, (_rect, highlight) in zip(texts, places, tagged, strict=True):
        painter.fillRect(q(place), theme.overlay(highlight.style.look.color))
        painter.setPen(theme.overlay("tag_text"))
        painter.drawText(q(place), Qt.AlignmentFlag.AlignCenter, text)


def _kept_on_screen(rect: Rect, look: HighlightLook, transform: ViewTransform) -> Rect:
    """Shrink a rectangle at the screen's edge so that its outline stays visible."""
    room = grown(transform.image_rect, -max(1, round(look.width * transform.ratio)))
    return rect.intersection(room) or rect


def _tag_font(ratio: float) -> QFont:
    font = theme.font("caption")
    font.setWeight(QFont.Weight.Medium)
    font.setPixelSize(round(font.pixelSize() * ratio))
    return font


class NodeBoxes:
    """The boxes of all nodes as one cached layer, redrawn only when tree, zoom or theme changed."""

    def __init__(self) -> None:
        self._layer = QPixmap()
        self._key: tuple[object, ...] = ()

    def forget(self) -> None:
        """Give back the memory of the layer, as its view is hidden."""
        self._layer, self._key = QPixmap(), ()

    def paint(self, painter: QPainter, tree: Tree, transform: ViewTransform, *, black: bool) -> None:
        """Blit the layer over the visible part of the picture; physical pixels."""
        shown = transform.image_rect.intersection(Rect(0, 0, transform.view.width, transform.view.height))
        if shown is None:
            return
        key = (id(tree), transform, black)
        if key != self._key:
            self._layer = self._drawn(tree, transform, shown, black=black)
            self._key = key
        painter.drawPixmap(QPoint(shown.left, shown.top), self._layer)

    @staticmethod
    def _drawn(tree: Tree, transform: ViewTransform, shown: Rect, *, black: bool) -> QPixmap:
        layer = QPixmap(shown.width, shown.height)
        layer.fill(Qt.GlobalColor.transparent)
        color = theme.overlay("on_black_node" if black else "node")
        painter = QPainter(layer)
        painter.translate(-shown.left, -shown.top)
        # Lines of neighbours overlap, which would darken the translucent colour.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        width = max(1, round(transform.ratio))
        for rect in _distinct(transform.to_physical(node.bounds) for node in tree if node.bounds):
            outline(painter, rect, width, color)
        painter.end()
        return layer


def _distinct(rects: Iterable[Rect]) -> list[Rect]:
    return [rect for rect in dict.fromkeys(rects) if not rect.is_empty]


def node_highlight(bounds: Rect | None, style: HighlightStyle, tag: str = "") -> list[Highlight]:
    """Return a list with one highlight, or none for a node without a rectangle."""
    return [Highlight(bounds, style, tag)] if bounds is not None and not bounds.is_empty else []


# A tag is above the top left edge of its box, or below the box without room above, right-aligned near the
# right edge. It never covers another marked box or tag: the later tag moves. Of the places that are left it
# takes the first one that hides no words, or that which hides the least of them, those of its own box last.
def place_tags(
    boxes: Sequence[Rect], tags: Sequence[Size], area: Rect, words: Sequence[Rect] = ()
) -> list[Rect]:
    """Return one rectangle for each tag, in order, inside ``area``; all in the same pixels."""
    placed: list[Rect] = []
    for order, (box, tag) in enumerate(zip(boxes, tags, strict=True)):
        others = [other for number, other in enumerate(boxes) if number != order and not other.encloses(box)]
        choices = [_inside(place, area) for place in _candidates(box, tag, area)]
        apart = [place for place in choices if not _covers(place, placed)]
        free = [place for place in apart if not _covers(place, others)]
        marked = [each for each in words if box.encloses(each)]
        placed.append(min(free or apart or choices[:1], key=lambda place: _hidden(place, words, marked)))
    return placed


def _hidden(place: Rect, words: Sequence[Rect], marked: Sequence[Rect]) -> tuple[int, int]:
    """How many pixels of the ``marked`` words, and of all words, a tag hides there."""
    return _shared(place, marked), _shared(place, words)


def _shared(place: Rect, words: Sequence[Rect]) -> int:
    parts = (place.intersection(each) for each in words)
    return sum(part.width * part.height for part in parts if part is not None)


def _candidates(box: Rect, tag: Size, area: Rect) -> list[Rect]:
    """Return positions above, below, beside and within the box, each from both of its ends."""
    left = box.left
    right = box.right - tag.width
    lefts = (left, right) if left + tag.width <= area.right else (right, left)
    above = [y for y in (box.top - tag.height,) if y >= area.top]
    below = [y for y in (box.bottom,) if y + tag.height <= area.bottom]
    top, bottom = max(area.top, box.top), min(area.bottom, box.bottom) - tag.height
    corners = [(x, y) for y in (*above, *below) for x in lefts]
    corners += [
        (x, top) for x in (box.right, box.left - tag.width) if area.left <= x <= area.right - tag.width
    ]
    corners += [(x, y) for y in (top, bottom) for x in lefts]
    return [Rect(x, y, x + tag.width, y + tag.height) for x, y in corners]


def _inside(place: Rect, area: Rect) -> Rect:
    dx = min(0, area.right - place.right)
    dx = max(dx, area.left - place.left)
    dy = min(0, area.bottom - place.bottom)
    dy = max(dy, area.top - place.top)
    return place.translated(dx, dy)


def _covers(place: Rect, others: Sequence[Rect]) -> bool:
    return any(place.intersection(other) is not None for other in others)
