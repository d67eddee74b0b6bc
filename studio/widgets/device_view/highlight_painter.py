"""Draws outlines and tags over the phone's picture, on whole physical pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from collector.model.geometry import Rect, Size
from collector.model.tree import Tree
from studio.theme import theme
from studio.widgets.device_view.highlight import Highlight, HighlightLook, HighlightStyle, OutlineStyle
from studio.widgets.device_view.tag_placement import place_tags
from studio.widgets.device_view.transform import ViewTransform

TAG_HEIGHT = 18
_TAG_PADDING = 5
_DASHES = {OutlineStyle.DASHED: (4.0, 3.0), OutlineStyle.DOTTED: (1.0, 1.5)}


def q(rect: Rect) -> QRect:
    """The same rectangle for Qt."""
    return QRect(rect.left, rect.top, rect.width, rect.height)


def grown(rect: Rect, by: int) -> Rect:
    """Larger by as much on every side; smaller when negative."""
    return Rect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)


def outline(painter: QPainter, inner: Rect, width: int, color: QColor) -> None:
    """A solid frame of ``width`` pixels that grows outward from ``inner``."""
    outer = grown(inner, width)
    across = outer.width
    painter.fillRect(outer.left, outer.top, across, width, color)
    painter.fillRect(outer.left, inner.bottom, across, width, color)
    painter.fillRect(outer.left, inner.top, width, inner.height, color)
    painter.fillRect(inner.right, inner.top, width, inner.height, color)


def broken_outline(painter: QPainter, inner: Rect, width: int, color: QColor, line: OutlineStyle) -> None:
    """A dashed or dotted frame in the place of a solid one."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setDashPattern([part * (2 if width == 1 else 1) for part in _DASHES[line]])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = width / 2
    painter.drawRect(QRectF(inner.left - half, inner.top - half, inner.width + width, inner.height + width))


def draw_box(painter: QPainter, inner: Rect, look: HighlightLook, ratio: float, *, black: bool) -> None:
    """One marked rectangle, in physical pixels."""
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
    painter: QPainter, highlights: Sequence[Highlight], transform: ViewTransform, *, black: bool
) -> None:
    """All marked rectangles and then their tags, so that no box crosses a tag; physical pixels."""
    ratio = transform.ratio
    placed = [
        (_kept_on_screen(transform.to_physical(highlight.bounds), highlight.style.look, transform), highlight)
        for highlight in highlights
    ]
    for rect, one in placed:
        draw_box(painter, rect, one.style.look, ratio, black=black)
    tagged = [(grown(rect, round(one.style.look.width * ratio)), one) for rect, one in placed if one.tag]
    if not tagged:
        return
    font = _tag_font(ratio)
    metrics = QFontMetricsF(font)
    area = transform.image_rect.intersection(Rect(0, 0, transform.view.width, transform.view.height))
    if area is None:
        return
    height = round(TAG_HEIGHT * ratio)
    limit = area.width - round(2 * _TAG_PADDING * ratio)
    texts = [metrics.elidedText(one.tag, Qt.TextElideMode.ElideRight, limit) for _rect, one in tagged]
    sizes = [
        Size(round(metrics.horizontalAdvance(text) + 2 * _TAG_PADDING * ratio), height) for text in texts
    ]
    places = place_tags([rect for rect, _one in tagged], sizes, area)
    painter.setFont(font)
    for text, place, (_rect, one) in zip(texts, places, tagged, strict=True):
        painter.fillRect(q(place), theme.overlay(one.style.look.color))
        painter.setPen(theme.overlay("tag_text"))
        painter.drawText(q(place), Qt.AlignmentFlag.AlignCenter, text)


def _kept_on_screen(rect: Rect, look: HighlightLook, transform: ViewTransform) -> Rect:
    """Drawn in a little where it meets the screen's edge, so that its outline is seen there too."""
    room = grown(transform.image_rect, -max(1, round(look.width * transform.ratio)))
    return rect.intersection(room) or rect


def _tag_font(ratio: float) -> QFont:
    font = theme.font("caption")
    font.setWeight(QFont.Weight.Medium)
    font.setPixelSize(round(font.pixelSize() * ratio))
    return font


class NodeBoxes:
    """The boxes of all nodes as one layer, drawn again only when tree, zoom or theme changed."""

    def __init__(self) -> None:
        self._layer = QPixmap()
        self._key: tuple[object, ...] = ()

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
        # Lines of neighbours meet; painting them over each other would darken the translucent colour.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        width = max(1, round(transform.ratio))
        for rect in _distinct(transform.to_physical(node.bounds) for node in tree if node.bounds):
            outline(painter, rect, width, color)
        painter.end()
        return layer


def _distinct(rects: Iterable[Rect]) -> list[Rect]:
    return [rect for rect in dict.fromkeys(rects) if not rect.is_empty]


def node_highlight(bounds: Rect | None, style: HighlightStyle, tag: str = "") -> list[Highlight]:
    """A list of one, or of none for a node without a place."""
    return [Highlight(bounds, style, tag)] if bounds is not None and not bounds.is_empty else []
