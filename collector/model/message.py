"""Sentences that are stored: each knows what it says, so that it can be said again in another language.

A module whose sentences end up in files imports ``_`` and ``ngettext`` from here instead of from
:mod:`collector.model.i18n`. The code of a sentence is its English text with ``{name}`` fields, as in the
catalogues. A sentence that a later version words differently is shown as it was stored.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from collector.model import i18n

Value = str | int | float


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One sentence: its English text, its English plural if it has one, and the values of its fields."""

    code: str
    plural: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self) -> str:
        """The sentence in the language in use; empty when it has no translation. Raises ValueError."""
        values = {name: in_language(of) if isinstance(of, str) else of for name, of in self.values.items()}
        if not (_can_be_filled(self.code, self.values) and _can_be_filled(self.plural, self.values)):
            raise ValueError("not a sentence of ours")
        try:
            if self.plural:
                said = i18n.ngettext(
                    self.code, self.plural, int(self.values["count"]), **_without_count(values)
                )
                known = i18n.is_translated(self.code, plural=True)
            else:
                said = i18n.translate(self.code, values)
                known = i18n.is_translated(self.code)
        except (KeyError, IndexError, TypeError, OverflowError) as error:
            raise ValueError(str(error)) from None
        return said if known else ""


class Message(str):
    """A sentence in some language that can be said in another: :meth:`shown`. A string for all else."""

    __slots__ = ("parts",)
    parts: tuple[MessagePart | str, ...]
    """Sentences joined by semicolons; a string where a part can be said in one language alone."""

    def __new__(cls, text: str, parts: Iterable[MessagePart | str]) -> Self:
        self = super().__new__(cls, text)
        self.parts = tuple(parts)
        return self

    def __getnewargs__(self) -> tuple[str, tuple[MessagePart | str, ...]]:  # type: ignore[override]
        return str(self), self.parts

    def shown(self) -> str:
        """The sentence in the language in use; as it is when it cannot be said in that."""
        try:
            texts = [part if isinstance(part, str) else part.text() for part in self.parts]
        except ValueError:
            return str(self)
        return _JOINT.join(texts) if all(texts) else str(self)


_JOINT = "; "


def _(message: str, **values: object) -> str:
    """Like :func:`i18n._`, remembering what was said."""
    return Message(i18n.translate(message, values), [MessagePart(message, values=_plain(values))])


def ngettext(singular: str, plural: str, count: int, **values: object) -> str:
    """Like :func:`i18n.ngettext`, remembering what was said."""
    part = MessagePart(singular, plural, _plain({**values, "count": count}))
    return Message(i18n.ngettext(singular, plural, count, **values), [part])


def joined(sentences: Iterable[str]) -> str:
    """Sentences as one problem; those that know what they say still do."""
    sentences = [sentence for sentence in sentences if sentence]
    parts = [part for text in sentences for part in (text.parts if isinstance(text, Message) else (text,))]
    return Message(_JOINT.join(sentences), parts) if sentences else ""


def in_language(text: str) -> str:
    """A stored sentence in the language in use; any other text as it is."""
    return text.shown() if isinstance(text, Message) else text


def to_json(text: str) -> list[dict[str, object]] | None:
    """The codes and values of a sentence, to store beside its text; None for any other text."""
    if not isinstance(text, Message) or not any(isinstance(part, MessagePart) for part in text.parts):
        return None
    return [_part_to_json(part) for part in text.parts]


def from_json(text: str, stored: object) -> str:
    """The sentence that :func:`to_json` stored beside ``text``, in the language in use. Never raises."""
    if not isinstance(stored, list) or not text:
        return text
    parts: list[MessagePart | str] = []
    for item in stored:
        if not isinstance(item, dict):
            return text
        values = item.get("values") or {}
        code, plural, plain = item.get("code", ""), item.get("plural", ""), item.get("text", "")
        if not isinstance(values, dict) or not all(isinstance(of, str) for of in (code, plural, plain)):
            return text
        if not all(isinstance(value, Value) for value in values.values()):
            return text
        parts.append(MessagePart(code, plural, values) if code else plain)
    message = Message(text, parts)
    return Message(message.shown(), parts)


def _part_to_json(part: MessagePart | str) -> dict[str, object]:
    if isinstance(part, str):
        return {"text": part}
    stored: dict[str, object] = {"code": part.code}
    if part.plural:
        stored["plural"] = part.plural
    if part.values:
        stored["values"] = dict(part.values)
    return stored


def _plain(values: Mapping[str, object]) -> dict[str, Value]:
    """The values as they are kept: a sentence among them can still be said in another language."""
    return {name: value if isinstance(value, Value) else str(value) for name, value in values.items()}


def _without_count(values: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if name != "count"}


def _can_be_filled(template: str, values: Mapping[str, Value]) -> bool:
    """Whether a template only has ``{name}`` fields with values: one from a file must not format more."""
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return False
    return all(
        name is None or (name in values and not spec and not conversion)
        for _t, name, spec, conversion in fields
    )
