"""Dumps made to measure: the attributes and their order are those uiautomator writes."""

from __future__ import annotations

import random
from xml.sax.saxutils import escape

_ESCAPES = {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"


def node(*children: str, bounds: str = "[0,0][1080,2400]", **given: str) -> str:
    """One element; ``resource_id=`` and the like name attributes with a dash."""
    values = {
        "index": "0",
        "text": "",
        "resource-id": "",
        "class": "android.view.View",
        "package": "com.example.shop",
        "content-desc": "",
        **dict.fromkeys(("checkable", "checked", "clickable"), "false"),
        "enabled": "true",
        **dict.fromkeys(
            ("focusable", "focused", "scrollable", "long-clickable", "password", "selected"), "false"
        ),
    }
    values.update({name.rstrip("_").replace("_", "-"): value for name, value in given.items()})
    written = " ".join(
        f'{name}="{escape(value, _ESCAPES)}"' for name, value in (values | {"bounds": bounds}).items()
    )
    return f"<node {written}>{''.join(children)}</node>" if children else f"<node {written} />"


def hierarchy(*roots: str, rotation: int = 0) -> str:
    """A whole dump of the given roots."""
    return f'{HEAD}<hierarchy rotation="{rotation}">{"".join(roots)}</hierarchy>'


def large_dump(count: int, seed: int = 1) -> bytes:
    """A dump of exactly ``count`` nodes at scattered places, a dozen levels deep."""
    rng = random.Random(seed)
    parts, depth = [HEAD, '<hierarchy rotation="0">'], 0
    for number in range(count):
        left, top = rng.randrange(1000), rng.randrange(2300)
        leaf = node(
            text=f"Item {number}",
            resource_id=f"com.example:id/item_{number}",
            clickable="true",
            bounds=f"[{left},{top}][{left + 100},{top + 90}]",
        )
        depth += 1
        closed = 0
        while depth and (depth > 12 or rng.random() < 0.5):
            closed += 1
            depth -= 1
        parts.append(leaf if closed else leaf.removesuffix(" />") + ">")
        parts.append("</node>" * (closed - 1))
    parts += ["</node>" * depth, "</hierarchy>"]
    return "".join(parts).encode()
