"""A window: laid-out widgets, scroll positions, focus and drawing items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from collector.model.geometry import Rect
from collector.virtual.system.windows.editing import Edit
from collector.virtual.ui import widgets as w
from collector.virtual.ui.carets import TOP, caret_place, field_style, line_height
from collector.virtual.ui.drawing.paint import DrawingItem, Touches, paint
from collector.virtual.ui.layout import Box, lay_out, lay_out_window
from collector.virtual.ui.look import Look
from collector.virtual.ui.scene import Scene, flatten
from collector.virtual.ui.theme import SETTINGS

Kind = Literal[
    "activity",
    "dialog",
    "sheet",
    "keyboard",
    "status_bar",
    "toast",
    "shade",
    "recents",
    "prompt",
    "heads_up",
    "keyguard",
    "overlay",
]


class _Goal(NamedTuple):
    """A part of a widget, in px from its corner."""

    rect: Rect
    within_width: bool
    """Whether horizontal lists move too."""


@dataclass(slots=True, eq=False)
class Window:
    """A window; it exists as long as it is shown, and each new view is laid out into it."""

    name: str
    kind: Kind
    package: str
    title: str = ""
    """Title in ``dumpsys window``."""
    record: Any = None
    frame: Rect = field(default_factory=lambda: Rect(0, 0, 1, 1))
    look: Look = field(default_factory=lambda: Look(SETTINGS, 1.0))
    box: Box = field(default_factory=lambda: Box(w.Widget(), 1, 1))
    offsets: dict[str, float] = field(default_factory=dict)
    touches: Touches = field(default_factory=Touches)
    anchor: int | None = None
    secure: bool = False
    stopped: bool = False
    """Whether its app is stopped: nothing animates, and touches wait."""
    on_dismiss: Any = None
    dim: float | None = None
    """How dark the screen behind it is; None as behind all dialogs."""
    _key: Any = None
    _places: dict[str, Box] = field(default_factory=dict)
    _auto_focused: set[str] = field(default_factory=set)
    _scene: tuple[Any, Scene] | None = None
    _items: tuple[Any, list[DrawingItem]] | None = None

    @property
    def laid_for(self) -> Any:
        """The key for which the view was laid out last; None before."""
        return self._key[0] if self._key is not None else None

    def lay(self, key: Any, make: Callable[[], w.Widget], look: Look, frame: Rect) -> bool:
        """Lay out a view into ``frame`` when ``key`` changed; False when nothing changed."""
        full_key = (key, look, frame)
        if self._key is not None and self._key == full_key:
            return False
        self._key, self.look, self.frame = full_key, look, frame
        self._adopt(lay_out(make(), look, frame.width, frame.height))
        return True

    def lay_floating(
        self,
        key: Any,
        make: Callable[[], w.Widget],
        look: Look,
        room: Rect,
        at: Literal["top", "center", "bottom"],
    ) -> bool:
        """Lay out a view as wide as ``room`` and as tall as needed, at one end of it or in the middle."""
        full_key = (key, look, room)
        if self._key is not None and self._key == full_key:
            return False
        self._key, self.look = full_key, look
        box = lay_out_window(make(), look, room.width, room.height)
        slack = room.height - box.height
        top = room.top + {"top": 0, "center": slack // 2, "bottom": slack}[at]
        self.frame = Rect(room.left, top, room.right, top + box.height)
        self._adopt(box)
        return True

    def _adopt(self, box: Box) -> None:
        self.box = box
        before, self._places = self._places, dict(_walk(box, ""))
        self._follow_moved(before)
        if self.touches.focused and self.touches.focused not in self._places:
            self.touches = replace(self.touches, focused="")
            self.anchor = None
        for path, place in self._places.items():
            widget = place.widget
            if isinstance(widget, w.TextField) and widget.focused and path not in self._auto_focused:
                self._auto_focused.add(path)
                self.focus(path)

    def _follow_moved(self, before: dict[str, Box]) -> None:
        """Keep focus and scroll positions of widgets whose path changed, as below a banner that appeared."""
        known = {self.touches.focused, *self.offsets, *self._auto_focused} - {""}
        for path in known & set(before) - set(self._places):
            widget = before[path].widget
            alike = (place for place, box in self._places.items() if type(box.widget) is type(widget))
            now = [place for place in alike if widget.id and self._places[place].widget.id == widget.id]
            if len(now) != 1:
                continue
            if path == self.touches.focused:
                self.touches = replace(self.touches, focused=now[0])
            if path in self.offsets:
                self.offsets[now[0]] = self.offsets.pop(path)
            if path in self._auto_focused:
                self._auto_focused.add(now[0])

    def saved(self) -> Window:
        """A new window without a view that will be scrolled and focused as this one."""
        return Window(
            self.name, self.kind, self.package, offsets=dict(self.offsets),
            touches=replace(self.touches, pressed="", turn=0), anchor=self.anchor,
            _auto_focused=set(self._auto_focused),
        )  # fmt: skip

    @property
    def modal(self) -> bool:
        """Whether it also takes the touches outside its frame."""
        floats = self.record is not None and self.record.activity.dialog
        return floats or self.kind in ("dialog", "sheet", "recents", "shade", "prompt")

    @property
    def scene(self) -> Scene:
        key = (self.box, self.frame, tuple(self.offsets.items()))
        if self._scene is None or self._scene[0] != key:
            self._scene = (key, flatten(self.box, self.look, self.frame, self.offsets))
        return self._scene[1]

    @property
    def items(self) -> list[DrawingItem]:
        scene = self.scene
        key = (scene.frame, self.touches)
        if self._items is None or self._items[0][0] is not scene or self._items[0][1] != key:
            self._items = ((scene, key), paint(scene, self.touches))
        return self._items[1]

    def place(self, path: str) -> Box | None:
        """The rectangle of a path, visible or not."""
        return self._places.get(path)

    def path_of(self, name: str) -> str | None:
        """Path of the first widget with this id."""
        return next((path for path, box in self._places.items() if box.widget.id == name), None)

    @property
    def turns(self) -> bool:
        """Whether it contains a running animation."""
        return not self.stopped and any(
            isinstance(node.widget, w.Progress) and node.widget.value is None for node in self.scene.nodes
        )

    # ---- focus and text ------------------------------------------------------------------------

    @property
    def field(self) -> w.TextField | None:
        """The focused text field."""
        box = self._places.get(self.touches.focused) if self.touches.focused else None
        return box.widget if box is not None and isinstance(box.widget, w.TextField) else None

    @property
    def fields(self) -> list[str]:
        """Paths of the text fields, in order."""
        return [path for path, box in self._places.items() if isinstance(box.widget, w.TextField)]

    def focus(self, path: str, caret: int | None = None) -> None:
        """Focus the field at ``path`` ("" for none); the caret goes to its end by default."""
        box = self._places.get(path)
        text = box.widget.text if box is not None and isinstance(box.widget, w.TextField) else ""
        place = len(text) if caret is None else min(caret, len(text))
        self.anchor = None
        self.touches = replace(
            self.touches, focused=path if box is not None else "", caret=place, selection=None, caret_on=True
        )

    @property
    def edit(self) -> Edit | None:
        """Text, caret and selection of the focused field."""
        field = self.field
        if field is None:
            return None
        return Edit(field.text, min(self.touches.caret, len(field.text)), self.anchor)

    def show_edit(self, edit: Edit) -> None:
        """Store the caret and selection of an edit."""
        self.anchor = edit.anchor
        self.touches = replace(self.touches, caret=edit.caret, selection=edit.selection, caret_on=True)

    # ---- scrolling -------------------------------------------------------------------------------

    def offset(self, path: str) -> float:
        box = self._places.get(path)
        if box is None:
            return 0.0
        return min(max(self.offsets.get(path, box.resting), 0.0), box.overflow)

    def scroll(self, path: str, by: float) -> bool:
        """Move the content at ``path`` by px; False at its end."""
        box = self._places.get(path)
        if box is None:
            return False
        before = self.offset(path)
        after = min(max(before + by, 0.0), float(box.overflow))
        if round(after) == round(before) and after == before:
            return False
        self.offsets[path] = after
        if box.from_end and after >= box.overflow:
            # At its end again: it follows new items from now on.
            del self.offsets[path]
        return True

    def scroll_to(self, path: str, share: float, inner: str | None = None) -> None:
        """Show the part of the content at ``path`` that begins at this share of it, or of the widget
        ``inner`` at its top."""
        length = self._places[path].content if inner is None else self._places[inner].height
        self.scroll(path, share * length - self.offset(path))

    def reveal(self, path: str) -> None:
        """Scroll the containers around the widget at ``path`` until it is visible: of a field with several
        lines, its caret."""
        parts = path.split("/")
        goal = self._goal(path)
        for cut in range(len(parts) - 1, 0, -1):
            outer = "/".join(parts[:cut])
            box = self._places.get(outer)
            if box is None or not box.overflow or (box.horizontal and not goal.within_width):
                continue
            inside = [self._places["/".join(parts[:n])] for n in range(cut + 1, len(parts) + 1)]
            if box.horizontal:
                first, last = goal.rect.left, goal.rect.right
                start, room = sum(place.x for place in inside), box.width
            else:
                first, last = goal.rect.top, goal.rect.bottom
                start, room = sum(place.y for place in inside), box.height
            at = self.offset(outer)
            if start + first < at:
                self.scroll(outer, start + first - at)
            elif start + last > at + room:
                self.scroll(outer, start + last - at - room)

    def _goal(self, path: str) -> _Goal:
        """The part of the widget at ``path`` that has to be visible."""
        box = self._places[path]
        field = box.widget
        whole = _Goal(Rect(0, 0, box.width, box.height), within_width=False)
        if not isinstance(field, w.TextField) or field.kind != "multiline" or path != self.touches.focused:
            return whole
        look, inset = self.look, self.look.px(self.look.field_inset(field))
        x, y = caret_place(
            field, look, max(1, box.width - 2 * inset), min(self.touches.caret, len(field.text))
        )
        top, near = y + look.px(TOP), look.px(16)
        tall = round(line_height(field_style(field, look)))
        return _Goal(Rect(x + inset - near, top - near, x + inset + near, top + tall + near), not field.wrap)


def _walk(box: Box, path: str) -> Iterator[tuple[str, Box]]:
    yield path, box
    for name, child in zip(box.names, box.children, strict=True):
        yield from _walk(child, f"{path}/{name}")
