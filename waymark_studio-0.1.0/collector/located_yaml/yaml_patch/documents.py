"""Whole YAML documents: write a new one, and give one other values while its comments and layout stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.located_yaml.source import read_entry, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import yaml_writer
from collector.located_yaml.yaml_patch.patch import Path, YamlPatch
from collector.located_yaml.yaml_patch.plain_values import has_comment, same
from collector.located_yaml.yaml_patch.style import Layout, YamlStyle


def new_document(value: dict[str, Any]) -> str:
    """The text of a new document. Raises DocumentError for what YAML cannot hold."""
    style = YamlStyle(layout=Layout.LINES)
    written = yaml_writer.mapping(value, 0, style) if value else ["{}"]
    return "".join(f"{line}\n" for line in written)


def new_entry(value: dict[str, Any], indent: int, newline: str) -> str:
    """The lines of a new entry of a list, its dash in column ``indent``. Raises DocumentError."""
    style = YamlStyle(newline, layout=Layout.ONE_LINE)
    margin = " " * (indent + 2)
    written = "".join(f"{line}{newline}" for line in yaml_writer.mapping(value, len(margin), style))
    return " " * indent + "- " + written.removeprefix(margin)


def changed_document(text: str, value: dict[str, Any], keys: tuple[str, ...] = ()) -> str:
    """The text with another value; entries of lists are recognised by their values of ``keys``.

    Raises UnsafeEditError when a comment or the layout would be lost.
    """
    source = read_source(text)
    if source.is_whole and (source.root is None or not source.root.plain):
        return (text if has_comments(text) else "") + new_document(value)
    patch = open_patch(text, Layout.LINES)
    patch.set((), value, keys)
    return patch.text


def changed_entry(text: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The lines of an entry with the values that differ between ``before`` and ``after``.

    Raises UnsafeEditError for lines that are no list of one mapping, or when a comment would be lost.
    """
    patch = YamlPatch(text, lambda changed: read_entry(changed).root, Layout.ONE_LINE)
    set_values(patch, (0,), before, after)
    return patch.text


def has_comments(text: str) -> bool:
    """Whether a text that is YAML has comments."""
    root = read_source(text).root
    return has_comment(text, 0, len(text), *([root] if root is not None else []))


def set_values(patch: YamlPatch, path: Path, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Set the keys of a mapping that differ between two readings of it; others stay as they are written."""
    for key, value in after.items():
        written = patch.plain(path)
        if key not in written:
            patch.insert_key(path, key, value, next(reversed(written), None))
        elif key not in before or not same(before[key], value):
            patch.set((*path, key), value)
    for key in before.keys() - after.keys():
        patch.remove_key(path, key)


def open_patch(text: str, layout: Layout) -> YamlPatch:
    """A patch of a whole text. Raises UnsafeEditError for one that is not YAML."""
    return YamlPatch(text, _whole_root, layout)


def _whole_root(text: str) -> YamlNode | None:
    source = read_source(text)
    return source.root if source.is_whole else None
