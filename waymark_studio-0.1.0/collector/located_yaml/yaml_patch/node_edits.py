"""Single edits of a node: change a scalar, insert or remove a pair of a mapping or an item of a flow list."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import block_lists, lines, yaml_writer
from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.located_yaml.yaml_patch.plain_values import has_comment
from collector.located_yaml.yaml_patch.style import YamlStyle


def starts(text: str, node: YamlNode, signs: str) -> bool:
    """Whether the text of the node begins with one of ``signs``."""
    return text[node.place.start : node.place.start + 1] in tuple(signs)


def set_scalar(text: str, node: YamlNode, value: Any, key: str, style: YamlStyle) -> TextEdit:
    """Sets a scalar to ``value``; a text keeps its quotes."""
    place = node.place
    sign = text[place.start : place.start + 1]
    quote = sign if sign in ("'", '"') else "" if isinstance(node.plain, str) else style.quote(key)
    end = place.start + len(text[place.start : place.end].rstrip("\r\n \t"))
    new = yaml_writer.scalar(value, quote)
    if sign in ("|", ">"):
        end = lines.body_end(text, place.end, place.start)
        end -= len(text[:end]) - len(text[:end].rstrip("\r\n"))
    gap = " " if place.start == place.end and text[place.start - 1 : place.start] in (":", "-") else ""
    return TextEdit(place.start, end, gap + new)


def insert_flow_pair(node: YamlNode, key: str, value: Any, at: int, style: YamlStyle) -> TextEdit:
    """Inserts a pair at position ``at`` of a flow mapping."""
    new = f"{yaml_writer.name(key)}: {yaml_writer.flow(value, style, key)}"
    if at == 0:
        start = node.pairs[0][0].place.start
        return TextEdit(start, start, new + ", ")
    end = max(pair.place.end for pair in node.pairs[at - 1])
    return TextEdit(end, end, ", " + new)


def insert_block_pair(text: str, node: YamlNode, key: str, value: Any, at: int, style: YamlStyle) -> TextEdit:
    """Inserts a pair at position ``at`` of a block mapping."""
    column = lines.column(text, node.pairs[0][0].place.start)
    new = style.newline.join(yaml_writer.pair(key, value, column, style))
    if at == 0:
        start = node.pairs[0][0].place.start
        return TextEdit(start, start, new[column:] + style.newline + " " * column)
    before = node.pairs[at - 1]
    end = lines.body_end(text, max(node.place.end for node in before), before[0].place.start)
    return block_lists.whole_lines(text, end, new, style)


def remove_pair(text: str, node: YamlNode, at: int) -> TextEdit:
    """Removes the pair ``at`` of several. Raises UnsafeEditError when a comment would be lost."""
    key, value = node.pairs[at]
    end = max(key.place.end, value.place.end)
    if starts(text, node, "{"):
        if at:
            return _removal(text, max(pair.place.end for pair in node.pairs[at - 1]), end, key, value)
        return _removal(text, key.place.start, node.pairs[1][0].place.start, key, value)
    start = lines.line_start(text, key.place.start)
    stop = lines.body_end(text, end, key.place.start)
    if not text[start : key.place.start].strip():
        return TextEdit(start, stop, "")
    if at + 1 == len(node.pairs):
        raise UnsafeEditError
    if lines.has_comment(text[end : node.pairs[at + 1][0].place.start]):
        return TextEdit(key.place.start, end, "")
    return TextEdit(key.place.start, node.pairs[at + 1][0].place.start, "")


def _removal(text: str, start: int, end: int, *removed: YamlNode) -> TextEdit:
    """Removes ``start`` to ``end`` with the nodes ``removed``. Raises UnsafeEditError for a comment in it."""
    if has_comment(text, start, end, *removed):
        raise UnsafeEditError
    return TextEdit(start, end, "")


def insert_flow_item(text: str, node: YamlNode, index: int, body: str, style: YamlStyle) -> TextEdit:
    """Inserts ``body`` before item ``index`` of a flow list."""
    between = style.comma
    if len(node.items) > 1:
        written = text[node.items[0].place.end : node.items[1].place.start]
        between = written if written.strip() == "," and not lines.has_comment(written) else between
    if index == 0:
        start = node.items[0].place.start
        return TextEdit(start, start, body + between)
    end = node.items[index - 1].place.end
    return TextEdit(end, end, between + body)


def remove_flow_item(text: str, node: YamlNode, index: int) -> TextEdit:
    """Removes an item of a flow list."""
    item = node.items[index]
    if index:
        return _removal(text, node.items[index - 1].place.end, item.place.end, item)
    end = node.items[1].place.start if len(node.items) > 1 else item.place.end
    return _removal(text, item.place.start, end, item)
