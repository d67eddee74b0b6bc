"""Lay widgets out as boxes in px, each placed relative to its parent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from collector.virtual.ui import widgets as w
from collector.virtual.ui.expand import expand
from collector.virtual.ui.look import Look
from collector.virtual.ui.text import LaidText

UNBOUNDED = 1 << 22
BARS = "action_bar_root"
"""The id of the widget whose padding is the room of the system's bars."""


@dataclass(slots=True, eq=False)
class Box:
    """A widget with its bounds. ``x, y`` are relative to the parent's corner, before scrolling."""

    widget: w.Widget
    width: int
    height: int
    children: list[Box] = field(default_factory=list)
    x: int = 0
    y: int = 0
    laid: LaidText | None = None
    content: int = 0
    """Length in px of a scrolling box's content along the scroll axis."""
    from_end: bool = False
    """Whether a scrolling box rests at the end of its content."""
    _names: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """A unique name for each child, also when siblings share a key or id."""
        if self._names is None:
            counts: dict[str, int] = {}
            names = []
            for position, child in enumerate(self.children):
                # Paths are split at slashes, and ids like android:id/title contain one.
                name = (child.widget.key or child.widget.id or str(position)).replace("/", ".")
                count = counts[name] = counts.get(name, 0) + 1
                names.append(name if count == 1 else f"{name}#{count}")
            self._names = tuple(names)
        return self._names

    @property
    def scrolls(self) -> bool:
        return isinstance(self.widget, (w.ScrollList, w.Scroll))

    @property
    def horizontal(self) -> bool:
        return isinstance(self.widget, w.ScrollList) and self.widget.horizontal

    @property
    def overflow(self) -> int:
        """The px by which the content is longer than the box."""
        if not self.scrolls:
            return 0
        return max(0, self.content - (self.width if self.horizontal else self.height))

    @property
    def resting(self) -> int:
        """The scroll offset in px of a box that nobody scrolled."""
        if isinstance(self.widget, w.Scroll):
            return min(round(self.widget.start * self.content), self.overflow)
        return self.overflow if self.from_end else 0


@dataclass(frozen=True, slots=True)
class Constraints:
    """Minimum and maximum width and height of a box, in px."""

    min_w: int
    max_w: int
    min_h: int
    max_h: int

    def loose(self) -> Constraints:
        return Constraints(0, self.max_w, 0, self.max_h)


@dataclass(slots=True)
class Content:
    """Size constraints of a widget's content."""

    width: int
    height: int
    children: list[Box] = field(default_factory=list)
    laid: LaidText | None = None
    content: int = 0


def lay_out(widget: w.Widget, look: Look, width: int, height: int) -> Box:
    """Lay out a window's widgets into exactly ``width`` by ``height`` px."""
    return _directed(_lay(widget, Constraints(width, width, height, height), look), look)


def lay_out_window(widget: w.Widget, look: Look, width: int, max_height: int) -> Box:
    """Lay out a dialog or sheet: ``width`` px wide and as tall as needed, up to ``most`` px."""
    return _directed(_lay(widget, Constraints(width, width, 0, max_height), look), look)


def _directed(box: Box, look: Look) -> Box:
    """The box, whose children begin at the right where the window is mirrored."""
    if look.mirrored:
        _mirror(box)
    return box


def _mirror(box: Box) -> None:
    room = max(box.width, box.content) if box.horizontal else box.width
    box.from_end = box.from_end or (box.horizontal and box.widget.mirrors)
    for child in box.children:
        if box.widget.mirrors:
            child.x = room - child.x - child.width
        _mirror(child)


def _lay(widget: w.Widget, constraints: Constraints, look: Look) -> Box:
    if widget.magnified != 1.0:
        look = replace(look, density=look.density * widget.magnified)
    widget = expand(widget, look.language, look.font_scale, icon_labels=look.appearance.icon_labels)
    min_w, max_w = _span(widget.width, constraints.min_w, constraints.max_w, look)
    min_h, max_h = _span(widget.height, constraints.min_h, constraints.max_h, look)
    if isinstance(widget, w.Row) and widget.width is None and widget.height not in (None, w.FILL):
        # A larger font scale makes a line of text taller, as far as it needs.
        max_h = min(max(max_h, round(max_h * look.font_scale)), constraints.max_h)
    # The bars of the system are as tall however little space there is inside of apps.
    insets = look.insets if widget.id == BARS else look.padding
    left, top, right, bottom = insets(widget.padding)
    inner = Constraints(
        max(0, min_w - left - right),
        max(0, max_w - left - right),
        max(0, min_h - top - bottom),
        max(0, max_h - top - bottom),
    )
    box = _CONTENT[type(widget)](widget, inner, look)
    for child in box.children:
        child.x += left
        child.y += top
    return Box(
        widget,
        min(max(box.width + left + right, min_w), max_w),
        min(max(box.height + top + bottom, min_h), max_h),
        box.children,
        laid=box.laid,
        from_end=isinstance(widget, w.ScrollList) and widget.from_end,
        content=box.content + (left + right if getattr(widget, "horizontal", False) else top + bottom),
    )


def _span(length: float | None, minimum: int, maximum: int, look: Look) -> tuple[int, int]:
    if length is None:
        return minimum, maximum
    if length == w.FILL:
        return (maximum, maximum) if maximum < UNBOUNDED else (minimum, maximum)
    size = min(look.px(length), maximum)
    return size, size


def _place(widget: w.Widget, constraints: Constraints, look: Look) -> Box:
    """Lay out a child with its margin around the box."""
    left, top, right, bottom = look.insets(widget.margin)
    box = _lay(
        widget,
        Constraints(
            max(0, constraints.min_w - left - right),
            max(0, constraints.max_w - left - right),
            max(0, constraints.min_h - top - bottom),
            max(0, constraints.max_h - top - bottom),
        ),
        look,
    )
    box.x, box.y = left, top
    return box


# ---- lines: columns and rows -----------------------------------------------------------------


@dataclass(slots=True)
class _Line:
    """A column or row along its main axis."""

    children: tuple[w.Widget, ...]
    gap: int
    align: w.Align
    arrange: w.Arrange
    vertical: bool
    constraints: Constraints
    look: Look

    @property
    def main(self) -> tuple[int, int]:
        constraints = self.constraints
        return (
            (constraints.min_h, constraints.max_h)
            if self.vertical
            else (constraints.min_w, constraints.max_w)
        )

    @property
    def cross(self) -> tuple[int, int]:
        constraints = self.constraints
        return (
            (constraints.min_w, constraints.max_w)
            if self.vertical
            else (constraints.min_h, constraints.max_h)
        )

    def lay(self, child: w.Widget, low: int, high: int, cross: int | None = None) -> Box:
        """Lay out a child with ``low..high`` px on the main axis; ``cross`` px when it is stretched."""
        across = (0, self.cross[1]) if cross is None else (cross, cross)
        constraints = Constraints(*across, low, high) if self.vertical else Constraints(low, high, *across)
        return _place(child, constraints, self.look)

    def outer(self, child: w.Widget, box: Box) -> tuple[int, int]:
        """The (main, cross) size of a box in px including its margin."""
        left, top, right, bottom = self.look.insets(child.margin)
        wide, tall = box.width + left + right, box.height + top + bottom
        return (tall, wide) if self.vertical else (wide, tall)

    def stretches(self, child: w.Widget) -> bool:
        fixed = child.width if self.vertical else child.height
        return (child.align_self or self.align) == "stretch" and fixed is None


def _line(line: _Line) -> Content:
    low, high = line.main
    cross_low, cross_high = line.cross
    exact = cross_low if cross_low == cross_high else None
    boxes, used = _line_boxes(line, exact)
    sizes = [line.outer(child, box) for child, box in zip(line.children, boxes, strict=True)]
    cross = max([cross_low, *(size[1] for size in sizes)])
    if exact is None:
        for i, child in enumerate(line.children):
            if line.stretches(child) and sizes[i][1] < cross:
                boxes[i] = line.lay(child, sizes[i][0], sizes[i][0], cross)
    spare = max(0, low - used) if low <= high else 0
    _position(line, boxes, sizes, cross, spare)
    main = max(used, low)
    return Content(cross, main, boxes) if line.vertical else Content(main, cross, boxes)


def _line_boxes(line: _Line, exact: int | None) -> tuple[list[Box], int]:
    """Lay out children with a fixed need first, then those that share the rest."""
    _low, high = line.main
    gaps = line.gap * max(0, len(line.children) - 1)
    boxes: dict[int, Box] = {}
    used = gaps
    shares = 0.0 if high >= UNBOUNDED else sum(child.grow for child in line.children)
    # Scrolling children come last: they can shrink, and so nothing below them leaves the screen.
    for i in sorted(range(len(line.children)), key=lambda i: isinstance(line.children[i], w.Scroll)):
        child = line.children[i]
        if not shares or not child.grow:
            boxes[i] = line.lay(child, 0, max(0, high - used), exact if line.stretches(child) else None)
            used += line.outer(child, boxes[i])[0]
    left = max(0, high - used)
    for i, child in enumerate(line.children):
        if i not in boxes:
            part = round(left * child.grow / shares)
            left, shares = left - part, shares - child.grow
            boxes[i] = line.lay(child, part, part, exact if line.stretches(child) else None)
            used += line.outer(child, boxes[i])[0]
    return [boxes[i] for i in range(len(line.children))], used


def _position(line: _Line, boxes: list[Box], sizes: list[tuple[int, int]], cross: int, spare: int) -> None:
    between = spare / (len(boxes) - 1) if line.arrange == "between" and len(boxes) > 1 else 0.0
    at = {"center": spare / 2, "end": float(spare)}.get(line.arrange, 0.0)
    for child, box, (main_size, cross_size) in zip(line.children, boxes, sizes, strict=True):
        slack = cross - cross_size
        across = {"center": slack // 2, "end": slack}.get(child.align_self or line.align, 0)
        box.x += across if line.vertical else round(at)
        box.y += round(at) if line.vertical else across
        at += main_size + line.gap + between


def _column(widget: Any, constraints: Constraints, look: Look) -> Content:
    return _line(
        _Line(widget.children, look.space(widget.gap), widget.align, widget.arrange, True, constraints, look)
    )


def _row(widget: Any, constraints: Constraints, look: Look) -> Content:
    return _line(
        _Line(widget.children, look.space(widget.gap), widget.align, widget.arrange, False, constraints, look)
    )


# ---- other containers --------------------------------------------------------------------------


def _flow(widget: Any, constraints: Constraints, look: Look) -> Content:
    gap, line_gap = look.space(widget.gap), look.space(widget.line_gap)
    x = y = tallest = widest = 0
    boxes = []
    for child in widget.children:
        box = _place(child, constraints.loose(), look)
        if x and x + box.width > constraints.max_w:
            x, y, tallest = 0, y + tallest + line_gap, 0
        box.x += x
        box.y += y
        boxes.append(box)
        widest = max(widest, x + box.width)
        tallest = max(tallest, box.height)
        x += box.width + gap
    return Content(widest, y + tallest, boxes)


def _grid(widget: Any, constraints: Constraints, look: Look) -> Content:
    gap, line_gap, columns = look.space(widget.gap), look.space(widget.line_gap), max(1, widget.columns)
    cell = max(0, (constraints.max_w - gap * (columns - 1)) // columns)
    boxes: list[Box] = []
    y = 0
    for start in range(0, len(widget.children), columns):
        line = [
            _place(child, Constraints(cell, cell, 0, constraints.max_h), look)
            for child in widget.children[start : start + columns]
        ]
        for column, box in enumerate(line):
            box.x += column * (cell + gap)
            box.y += y
        boxes += line
        y += max(box.height for box in line) + line_gap
    return Content(constraints.max_w, max(0, y - line_gap), boxes)


def _stack(widget: Any, constraints: Constraints, look: Look) -> Content:
    boxes: dict[int, Box] = {}
    margins = [look.insets(child.margin) for child in widget.children]
    fills = [i for i, child in enumerate(widget.children) if w.FILL in (child.width, child.height)]
    width, height = constraints.min_w, constraints.min_h
    for i, child in enumerate(widget.children):
        if i not in fills:
            boxes[i] = _place(child, constraints.loose(), look)
            left, top, right, bottom = margins[i]
            width = max(width, boxes[i].width + left + right)
            height = max(height, boxes[i].height + top + bottom)
    for i in fills:
        boxes[i] = _place(
            widget.children[i],
            Constraints(0, width or constraints.max_w, 0, height or constraints.max_h),
            look,
        )
        width, height = max(width, boxes[i].width), max(height, boxes[i].height)
    for i, box in boxes.items():
        left, top, right, bottom = margins[i]
        box.x = _along(widget.at[0], width - box.width, left, right)
        box.y = _along(widget.at[1], height - box.height, top, bottom)
    return Content(width, height, [boxes[i] for i in range(len(widget.children))])


def _along(align: w.Align, slack: int, before: int, after: int) -> int:
    """The offset of a box with ``slack`` px left, including its margins."""
    if align == "center":
        return (slack + before - after) // 2
    return slack - after if align == "end" else before


def _scroll_list(widget: Any, constraints: Constraints, look: Look) -> Content:
    if widget.horizontal:
        inside = Constraints(0, UNBOUNDED, constraints.min_h, constraints.max_h)
        line = _Line(widget.children, look.space(widget.gap), "center", "start", False, inside, look)
        box = _line(line)
        box.content = box.width
        box.width = min(box.width, constraints.max_w)
        return box
    inside = Constraints(constraints.min_w, constraints.max_w, 0, UNBOUNDED)
    box = _line(_Line(widget.children, look.space(widget.gap), "stretch", "start", True, inside, look))
    box.content = box.height
    box.height = min(box.height, constraints.max_h)
    return box


def _scroll(widget: Any, constraints: Constraints, look: Look) -> Content:
    box = _place(
        widget.child, Constraints(constraints.min_w, constraints.max_w, constraints.min_h, UNBOUNDED), look
    )
    tall = box.height + 2 * box.y
    return Content(box.width, min(tall, constraints.max_h), [box], content=tall)


# ---- leaves --------------------------------------------------------------------------------------


def _text(widget: Any, constraints: Constraints, look: Look) -> Content:
    natural, lay = look.text(widget)
    width = max(constraints.min_w, min(natural + 1, constraints.max_w))
    laid = lay(width)
    return Content(width, laid.height, laid=laid)


def _square(size: Callable[[Any], float]) -> Callable[[Any, Constraints, Look], Content]:
    def content(widget: Any, _constraints: Constraints, look: Look) -> Content:
        side = look.px(size(widget))
        return Content(side, side)

    return content


def _labelled(side: float) -> Callable[[Any, Constraints, Look], Content]:
    """A checkbox or radio button with its label."""

    def content(widget: Any, constraints: Constraints, look: Look) -> Content:
        mark = look.px(side)
        if not widget.label:
            return Content(mark, mark)
        text = w.Text(text=widget.label, size=15)
        natural, lay = look.text(text)
        laid = lay(max(1, min(natural + 1, constraints.max_w - mark - look.px(12))))
        return Content(mark + look.px(12) + laid.width + 1, max(mark, laid.height), laid=laid)

    return content


def _field(widget: Any, constraints: Constraints, look: Look) -> Content:
    line = look.px(widget.size * look.font_scale * 1.35)
    tall = {"outlined": 56, "filled": 48, "plain": 40, "unseen": 0}[widget.style]
    height = max(look.px(tall), line + look.px(8))
    laid = None
    if widget.kind == "multiline":
        inset = 2 * look.px(look.field_inset(widget))
        text = w.Text(text=widget.text or " ", size=widget.size, mono=widget.mono, spans=widget.spans)
        natural, lay = look.text(text)
        if not widget.wrap:
            # Room for the caret behind the longest line.
            width = max(constraints.min_w, min(natural + inset + look.px(24), constraints.max_w))
            laid = lay(natural + 1)
            return Content(width, max(height, laid.height + look.px(20)), laid=laid)
        laid = lay(max(1, constraints.max_w - inset))
        height = max(height, laid.height + look.px(20))
    return Content(constraints.max_w if constraints.max_w < UNBOUNDED else look.px(200), height, laid=laid)


def _bar(height: float) -> Callable[[Any, Constraints, Look], Content]:
    def content(_widget: Any, constraints: Constraints, look: Look) -> Content:
        return Content(constraints.max_w if constraints.max_w < UNBOUNDED else look.px(120), look.px(height))

    return content


def _divider(widget: Any, constraints: Constraints, look: Look) -> Content:
    return Content(constraints.min_w, max(1, look.px(widget.thickness)))


def _progress(widget: Any, constraints: Constraints, look: Look) -> Content:
    if widget.value is None:
        return Content(look.px(40), look.px(40))
    return Content(constraints.max_w if constraints.max_w < UNBOUNDED else look.px(120), look.px(6))


def _nothing(_widget: Any, _constraints: Constraints, _look: Look) -> Content:
    return Content(0, 0)


_CONTENT: dict[type, Callable[[Any, Constraints, Look], Content]] = {
    w.Widget: _nothing,
    w.Spacer: _nothing,
    w.Column: _column,
    w.Row: _row,
    w.Flow: _flow,
    w.Grid: _grid,
    w.Stack: _stack,
    w.ScrollList: _scroll_list,
    w.Scroll: _scroll,
    w.Text: _text,
    w.Icon: _square(lambda icon: icon.size),
    w.Image: _nothing,
    w.Divider: _divider,
    w.TextField: _field,
    w.Switch: lambda _widget, _room, look: Content(look.px(52), look.px(32)),
    w.Checkbox: _labelled(24),
    w.Radio: _labelled(24),
    w.Slider: _bar(44),
    w.Progress: _progress,
}
