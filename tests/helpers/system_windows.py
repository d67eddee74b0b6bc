"""Find nodes in the focused window of a virtual phone and tap them."""

from __future__ import annotations

from collector.hierarchy.parse import parse_tree
from collector.model.phone.touch import TouchAction
from collector.model.tree import Node
from collector.virtual.device import VirtualDevice


def find(device: VirtualDevice, name: str) -> Node | None:
    """Find the node of the focused window by text, description or (end of the) resource id."""
    data = device.phone.hierarchy_xml()
    for node in parse_tree(data) if data else ():
        if name in (node.get("text"), node.get("content-desc")):
            return node
        if node.get("resource-id", "").endswith(f":id/{name}"):
            return node
    return None


def texts(device: VirtualDevice) -> list[str]:
    """Texts of the focused window, in order."""
    data = device.phone.hierarchy_xml()
    return [text for node in (parse_tree(data) if data else ()) if (text := node.get("text"))]


def tap(device: VirtualDevice, name: str) -> None:
    """Tap the node that :func:`find` returns."""
    node = find(device, name)
    assert node is not None, f"no {name!r} in {device.phone.focused_window}: {texts(device)}"
    assert node.bounds is not None
    assert node.bounds is not None
    center = node.bounds.center
    for action in (TouchAction.DOWN, TouchAction.UP):
        device.phone.touch(action, 0, center.x, center.y)


def wait_for_window(device: VirtualDevice, title: str) -> None:
    """Wait until the window with this title has the focus; fail the test when it does not."""
    generation = 0
    while device.phone.focused_window != title:
        picture = device.phone.wait_picture(generation, 20)
        assert picture is not None, f"no {title!r}, but {device.phone.focused_window!r}"
        generation = picture.generation
