"""JSON-RPC calls on an element: exists, info, wait, click, set text, scroll."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

from collector.adb.keys import CODES, META_CTRL
from collector.model.geometry import Rect
from collector.model.tree import Node
from collector.virtual.automation.elements import (
    Relation,
    Selector,
    describe,
    find,
    find_near,
    information,
    place,
    read_window,
)
from collector.virtual.automation.gestures import GestureInjector, Place
from collector.virtual.automation.rpc import Method, ObjectNotFoundError
from collector.virtual.system.phone import Phone

_POLL = 0.1
_FLING_STEPS = 5
_SCROLL_STEPS = 55
_MARGIN = 0.1
"""Share of a list at its ends where a scroll neither starts nor stops, as UiScrollable's dead zone."""
_DIRECTIONS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
_CORNERS = {"tl": (0.0, 0.0), "topleft": (0.0, 0.0), "br": (1.0, 1.0), "bottomright": (1.0, 1.0)}


class ObjectService:
    """Find elements anew for each call, as UiObject does."""

    def __init__(self, phone: Phone, wait: Callable[[float], object]) -> None:
        self._phone = phone
        self._wait = wait
        self._gestures = GestureInjector(phone, wait)
        self._named: dict[str, Callable[[], list[Node]]] = {}
        self._numbers = itertools.count()

    def methods(self) -> dict[str, Method]:
        """The RPC methods by name."""
        methods: dict[str, Method] = {
            "exist": lambda selector: bool(self.all(selector)),
            "count": lambda selector: len(self.all(selector)),
            "objInfo": lambda selector: information(self.element(selector)),
            "objInfoOfAllInstances": lambda selector: [information(node) for node in self.all(selector)],
            "waitForExists": lambda selector, ms: self.wait_for(selector, ms, there=True),
            "waitUntilGone": lambda selector, ms: self.wait_for(selector, ms, there=False),
            "getText": lambda selector: self.element(selector).text,
            "setText": self.set_text,
            "clearTextField": lambda selector: self.set_text(selector, ""),
            "click": self.click,
            "clickAndWaitForNewWindow": self.click_and_wait,
            "longClick": self.long_click,
            "swipe": self.swipe,
            "dragTo": self.drag_to,
            "gesture": self.gesture,
            "childByText": lambda *words: self.child_by("text", *words),
            "childByDescription": lambda *words: self.child_by("content-desc", *words),
            "childByInstance": self.child_by_instance,
            "pinchIn": lambda selector, percent, steps: self.pinch(selector, percent, steps, inwards=True),
            "pinchOut": lambda selector, percent, steps: self.pinch(selector, percent, steps, inwards=False),
        }
        return methods | self._scrolling() | self._naming()

    def _naming(self) -> dict[str, Method]:
        return {
            "getUiObject": lambda selector: self._remember(lambda: self.all(selector)),
            "getChild": lambda name, selector: self._relative(name, "child", selector),
            "getFromParent": lambda name, selector: self._relative(name, "sibling", selector),
            "getUiObjects": lambda: list(self._named),
            "removeUiObject": lambda name: self._named.pop(name, None) and None,
        }

    def _scrolling(self) -> dict[str, Method]:
        return {
            "scrollForward": lambda element, upright, steps=_SCROLL_STEPS: self.page(
                element, upright, steps, 1
            ),
            "scrollBackward": lambda element, upright, steps=_SCROLL_STEPS: self.page(
                element, upright, steps, -1
            ),
            "scrollToBeginning": lambda element, upright, most, steps: self.to_end(
                element, upright, most, steps, -1
            ),
            "scrollToEnd": lambda element, upright, most, steps: self.to_end(
                element, upright, most, steps, 1
            ),
            "scrollTo": self.scroll_to,
            "flingForward": lambda element, upright: self.page(element, upright, _FLING_STEPS, 1),
            "flingBackward": lambda element, upright: self.page(element, upright, _FLING_STEPS, -1),
            "flingToBeginning": lambda element, upright, most: self.to_end(
                element, upright, most, _FLING_STEPS, -1
            ),
            "flingToEnd": lambda element, upright, most: self.to_end(element, upright, most, _FLING_STEPS, 1),
        }

    def all(self, selector: Selector | str) -> list[Node]:
        """Every element that matches now; a string is a name returned by an earlier call."""
        if isinstance(selector, str):
            return self._named[selector]() if selector in self._named else []
        tree = read_window(self._phone.hierarchy_xml())
        return find(tree, selector) if tree else []

    def child_by(
        self, attribute: str, parent: Selector, pattern: Selector, text: str, scroll: bool = False
    ) -> str:
        """Name the child that matches the pattern and whose subtree contains the text ``wanted``."""
        if scroll:
            field = {"text": "text", "content-desc": "description"}[attribute]
            self.scroll_to(parent, {field: text}, upright=True)
        return self._name(
            lambda: [
                child
                for child in self._children(parent, pattern)
                if any(node.get(attribute) == text for node in (child, *child.descendants()))
            ]
        )

    def child_by_instance(self, parent: Selector, pattern: Selector, number: int) -> str:
        """Name one of the children that match the pattern, counted from 0."""
        return self._name(lambda: self._children(parent, pattern)[number : number + 1])

    def _children(self, parent: Selector, pattern: Selector) -> list[Node]:
        relations = {"childOrSibling": ["child"], "childOrSiblingSelector": [pattern]}
        return self.all({**parent, **relations})

    def _name(self, look: Callable[[], list[Node]]) -> str:
        if not look():
            raise ObjectNotFoundError("UiSelector[CHILD]")
        return self._remember(look)

    def _remember(self, look: Callable[[], list[Node]]) -> str:
        """Give elements a name by which later calls find them anew."""
        name = f"child-{next(self._numbers)}"
        self._named[name] = look
        return name

    def _relative(self, name: str, relation: Relation, selector: Selector) -> str:
        return self._remember(lambda: find_near(self.all(name), relation, selector))

    def element(self, selector: Selector | str) -> Node:
        """The first matching element; raise ObjectNotFoundError."""
        elements = self.all(selector)
        if not elements:
            raise ObjectNotFoundError(selector if isinstance(selector, str) else describe(selector))
        return elements[0]

    def wait_for(self, selector: Selector | str, milliseconds: float, *, there: bool) -> bool:
        end = time.monotonic() + milliseconds / 1000
        while bool(self.all(selector)) is not there:
            if time.monotonic() >= end or self._wait(_POLL):
                return False
        return True

    def click(self, target: Any, *rest: Any) -> bool:
        """``click(x, y)``, ``click(x, y, milliseconds)``, ``click(selector)`` or with a corner."""
        if isinstance(target, (dict, str)):
            return self._gestures.tap(*self._corner(target, *rest))
        return self._gestures.tap(target, *rest)

    def _corner(self, selector: Selector | str, name: str = "") -> Place:
        """The middle of an element, or a corner of it by name."""
        return _within(place(self.element(selector)), *_CORNERS.get(str(name).lower(), (0.5, 0.5)))

    def long_click(self, selector: Selector | str, corner: str = "") -> bool:
        return self._gestures.long_press(*self._corner(selector, corner))

    def click_and_wait(self, selector: Selector | str, milliseconds: float) -> bool:
        """Click and return whether another window got the focus in this time."""
        before = self._phone.focused_window
        self.click(selector)
        end = time.monotonic() + milliseconds / 1000
        while self._phone.focused_window == before:
            if time.monotonic() >= end or self._wait(_POLL):
                return False
        return True

    def swipe(self, target: Any, *rest: Any) -> bool:
        """``swipe(x1, y1, x2, y2, steps)`` or ``swipe(selector, direction, [share,] steps)``."""
        if not isinstance(target, (dict, str)):
            return self._swipe_between(target, *rest)
        return self._swipe_element(target, *(rest if len(rest) == 3 else (*rest[:1], 1.0, *rest[1:])))

    def _swipe_between(self, x1: float, y1: float, x2: float, y2: float, steps: int) -> bool:
        return self._gestures.glide([(x1, y1), (x2, y2)], steps)

    def _swipe_element(self, selector: Selector | str, direction: str, share: float, steps: int) -> bool:
        """Swipe from one side of an element over this share of it; False for an unknown direction."""
        across, down = _DIRECTIONS.get(str(direction).lower()[:1], (0, 0))
        if not (across or down):
            return False
        long = 1 - 2 * _MARGIN
        start = (0.5 - across * long / 2, 0.5 - down * long / 2)
        moved = long * max(0.0, min(share, 1.0))
        end = (start[0] + across * moved, start[1] + down * moved)
        rect = place(self.element(selector))
        return self._gestures.glide([_within(rect, *start), _within(rect, *end)], steps)

    def set_text(self, selector: Selector | str, text: str) -> bool:
        """Focus a field and replace its text."""
        node = self.element(selector)
        if not node.flag("focused"):
            self._gestures.tap(*_middle(node))
        self._phone.key(CODES["A"], meta=META_CTRL)
        self._phone.key(CODES["DEL"])
        return self._phone.commit_text(text) if text else True

    def drag_to(self, selector: Selector | str, *target: Any) -> bool:
        """``dragTo(selector, x, y, steps)`` or ``dragTo(selector, selector, steps)``."""
        start = _middle(self.element(selector))
        if isinstance(target[0], dict):
            return self._gestures.drag(start, _middle(self.element(target[0])), target[1])
        x, y, steps = target
        return self._gestures.drag(start, (x, y), steps)

    def gesture(self, selector: Selector | str, *points: Any) -> bool:
        """A two-finger gesture: both starts, both ends, then the steps."""
        self.element(selector)
        start1, start2, end1, end2 = ((float(point["x"]), float(point["y"])) for point in points[:4])
        return self._gestures.pair((start1, end1), (start2, end2), int(points[4]))

    def pinch(self, selector: Selector | str, percent: float, steps: int, *, inwards: bool) -> bool:
        rect = place(self.element(selector))
        share = max(0.0, min(percent, 100)) / 100 / 2
        # Keep clear of the edges, where the system would take the touch as its own gesture.
        near, far = 0.45, 0.5 - share * 0.7
        first = (_within(rect, far, 0.5), _within(rect, near, 0.5))
        second = (_within(rect, 1 - far, 0.5), _within(rect, 1 - near, 0.5))
        if not inwards:
            first, second = first[::-1], second[::-1]
        return self._gestures.pair(first, second, steps)

    def page(self, selector: Selector | str, upright: bool, steps: int, direction: int) -> bool:
        """Swipe once over a list; return whether anything moved."""
        rect = place(self.element(selector))
        before = self._phone.hierarchy_xml()
        ends = [(0.5, 1 - _MARGIN), (0.5, _MARGIN)] if upright else [(1 - _MARGIN, 0.5), (_MARGIN, 0.5)]
        self._gestures.glide([_within(rect, *end) for end in ends[::direction]], steps)
        while self._phone.quiet_ms < _POLL * 1000 and not self._wait(_POLL / 4):
            pass
        return self._phone.hierarchy_xml() != before

    def to_end(
        self, selector: Selector | str, upright: bool, max_swipes: int, steps: int, direction: int
    ) -> bool:
        return any(not self.page(selector, upright, steps, direction) for _swipe in range(max_swipes))

    def scroll_to(self, selector: Selector, target: Selector, upright: bool, max_swipes: int = 30) -> bool:
        """Scroll from the beginning until the element is visible."""
        if self.all(target):
            return True
        self.to_end(selector, upright, max_swipes, _FLING_STEPS, -1)
        for _swipe in range(max_swipes):
            if self.all(target):
                return True
            if not self.page(selector, upright, _SCROLL_STEPS, 1):
                break
        return bool(self.all(target))


def _within(rect: Rect, across: float, down: float) -> Place:
    """A point inside a rectangle by shares of its sides, never on its outer edge."""
    return (
        rect.left + max(0, rect.width - 1) * across,
        rect.top + max(0, rect.height - 1) * down,
    )


def _middle(node: Node) -> Place:
    return _within(place(node), 0.5, 0.5)
