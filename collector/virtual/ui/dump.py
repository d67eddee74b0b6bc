"""A scene as uiautomator's XML, attribute by attribute as AOSP writes it."""

from __future__ import annotations

import re

from collector.virtual.ui import widgets as w
from collector.virtual.ui.scene import PART, Scene, SceneNode, clickable, node_class, touchable

_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_NAF_EXCLUDED = tuple(
    f"android.widget.{name}" for name in ("GridView", "GridLayout", "ListView", "TableLayout")
)
_SILENT = ("android.widget.ImageView", "android.widget.ImageButton")
_TOGGLES = (w.Switch, w.Checkbox, w.Radio)


def dump_xml(scene: Scene, rotation: int, focused: str = "", compressed: bool = False) -> bytes:
    """The hierarchy of one window; ``focused`` is the path of the focused widget."""
    parts = [_HEAD, f'<hierarchy rotation="{rotation}">']
    _write(parts, scene, 0, len(scene.nodes), _Writer(focused, compressed))
    parts.append("</hierarchy>")
    return "".join(parts).encode()


class _Writer:
    def __init__(self, focused: str, compressed: bool) -> None:
        self.focused = focused
        self.compressed = compressed

    def is_node(self, scene: Scene, node: SceneNode) -> bool:
        if not node_class(node.widget):
            return False
        return not self.compressed or node is scene.nodes[0] or _important(node.widget)


def _write(parts: list[str], scene: Scene, start: int, end: int, writer: _Writer) -> None:
    position, index = start, 0
    while position < end:
        node = scene.nodes[position]
        if not writer.is_node(scene, node):
            _write(parts, scene, position + 1, node.last, writer)
            position = node.last
            continue
        inside: list[str] = []
        _write(inside, scene, position + 1, node.last, writer)
        number = index if writer.compressed else node.index
        opening = f"<node {_attributes(scene, node, number, writer)}"
        parts += [opening, ">", *inside, "</node>"] if inside else [opening, " />"]
        position, index = node.last, index + 1


def _attributes(scene: Scene, node: SceneNode, index: int, writer: _Writer) -> str:
    widget = node.widget
    toggles = isinstance(widget, _TOGGLES) or node_class(widget) == "android.widget.CompoundButton"
    taps = clickable(widget)
    values = {
        "index": str(index),
        "text": node_text(node),
        "resource-id": resource_id(widget, scene.look.package),
        "class": node_class(widget),
        "package": scene.look.package,
        "content-desc": widget.description,
        "checkable": toggles,
        "checked": getattr(widget, "checked", toggles and widget.selected),
        "clickable": taps,
        "enabled": widget.enabled,
        "focusable": _focusable(widget),
        "focused": bool(writer.focused) and node.path == writer.focused,
        "scrollable": node.box.overflow > 0,
        "long-clickable": widget.on_long_press is not None
        or widget.on_drag is not None
        or isinstance(widget, w.TextField),
        "password": isinstance(widget, w.TextField) and widget.kind == "password",
        "selected": widget.selected,
        "bounds": str(node.visible),
    }
    naf = 'NAF="true" ' if taps and widget.enabled and _unnamed(scene, node) else ""
    return naf + " ".join(f"{key}={_quoted(value)}" for key, value in values.items())


def node_text(node: SceneNode) -> str:
    """The text of a node: its own, or the texts of its parts."""
    widget = node.widget
    if isinstance(widget, w.Text):
        return widget.text
    if isinstance(widget, w.TextField):
        return shown_text(widget) or widget.hint or widget.label  # An empty field reads as its hint.
    if isinstance(widget, (w.Checkbox, w.Radio)):
        return widget.label
    if node_class(widget) in _SILENT:
        return ""
    words = [
        child.widget.text
        for child in node.box.children
        if isinstance(child.widget, w.Text) and child.widget.class_name == PART
    ]
    return " ".join(words)


def shown_text(field: w.TextField) -> str:
    """The visible text of a field: a password as bullets."""
    return "•" * len(field.text) if field.kind == "password" else field.text


def resource_id(widget: w.Widget, package: str) -> str:
    """``package:id/name``; an id that contains a colon is returned unchanged."""
    if not widget.id or ":" in widget.id:
        return widget.id
    return f"{package}:id/{widget.id}"


def _focusable(widget: w.Widget) -> bool:
    if isinstance(widget, (w.ScrollList, w.Scroll, w.TextField, w.Slider, w.Switch, w.Checkbox, w.Radio)):
        return True
    return touchable(widget)


def _important(widget: w.Widget) -> bool:
    """Whether an accessibility service that ignores unimportant views still sees the widget."""
    return bool(
        _focusable(widget)
        or widget.description
        or isinstance(widget, (w.Text, w.Progress))
        or node_class(widget) == "android.widget.Button"
    )


def _unnamed(scene: Scene, node: SceneNode) -> bool:
    """Whether a clickable node has no text in its subtree ("not accessibility friendly")."""
    if node_class(node.widget) in _NAF_EXCLUDED:
        return False
    first = scene.nodes.index(node)
    return not any(node_text(inner) or inner.widget.description for inner in scene.nodes[first : node.last])


def _quoted(value: str | bool) -> str:
    """A quoted attribute value as Android's KXmlSerializer writes it."""
    if isinstance(value, bool):
        return '"true"' if value else '"false"'
    if value.isascii() and value.isprintable() and not _SPECIAL.search(value):
        return f'"{value}"'
    quote = "'" if '"' in value else '"'
    return quote + "".join(_written(char, quote) for char in value) + quote


_SPECIAL = re.compile("[&<>\"']")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}


def _written(char: str, quote: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char == "'" == quote:
        return "&apos;"
    code = ord(char)
    # The dumper replaces characters not allowed in XML 1.0 by a full stop.
    bad = code < 0x20 or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF)
    if bad or 0xFDD0 <= code <= 0xFDDF:
        return "."
    return f"&#{code};" if code > 0xFFFF else char
