"""A scene as drawing items: plain values, so that only the difference of two frames is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from collector.model.geometry import Rect
from collector.virtual.ui import widgets as w
from collector.virtual.ui.carets import TOP, caret_place, field_style, line_height, range_boxes
from collector.virtual.ui.dump import shown_text
from collector.virtual.ui.look import Look
from collector.virtual.ui.scene import Scene, SceneNode
from collector.virtual.ui.text import TextStyle, lay_text, natural_width


class DrawingItem(NamedTuple):
    """One drawing operation. ``kind`` names the drawing function in :mod:`canvas`."""

    kind: str
    rect: Rect
    """The bounds in screen px; nothing is drawn outside."""
    clip: Rect
    data: Any = None
    saturation: float = 1.0
    """Less than 1 takes colour from texts and pictures, which may have colours of their own."""


@dataclass(frozen=True, slots=True)
class Touches:
    """Touch and focus state that changes a window's pixels."""

    pressed: str = ""
    """Path of the pressed widget."""
    focused: str = ""
    caret: int = 0
    selection: tuple[int, int] | None = None
    caret_on: bool = True
    turn: int = 0
    """Rotation of progress circles, in degrees."""


def paint(scene: Scene, touches: Touches) -> list[DrawingItem]:
    """All drawing items of a window, back to front."""
    items: list[DrawingItem] = []
    for node in scene.nodes:
        widget = node.widget
        _paint_box(items, scene.look, node, widget)
        if node.path == touches.pressed and node.path:
            _paint_press(items, scene.look, node)
        leaf = _LEAVES.get(type(widget))
        if leaf is not None:
            leaf(items, scene.look, node, touches)
    saturation = scene.look.appearance.saturation
    if saturation == 1.0:
        return items
    return [item._replace(saturation=saturation) if item.kind in _COLOURFUL else item for item in items]


def _paint_box(items: list[DrawingItem], look: Look, node: SceneNode, widget: w.Widget) -> None:
    if widget.background is None and widget.border is None:
        return
    radii = _radii(look, widget.radius)
    if widget.elevation:
        reach = look.px(widget.elevation * 3)
        around = _grown(node.rect, reach)
        clip = node.parent.visible if node.parent else node.visible
        visible = around.intersection(clip)
        if visible:
            items.append(DrawingItem("shadow", around, visible, (reach, radii[0])))
    if widget.background is not None:
        items.append(DrawingItem("fill", node.rect, node.visible, (look.color(widget.background), radii)))
    if widget.border is not None:
        width = max(1, look.px(widget.border_width))
        items.append(
            DrawingItem("border", node.rect, node.visible, (look.color(widget.border), radii, width))
        )


def _paint_press(items: list[DrawingItem], look: Look, node: SceneNode) -> None:
    color = look.color("text@0.10")
    items.append(DrawingItem("fill", node.rect, node.visible, (color, _radii(look, node.widget.radius))))


def _text(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    laid = node.box.laid
    assert laid is not None
    left, top, right, bottom = look.padding(node.widget.padding)
    left = right if look.mirrored else left
    spare = node.rect.height - top - bottom - laid.height
    place = Rect(
        node.rect.left + left, node.rect.top + top + max(0, spare // 2), node.rect.right, node.rect.bottom
    )
    items.append(DrawingItem("text", place, node.visible, laid))


def _icon(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    widget = node.widget
    assert isinstance(widget, w.Icon)
    kind = "mirrored icon" if look.mirrored and widget.name in DIRECTED else "icon"
    ink = look.color(widget.color)
    items.append(DrawingItem(kind, node.rect, node.visible, (widget.name, ink, widget.filled)))


def _image(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    widget = node.widget
    assert isinstance(widget, w.Image)
    radii = _radii(look, widget.radius)
    if widget.zoom != 1.0:
        items.append(
            DrawingItem("zoomed", _zoomed(node.rect, widget), node.visible, (widget.picture, widget.argument))
        )
        return
    items.append(DrawingItem("picture", node.rect, node.visible, (widget.picture, widget.argument, radii)))


def _zoomed(place: Rect, image: w.Image) -> Rect:
    """The bounds of the whole zoomed picture, most of it outside the view."""
    width, height = round(place.width * image.zoom), round(place.height * image.zoom)
    left = place.left + round(place.width / 2 - image.center[0] * width)
    top = place.top + round(place.height / 2 - image.center[1] * height)
    return Rect(left, top, left + width, top + height)


def _divider(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    widget = node.widget
    assert isinstance(widget, w.Divider)
    items.append(DrawingItem("fill", node.rect, node.visible, (look.color(widget.color), _SQUARE)))


# ---- fields --------------------------------------------------------------------------------------


def _field(items: list[DrawingItem], look: Look, node: SceneNode, touches: Touches) -> None:
    field = node.widget
    assert isinstance(field, w.TextField)
    focused = node.path == touches.focused
    _field_box(items, look, node, field, focused)
    inset = look.px(look.field_inset(field))
    room = Rect(node.rect.left + inset, node.rect.top, node.rect.right - inset, node.rect.bottom)
    clip = room.intersection(node.visible)
    if clip is None:
        return
    text = shown_text(field)
    if field.style == "unseen" and not text:
        return
    style = field_style(field, look)
    if field.kind == "multiline":
        colors = tuple(look.color(span.color or "text") for span in field.spans)
        laid = lay_text(text, style, room.width, 0, field.spans, colors)
        top = room.top + look.px(TOP)
        caret_at = caret_place(field, look, room.width, touches.caret)
        _marks(items, look, field, Rect(room.left, top, room.right, room.bottom), clip, focused, touches)
    else:
        laid = lay_text(text, style, 1 << 20)
        top = room.top + (room.height - laid.height) // 2
        caret_at = (natural_width(text[: touches.caret] + "\u200b", style), 0)
    shift = max(0, caret_at[0] + look.px(2) - room.width) if focused else 0
    if field.kind != "multiline":
        shift -= field_indent(look, text, style, room.width)
    if not text and (field.hint and (focused or not field.label or field.style != "outlined")):
        hint = look.style(w.Text(size=field.size, color="text_2"))
        shown = lay_text(field.hint, hint, max(1, room.width), 1)
        items.append(DrawingItem("text", _below(room, room.left, top), clip, shown))
    if focused and touches.selection and text and field.kind != "multiline":
        _selected(items, look, room, clip, _Run(text, style, top, laid.height, shift), touches.selection)
    if text:
        items.append(DrawingItem("text", _below(room, room.left - shift, top), clip, laid))
    if focused and touches.caret_on and not touches.selection:
        line = round(line_height(style))
        x, y = room.left + caret_at[0] - shift, top + caret_at[1]
        width = max(2, look.px(1.6))
        caret = Rect(x, y + line // 12, x + width, y + line - line // 12)
        items.append(DrawingItem("fill", caret, _grown(clip, width), (look.color("primary"), _SQUARE)))


def field_indent(look: Look, text: str, style: TextStyle, room: int) -> int:
    """The px in a field before its only line, which ends at the right where the window is mirrored."""
    return max(0, room - natural_width(text, style) - look.px(2)) if look.mirrored else 0


def _marks(
    items: list[DrawingItem],
    look: Look,
    field: w.TextField,
    room: Rect,
    clip: Rect,
    focused: bool,
    touches: Touches,
) -> None:
    """The marked ranges of a text that does not wrap, and what is selected in it."""
    if field.wrap:
        return
    ranges = [(mark, "#80F2A33A" if i == 0 else "#50F2D33A") for i, mark in enumerate(field.marks)]
    if focused and touches.selection:
        ranges.append((touches.selection, "primary@0.3"))
    for (start, end), color in ranges:
        for box in range_boxes(field, look, start, end):
            place = Rect(
                room.left + box.left, room.top + box.top, room.left + box.right, room.top + box.bottom
            )
            items.append(DrawingItem("fill", place, clip, (look.color(color), _SQUARE)))


class _Run(NamedTuple):
    text: str
    style: Any
    top: int
    height: int
    shift: int


def _selected(
    items: list[DrawingItem], look: Look, room: Rect, clip: Rect, run: _Run, selection: tuple[int, int]
) -> None:
    ends = [natural_width(run.text[:place] + "\u200b", run.style) for place in sorted(selection)]
    left, right = (room.left - run.shift + end for end in ends)
    place = Rect(left, run.top, right, run.top + run.height)
    items.append(DrawingItem("fill", place, clip, (look.color("primary@0.3"), _SQUARE)))


def _below(room: Rect, left: int, top: int) -> Rect:
    return Rect(left, top, room.right, room.bottom)


def _field_box(
    items: list[DrawingItem], look: Look, node: SceneNode, field: w.TextField, focused: bool
) -> None:
    if field.style == "unseen" and field.text:
        items.append(DrawingItem("fill", node.rect, node.visible, (look.color("surface"), _SQUARE)))
    if field.style == "filled" and field.background is None:
        radii = _radii(look, field.radius or node.rect.height / look.density / 2)
        items.append(DrawingItem("fill", node.rect, node.visible, (look.color("surface_container"), radii)))
    if field.style != "outlined":
        return
    color = look.color("primary" if focused else "outline")
    width = look.px(2 if focused else 1)
    items.append(DrawingItem("border", node.rect, node.visible, (color, _radii(look, 5), max(1, width))))
    if field.label:
        label = look.line_style(w.Text(size=11.5, color="primary" if focused else "text_2"))
        laid = lay_text(field.label, label, 1 << 20, 1)
        left, top = node.rect.left + look.px(12), node.rect.top - laid.height // 2
        pad = look.px(4)
        clip = node.parent.visible if node.parent else node.visible
        behind = _directed(look, node, Rect(left, top, left + laid.width + 2 * pad, top + laid.height))
        visible = behind.intersection(clip)
        if visible:
            items.append(DrawingItem("fill", behind, visible, (look.color("surface"), _SQUARE)))
            items.append(
                DrawingItem("text", Rect(behind.left + pad, top, behind.right, behind.bottom), visible, laid)
            )


# ---- controls --------------------------------------------------------------------------------------


def _switch(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    switch = node.widget
    assert isinstance(switch, w.Switch)
    dim = "" if switch.enabled else "@0.38"
    middle = node.rect.center
    half_w, half_h = look.px(22), look.px(13)
    track = Rect(middle.x - half_w, middle.y - half_h, middle.x + half_w, middle.y + half_h)
    radii = _radii(look, 13)
    if switch.checked:
        items.append(DrawingItem("fill", track, node.visible, (look.color("primary" + dim), radii)))
        knob, x, color = look.px(9), track.right - half_h, "on_primary"
    else:
        items.append(DrawingItem("fill", track, node.visible, (look.color("surface_container"), radii)))
        items.append(
            DrawingItem("border", track, node.visible, (look.color("text_2" + dim), radii, look.px(2)))
        )
        knob, x, color = look.px(7), track.left + half_h, "text_2" + dim
    place = _directed(look, node, Rect(x - knob, middle.y - knob, x + knob, middle.y + knob))
    items.append(DrawingItem("fill", place, node.visible, (look.color(color), (knob,) * 4)))


def _directed(look: Look, node: SceneNode, place: Rect) -> Rect:
    """A place in a node, at the other side of it where the window is mirrored."""
    if not look.mirrored:
        return place
    both = node.rect.left + node.rect.right
    return Rect(both - place.right, place.top, both - place.left, place.bottom)


def _mark_place(look: Look, node: SceneNode, side: float) -> Rect:
    size = look.px(side)
    inset = look.px(12 - side / 2)
    top = node.rect.center.y - size // 2
    return _directed(look, node, Rect(node.rect.left + inset, top, node.rect.left + inset + size, top + size))


def _checkbox(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    box = node.widget
    assert isinstance(box, w.Checkbox)
    place = _mark_place(look, node, 18)
    if box.checked:
        items.append(DrawingItem("fill", place, node.visible, (look.color("primary"), _radii(look, 3))))
        items.append(DrawingItem("icon", place, node.visible, ("check", look.color("on_primary"), False)))
    else:
        ink = look.color("text" if box.enabled else "text@0.38")
        items.append(DrawingItem("border", place, node.visible, (ink, _radii(look, 3), look.px(2))))
    _label(items, look, node)


def _radio(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    radio = node.widget
    assert isinstance(radio, w.Radio)
    place = _mark_place(look, node, 20)
    ink = look.color("primary" if radio.checked else "text_2")
    items.append(DrawingItem("border", place, node.visible, (ink, _radii(look, 10), look.px(2))))
    if radio.checked:
        dot = _grown(place, -look.px(5))
        items.append(DrawingItem("fill", dot, node.visible, (ink, _radii(look, 10))))
    _label(items, look, node)


def _label(items: list[DrawingItem], look: Look, node: SceneNode) -> None:
    laid = node.box.laid
    if laid is not None:
        left, top = node.rect.left + look.px(36), node.rect.center.y - laid.height // 2
        place = _directed(look, node, Rect(left, top, left + laid.width, top + laid.height))
        items.append(DrawingItem("text", place, node.visible, laid))


def slider_track(look: Look, node: SceneNode) -> tuple[int, int]:
    """The px of the lowest and of the highest value on a slider's track."""
    pad = look.px(10)
    low, high = node.rect.left + pad, max(node.rect.left + pad + 1, node.rect.right - pad)
    return (high, low) if look.mirrored else (low, high)


def _slider(items: list[DrawingItem], look: Look, node: SceneNode, _touches: Touches) -> None:
    slider = node.widget
    assert isinstance(slider, w.Slider)
    left, right = slider_track(look, node)
    share = (slider.value - slider.low) / ((slider.high - slider.low) or 1)
    x = round(left + (right - left) * min(max(share, 0.0), 1.0))
    y, half, knob = node.rect.center.y, look.px(2), look.px(10)
    radii = _radii(look, 2)
    for end, color in ((right, "container"), (x, "primary")):
        line = Rect(min(left, end), y - half, max(left, end), y + half)
        items.append(DrawingItem("fill", line, node.visible, (look.color(color), radii)))
    place = Rect(x - knob, y - knob, x + knob, y + knob)
    items.append(DrawingItem("fill", place, node.visible, (look.color("primary"), (knob,) * 4)))


def _progress(items: list[DrawingItem], look: Look, node: SceneNode, touches: Touches) -> None:
    bar = node.widget
    assert isinstance(bar, w.Progress)
    color = look.color(bar.color)
    if bar.value is None:
        items.append(DrawingItem("arc", node.rect, node.visible, (color, look.px(4), touches.turn)))
        return
    radii = _radii(look, 3)
    right = node.rect.left + round(node.rect.width * min(max(bar.value, 0.0), 1.0))
    items.append(DrawingItem("fill", node.rect, node.visible, (look.color("surface_container"), radii)))
    filled = _directed(look, node, Rect(node.rect.left, node.rect.top, right, node.rect.bottom))
    items.append(DrawingItem("fill", filled, node.visible, (color, radii)))


_SQUARE = (0, 0, 0, 0)
_COLOURFUL = ("text", "picture", "zoomed")
DIRECTED = frozenset(
    {"back", "backspace", "chevron_left", "chevron_right", "enter", "list", "menu", "reply", "send", "volume"}
)
"""Icons that point along a line of text, and the other way where it is read from right to left."""


def _radii(look: Look, radius: float | tuple[float, float, float, float]) -> tuple[int, ...]:
    corners = radius if isinstance(radius, tuple) else (radius,) * 4
    if look.mirrored:
        corners = (corners[1], corners[0], corners[3], corners[2])
    return tuple(look.px(corner) for corner in corners)


def _grown(rect: Rect, by: int) -> Rect:
    return Rect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)


_LEAVES: dict[type, Callable[[list[DrawingItem], Look, SceneNode, Touches], None]] = {
    w.Text: _text,
    w.Icon: _icon,
    w.Image: _image,
    w.Divider: _divider,
    w.TextField: _field,
    w.Switch: _switch,
    w.Checkbox: _checkbox,
    w.Radio: _radio,
    w.Slider: _slider,
    w.Progress: _progress,
}
