"""The small edits quick fixes are made of: a value written anew, a key or a list's entry taken out."""

from __future__ import annotations

import re

import yaml

from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.yaml_node import YamlNode

_DASH = re.compile(r"[ \t]*-[ \t]+")


def written(text: str, like: str = "") -> str:
    """``text`` as YAML reads it back, in the quotes ``like`` has; plain when it has none and can be."""
    if like[:1] == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if like[:1] != '"' and _is_plain(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for sign, code in (("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        escaped = escaped.replace(sign, code)
    return f'"{escaped}"'


def _is_plain(text: str) -> bool:
    """Whether ``text`` stands for itself without quotes, inside a flow list too."""
    try:
        return bool(yaml.safe_load(f"[{text}]") == [text])
    except (yaml.YAMLError, ValueError):
        return False


def write(node: YamlNode, text: str, source: str) -> TextEdit:
    """The scalar ``node`` of ``source`` becomes ``text``, in the quotes it had."""
    place = node.place
    return TextEdit(place.start, place.end, written(text, source[place.start : place.end]))


def remove_key(mapping: YamlNode, key: YamlNode) -> TextEdit:
    """Takes a key and its value out, with the line break or comma that parts it from its neighbour."""
    index = next(at for at, pair in enumerate(mapping.pairs) if pair[0] is key)
    value = mapping.pairs[index][1]
    if index:
        before = mapping.pairs[index - 1]
        return TextEdit(max(before[0].place.end, before[1].place.end), value.place.end, "")
    end = mapping.pairs[1][0].place.start if len(mapping.pairs) > 1 else value.place.end
    return TextEdit(key.place.start, end, "")


def remove_item(sequence: YamlNode, index: int, source: str) -> TextEdit | None:
    """Takes an entry out of a list of several; None when it cannot be done without a look at the rest."""
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
