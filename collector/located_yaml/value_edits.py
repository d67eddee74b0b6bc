"""Change single values of a YAML text and leave every other character alone, comments among them.

The functions answer the edits of one change. :func:`checked` refuses those that do more than they should.
"""

from __future__ import annotations

from typing import Any

import yaml

from collector.located_yaml import fixes
from collector.located_yaml.diagnostics import TextEdit, apply_edits
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode

_WIDTH = 1 << 20  # a value stays on one line


class UnsafeChangeError(Exception):
    """The text cannot take the change without losing something else."""


def checked(text: str, edits: list[TextEdit], expected: Any) -> str:
    """The text after the edits. Raises UnsafeChangeError unless it then reads as ``expected``."""
    try:
        changed = apply_edits(text, tuple(edits))
    except ValueError as error:
        raise UnsafeChangeError from error
    source = read_source(changed)
    plain = source.root.plain if source.root is not None else None
    if not source.is_whole or plain != expected:
        raise UnsafeChangeError
    return changed


def in_one_line(value: Any) -> str:
    """A value in flow style."""
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=_WIDTH)
    return text.removesuffix("\n").removesuffix("\n...")


def set_pair(
    text: str, mapping: YamlNode, key: str, value: Any, after: tuple[str, ...] = ()
) -> list[TextEdit]:
    """Set a key of a mapping; a new one follows the last of ``after`` that is there, else all others."""
    written, node = mapping.key(key), mapping.get(key)
    if written is None or node is None:
        return [_new_pair(text, mapping, f"{key}: {in_one_line(value)}", after)]
    if node.kind == "sequence" and node.items and isinstance(value, list) and value:
        return _set_list(text, node, value)
    return [_new_value(text, written, node, in_one_line(value))]


def insert_first(text: str, mapping: YamlNode, key: str, value: Any) -> TextEdit:
    """Insert a key before all others of a mapping that has some."""
    start, pair = mapping.pairs[0][0].place.start, f"{key}: {in_one_line(value)}"
    indent = " " * (start - _line_start(text, start))
    return TextEdit(
        start, start, f"{pair}, " if _is_flow(text, mapping) else f"{pair}{_newline(text)}{indent}"
    )


def remove_pair(text: str, mapping: YamlNode, key: str) -> list[TextEdit]:
    """Remove a key and its value; nothing when the mapping does not have it."""
    written, node = mapping.key(key), mapping.get(key)
    if written is None or node is None:
        return []
    line = _line_start(text, written.place.start)
    if _is_flow(text, mapping) or text[line : written.place.start].strip():
        return [fixes.remove_key(mapping, written)]
    return [TextEdit(line, _line_end(text, node.place.end), "")]


def add_item(text: str, sequence: YamlNode, value: Any) -> list[TextEdit]:
    """Add an item to the end of a list that has some."""
    body, last = in_one_line(value), sequence.items[-1]
    if _is_flow(text, sequence):
        return [TextEdit(last.place.end, last.place.end, f", {body}")]
    first = sequence.items[0]
    dash = text.rindex("-", _line_start(text, first.place.start), first.place.start)
    indent = text[_line_start(text, dash) : dash]
    if indent.strip():
        raise UnsafeChangeError
    end = _line_end(text, last.place.end)
    lead = "" if text[end - 1 : end] == "\n" else _newline(text)
    return [TextEdit(end, end, f"{lead}{indent}- {body}{_newline(text)}")]


def remove_item(text: str, sequence: YamlNode, index: int) -> list[TextEdit]:
    """Remove an item of a list that has others. Raises UnsafeChangeError."""
    edit = fixes.remove_item(sequence, index, text)
    if edit is None:
        raise UnsafeChangeError
    return [edit]


def replace_node(node: YamlNode, value: Any) -> list[TextEdit]:
    """Replace a whole value that lies in one line, or in brackets."""
    return [TextEdit(node.place.start, node.place.end, in_one_line(value))]


def _set_list(text: str, node: YamlNode, value: list[Any]) -> list[TextEdit]:
    """Remove the items that go and add those that come; all are written anew where that is not enough."""
    plain = [item.plain for item in node.items]
    stay = [item for item in plain if item in value]
    come = [item for item in value if item not in plain]
    if not stay or stay + come != value:
        if _is_flow(text, node):
            return replace_node(node, value)
        return _set_block(text, node, value)
    edits = [edit for index, item in enumerate(plain) if item not in value
             for edit in remove_item(text, node, index)]  # fmt: skip
    if not come:
        return edits
    kept = YamlNode("sequence", node.place, stay, items=node.items)
    if _is_flow(text, node) and edits and plain[-1] not in value:
        return replace_node(node, value)  # what goes and what comes touch
    added = "".join(edit.text for item in come for edit in add_item(text, kept, item))
    last = add_item(text, kept, come[0])[0]
    return [*edits, TextEdit(last.start, last.end, added)]


def _set_block(text: str, node: YamlNode, value: list[Any]) -> list[TextEdit]:
    """Write the items of a list with a line for each anew. Raises UnsafeChangeError over comments."""
    start = _line_start(text, node.items[0].place.start)
    end = _line_end(text, node.items[-1].place.end)
    dash = text.rindex("-", start, node.items[0].place.start)
    if "#" in text[start:end] or text[start:dash].strip():
        raise UnsafeChangeError
    return [
        TextEdit(
            start, end, "".join(f"{text[start:dash]}- {in_one_line(item)}{_newline(text)}" for item in value)
        )
    ]


def _new_value(text: str, key: YamlNode, node: YamlNode, body: str) -> TextEdit:
    """Replace a value by one on the line of its key."""
    if _line_start(text, node.place.start) == _line_start(text, key.place.start):
        return TextEdit(
            node.place.start, node.place.end, body if node.place.end > node.place.start else f" {body}"
        )
    colon = text.index(":", key.place.end) + 1
    end = node.place.end
    if "#" in text[colon:end]:
        raise UnsafeChangeError
    return TextEdit(colon, end, f" {body}")


def _new_pair(text: str, mapping: YamlNode, pair: str, after: tuple[str, ...]) -> TextEdit:
    """Insert a pair into a mapping that has some."""
    if not mapping.pairs:
        raise UnsafeChangeError
    names = [key.text for key, _value in mapping.pairs]
    before = [index for index, name in enumerate(names) if name in after]
    key, value = mapping.pairs[before[-1] if before else -1]
    if _is_flow(text, mapping):
        return TextEdit(value.place.end, value.place.end, f", {pair}")
    first = mapping.pairs[0][0]
    indent = " " * (first.place.start - _line_start(text, first.place.start))
    end = _line_end(text, max(value.place.end, key.place.end))
    lead = "" if text[end - 1 : end] == "\n" else _newline(text)
    return TextEdit(end, end, f"{lead}{indent}{pair}{_newline(text)}")


def _is_flow(text: str, node: YamlNode) -> bool:
    return text[node.place.start : node.place.start + 1] in ("[", "{")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """Behind the line break of the line that ``at`` is on, or ``at`` when it follows a line break."""
    if at and text[at - 1] == "\n":
        return at
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
