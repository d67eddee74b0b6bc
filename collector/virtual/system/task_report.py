"""What the window manager says of tasks, the field with the focus and the views of an app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.geometry import Rect
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.window import Window
from collector.virtual.ui import widgets as w
from collector.virtual.ui.dump import resource_id
from collector.virtual.ui.scene import clickable, node_class


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task with its activities, the one on top first. ``number`` is its id."""

    number: int
    package: str
    records: tuple[ActivityRecord, ...]

    @property
    def root(self) -> ActivityRecord:
        """The activity that the task began with."""
        return self.records[-1]

    @property
    def is_home(self) -> bool:
        return self.root.activity.home


@dataclass(frozen=True, slots=True)
class FocusedField:
    """The text field that has the focus: its id, package and widget."""

    name: str
    package: str
    widget: w.TextField


@dataclass(frozen=True, slots=True)
class ShownView:
    """A view in the hierarchy of a window; ``place`` is relative to the view around it, in px."""

    depth: int
    class_name: str
    name: str
    """``com.example:id/title``; empty for a view without an id."""
    place: Rect
    enabled: bool
    clickable: bool
    long_clickable: bool
    focusable: bool
    focused: bool
    selected: bool
    scrolls: bool
    draws: bool


class TaskReport:
    """Tasks, focus and views as they are now. Every method may be called from any thread."""

    def __init__(self, state: SystemState, compositor: Compositor) -> None:
        self._state = state
        self._compositor = compositor

    def tasks(self) -> list[OpenTask]:
        """The open tasks, the one in front first."""
        with self._state.lock:
            return [
                OpenTask(task.number, task.package, tuple(reversed(task.records)))
                for task in reversed(self._state.activities.tasks)
            ]

    def visible(self) -> frozenset[int]:
        """The numbers of the activities that can be seen: the one in front, and those below dialogs."""
        with self._state.lock:
            return frozenset(record.number for record in self._state.activities.visible)

    def field(self) -> FocusedField | None:
        """The text field that the keyboard writes into; None while there is none."""
        with self._state.lock:
            owner = self._compositor.focused
            widget = owner.field if owner is not None else None
            if owner is None or widget is None:
                return None
            return FocusedField(resource_id(widget, owner.package), owner.package, widget)

    def views(self, record: ActivityRecord) -> Sequence[ShownView]:
        """The views of an activity that is shown, from the outside; empty for one that is not."""
        with self._state.lock:
            for window in self._compositor.windows:
                if window.kind == "activity" and window.record is record:
                    return list(_views(window))
            return ()


def _views(window: Window) -> list[ShownView]:
    """The nodes of a window that are views on a phone; the others are parts of the view around them."""
    found: list[ShownView] = []
    shown: dict[str, tuple[int, Rect]] = {}
    for node in window.scene.nodes:
        depth, around = _around(node.path, shown)
        if not node_class(node.widget):
            continue
        shown[node.path] = (depth + 1, node.rect)
        widget = node.widget
        found.append(
            ShownView(
                depth,
                node_class(widget),
                resource_id(widget, window.package),
                Rect(
                    node.rect.left - around.left,
                    node.rect.top - around.top,
                    node.rect.right - around.left,
                    node.rect.bottom - around.top,
                ),
                widget.enabled,
                clickable(widget),
                widget.on_long_press is not None,
                isinstance(widget, w.TextField) or clickable(widget),
                bool(window.touches.focused) and node.path == window.touches.focused,
                widget.selected,
                node.box.overflow > 0,
                not node.box.children,
            )
        )
    return found


def _around(path: str, shown: dict[str, tuple[int, Rect]]) -> tuple[int, Rect]:
    """Depth below, and the place of, the nearest view around a node."""
    while path:
        path = path.rpartition("/")[0]
        if path in shown:
            return shown[path]
    return 0, Rect(0, 0, 0, 0)
