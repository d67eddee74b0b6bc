"""The hierarchy as the uiautomator2 server writes it: every window, with four more attributes."""

from __future__ import annotations

from lxml import etree

from collector.virtual.system.phone import Phone

_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n"
EMPTY = f'{_HEAD}<hierarchy rotation="0" />'


def dump(phone: Phone, *, compressed: bool, depth: int, active_only: bool) -> str:
    """The hierarchy down to ``depth`` levels; empty when no window can be read."""
    windows = phone.window_dumps(compressed)
    if active_only:
        front = phone.hierarchy_xml(compressed)
        windows = [front] if front else []
    if not windows:
        return EMPTY
    hierarchy = etree.Element("hierarchy", rotation=str(phone.rotation))
    for xml in windows:
        for number, root in enumerate(etree.fromstring(xml)):
            _complete(root, number, depth)
            hierarchy.append(root)
    return _HEAD + str(etree.tostring(hierarchy, encoding="unicode", pretty_print=True))


def _complete(element: etree._Element, order: int, depth: int) -> None:
    """Add the attributes in the server's order and drop elements below ``depth``."""
    # Bounds stand between the added attributes.
    bounds = element.attrib.pop("bounds", "")
    element.set("visible-to-user", "true")
    element.set("bounds", bounds)
    element.set("drawing-order", str(order))
    element.set("hint", "")
    element.set("display-id", "0")
    for number, child in enumerate(list(element), 1):
        if depth <= 1:
            element.remove(child)
        else:
            _complete(child, number, depth - 1)
