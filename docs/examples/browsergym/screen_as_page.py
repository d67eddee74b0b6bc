"""A screen as BrowserGym describes a page: an accessibility tree whose elements have bids.

The tree has the form of Chrome's accessibility tree with ``browsergym_id`` at the nodes, so that
``browsergym.utils.obs.flatten_axtree_to_str`` writes it as it writes a page; ``axtree_txt`` is such a text
for agents without BrowserGym. A bid is the number of an element on this screen.
"""

from __future__ import annotations

from typing import Any

from collector.agents.screen_elements import ScreenElement
from collector.environment.observation import StepObservation

_ROLES = {
    "Button": "button", "ImageButton": "button", "CheckBox": "checkbox", "RadioButton": "radio",
    "Switch": "switch", "EditText": "textbox", "AutoCompleteTextView": "textbox", "Spinner": "combobox",
    "SeekBar": "slider", "ImageView": "image", "ListView": "list", "RecyclerView": "list",
}  # fmt: skip
_CHECKABLE = ("checkbox", "radio", "switch")
_ROOT = "root"


def page_of(seen: StepObservation) -> dict[str, Any]:
    """The keys of an observation that describe the elements of a screen."""
    parents = _parents(seen.elements)
    focused = [element for element in seen.elements if element.node.flag("focused")]
    return {
        "axtree_object": {"nodes": [_root(seen, parents), *(_node(each, parents) for each in seen.elements)]},
        "axtree_txt": "\n".join([f"RootWebArea {seen.package!r}", *_lines(seen, parents)]),
        "extra_element_properties": {str(each.index): _properties(each) for each in seen.elements},
        "focused_element_bid": str(focused[0].index) if focused else "",
    }


def _parents(elements: tuple[ScreenElement, ...]) -> dict[int, int | None]:
    """For each element the one that it lies in; None for the screen."""
    by_order = {element.node.order: element.index for element in elements}
    return {
        element.index: next(
            (by_order[each.order] for each in element.node.ancestors() if each.order in by_order), None
        )
        for element in elements
    }


def _children(parent: int | None, parents: dict[int, int | None]) -> list[str]:
    return [str(index) for index, above in parents.items() if above == parent]


def _root(seen: StepObservation, parents: dict[int, int | None]) -> dict[str, Any]:
    return {
        "nodeId": _ROOT, "role": {"type": "role", "value": "RootWebArea"},
        "name": {"type": "computedString", "value": seen.package}, "properties": [],
        "childIds": _children(None, parents),
    }  # fmt: skip


def _node(element: ScreenElement, parents: dict[int, int | None]) -> dict[str, Any]:
    value = _value(element)
    return {
        "nodeId": str(element.index), "browsergym_id": str(element.index),
        "role": {"type": "role", "value": _role(element)},
        "name": {"type": "computedString", "value": element.label},
        **({"value": {"type": "string", "value": value}} if value is not None else {}),
        "properties": [
            {"name": name, "value": {"value": state}} for name, state in _states(element).items()
        ],
        "childIds": _children(element.index, parents),
    }  # fmt: skip


def _role(element: ScreenElement) -> str:
    role = _ROLES.get(element.node.short_class)
    if role is None or role == "image":
        role = "button" if element.node.clickable else role
    return role or ("StaticText" if not element.is_interactive else "generic")


def _value(element: ScreenElement) -> str | None:
    """What a field holds, on Android its hint while it is empty; None for no field, and for a password."""
    node = element.node
    return node.text if _role(element) == "textbox" and not node.password else None


def _states(element: ScreenElement) -> dict[str, Any]:
    node = element.node
    states: dict[str, Any] = {}
    if _role(element) in _CHECKABLE or node.flag("checkable"):
        states["checked"] = "true" if node.flag("checked") else "false"
    if node.get("enabled", "true") == "false":
        states["disabled"] = True
    for name in ("selected", "focused"):
        if node.flag(name):
            states[name] = True
    return states


def _properties(element: ScreenElement) -> dict[str, Any]:
    bounds = element.bounds
    return {
        "visibility": 1.0, "clickable": element.node.clickable, "set_of_marks": element.is_interactive,
        "bbox": [bounds.left, bounds.top, bounds.right - bounds.left, bounds.bottom - bounds.top],
    }  # fmt: skip


def _lines(seen: StepObservation, parents: dict[int, int | None]) -> list[str]:
    """A line for each element, as deep as it lies in others."""
    depths: dict[int | None, int] = {None: 0}
    lines = []
    for element in seen.elements:
        depth = depths[element.index] = depths[parents[element.index]] + 1
        words = [f"[{element.index}] {_role(element)} {element.label!r}"]
        if (value := _value(element)) is not None:
            words[0] += f" value={value!r}"
        for name, state in _states(element).items():
            words.append(name if name == "focused" else f"{name}={state!r}")
        lines.append("\t" * depth + ", ".join(words))
    return lines
