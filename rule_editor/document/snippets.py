"""The one edit that changes a scalar, or puts a pair or an entry in or out, of a piece of YAML."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.yaml_node import YamlNode
from rule_editor.document import block_lists, emit, lines
from rule_editor.document.errors import UnsafeEditError
from rule_editor.document.style import Style


def starts(text: str, node: YamlNode, signs: str) -> bool:
    """Whether the node is written with one of ``signs`` first."""
    return text[node.place.start : node.place.start + 1] in tuple(signs)


def scalar_edit(text: str, node: YamlNode, value: Any, key: str, style: Style) -> TextEdit:
    """A scalar becomes ``value``, a text in the quotes it had."""
    place = node.place
    sign = text[place.start : place.start + 1]
    quote = sign if sign in ("'", '"') else "" if isinstance(node.plain, str) else style.quote(key)
    end = place.start + len(text[place.start : place.end].rstrip("\r\n \t"))
    new = emit.scalar(value, quote)
    if sign in ("|", ">"):
        end = lines.body_end(text, place.end, place.start)
        end -= len(text[:end]) - len(text[:end].rstrip("\r\n"))
    gap = " " if place.start == place.end and text[place.start - 1 : place.start] in (":", "-") else ""
    return TextEdit(place.start, end, gap + new)


def flow_key(node: YamlNode, key: str, value: Any, at: int, style: Style) -> TextEdit:
    """A new pair at place ``at`` of a mapping in braces."""
    new = f"{emit.name(key)}: {emit.flow(value, style, key)}"
    if at == 0:
        start = node.pairs[0][0].place.start
        return TextEdit(start, start, new + ", ")
    end = max(pair.place.end for pair in node.pairs[at - 1])
    return TextEdit(end, end, ", " + new)


def block_key(text: str, node: YamlNode, key: str, value: Any, at: int, style: Style) -> TextEdit:
    """A new pair at place ``at`` of a mapping with a line for each."""
    column = lines.column(text, node.pairs[0][0].place.start)
    new = style.newline.join(emit.pair(key, value, column, style))
    if at == 0:
        start = node.pairs[0][0].place.start
        return TextEdit(start, start, new[column:] + style.newline + " " * column)
    before = node.pairs[at - 1]
    end = lines.body_end(text, max(one.place.end for one in before), before[0].place.start)
    return block_lists.whole_lines(text, end, new, style)


def without_pair(text: str, node: YamlNode, at: int) -> TextEdit:
    """Takes the pair ``at`` out of several. Raises UnsafeEditError when it cannot be cut out."""
    key, value = node.pairs[at]
    end = max(key.place.end, value.place.end)
    if starts(text, node, "{"):
        if at:
            return _cut(text, max(pair.place.end for pair in node.pairs[at - 1]), end, key, value)
        return _cut(text, key.place.start, node.pairs[1][0].place.start, key, value)
    start = lines.line_start(text, key.place.start)
    stop = lines.body_end(text, end, key.place.start)
    if not text[start : key.place.start].strip():
        return TextEdit(start, stop, "")
    if at + 1 == len(node.pairs):
        raise UnsafeEditError
    if lines.has_comment(text[end : node.pairs[at + 1][0].place.start]):
        return TextEdit(key.place.start, end, "")
    return TextEdit(key.place.start, node.pairs[at + 1][0].place.start, "")


def _cut(text: str, start: int, end: int, *gone: YamlNode) -> TextEdit:
    """Takes out what is between two places, the nodes ``gone`` and no comment among it."""
    at = start
    for node in sorted(gone, key=lambda one: one.place):
        if node.kind == "scalar":  # in which a sharp is no comment
            if lines.has_comment(text[at : node.place.start]):
                raise UnsafeEditError
            at = max(at, node.place.end)
    if lines.has_comment(text[at:end]):
        raise UnsafeEditError
    return TextEdit(start, end, "")


def flow_item(text: str, node: YamlNode, index: int, body: str, style: Style) -> TextEdit:
    """An entry more, written as ``body``, before entry ``index`` of a list in brackets."""
    between = style.comma
    if len(node.items) > 1:
        written = text[node.items[0].place.end : node.items[1].place.start]
        between = written if written.strip() == "," and not lines.has_comment(written) else between
    if index == 0:
        start = node.items[0].place.start
        return TextEdit(start, start, body + between)
    end = node.items[index - 1].place.end
    return TextEdit(end, end, between + body)


def without_item(text: str, node: YamlNode, index: int) -> TextEdit:
    """Takes an entry out of a list in brackets."""
    item = node.items[index]
    if index:
        return _cut(text, node.items[index - 1].place.end, item.place.end, item)
    end = node.items[1].place.start if len(node.items) > 1 else item.place.end
    return _cut(text, item.place.start, end, item)
