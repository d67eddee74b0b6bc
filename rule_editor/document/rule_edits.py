"""Edits of whole rules: their lines are blocks with gaps between, and gaps stay where they are."""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise
from typing import Any

from collector.located_yaml.diagnostics import apply_edits
from collector.located_yaml.source import read_entry, read_source
from collector.rules.grammar.model import SUCCESS, Rule
from collector.rules.grammar.plain import plain_rule
from collector.rules.grammar.specs import RULE_SPECS
from rule_editor.document import block_lists, emit, lines
from rule_editor.document.errors import UnsafeEditError
from rule_editor.document.reading import Entry, Reading
from rule_editor.document.style import Style
from rule_editor.document.surgery import Workpiece


def span(reading: Reading, index: int) -> tuple[int, int]:
    """The lines of a rule with the comments directly above it. Raises UnsafeEditError without such lines."""
    text, entry = reading.text, reading.entries[index]
    start = lines.line_start(text, entry.start)
    ahead = text[start : entry.start].replace("-", "", 1).strip(" \ufeff")
    if ahead or text[start : start + 1] in ("{", "["):
        raise UnsafeEditError
    floor = _end(text, reading.entries[index - 1]) if index else block_lists.after_key(text, start)
    return lines.lead_start(text, start, floor), _end(text, entry)


def added(reading: Reading, rule: Rule, after: Entry | None, style: Style) -> str:
    """The text with a new rule behind ``after``, at the end when that is None."""
    plain = plain_rule(rule)
    if rule.kind != SUCCESS:
        return listed(reading, plain, RULE_SPECS[rule.kind].root, after, style)
    new = style.newline.join(emit.pair(rule.id, plain, 0, style))
    if not reading.entries:
        return _open_end(reading.text, style) + new + style.newline
    index = reading.entries.index(after) if after is not None else len(reading.entries) - 1
    return _inserted(reading, index, new, style)


def listed(reading: Reading, plain: dict[str, Any], root: str, after: Entry | None, style: Style) -> str:
    """The text with a new entry of the list ``root`` behind ``after``, at the end when that is None."""
    if not reading.entries:
        return _with_first(reading, root, plain, style)
    index = reading.entries.index(after) if after is not None else len(reading.entries) - 1
    new = emit.item(plain, _dash_column(reading), style, "")
    return _inserted(reading, index, style.newline.join(new), style)


def duplicated(reading: Reading, index: int, new_id: str, style: Style) -> str:
    """The text with a copy of a rule behind it."""
    entry = reading.entries[index]
    start, end = span(reading, index)
    body = lines.line_start(reading.text, entry.start)
    piece = Workpiece(reading.text[body:end], lambda text: read_entry(text).root, style)
    if isinstance(entry.path[-1], str):
        piece.rename_key((), entry.path[-1], new_id)
    elif "id" in piece.plain((0,)):
        piece.set((0, "id"), new_id)
    else:
        piece.insert_key((0,), "id", new_id, None)
    copy = (reading.text[start:body] + piece.text).rstrip("\r\n")
    return _inserted(reading, index, copy, style)


def deleted(reading: Reading, index: int) -> str:
    """The text without a rule and the blank lines that parted it from its neighbour."""
    text = reading.text
    start, end = span(reading, index)
    if index + 1 < len(reading.entries):
        end = min(lines.blank_after(text, end), span(reading, index + 1)[0])
        return text[:start] + text[end:]
    floor = _end(text, reading.entries[index - 1]) if index else 0
    if index:
        start = lines.blank_before(text, start, floor)
    rest = text[end:]
    if not rest and not text.endswith("\n"):
        return text[:start].rstrip("\r\n")
    return text[:start] + rest


def moved(reading: Reading, index: int, target: int, newline: str) -> str:
    """The text with the rule ``index`` at place ``target`` among the others."""
    text = reading.text
    spans = [span(reading, at) for at in range(len(reading.entries))]
    blocks = [text[start:end] for start, end in spans]
    gaps = [text[one[1] : other[0]] for one, other in pairwise(spans)]
    open_end = not blocks[-1].endswith("\n")
    blocks = [block if block.endswith("\n") else block + newline for block in blocks]
    blocks.insert(target, blocks.pop(index))
    if open_end:
        blocks[-1] = blocks[-1].removesuffix("\n").removesuffix("\r")
    middle = "".join(part for pair in zip(blocks, [*gaps, ""], strict=True) for part in pair)
    return text[: spans[0][0]] + middle + text[spans[-1][1] :]


def free_id(rule_id: str, taken: Container[str]) -> str:
    """``rule_id`` with a number behind it that no rule has."""
    stem = rule_id.partition("#")[0] or "rule"
    count = 2
    while f"{stem}_{count}" in taken:
        count += 1
    return f"{stem}_{count}"


def _end(text: str, entry: Entry) -> int:
    """Behind the last line of a rule."""
    if entry.part is None:
        return lines.body_end(text, entry.end, entry.start)
    if entry.part.node is not None:
        start = entry.start + entry.part.node.place.start
        return lines.body_end(text, entry.start + entry.part.node.place.end, start)
    own = len(lines.without_tail(text[entry.start : entry.end]))
    return lines.line_end(text, entry.start + own)


def _dash_column(reading: Reading) -> int:
    first = reading.entries[0]
    start = lines.line_start(reading.text, first.start)
    line = reading.text[start : lines.line_end(reading.text, start)]
    if not line.lstrip(" \ufeff").startswith("-"):
        raise UnsafeEditError
    return len(line.lstrip("\ufeff")) - len(line.lstrip(" \ufeff"))


def _inserted(reading: Reading, index: int, body: str, style: Style) -> str:
    text = reading.text
    end = span(reading, index)[1]
    gap = style.newline if _parted(reading) else ""
    if end == len(text) and not text.endswith("\n"):
        return text + style.newline + gap + body
    return text[:end] + gap + body + style.newline + text[end:]


def _parted(reading: Reading) -> bool:
    """Whether blank lines stand between the rules."""
    if len(reading.entries) < 2:
        return True
    end = _end(reading.text, reading.entries[0])
    return lines.blank_after(reading.text, end) > end


def _open_end(text: str, style: Style) -> str:
    """The text with a line break behind its last line, for another to follow."""
    return text + style.newline if text and not text.endswith(("\n", "\ufeff")) else text


def _with_first(reading: Reading, root: str, plain: dict[str, Any], style: Style) -> str:
    text = _open_end(reading.text, style)
    raw = [line + style.newline for line in emit.item(plain, 0, style, "")]
    source = read_source(reading.text)
    if source.root is not None and source.root.kind == "mapping" and source.root.get(root) is not None:
        return apply_edits(
            reading.text, tuple(block_lists.under_key(reading.text, source.root, (root,), raw, style))
        )
    if not source.is_whole or (source.root is not None and source.root.plain is not None):
        raise UnsafeEditError
    body = "".join(lines.shifted(raw, style.dash))
    return text + f"{root}:" + style.newline + body
