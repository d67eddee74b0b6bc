"""What an action did, in words: ProBench's Algorithm 1 for clicks, captions for everything.

The app's own words are kept as they are; only the verb around them is translated.
"""

from __future__ import annotations

import re

from collector.hierarchy.index import SpatialIndex
from collector.model.action import (
    Action,
    Answer,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
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
from collector.model.i18n import N_, _, ngettext
from collector.model.tree import Node, Tree

_LONGEST = 60
_CHILDREN = 4
_SEPARATORS = re.compile(r"[\s_.-]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
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
    """The smallest clickable node that encloses ``point``; without one, the topmost node there."""
    best: Node | None = None
    for node in tree.nodes:
        box = node.bounds
        if box is None or not box.contains(point) or not node.clickable:
            continue
        if best is None or best.bounds is None or box.area <= best.bounds.area:
            best = node
    return best or SpatialIndex(tree).at(point)


def describe_node(node: Node) -> str:
    """ProBench's description: text and description; without both, the id and what its children say."""
    own = _join([node.text, node.content_desc])
    if own:
        return own
    words = [below.label or "" for below in node.descendants() if below.label][:_CHILDREN]
    return _join([_readable_id(node), *words])


def describe_click(tree: Tree, point: Point) -> str:
    """What was clicked at ``point``, "" when no node says anything (ProBench, Algorithm 1)."""
    node = click_target(tree, point)
    if node is None:
        return ""
    if node.clickable or not node.children:
        return describe_node(node)
    return _join([node.text, node.content_desc])  # a mere container: its contents were not clicked


def click_name(tree: Tree, point: Point) -> str:
    """What a person would call what is at ``point``: of a tile without words of its own, its title."""
    node = click_target(tree, point)
    if node is not None and node.password:
        return _field_name(node)  # what is written in it is masked, its hint too
    if node is None or not node.clickable or _join([node.text, node.content_desc]):
        return describe_click(tree, point)
    return _title(node) or describe_click(tree, point)


def _title(node: Node) -> str:
    """The first text within that has a letter in it, else the first description that has."""
    below = tuple(node.descendants())
    said = (*(one.text for one in below), *(one.content_desc for one in below))
    return next((" ".join(words.split()) for words in said if any(map(str.isalpha, words))), "")


def focused_field(tree: Tree) -> Node | None:
    """The node text would go into: the focused one, the deepest when several say so."""
    focused = [node for node in tree.nodes if node.flag("focused")]
    fields = [node for node in focused if "EditText" in node.class_name or node.password]
    found = fields or focused
    return found[-1] if found else None


def takes_text(node: Node) -> bool:
    """Whether a touch on ``node`` may have been for typing: a field, or what opens a search."""
    if "EditText" in node.class_name or "AutoComplete" in node.class_name or node.password:
        return True
    words = f"{node.short_id} {node.content_desc} {node.get('hint')}".casefold()
    return any(word in words for word in ("search", "input", "query", "edit", "搜索", "输入"))


def caption(action: Action, tree: Tree | None = None, field: Node | None = None) -> str:
    """One line on what ``action`` did in the state ``tree`` shows, as in "Tap 'Sign in'".

    ``field`` is the node that took the text of a ``type``, when the caller knows better than the tree.
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
        if name:
            return ngettext(
                "Type {count} character into '{name}'",
                "Type {count} characters into '{name}'",
                action.length,
                name=name,
            )
        return ngettext("Type {count} character, hidden", "Type {count} characters, hidden", action.length)
    if not action.text:
        return _("Clear '{name}'", name=name) if name else _("Clear the text")
    text = _short(action.text)
    return _("Type '{text}' into '{name}'", text=text, name=name) if name else _("Type '{text}'", text=text)


def _field_name(field: Node) -> str:
    """What a field is called; its text is what somebody typed, so it comes late, and never a password."""
    own = "" if field.password else field.text
    return _short(field.get("hint") or field.content_desc or own or _readable_id(field))


def _stroke_caption(action: Swipe | Drag, tree: Tree | None) -> str:
    if isinstance(action, Swipe):
        return _(_SWIPES[swipe_direction(action)])
    name = _short(click_name(tree, action.point)) if tree is not None else ""
    if name:
        return _("Drag '{name}' to {x}, {y}", name=name, x=action.x2, y=action.y2)
    return _("Drag from {x1}, {y1} to {x2}, {y2}", x1=action.x1, y1=action.y1, x2=action.x2, y2=action.y2)


def swipe_direction(action: Swipe) -> str:
    """Where the finger went: up, down, left or right."""
    dx, dy = action.x2 - action.x1, action.y2 - action.y1
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def _plain_caption(action: Action) -> str:
    match action:
        case Key(key=key):
            return _(_KEY_CAPTIONS[key]) if key in _KEY_CAPTIONS else _("Press key {key}", key=key)
        case Scroll(direction=direction):
            return _(_SCROLLS.get(direction, _SCROLLS["down"]))
        case Pinch(scale=scale):
            return _("Spread two fingers") if scale > 1 else _("Pinch two fingers")
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
        case _:
            return action.kind


def _join(parts: list[str]) -> str:
    cleaned = (" ".join(part.split()) for part in parts)
    return ", ".join(dict.fromkeys(part for part in cleaned if part))


def _readable_id(node: Node) -> str:
    """``like button`` of ``tv.app:id/like_button`` or ``likeButton``."""
    return _SEPARATORS.sub(" ", _HUMP.sub(" ", node.short_id)).strip().lower()


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3].rstrip() + "..."
