"""Block lists: the lines of each item, and the edits that insert, remove and rewrite items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import lines, yaml_writer
from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.located_yaml.yaml_patch.plain_values import has_comment
from collector.located_yaml.yaml_patch.style import Layout, YamlStyle


def dash_of(text: str, sequence: YamlNode, index: int) -> int:
    """Where the dash of an item is. Raises UnsafeEditError when it cannot be told."""
    floor = sequence.items[index - 1].place.end if index else sequence.place.start
    column = lines.column(text, sequence.place.start)
    at = sequence.items[index].place.start
    while at >= floor:
        start = lines.line_start(text, at)
        dash = start + column
        if dash <= sequence.items[index].place.start and text[dash : dash + 1] == "-" and dash >= floor:
            return dash
        at = start - 1
    raise UnsafeEditError


def extent(text: str, sequence: YamlNode, index: int) -> tuple[int, int]:
    """Start and end of an item's lines, with the comments directly above them.

    Raises UnsafeEditError when the item shares a line with something else.
    """
    dash = dash_of(text, sequence, index)
    start = lines.line_start(text, dash)
    if text[start:dash].strip():
        raise UnsafeEditError
    if index:
        before = sequence.items[index - 1].place
        floor = lines.body_end(text, before.end, before.start)
    else:
        floor = after_key(text, start)
    place = sequence.items[index].place
    return lines.lead_start(text, start, floor), lines.body_end(text, place.end, dash)


def after_key(text: str, start: int) -> int:
    """Start of the comments and blank lines above the first item, after the line of the list's key."""
    at = start
    while at > 0:
        above = lines.line_start(text, at - 1)
        line = text[above:at].strip()
        if line and not line.startswith("#"):
            break
        at = above
    return at


def lines_of(text: str, sequence: YamlNode, index: int) -> tuple[str, ...]:
    """An item's lines, indented so that the dash is in column 0."""
    start, end = extent(text, sequence, index)
    column = lines.column(text, dash_of(text, sequence, index))
    return tuple(lines.shifted(text[start:end].splitlines(keepends=True), -column))


def removal(text: str, sequence: YamlNode, index: int) -> TextEdit:
    """Removes one item of several, with the blank lines between it and its neighbour."""
    start, end = extent(text, sequence, index)
    if index + 1 < len(sequence.items):
        return TextEdit(start, min(lines.blank_after(text, end), extent(text, sequence, index + 1)[0]), "")
    before = sequence.items[index - 1].place
    start = lines.blank_before(text, start, lines.body_end(text, before.end, before.start))
    if end == len(text) and not text.endswith("\n") and start:
        start -= 2 if text[:start].endswith("\r\n") else 1
    return TextEdit(start, end, "")


def insertion(
    text: str,
    sequence: YamlNode,
    index: int,
    item_lines: Sequence[str],
    value: Any,
    style: YamlStyle,
    key: str,
) -> TextEdit:
    """Inserts an item before item ``index``: ``item_lines`` when there are some, else ``value`` rendered."""
    column = lines.column(text, dash_of(text, sequence, 0))
    new = [line.rstrip("\r\n") for line in lines.shifted(list(item_lines), column)]
    body = style.newline.join(new or yaml_writer.item(value, column, style, key))
    gap = style.newline if _has_gaps(text, sequence) else ""
    if index < len(sequence.items):
        at = extent(text, sequence, index)[0]
        return TextEdit(at, at, body + style.newline + gap)
    last = sequence.items[-1].place
    return whole_lines(text, lines.body_end(text, last.end, last.start), gap + body, style)


def whole_lines(text: str, at: int, body: str, style: YamlStyle) -> TextEdit:
    """Inserts lines at the start of a line; a text without a final line break stays without one."""
    if at and text[at - 1] != "\n":
        return TextEdit(at, at, style.newline + body)
    return TextEdit(at, at, body + style.newline)


def _has_gaps(text: str, sequence: YamlNode) -> bool:
    """Whether there are blank lines between the items."""
    if len(sequence.items) < 2:
        return False
    first = sequence.items[0].place
    end = lines.body_end(text, first.end, first.start)
    return lines.is_blank(text[end : lines.line_end(text, end)]) and end < len(text)


def under_key(
    text: str, root: YamlNode, path: tuple[str | int, ...], item_lines: Sequence[str], style: YamlStyle
) -> list[TextEdit]:
    """Inserts the first lines of a list under its key, whose value is empty or ``[]``."""
    key, value = _pair(root, path)
    column = lines.column(text, key.place.start)
    new = [line.rstrip("\r\n") for line in lines.shifted(list(item_lines), column + style.dash)]
    colon = text.index(":", key.place.end) + 1
    edits = [TextEdit(colon, value.place.end, "")] if value.place.end > colon else []
    at = lines.line_end(text, max(colon, value.place.end))
    return [*edits, whole_lines(text, at, style.newline.join(new), style)]


def rewriting(
    text: str, root: YamlNode, path: tuple[str | int, ...], value: Any, style: YamlStyle
) -> list[TextEdit]:
    """Rewrites a value of a mapping or list. Raises UnsafeEditError when a comment would be lost."""
    if not path:
        raise UnsafeEditError
    node = _at(root, path)
    parents = [_at(root, path[:end]) for end in range(len(path))]
    flow = any(text[parent.place.start : parent.place.start + 1] in ("[", "{") for parent in parents)
    start, end = _written(text, node)
    if has_comment(text, start, end, node):
        raise UnsafeEditError
    key = next((step for step in reversed(path) if isinstance(step, str)), "")
    gap = " " if text[start - 1 : start] in (":", "-") else ""
    one_line = yaml_writer.flow(value, style, key) if flow else yaml_writer.inline(value, style, key)
    if isinstance(path[-1], int):
        column = lines.column(text, start)
        is_block = isinstance(value, dict) and value and not flow and style.layout is not Layout.ONE_LINE
        body = yaml_writer.mapping(value, column, style) if is_block else None
        new = style.newline.join(body)[column:] if body else yaml_writer.flow(value, style, key)
        return [TextEdit(start, end, gap + new)]
    written = _at(root, path[:-1]).key(str(path[-1]))
    if written is None:
        raise UnsafeEditError
    colon = text.index(":", written.place.end) + 1
    own_lines = "\n" in text[colon:start]
    if one_line is not None:
        if own_lines and lines.has_comment(text[colon:start]):
            raise UnsafeEditError
        return [TextEdit(colon if own_lines else start, end, " " + one_line if own_lines else gap + one_line)]
    body = yaml_writer.block(value, lines.column(text, written.place.start), style, key)
    if own_lines:
        first = lines.line_start(text, start)
        return [TextEdit(first, end, style.newline.join(body))]
    rest = lines.line_end(text, end)
    tail = [TextEdit(colon, end, "")] if end > colon else []
    return [*tail, whole_lines(text, rest, style.newline.join(body), style)]


def _written(text: str, node: YamlNode) -> tuple[int, int]:
    """Start and end of a node, without the line breaks that some kinds of nodes end with."""
    start, end = node.place.start, node.place.end
    return start, max(start, start + len(text[start:end].rstrip("\r\n \t")))


def _pair(root: YamlNode, path: tuple[str | int, ...]) -> tuple[YamlNode, YamlNode]:
    parent = _at(root, path[:-1])
    key, value = parent.key(str(path[-1])), parent.get(str(path[-1]))
    if key is None or value is None:
        raise UnsafeEditError
    return key, value


def _at(root: YamlNode, path: tuple[str | int, ...]) -> YamlNode:
    node: YamlNode | None = root
    for step in path:
        if isinstance(step, int):
            node = node.items[step] if node is not None else None
        else:
            node = node.get(step) if node is not None else None
    if node is None:
        raise UnsafeEditError
    return node
