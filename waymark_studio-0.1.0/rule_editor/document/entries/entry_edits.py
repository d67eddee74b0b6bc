"""Edits of whole entries: insert, duplicate, delete, move. Blank lines between entries stay in place."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from collector.located_yaml.diagnostics import apply_edits
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_patch import block_lists, lines, yaml_writer
from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.located_yaml.yaml_patch.patch import YamlPatch
from collector.located_yaml.yaml_patch.style import YamlStyle
from rule_editor.document.entries.entry import FileEntry, ParsedFile, root_of_entry


def span(parsed: ParsedFile, index: int) -> tuple[int, int]:
    """Start and end of an entry's lines, with the comments directly above them.

    Raises UnsafeEditError when the entry shares a line with something else.
    """
    text, entry = parsed.text, parsed.entries[index]
    start = lines.line_start(text, entry.start)
    ahead = text[start : entry.start].replace("-", "", 1).strip(" \ufeff")
    if ahead or text[start : start + 1] in ("{", "["):
        raise UnsafeEditError
    floor = _end(text, parsed.entries[index - 1]) if index else block_lists.after_key(text, start)
    return lines.lead_start(text, start, floor), _end(text, entry)


def with_pair(parsed: ParsedFile, key: str, plain: Any, after: FileEntry | None, style: YamlStyle) -> str:
    """The text with a new entry under ``key`` after the entry ``after``, at the end when that is None."""
    new = style.newline.join(yaml_writer.pair(key, plain, 0, style))
    if not parsed.entries:
        return _with_final_break(parsed.text, style) + new + style.newline
    return _inserted(parsed, _index(parsed, after), new, style)


def with_item(
    parsed: ParsedFile, plain: dict[str, Any], root: str, after: FileEntry | None, style: YamlStyle
) -> str:
    """The text with a new item of the list ``root`` after ``after``, at the end when that is None."""
    if not parsed.entries:
        return _with_first(parsed, root, plain, style)
    new = yaml_writer.item(plain, _dash_column(parsed), style, "")
    return _inserted(parsed, _index(parsed, after), style.newline.join(new), style)


def with_copy(parsed: ParsedFile, index: int, new_id: str, style: YamlStyle) -> str:
    """The text with a copy of an entry after it."""
    entry = parsed.entries[index]
    start, end = span(parsed, index)
    body = lines.line_start(parsed.text, entry.start)
    patch = YamlPatch(parsed.text[body:end], root_of_entry, style)
    if isinstance(entry.path[-1], str):
        patch.rename_key((), entry.path[-1], new_id)
    elif "id" in patch.plain((0,)):
        patch.set((0, "id"), new_id)
    else:
        patch.insert_key((0,), "id", new_id, None)
    copy = (parsed.text[start:body] + patch.text).rstrip("\r\n")
    return _inserted(parsed, index, copy, style)


def without(parsed: ParsedFile, index: int) -> str:
    """The text without an entry and the blank lines between it and its neighbour."""
    text = parsed.text
    start, end = span(parsed, index)
    if index + 1 < len(parsed.entries):
        end = min(lines.blank_after(text, end), span(parsed, index + 1)[0])
        return text[:start] + text[end:]
    floor = _end(text, parsed.entries[index - 1]) if index else 0
    if index:
        start = lines.blank_before(text, start, floor)
    rest = text[end:]
    if not rest and not text.endswith("\n"):
        return text[:start].rstrip("\r\n")
    return text[:start] + rest


def free_id(rule_id: str, taken: Container[str]) -> str:
    """``rule_id`` with the first number that makes it unique among ``taken``."""
    stem = rule_id.partition("#")[0] or "rule"
    count = 2
    while f"{stem}_{count}" in taken:
        count += 1
    return f"{stem}_{count}"


def _end(text: str, entry: FileEntry) -> int:
    """End of the last line of an entry."""
    if entry.parsed is None:
        return lines.body_end(text, entry.end, entry.start)
    if entry.parsed.node is not None:
        start = entry.start + entry.parsed.node.place.start
        return lines.body_end(text, entry.start + entry.parsed.node.place.end, start)
    own = len(lines.without_tail(text[entry.start : entry.end]))
    return lines.line_end(text, entry.start + own)


def _index(parsed: ParsedFile, entry: FileEntry | None) -> int:
    """Position of an entry, of the last one when it is None."""
    return parsed.entries.index(entry) if entry is not None else len(parsed.entries) - 1


def _dash_column(parsed: ParsedFile) -> int:
    first = parsed.entries[0]
    start = lines.line_start(parsed.text, first.start)
    line = parsed.text[start : lines.line_end(parsed.text, start)]
    if not line.lstrip(" \ufeff").startswith("-"):
        raise UnsafeEditError
    return len(line.lstrip("\ufeff")) - len(line.lstrip(" \ufeff"))


def _inserted(parsed: ParsedFile, index: int, body: str, style: YamlStyle) -> str:
    text = parsed.text
    end = span(parsed, index)[1]
    gap = style.newline if _has_gaps(parsed) else ""
    if end == len(text) and not text.endswith("\n"):
        return text + style.newline + gap + body
    return text[:end] + gap + body + style.newline + text[end:]


def _has_gaps(parsed: ParsedFile) -> bool:
    """Whether there are blank lines between the entries."""
    if len(parsed.entries) < 2:
        return True
    end = _end(parsed.text, parsed.entries[0])
    return lines.blank_after(parsed.text, end) > end


def _with_final_break(text: str, style: YamlStyle) -> str:
    """The text with a line break at its end."""
    return text + style.newline if text and not text.endswith(("\n", "\ufeff")) else text


def _with_first(parsed: ParsedFile, root: str, plain: dict[str, Any], style: YamlStyle) -> str:
    text = _with_final_break(parsed.text, style)
    item_lines = [line + style.newline for line in yaml_writer.item(plain, 0, style, "")]
    source = read_source(parsed.text)
    if source.root is not None and source.root.kind == "mapping" and source.root.get(root) is not None:
        return apply_edits(
            parsed.text, tuple(block_lists.under_key(parsed.text, source.root, (root,), item_lines, style))
        )
    if not source.is_whole or (source.root is not None and source.root.plain is not None):
        raise UnsafeEditError
    body = "".join(lines.shifted(item_lines, style.dash))
    return text + f"{root}:" + style.newline + body
