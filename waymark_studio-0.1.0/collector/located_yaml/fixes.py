"""Text edits for quick fixes: rewrite a scalar, remove a key or an item of a list."""

from __future__ import annotations

import re

import yaml

from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.yaml_node import YamlNode

_DASH = re.compile(r"[ \t]*-[ \t]+")


def quoted_like(text: str, like: str = "") -> str:
    """``text`` as a YAML scalar in the quotes of ``like``, without quotes where ``like`` has none."""
    if like[:1] == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if like[:1] != '"' and is_plain_in_list(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for sign, code in (("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        escaped = escaped.replace(sign, code)
    return f'"{escaped}"'


def is_plain_in_list(text: str) -> bool:
    """Whether YAML reads ``text`` without quotes as the same text, also as an item of a flow list."""
    try:
        return bool(yaml.safe_load(f"[{text}]") == [text])
    except (yaml.YAMLError, ValueError):
        return False


def write(node: YamlNode, text: str, source: str) -> TextEdit:
    """Set the scalar ``node`` of ``source`` to ``text``, in the same quotes."""
    place = node.place
    return TextEdit(place.start, place.end, quoted_like(text, source[place.start : place.end]))


def remove_key(mapping: YamlNode, key: YamlNode) -> TextEdit:
    """Remove a key and its value, with the line break or comma between it and its neighbour."""
    index = next(at for at, pair in enumerate(mapping.pairs) if pair[0] is key)
    value = mapping.pairs[index][1]
    if index:
        before = mapping.pairs[index - 1]
        return TextEdit(max(before[0].place.end, before[1].place.end), value.place.end, "")
    end = mapping.pairs[1][0].place.start if len(mapping.pairs) > 1 else value.place.end
    return TextEdit(key.place.start, end, "")


def remove_item(sequence: YamlNode, index: int, source: str) -> TextEdit | None:
    """Remove an item of a list of several; None when the edit would depend on other items."""
    place = sequence.items[index].place
    if len(sequence.items) < 2:
        return None
    if source[sequence.place.start : sequence.place.start + 1] == "[":
        if index:
            return TextEdit(sequence.items[index - 1].place.end, place.end, "")
        return TextEdit(place.start, sequence.items[1].place.start, "")
    line = source.rfind("\n", 0, place.start) + 1
    if not _DASH.fullmatch(source, line, place.start):
        return None
    end = source.find("\n", place.end - 1) + 1
    return TextEdit(line, end or len(source), "")
