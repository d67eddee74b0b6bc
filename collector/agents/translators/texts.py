"""Parts of answers: tags, labels, JSON objects, calls with named arguments, numbers.

Answers may be hostile: each pattern begins at one place of a run of letters or spaces and never goes back
into it, so that the time grows with the length of an answer and no faster.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from collector.agents.translators.errors import Malformed
from collector.model.action import LONGEST_MS
from collector.model.i18n import _

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ONE_TEXT = re.compile(r"(\w+)\(\s*(\w+)\s*=\s*(['\"])(.*)\3\s*\)", re.DOTALL)
"""A call whose only argument is a text with quotes that were not escaped."""
_CALL = re.compile(r"(?<!\w)[^\WA-Za-z_]*+([A-Za-z_]\w*+\()")
_PIECE = re.compile(r"""'''(?:[^\\]|\\.)*?'''|'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|[^'"()]++|.""", re.DOTALL)
"""A text in quotes, what lies between, or one parenthesis."""
_MAX_CALL = 20_000
"""Characters of a call that are read."""
_MAX_BRACES = 300
"""Opening braces at which an object is looked for: a text of nothing but braces would take seconds."""
_TIMES_READ = 4
"""How often, on average, a character may be read for objects; those that never close lie in each other."""
_LARGEST = 1e300
_DECODER = json.JSONDecoder()


def tagged(text: str, tag: str) -> str | None:
    """The last ``<tag>...</tag>`` of a text, an unclosed one to the end; None when there is none."""
    start = text.rfind(f"<{tag}>")
    if start < 0:
        return None
    return text[start + len(tag) + 2 :].split(f"</{tag}>", 1)[0].strip()


def between(text: str, begin: re.Pattern[str], end: re.Pattern[str]) -> str:
    """The text from the first ``begin`` to the next ``end`` or its end, stripped; empty without ``begin``."""
    found = begin.search(text)
    if found is None:
        return ""
    stop = end.search(text, found.end())
    return text[found.end() : stop.start() if stop else len(text)].strip()


def json_object(text: str) -> dict[str, Any]:
    """The first object in a text, in JSON or as Python writes it. Raises Malformed."""
    value = _first_json(text)
    start, end = text.find("{"), text.rfind("}")
    if value is None and 0 <= start < end:
        try:
            value = ast.literal_eval(text[start : end + 1])
        except (ValueError, SyntaxError, TypeError):
            value = None
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise Malformed(_("The answer has no JSON object"))
    return value


def thought_of_json(answer: str) -> str:
    """The ``thought`` of an answer that is one JSON object; empty when it has none."""
    try:
        return str(json_object(answer).get("thought") or "")
    except Malformed:
        return ""


def _first_json(text: str) -> object:
    """The first JSON object in a text; None when none is found."""
    left = _TIMES_READ * len(text)
    for match in itertools.islice(re.finditer(r"\{", text), _MAX_BRACES):
        try:
            return _DECODER.raw_decode(text, match.start())[0]
        except ValueError as error:
            stopped = error.pos if isinstance(error, json.JSONDecodeError) else len(text)
            left -= stopped - match.start()
        if left < 0:
            break
    return None


def call_in(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the named arguments of the first call in a text. Raises Malformed. Nothing is executed."""
    match = _CALL.search(text)
    if match is None:
        raise Malformed(_("The answer has no call of an action"))
    source = text[match.start(1) : match.start(1) + _MAX_CALL].strip().strip("`").strip()
    call = _parsed(_closed(source))
    if call is not None:
        return call
    if alone := _ONE_TEXT.match(source):
        return alone[1], {alone[2]: alone[4].replace("\\'", "'").replace('\\"', '"').replace("\\n", "\n")}
    raise Malformed(_("The call of an action cannot be read"))


def _closed(source: str) -> str:
    """The call at the start of a text, up to the parenthesis that closes it; empty when none does."""
    depth = 0
    for piece in _PIECE.finditer(source):
        if piece[0] in ("'", '"'):  # a text that has no end
            break
        depth += (piece[0] == "(") - (piece[0] == ")")
        if not depth and piece[0] == ")":
            return source[: piece.end()]
    return ""


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
        # Not by the name of the function below: Python 3.12.1 takes that for a variable then.
        return [float(digits) for digits in _NUMBER.findall(value)]
    if isinstance(value, (list, tuple)):
        return [number(part) for part in value]
    raise Malformed(_("A place takes two numbers"))


def number(value: object) -> float:
    """A finite number, or a text that is one, with a unit or without. Raises Malformed."""
    if isinstance(value, str) and (match := _NUMBER.match(value.strip())):
        value = float(match[0])
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not is_usable(value):
        raise Malformed(_("{value} is no number", value=repr(value)))
    return value


def is_usable(value: float) -> bool:
    """Whether a number can be a place or a time: it is finite and a float can hold it."""
    return -_LARGEST <= value <= _LARGEST


def milliseconds(value: object, unit_ms: int = 1) -> int:
    """A time of an answer, in ``unit_ms``; at most an hour. Raises Malformed."""
    return max(0, min(round(unit_ms * number(value)), LONGEST_MS))


def word(values: Mapping[str, Any], name: str) -> str | None:
    """A text out of a list of words; None when it is missing. Raises Malformed for what is no text."""
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise Malformed(_("The action has no `{name}`", name=name))
    return value


def text_of(values: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of ``names`` that has a text. Raises Malformed when none has."""
    for name in names:
        if isinstance(values.get(name), (str, int, float)):
            return str(values[name])
    raise Malformed(_("The action has no `{name}`", name=names[0]))
