"""Helpers to use a virtual phone in tests: find a node in its dump, tap it, save what it shows."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from collections.abc import Callable

from collector.model.geometry import Point, Rect
from collector.virtual.system.phone import Phone, TouchAction


def nodes(phone: Phone, compressed: bool = False) -> list[ET.Element]:
    """Every node of the dump, in order."""
    return list(ET.fromstring(phone.hierarchy_xml(compressed)).iter("node"))


def find(phone: Phone, **attributes: str) -> ET.Element:
    """The first node whose attributes are as wanted (``resource_id`` may be the short one)."""
    for node in nodes(phone):
        if all(_matches(node, key.replace("_", "-"), value) for key, value in attributes.items()):
            return node
    raise AssertionError(
        f"no node with {attributes}; texts: {[n.get('text') for n in nodes(phone) if n.get('text')]}"
    )


def has(phone: Phone, **attributes: str) -> bool:
    try:
        find(phone, **attributes)
    except AssertionError:
        return False
    return True


def _matches(node: ET.Element, key: str, value: str) -> bool:
    actual = node.get(key, "")
    return actual == value or (key == "resource-id" and actual.rpartition("/")[2] == value)


def bounds(node: ET.Element) -> Rect:
    return Rect.parse(node.get("bounds", ""))


def place_to_tap(phone: Phone) -> Point:
    """The middle of the first node that answers a tap."""
    return bounds(find(phone, clickable="true")).center


def tap_at(phone: Phone, x: float, y: float) -> None:
    phone.touch(TouchAction.DOWN, 0, x, y)
    phone.touch(TouchAction.UP, 0, x, y)


def tap(phone: Phone, **attributes: str) -> None:
    """Tap the middle of the node found."""
    center = bounds(find(phone, **attributes)).center
    tap_at(phone, center.x, center.y)


def drag(phone: Phone, start: tuple[float, float], end: tuple[float, float], rest: bool = True) -> None:
    """Move a finger in steps; with ``rest`` it stands still before it is lifted, so nothing is flung."""
    phone.touch(TouchAction.DOWN, 0, *start)
    for step in range(1, 11):
        x = start[0] + (end[0] - start[0]) * step / 10
        y = start[1] + (end[1] - start[1]) * step / 10
        phone.touch(TouchAction.MOVE, 0, x, y)
    phone.touch(TouchAction.CANCEL if rest else TouchAction.UP, 0, *end)


def wait_until(phone: Phone, holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for something the phone does."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        phone.wait_picture(phone.capture().generation, 0.02)
