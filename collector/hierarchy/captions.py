"""Caption actions in words; describe clicks by Algorithm 1 of ProBench.

Texts of the app stay as they are; only the verb around them is translated.
"""

from __future__ import annotations

import re

from collector.hierarchy.finger_captions import fingers_caption
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.action import (
    HELD_FROM_MS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import N_
from collector.model.message import _
from collector.model.tree import Node, Tree

_MAX_LENGTH = 60
_MAX_CHILDREN = 4
_SEPARATORS = re.compile(r"[\s_.-]+")
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KEY_CAPTIONS = {
    "enter": N_("Press Enter"),
    "back": N_("Press Back"),
    "home": N_("Press Home"),
    "recents": N_("Press Recents"),
    "power": N_("Press Power"),
    "volume_up": N_("Press Volume up"),
    "volume_down": N_("Press Volume down"),
    "delete": N_("Press Delete"),
    "tab": N_("Press Tab"),
    "escape": N_("Press Escape"),
    "menu": N_("Press Menu"),
    "search": N_("Press Search"),
    "up": N_("Press the up arrow"),
    "down": N_("Press the down arrow"),
    "left": N_("Press the left arrow"),
    "right": N_("Press the right arrow"),
    "paste": N_("Paste"),
    "copy": N_("Copy"),
    "cut": N_("Cut"),
    "select_all": N_("Select all"),
}
_SWIPES = {
    "up": N_("Swipe up"),
    "down": N_("Swipe down"),
    "left": N_("Swipe left"),
    "right": N_("Swipe right"),
}
_SCROLLS = {
    "up": N_("Scroll up"),
    "down": N_("Scroll down"),
    "left": N_("Scroll left"),
    "right": N_("Scroll right"),
}


def click_target(tree: Tree, point: Point) -> Node | None:
    """Return the smallest clickable node around ``point``, or the topmost node there."""
    best: Node | None = None
    for node in tree.nodes:
        box = node.bounds
        if box is None or not box.contains(point) or not node.clickable:
            continue
        if best is None or best.bounds is None or box.area <= best.bounds.area:
            best = node
    return best or SpatialIndex(tree).at(point)


def describe_node(node: Node) -> str:
    """Describe a node as ProBench does: text and description, or its id and its children's words."""
    own = _join([node.text, node.content_desc])
    if own:
        return own
    words = [below.label or "" for below in node.descendants() if below.label][:_MAX_CHILDREN]
    return _join([_readable_id(node), *words])


def describe_click(tree: Tree, point: Point) -> str:
    """Describe what was clicked at ``point`` (ProBench, Algorithm 1); empty when no node has words."""
    node = click_target(tree, point)
    if node is None:
        return ""
    if node.clickable or not node.children:
        return describe_node(node)
    return _join([node.text, node.content_desc])  # its contents were not clicked


def click_name(tree: Tree, point: Point) -> str:
    """Name what is at ``point`` as a person would: a tile without words of its own by its title."""
    node = click_target(tree, point)
    if node is not None and node.password:
        return _field_name(node)  # its text and its hint are masked
    if node is None or not node.clickable or _join([node.text, node.content_desc]):
        return describe_click(tree, point)
    return _title(node) or describe_click(tree, point)


def _title(node: Node) -> str:
    """Return the first text below ``node`` with a letter in it, or the first such description."""
    below = tuple(node.descendants())
    texts = (*(child.text for child in below), *(child.content_desc for child in below))
    return next((" ".join(words.split()) for words in texts if any(map(str.isalpha, words))), "")


def focused_field(tree: Tree) -> Node | None:
    """Return the node typed text goes into: the focused node, the deepest if there are several."""
    focused = [node for node in tree.nodes if node.flag("focused")]
    fields = [node for node in focused if "EditText" in node.class_name or node.password]
    candidates = fields or focused
    return candidates[-1] if candidates else None


def takes_text(node: Node) -> bool:
    """Whether a touch on ``node`` may precede typing: a text field, or a button that opens a search."""
    if "EditText" in node.class_name or "AutoComplete" in node.class_name or node.password:
        return True
    words = f"{node.short_id} {node.content_desc} {node.get('hint')}".casefold()
    return any(word in words for word in ("search", "input", "query", "edit", "搜索", "输入"))


def caption(action: Action, tree: Tree | None = None, field: Node | None = None) -> str:
    """Say in one line what ``action`` did in the state of ``tree``, as in "Tap 'Sign in'".

    ``field`` is the node that received the text of a ``type``, when the tree does not show it as focused.
    """
    if isinstance(action, (Tap, DoubleTap, LongPress)):
        return _touch_caption(action, tree)
    if isinstance(action, Type):
        return _type_caption(action, field or (focused_field(tree) if tree is not None else None))
    if isinstance(action, (Swipe, Drag)):
        return _stroke_caption(action, tree)
    return _plain_caption(action)


def _touch_caption(action: Tap | DoubleTap | LongPress, tree: Tree | None) -> str:
    name = _short(click_name(tree, action.point)) if tree is not None else ""
    if not name:
        place = {"x": action.x, "y": action.y}
        if isinstance(action, Tap):
            return _("Tap at {x}, {y}", **place)
        if isinstance(action, DoubleTap):
            return _("Double-tap at {x}, {y}", **place)
        return _("Long-press at {x}, {y}", **place)
    if isinstance(action, Tap):
        return _("Tap '{name}'", name=name)
    if isinstance(action, DoubleTap):
        return _("Double-tap '{name}'", name=name)
    return _("Long-press '{name}'", name=name)


def _type_caption(action: Type, field: Node | None) -> str:
    name = _field_name(field) if field is not None else ""
    if action.redacted:
        return _("Type a hidden text into '{name}'", name=name) if name else _("Type a hidden text")
    if not action.text:
        return _("Clear '{name}'", name=name) if name else _("Clear the text")
    text = _short(action.text)
    return _("Type '{text}' into '{name}'", text=text, name=name) if name else _("Type '{text}'", text=text)


def _field_name(field: Node) -> str:
    """Name a field. Its own text is user input: it is used after the hint, and never for a password."""
    own = "" if field.password else field.text
    return _short(field.get("hint") or field.content_desc or own or _readable_id(field))


def _stroke_caption(action: Swipe | Drag, tree: Tree | None) -> str:
    if isinstance(action, Swipe):
        return _(_SWIPES[swipe_direction(action)])
    name = _short(click_name(tree, action.point)) if tree is not None else ""
    if name:
        return _("Drag '{name}' to {x}, {y}", name=name, x=action.x2, y=action.y2)
    return _("Drag from {x1}, {y1} to {x2}, {y2}", x1=action.x1, y1=action.y1, x2=action.x2, y2=action.y2)


def swipe_direction(action: Swipe | Drag) -> str:
    """Return the direction of the finger: up, down, left or right."""
    dx, dy = action.x2 - action.x1, action.y2 - action.y1
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _plain_caption(action: Action) -> str:
    match action:
        case Key(key=key, duration_ms=held):
            pressed = _(_KEY_CAPTIONS[key]) if key in _KEY_CAPTIONS else _("Press key {key}", key=key)
            if held < HELD_FROM_MS:
                return pressed
            return _("{pressed} for {seconds} s", pressed=pressed, seconds=f"{held / 1000:.1f}")
        case Scroll(direction=direction):
            return _(_SCROLLS.get(direction, _SCROLLS["down"]))
        case Pinch():
            return fingers_caption(action)
        case OpenApp(package=package, name=name):
            return _("Open {name}", name=name or package)
        case Wait(duration_ms=duration):
            return _("Wait {seconds} s", seconds=f"{duration / 1000:g}")
        case Answer(text=text):
            return _("Answer '{text}'", text=_short(text))
        case Complete():
            return _("Task complete")
        case Impossible():
            return _("Task impossible")
        case AskUser(question=question):
            return _("Ask the user '{text}'", text=_short(question)) if question else _("Ask the user")
        case Invalid():
            return _("Invalid action")
        case _:
            return action.kind


def _join(parts: list[str]) -> str:
    cleaned = (" ".join(part.split()) for part in parts)
    return ", ".join(dict.fromkeys(part for part in cleaned if part))


def _readable_id(node: Node) -> str:
    """``like button`` of ``tv.app:id/like_button`` or ``likeButton``."""
    return _SEPARATORS.sub(" ", _CAMEL_CASE.sub(" ", node.short_id)).strip().lower()


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 3].rstrip() + "..."
