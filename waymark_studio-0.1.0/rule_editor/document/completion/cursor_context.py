"""Where a cursor stands in the grammar of a rule file: at a key or value of a rule, condition or action.

Only indents and brackets are read, because a text is seldom valid YAML at the place being typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from collector.rules.grammar import specs
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import SUCCESS
from collector.rules.grammar.specs import (
    ANY_OF,
    GROUP_KEYS,
    INJECTION_FIELDS,
    RULE_SPECS,
    ConditionSpec,
    FieldSpec,
)
from rule_editor.document.completion.cursor_line import CursorLine, in_comment

ROOT, RULE, CONDITION, ACTION = "root", "rule", "condition", "action"
KEY, VALUE, NOTHING = "key", "value", "nothing"
CONDITION_TYPE = "condition_type"
"""Field kind of a condition's ``type``."""
_LINE = re.compile(r"(?P<indent>[ \t\ufeff]*)(?P<dashes>(?:-[ \t]+|-$)*)(?P<rest>.*)")
_PAIR = re.compile(
    r"""(?P<key>"[^"]*"|'[^']*'|[^\s:#,{}\[\]"'][^:#,{}\[\]]*?)\s*:(?:[ \t]+(?P<value>.*)|$)"""
)
_MOST_LINES = 2000
"""Lines searched above the cursor for the keys that enclose it."""


@dataclass(frozen=True, slots=True)
class CursorContext:
    """The grammar context of a cursor.

    ``what`` is key, value or nothing (in a comment, for example); ``within`` is the owner of the key or
    value: the root, a rule, a condition or an action. A completion replaces the characters ``start`` to
    ``end``; ``prefix`` is the part of them before the cursor.
    """

    what: str = NOTHING
    within: str = ""
    type: str = ""
    """The type of the condition, when the text has one."""
    field: FieldSpec | None = None
    """For a value: the field of the grammar."""
    key: str = ""
    """For a value: its key."""
    siblings: tuple[str, ...] = ()
    """Other keys of the same mapping, or other texts of the same list."""
    prefix: str = ""
    start: int = 0
    end: int = 0
    quote: str = ""
    """The opening quote of the value."""
    in_brackets: bool = False
    new_item: bool = False
    """The cursor is after a dash, where a mapping can begin as an item of a list."""


@dataclass(frozen=True, slots=True)
class CursorPlace:
    """Where a cursor stands in a YAML text, whatever its grammar."""

    line: CursorLine
    """The line up to the cursor."""
    keys: tuple[str, ...]
    """Keys from the root to the mapping or list at the cursor."""
    siblings: Mapping[str, str]
    """The other keys of the mapping, with their values."""
    has_dash: bool
    """Whether the line begins an item of a list."""


def place_at(text: str, offset: int) -> CursorPlace | None:
    """The place of the character ``offset``; None in a comment. Never raises."""
    offset = max(0, min(offset, len(text)))
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    match = _LINE.match(line)
    if match is None or in_comment(line):
        return None
    rest_at = start + match.end("dashes")
    column = rest_at - start
    levels = _levels(text, start, column, bool(match["dashes"]), len(match["indent"]))
    siblings = _siblings(text, start, column, has_dash=bool(match["dashes"]))
    cursor = CursorLine(text, offset, match["rest"], rest_at)
    cursor.read()
    keys = (*reversed(levels), *cursor.path)
    return CursorPlace(cursor, keys, cursor.siblings if cursor.depth else siblings, bool(match["dashes"]))


def context_at(text: str, offset: int, kind: str) -> CursorContext:
    """The context of the character ``offset`` in a file of rules of ``kind``; never raises."""
    place = place_at(text, offset)
    if place is None:
        at = max(0, min(offset, len(text)))
        return CursorContext(start=at, end=at)
    return _context(place.line, list(place.keys), dict(place.siblings), kind, new_item=place.has_dash)


def _levels(text: str, start: int, column: int, has_dash: bool, indent: int) -> list[str]:
    """Keys that enclose the line at ``start``, innermost first."""
    levels: list[str] = []
    limit = indent if has_dash else column
    dashed = has_dash
    for _line_at, line in _lines_above(text, start):
        match = _LINE.match(line)
        if match is None or not match["rest"].strip():
            continue
        dash_column, key_column = len(match["indent"].lstrip("\ufeff")), match.end("dashes")
        pair = _PAIR.match(match["rest"])
        bare = pair is not None and not (pair["value"] or "").split("#")[0].strip()
        encloses = key_column < limit or (dashed and key_column == limit)
        if pair is not None and bare and encloses:
            levels.append(pair["key"].strip("\"'"))
            limit, dashed = (dash_column, True) if match["dashes"] else (key_column, False)
        elif match["dashes"] and dash_column < limit:
            limit, dashed = dash_column, True
        if limit == 0 and not dashed:
            break
    return levels


def _siblings(text: str, start: int, column: int, *, has_dash: bool) -> dict[str, str]:
    """Keys and values, above and below, of the mapping that holds the line at ``start``."""
    siblings: dict[str, str] = {}
    if not has_dash:
        for _at, line in _lines_above(text, start):
            parts = _LINE.match(line)
            if parts is None or not parts["rest"].strip() or parts["rest"].startswith("#"):
                continue
            if parts.end("dashes") == column:
                _add_pair(siblings, parts["rest"])
            if parts.end("dashes") < column or (parts["dashes"] and parts.end("dashes") <= column):
                break
    at = text.find("\n", start) + 1
    while 0 < at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        parts = _LINE.match(text[at:end].rstrip("\r\n"))
        at = end
        if parts is None or not parts["rest"].strip() or parts["rest"].startswith("#"):
            continue
        if len(parts["indent"]) < column or (parts["dashes"] and len(parts["indent"]) <= column):
            break
        if not parts["dashes"] and parts.end("dashes") == column:
            _add_pair(siblings, parts["rest"])
    return siblings


def _add_pair(siblings: dict[str, str], rest: str) -> None:
    pair = _PAIR.match(rest)
    if pair is not None:
        value = (pair["value"] or "").split(" #")[0].strip().strip("\"'")
        siblings.setdefault(pair["key"].strip("\"'"), value)


def _lines_above(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Start and text of the lines above the line at ``start``, the nearest first."""
    at = start
    for _count in range(_MOST_LINES):
        if at <= 0:
            return
        above = text.rfind("\n", 0, at - 1) + 1
        yield above, text[above : at - 1].rstrip("\r")
        at = above


def _context(
    cursor: CursorLine, keys: list[str], siblings: dict[str, str], kind: str, *, new_item: bool
) -> CursorContext:
    start, end = cursor.span
    within, spec = _within(keys, siblings, kind)
    base = CursorContext(
        KEY, within, spec.type if spec is not None else "", prefix=cursor.prefix, start=start, end=end,
        siblings=tuple(siblings), quote=cursor.quote, in_brackets=cursor.depth > 0,
        new_item=new_item and not cursor.path and cursor.key is None,
    )  # fmt: skip
    if cursor.in_list or (new_item and _is_text_list(keys, kind)):
        key = keys[-1] if keys else ""
        holder, list_spec = _within(keys[:-1], {}, kind)
        known = _field(key, holder, list_spec, kind) or _any_field(key)
        words = tuple(cursor.items) if cursor.in_list else ()
        if known is None or known.kind == specs.CONDITION_LIST:
            return base
        return replace(base, what=VALUE, within=holder, type="", field=known, key=key, siblings=words)
    if cursor.key is None:
        return base
    return replace(base, what=VALUE, field=_field(cursor.key, within, spec, kind), key=cursor.key)


def _within(keys: list[str], siblings: dict[str, str], kind: str) -> tuple[str, ConditionSpec | None]:
    """The owner of the mapping the keys lead to, and the spec of a condition when the text has its type."""
    if "conditions" in keys:
        inner = keys[keys.index("conditions") + 1 :]
        written = siblings.get("type", "")
        if written == ANY_OF.type:
            return CONDITION, ANY_OF
        plain = all(key in (*GROUP_KEYS, "sub_conditions") for key in inner)
        return (CONDITION, condition_specs().get(written)) if plain else ("", None)
    if keys and keys[-1] == "actions":
        return ACTION, None
    depth = len(keys)
    top = 1 if kind == SUCCESS or (keys and keys[0] == RULE_SPECS[kind].root) else 0
    if depth == top:
        return (RULE if top or (kind != SUCCESS and "id" in siblings) else ROOT), None
    return "", None


def _field(key: str, within: str, spec: ConditionSpec | None, kind: str) -> FieldSpec | None:
    if within == CONDITION:
        if key == "type":
            return FieldSpec("type", CONDITION_TYPE, "")
        return spec.field(key) if spec is not None else None
    if within == ACTION:
        return next((field for field in INJECTION_FIELDS if field.name == key), None)
    return RULE_SPECS[kind].field(key) if within == RULE else None


def _any_field(key: str) -> FieldSpec | None:
    """The field of that name of any condition, for a condition whose type is not written yet."""
    fields = (spec.field(key) for spec in condition_specs().values())
    return next((field for field in fields if field is not None), None)


def _is_text_list(keys: list[str], kind: str) -> bool:
    if not keys:
        return False
    known = _any_field(keys[-1]) or RULE_SPECS[kind].field(keys[-1])
    return known is not None and known.kind in (specs.TEXTS, specs.STATE_IDS)
