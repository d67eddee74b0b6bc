"""Read the answers of models strictly: what is not one of the allowed answers is none.

The texts of :class:`WrongAnswer` are sent to the model, so they are in English in every language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collector.model_judges.questions import WrongAnswer

YES, NO, UNCLEAR = "yes", "no", "unclear"
_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_TAGGED = re.compile(r"<answer>\s*([^<>]{0,40}?)\s*</?answer>", re.IGNORECASE)
_TAG = re.compile(r"</?answer>", re.IGNORECASE)
_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_LONGEST_REASON = 2000
Check = Callable[[Any], bool]


def read_tagged(text: str, allowed: Sequence[str] = (YES, NO)) -> str:
    """The word between answer tags, as A3RM writes it; its own template closes the tag without a slash.

    A model that says two words, or any word outside of the tags' set, has said none; nor has one that writes
    a tag beside its answer, as before a sentence that takes it back.
    """
    rest = _THINKING.sub("", text, count=1)
    found = _TAGGED.findall(rest)
    if not found:
        raise WrongAnswer(f"it has no <answer>{'|'.join(allowed)}</answer>")
    words = {word.strip().rstrip(".").lower() for word in found}
    if len(words) > 1:
        raise WrongAnswer(f"it has several answers: {', '.join(sorted(words))}")
    if _TAG.search(_TAGGED.sub("", rest)):
        raise WrongAnswer("it has an answer tag beside the answer")
    word = str(words.pop())
    if word not in allowed:
        raise WrongAnswer(f"{word!r} is none of: {', '.join(allowed)}")
    return word


def read_object(text: str, keys: Mapping[str, Check]) -> dict[str, Any]:
    """The JSON object that is the whole answer; each of ``keys`` is there, checked, and no other key is."""
    written = _THINKING.sub("", text, count=1).strip()
    if (fenced := _FENCE.match(written)) is not None:
        written = fenced[1].strip()
    try:
        value = json.loads(written, object_pairs_hook=_without_twice, parse_constant=_no_constant)
    except RecursionError:
        raise WrongAnswer("it is no JSON") from None
    except ValueError as error:
        raise WrongAnswer(f"it is no JSON: {error}") from None
    return checked_object(value, keys)


def checked_object(value: Any, keys: Mapping[str, Check], where: str = "") -> dict[str, Any]:
    """``value`` when it is an object with exactly ``keys``; ``where`` names it in the error."""
    place = f" of {where}" if where else ""
    if not isinstance(value, dict):
        raise WrongAnswer(f"{where or 'it'} is no JSON object")
    if missing := [name for name in keys if name not in value]:
        raise WrongAnswer(f"the key {missing[0]!r}{place} is missing")
    if unknown := [name for name in value if name not in keys]:
        raise WrongAnswer(f"the key {str(unknown[0])[:40]!r}{place} is not allowed")
    for name, check in keys.items():
        if not check(value[name]):
            raise WrongAnswer(f"{name}{place} is {json.dumps(value[name])[:80]}, which is not allowed")
    return value


def word_of(*allowed: str) -> Check:
    """A check for one of some words."""
    return lambda value: isinstance(value, str) and value in allowed


def text_up_to(longest: int = _LONGEST_REASON) -> Check:
    """A check for a text."""
    return lambda value: isinstance(value, str) and len(value) <= longest


def number_up_to(most: int, *, or_none: bool = True) -> Check:
    """A check for a whole number from 1 to ``most``."""

    def check(value: Any) -> bool:
        if value is None:
            return or_none
        return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most

    return check


def share(value: Any) -> bool:
    """Whether a value is a number from 0 to 1, or null."""
    return value is None or (
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
    )


def listing(value: Any) -> bool:
    """Whether a value is a list."""
    return isinstance(value, list)


def schema_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object with exactly these keys, as ``response_format`` wants it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


WORDS: Callable[[Sequence[str]], dict[str, Any]] = lambda words: {"type": "string", "enum": list(words)}  # noqa: E731
TEXT: Mapping[str, Any] = {"type": "string"}
NUMBER_OR_NULL: Mapping[str, Any] = {"type": ["integer", "null"]}
SHARE_OR_NULL: Mapping[str, Any] = {"type": ["number", "null"]}


def list_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a list."""
    return {"type": "array", "items": dict(item)}


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands there twice")
    return value


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
