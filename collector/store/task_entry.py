"""The lines of one task in ``tasks.yaml``: write them, and change single values while the rest stays."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any

import yaml

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.task import Task
from collector.store.task_file import changed_list, is_same, not_readable, task_from_mapping, task_values

_Dumper: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WIDTH = 1 << 20  # a line a person wrote stays one line
_DASH = re.compile(r"^ *-", re.MULTILINE)
_Splice = tuple[int, int, str]


def read_entry(text: str) -> Task | None:
    """The task of the lines of an entry; None when they cannot be read by themselves."""
    try:
        document = safe_load(text, "")
        return task_from_mapping(document[0]) if isinstance(document, list) and len(document) == 1 else None
    except (YamlError, ValueError):
        return None


def written_entry(task: Task, indent: int, newline: str) -> str:
    """The lines of a new entry whose dash is in column ``indent``.

    Raises StoreError for what YAML cannot hold.
    """
    margin = " " * (indent + 2)
    lines = "".join(_line(key, value, margin, newline) for key, value in task_values(task).items())
    return _checked(" " * indent + "- " + lines[len(margin) :], task)


def patched_entry(text: str, task: Task, indent: int, newline: str) -> str | None:
    """The lines of an entry with the values of ``task``; comments and other values stay as written.

    None when the entry cannot be read without the rest of its file. Raises StoreError for what YAML
    cannot hold.
    """
    before = read_entry(text)
    if before is None:
        return None
    patched = _spliced(text, task_values(before), task_values(task), newline)
    if patched is not None and is_same(read_entry(patched), task):
        return patched
    # An entry of another shape, as one in braces: slower, and its line may be laid out anew.
    start = _DASH.search(text).start()  # type: ignore[union-attr]  # an entry was read
    lines = textwrap.dedent(changed_list(text[start:], task)).splitlines()
    edited = "".join(f"{' ' * indent}{line}".rstrip() + newline for line in lines)
    return _checked(text[:start] + edited, task)


def _checked(text: str, task: Task) -> str:
    """The text, read back. Raises StoreError when it does not hold the task."""
    if not is_same(read_entry(text), task):
        raise not_readable(task.id)
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


def _spliced(text: str, before: Mapping[str, Any], after: Mapping[str, Any], newline: str) -> str | None:
    """Replace the values that differ; None when the entry is not a mapping in block style."""
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
