"""Read-only questions about the window over the local socket. No question calls a handler.

``{"ask": "state"}`` answers what the window shows, ``{"ask": "controls"}`` which named controls are
visible, ``{"ask": "screen"}`` what the mirrored phone shows. Each ``place`` is ``[left, top, width, height]``
in physical pixels of the screen, as input events need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QObject, QRect, Slot
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.tree import Node
from studio.app.main_window.window import MainWindow
from studio.bridge.phones.devices import Devices
from studio.bridge.recording import Recording
from studio.commands.commander import Commander
from studio.theme import theme
from studio.widgets.device_view.canvas import ScreenCanvas
from studio.widgets.device_view.view import DeviceView

PixelBox = list[int]
_MOST_CONTROLS = 4000


class WindowInspector(QObject):
    """Answers questions, and counts the steps captured since the start. GUI thread only."""

    def __init__(self, commander: Commander, devices: Devices, recording: Recording, parent: QObject) -> None:
        super().__init__(parent)
        self._commander = commander
        self._devices, self._recording = devices, recording
        self._captured, self._ready = 0, 0
        recording.step_captured.connect(self._step_captured)
        recording.next_ready.connect(self._next_ready)

    def watch(self, window: MainWindow) -> None:
        """Answer about this window from now on."""
        self._window = window

    def answer(self, question: str) -> object:
        """Return the answer as plain data. Raises UserError for an unknown question."""
        if question == "state":
            return self._state()
        if question == "controls":
            return list(_controls())
        if question == "screen":
            return _screen(self._window)
        raise UserError(_("The window cannot be asked for '{question}'", question=question))

    @Slot(object)
    def _step_captured(self, _event: object) -> None:
        self._captured += 1

    @Slot(object)
    def _next_ready(self, _event: object) -> None:
        self._ready += 1

    def _state(self) -> dict[str, Any]:
        window, context = self._window, self._commander.context
        return {
            "workspace": window.current.scope if window.current is not None else "",
            "context": {
                name: value for name, value in context.items() if isinstance(value, bool | int | str)
            },
            "theme": theme.scheme,
            "active": QApplication.activeWindow() is not None,
            "focus": _name_of(QApplication.focusWidget()),
            "popup": _name_of(QApplication.activePopupWidget()),
            "dialog": _name_of(QApplication.activeModalWidget()),
            "jobs": [job.title for job in window.services.tasks.titled],
            "place": _physical(QRect(window.mapToGlobal(window.rect().topLeft()), window.size()), window),
            "phone": self._phone(),
            "phones": list(self._devices.links.serials),
            "recording": self._recording_state(),
            "anomalies": [injection.anomaly for injection in window.services.anomalies.active],
        }

    def _phone(self) -> dict[str, Any]:
        phone = self._devices.current
        if phone is None:
            return {"serial": "", "live": False, "secure": False}
        return {"serial": phone.serial, "live": phone.is_live, "secure": phone.screen.secure}

    def _recording_state(self) -> dict[str, Any]:
        phase = self._recording.phase
        return {
            "phase": phase.name.lower() if phase is not None else "",
            "folder": str(self._recording.folder or ""),
            "steps": len(self._recording.steps),
            "captured": self._captured,
            "ready": self._ready,
        }


def _name_of(widget: QWidget | None) -> str:
    if widget is None:
        return ""
    return widget.accessibleName() or widget.windowTitle() or type(widget).__name__


def _physical(rect: QRect, widget: QWidget) -> PixelBox:
    ratio = widget.devicePixelRatioF()
    return [round(value * ratio) for value in (rect.x(), rect.y(), rect.width(), rect.height())]


# -- controls ----------------------------------------------------------------
def _controls() -> Iterator[dict[str, Any]]:
    """Yield every visible control that has a name; front windows come last."""
    # Tables and lists update the accessible names of changed rows only while accessibility is active.
    QAccessible.setActive(True)
    for top in QApplication.topLevelWidgets():
        if not top.isVisible():
            continue
        budget = [_MOST_CONTROLS]
        root = QAccessible.queryAccessibleInterface(top)
        if root is not None:
            yield from _named(root, top, root.rect(), budget)


def _named(
    item: QAccessibleInterface, top: QWidget, visible: QRect, budget: list[int]
) -> Iterator[dict[str, Any]]:
    if not item.isValid() or item.state().invisible or budget[0] <= 0:
        return
    budget[0] -= 1
    rect = item.rect()
    seen = rect.intersected(visible)
    name = item.text(QAccessible.Text.Name)
    if name and not seen.isEmpty():
        yield {
            "name": name,
            "role": item.role().name,
            "value": item.text(QAccessible.Text.Value),
            "about": item.text(QAccessible.Text.Description),
            "enabled": not item.state().disabled,
            "focused": bool(item.state().focused),
            "checked": bool(item.state().checked or item.state().selected),
            "place": _physical(seen, top),
        }
    # A child of a scrolled page is visible only where the page is.
    inner = seen if not rect.isEmpty() else visible
    for number in range(item.childCount()):
        child = item.child(number)
        if child is not None:
            yield from _named(child, top, inner, budget)


# -- the mirrored phone ------------------------------------------------------
def _screen(window: MainWindow) -> dict[str, Any]:
    views = [canvas for canvas in window.findChildren(ScreenCanvas) if canvas.isVisible()]
    if not views:
        return {"shown": False, "nodes": []}
    # The tiles of other phones stand beside the phone that takes input.
    view = next((canvas for canvas in views if isinstance(canvas, DeviceView)), views[0])
    tree = view.selection.tree
    return {
        "shown": True,
        "size": [view.screen_size.width, view.screen_size.height],
        "painted": view.frames_painted,
        "secure": view.frame.secure if view.frame is not None else False,
        "mode": view.mode.name.lower() if isinstance(view, DeviceView) else "",
        "selected": _label(view.selection.selected),
        "hovered": _label(view.selection.hovered),
        "hits": len(view.selection.hits),
        "place": _on_screen(view, view.picture_rect()),
        "nodes": [_node(view, node) for node in tree.nodes] if tree is not None else [],
    }


def _label(node: Node | None) -> str:
    return "" if node is None else node.label or node.short_id or node.short_class


def _on_screen(view: QWidget, rect: QRect) -> PixelBox:
    return _physical(QRect(view.mapToGlobal(rect.topLeft()), rect.size()), view)


def _node(view: ScreenCanvas, node: Node) -> dict[str, Any]:
    """Describe a node; ``at`` is the physical pixel over its centre."""
    entry: dict[str, Any] = {
        "text": node.text,
        "description": node.content_desc,
        "id": node.resource_id,
        "class": node.class_name,
        "focused": node.flag("focused"),
    }
    if node.bounds is not None:
        x, y = view.transform.to_view(node.bounds.center)
        entry["at"] = _on_screen(view, QRect(round(x), round(y), 1, 1))[:2]
        entry["bounds"] = [node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom]
    return entry
