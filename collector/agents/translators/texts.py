"""Parts of answers: tags, JSON objects, calls with named arguments, numbers."""

from __future__ import annotations

import ast
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from collector.agents.translators.errors import Malformed
from collector.model.i18n import _

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ONE_TEXT = re.compile(r"(\w+)\(\s*(\w+)\s*=\s*(['\"])(.*)\3\s*\)", re.DOTALL)
"""A call whose only argument is a text with quotes that were not escaped."""
_CALL = re.compile(r"[A-Za-z_]\w*\(")
_MAX_CALL = 20_000
"""Characters of a call that are read."""
_MAX_BRACES = 300
"""Opening braces at which an object is looked for: a text of nothing but braces would take seconds."""
_DECODER = json.JSONDecoder()


def tagged(text: str, tag: str) -> str | None:
    """The last ``<tag>...</tag>`` of a text, an unclosed one to the end; None when there is none."""
    start = text.rfind(f"<{tag}>")
    if start < 0:
        return None
    return text[start + len(tag) + 2 :].split(f"</{tag}>", 1)[0].strip()


def json_object(text: str) -> dict[str, Any]:
    """The first object in a text, in JSON or as Python writes it. Raises Malformed."""
    for match in itertools.islice(re.finditer(r"\{", text), _MAX_BRACES):
        try:
            value, _end = _DECODER.raw_decode(text, match.start())
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    start, end = text.find("{"), text.rfind("}")
    try:
        value = ast.literal_eval(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, SyntaxError, TypeError):
        value = None
    if not isinstance(value, dict):
        raise Malformed(_("The answer has no JSON object"))
    return value


def call_in(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the named arguments of the first call in a text. Raises Malformed. Nothing is executed."""
    match = _CALL.search(text)
    if match is None:
        raise Malformed(_("The answer has no call of an action"))
    source = text[match.start() : match.start() + _MAX_CALL].strip().strip("`").strip()
    for end in _ends(source):
        call = _parsed(source[:end])
        if call is not None:
            return call
    if alone := _ONE_TEXT.match(source):
        return alone[1], {alone[2]: alone[4].replace("\\'", "'").replace('\\"', '"').replace("\\n", "\n")}
    raise Malformed(_("The call of an action cannot be read"))


def _ends(source: str) -> list[int]:
    """Where the call may end: at each closing parenthesis, the first ones first."""
    return [match.end() for match in re.finditer(r"\)", source)][:50]


def _parsed(source: str) -> tuple[str, dict[str, Any]] | None:
    try:
        call = ast.parse(source.replace("\n", "\\n"), mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return call.func.id, {
                word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg
            }
    except (ValueError, SyntaxError, TypeError):
        return None
    return None


def quoted(text: str) -> str:
    """A text as an argument of a call, in single quotes, escaped."""
    escaped = (
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text.replace("\\", "\\\\").replace("'", "\\'")
    )
    return f"'{''.join(escaped)}'"


def numbers_of(value: object) -> list[float]:
    """The numbers of a place: a list, or a text such as ``(3,4)`` or ``<point>3 4</point>``."""
    if isinstance(value, str):
        return [float(number) for number in _NUMBER.findall(value)]
    if isinstance(value, (list, tuple)):
        return [number(part) for part in value]
    raise Malformed(_("A place takes two numbers"))


def number(value: object) -> float:
    """A finite number, or a text that is one, with a unit or without. Raises Malformed."""
    if isinstance(value, str) and (match := _NUMBER.match(value.strip())):
        value = float(match[0])
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Malformed(_("{value} is no number", value=repr(value)))
    return value


def text_of(values: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of ``names`` that has a text. Raises Malformed when none has."""
    for name in names:
        if isinstance(values.get(name), (str, int, float)):
            return str(values[name])
    raise Malformed(_("The action has no `{name}`", name=names[0]))
