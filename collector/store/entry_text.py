"""The lines of one entry of a YAML list: write them, and change single values while the rest stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

_Dumper: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WIDTH = 1 << 20  # a line a person wrote stays one line
_Splice = tuple[int, int, str]


def written_lines(values: Mapping[str, Any], indent: int, newline: str) -> str:
    """The lines of a new entry whose dash is in column ``indent``.

    A value that YAML cannot hold is found when the lines are read back.
    """
    margin = " " * (indent + 2)
    lines = "".join(_line(key, value, margin, newline) for key, value in values.items())
    return " " * indent + "- " + lines[len(margin) :]


def patched_lines(text: str, before: Mapping[str, Any], after: Mapping[str, Any], newline: str) -> str | None:
    """The lines of an entry with the values that differ between ``before`` and ``after`` written anew.

    None when the entry is not a mapping in block style.
    """
    root = yaml.compose(text, _Loader)
    entry = root.value[0] if isinstance(root, yaml.SequenceNode) else None
    if not isinstance(entry, yaml.MappingNode) or entry.flow_style:
        return None
    pairs = {key.value: (key, value) for key, value in entry.value}
    margin = " " * entry.start_mark.column
    splices: list[_Splice] = []
    for key in before.keys() | after.keys():
        if key in before and key in after and before[key] == after[key]:
            continue
        if key not in after:
            splices.append(_removal(text, *pairs[key]))
        elif key in pairs:
            splices.append(
                _replacement(text, *pairs[key], _inline(after[key], margin + "  ", newline), newline)
            )
    added = "".join(_line(key, after[key], margin, newline) for key in after if key not in pairs)
    if added:
        end = _line_end(text, _end(text, entry.value[-1][1]))
        splices.append((end, end, added))
    for start, end, replacement in sorted(splices, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


def _line(key: str, value: object, margin: str, newline: str) -> str:
    return f"{margin}{_inline(key, margin, newline)}: {_inline(value, margin + '  ', newline)}{newline}"


def _inline(value: object, margin: str, newline: str) -> str:
    """A value on one line; texts of several lines go on below ``margin``."""
    try:
        text = yaml.dump(
            value, Dumper=_Dumper, default_flow_style=True, allow_unicode=True, sort_keys=False, width=_WIDTH
        )
    except (yaml.YAMLError, UnicodeError):
        return "!"  # found when it is read back
    return text.removesuffix("\n").removesuffix("\n...").replace("\n", newline + margin)


def _removal(text: str, key: yaml.Node, value: yaml.Node) -> _Splice:
    """Remove the lines of a key; that of the dash is left broken and found when it is read back."""
    return text.rfind("\n", 0, key.start_mark.index) + 1, _line_end(text, _end(text, value)), ""


def _replacement(text: str, key: yaml.Node, value: yaml.Node, inline: str, newline: str) -> _Splice:
    """Replace a value by one on the line of its key."""
    end = _end(text, value)
    if isinstance(value, yaml.ScalarNode) and value.style not in ("|", ">") and value.start_mark.index < end:
        return value.start_mark.index, end, inline
    colon = text.index(":", key.end_mark.index) + 1
    return colon, end, f" {inline}{newline if text[end - 1 : end] == chr(10) else ''}"


def _end(text: str, node: yaml.Node) -> int:
    """Where a node ends, without the blank lines and comments that follow a block."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _line_end(text: str, index: int) -> int:
    """Behind the line break of the line that ``index`` is on, or ``index`` behind a line break."""
    if text[index - 1 : index] == "\n":
        return index
    at = text.find("\n", index)
    return len(text) if at < 0 else at + 1
