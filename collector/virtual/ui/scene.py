"""A laid-out window flattened: nodes in document order with their visible rectangles.

Pixels (:mod:`paint`), hierarchy XML (:mod:`dump`) and hit test all read these nodes,
which is why they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from collector.model.geometry import Point, Rect
from collector.virtual.ui import widgets as w
from collector.virtual.ui.layout import Box
from collector.virtual.ui.look import Look

PART = "-"
"""``class_name`` of a widget that is drawn but has no node: a part of the widget around it."""


@dataclass(slots=True, eq=False)
class SceneNode:
    """One drawn widget. ``rect`` is its whole area in screen px, ``visible`` its visible part."""

    box: Box
    path: str
    rect: Rect
    visible: Rect
    depth: int
    index: int
    """Position among all siblings, including invisible ones."""
    parent: SceneNode | None
    last: int = 0
    """Index after this node's last descendant in ``Scene.nodes``."""

    @property
    def widget(self) -> w.Widget:
        return self.box.widget


@dataclass(slots=True)
class Scene:
    """All visible nodes of one window."""

    look: Look
    frame: Rect
    nodes: list[SceneNode] = field(default_factory=list)

    def at(self, point: Point) -> Iterator[SceneNode]:
        """The nodes under the point, topmost first."""
        for node in reversed(self.nodes):
            if node.visible.contains(point):
                yield node

    def by_path(self, path: str) -> SceneNode | None:
        return next((node for node in self.nodes if node.path == path), None)

    def by_id(self, name: str) -> SceneNode | None:
        return next((node for node in self.nodes if node.widget.id == name), None)


def flatten(box: Box, look: Look, frame: Rect, offsets: Mapping[str, float]) -> Scene:
    """Flatten a laid-out window into visible nodes.

    ``box`` is the root, ``frame`` its place on the screen. ``offsets`` holds the scroll offset of each
    scrolling path, in px.
    """
    scene = Scene(look, frame)
    _visit(scene, _Visit(box, "", 0, None, 0), frame.left, frame.top, frame, offsets)
    return scene


@dataclass(slots=True)
class _Visit:
    box: Box
    path: str
    depth: int
    parent: SceneNode | None
    index: int


def _visit(scene: Scene, visit: _Visit, x: int, y: int, clip: Rect, offsets: Mapping[str, float]) -> None:
    box = visit.box
    rect = Rect(x + box.x, y + box.y, x + box.x + box.width, y + box.y + box.height)
    visible = rect.intersection(clip)
    if visible is None:
        return
    node = SceneNode(box, visit.path, rect, visible, visit.depth, visit.index, visit.parent)
    scene.nodes.append(node)
    dx, dy = rect.left, rect.top
    inner = clip
    if box.scrolls:
        moved = round(min(max(offsets.get(visit.path, box.resting), 0.0), box.overflow))
        dx, dy = (dx - moved, dy) if box.horizontal else (dx, dy - moved)
        inner = visible
    index = 0
    for name, child in zip(box.names, box.children, strict=True):
        below = _Visit(child, f"{visit.path}/{name}", visit.depth + 1, node, index)
        _visit(scene, below, dx, dy, inner, offsets)
        index += type(child.widget) is not w.Spacer
    node.last = len(scene.nodes)


def node_class(widget: w.Widget) -> str:
    """The Android class in a widget's dump; empty when it has no node."""
    if widget.class_name:
        return "" if widget.class_name == PART else widget.class_name
    return _CLASSES.get(type(widget), "android.view.View")


_CLASSES: dict[type, str] = {
    w.Column: "android.widget.LinearLayout",
    w.Row: "android.widget.LinearLayout",
    w.Flow: "android.view.ViewGroup",
    w.Grid: "android.widget.GridLayout",
    w.Stack: "android.widget.FrameLayout",
    w.ScrollList: "androidx.recyclerview.widget.RecyclerView",
    w.Scroll: "android.widget.ScrollView",
    w.Text: "android.widget.TextView",
    w.Icon: "android.widget.ImageView",
    w.Image: "android.widget.ImageView",
    w.TextField: "android.widget.EditText",
    w.Switch: "android.widget.Switch",
    w.Checkbox: "android.widget.CheckBox",
    w.Radio: "android.widget.RadioButton",
    w.Slider: "android.widget.SeekBar",
    w.Progress: "android.widget.ProgressBar",
    w.Spacer: "",
}


def clickable(widget: w.Widget) -> bool:
    """Whether a tap has an effect here."""
    if widget.on_tap is not None or widget.on_double_tap is not None or isinstance(widget, w.TextField):
        return True
    return isinstance(widget, (w.Switch, w.Checkbox, w.Radio)) and widget.on_change is not None


def touchable(widget: w.Widget) -> bool:
    """Whether a touch that starts here belongs to this widget."""
    return (
        clickable(widget)
        or widget.on_long_press is not None
        or widget.on_pinch is not None
        or widget.on_drag is not None
        or widget.on_trace is not None
        or widget.on_gesture is not None
        or isinstance(widget, w.Slider)
    )
