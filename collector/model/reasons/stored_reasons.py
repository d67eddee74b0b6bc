"""Reasons of judges, and of how episodes ended, in the language in use.

A reason is stored as the text that was composed where the judge ran, in the language of that program.
It is shown by taking it apart into the sentences it was composed of, and saying those again. The sentences
are those of ``assets/translations/reasons.json``, which ``packaging/translations.py`` collects from the rooms
that compose reasons. What is none of them stays as it was stored.
"""

from __future__ import annotations

import gettext
import json
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

from collector.model import i18n
from collector.model.resources import asset

REASONS = "reasons.json"
"""The file of the sentences, in the folder of the translations: pairs of a text and its plural or ``""``."""
_LONGEST, _MOST_JOINTS = 1000, 16
"""Texts with more characters or joints, as models write them, are shown as they were stored. A window shows
many at once: the worst text of a stranger takes 40 ms within these, and a second within twice as many."""
_JOINTS = ("; ", ": ")
_LEAST_LETTERS = 5
"""A sentence with fewer letters of its own, as in ``{name} is {value}``, would be found in any text."""
_LETTERS_OF_IDEOGRAPH = 5
_COUNTS = (1, 2, 5, 11, 0, 100)
"""Each form of a plural, in any language, is that of one of these counts."""
_VALUE = """(?:'[^']*'|"[^"]*"|[^'"])+?"""


@dataclass(frozen=True)
class _Sentence:
    """A sentence in the language that it may have been stored in."""

    code: str
    plural: str
    longest_part: str
    """Is in every text of this sentence."""
    written: str

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """One that takes quoted texts for whole, and one for texts with a single quotation mark.

        Few sentences are ever asked for: all of them compiled take 2 MB.
        """
        parts = list(string.Formatter().parse(self.written))
        return tuple(re.compile(_pattern(parts, value), re.DOTALL) for value in (_VALUE, ".+?"))

    def values(self, text: str) -> dict[str, str] | None:
        """The values of the fields; None when the text is not this sentence."""
        if self.longest_part not in text:
            return None
        found = next((match for pattern in self.patterns if (match := pattern.fullmatch(text))), None)
        return found.groupdict() if found is not None else None

    def said(self, values: dict[str, str]) -> str:
        """The sentence in the language in use."""
        if not self.plural:
            return _filled(i18n.translate(self.code, {}), values)
        count = values.get("count", "1")
        return i18n.ngettext(self.code, self.plural, int(count)) if count.isdecimal() else ""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A text in the language in use, and how many of its characters are as they were stored."""

    text: str
    kept: int


def shown_reason(text: str) -> str:
    """A stored reason in the language in use; what cannot be said in that stays as it was stored."""
    if len(text) > _LONGEST or sum(map(text.count, _JOINTS)) > _MOST_JOINTS:
        return text
    language = i18n.language()
    if not any(sentence.longest_part in text for sentence in _sentences(language)):
        return text  # most texts are in the language in use already
    return _shown(text, language).text


@lru_cache(maxsize=8192)
def _shown(text: str, language: str) -> _Shown:
    """The way to say a text that keeps the fewest characters of it; of equal ways one that splits it."""
    best = _Shown(text, len(text))
    for joint, place in _joints(text):
        first, rest = text[:place], text[place + len(joint) :]
        before, after = _shown(first, language), _shown(rest, language)
        is_said = before.kept < len(first) and after.kept < len(rest)
        if is_said and before.kept + after.kept < best.kept:
            best = _Shown(f"{before.text}{joint}{after.text}", before.kept + after.kept)
    for sentence in _sentences(language):
        values = sentence.values(text)
        if values is None:
            continue
        inner = {name: _shown(value, language) for name, value in values.items()}
        said = sentence.said({name: value.text for name, value in inner.items()})
        kept = sum(value.kept for value in inner.values())
        if said and kept < best.kept:
            best = _Shown(said, kept)
    return best


def _joints(text: str) -> Iterator[tuple[str, int]]:
    for joint in _JOINTS:
        place = text.find(joint)
        while place > 0:
            yield joint, place
            place = text.find(joint, place + 1)


@cache
def _sentences(shown_in: str) -> tuple[_Sentence, ...]:
    """The sentences of reasons in every language but the one they are shown in."""
    folder = asset("translations")
    try:
        listed = json.loads((folder / REASONS).read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    source, *others = i18n.languages(folder)
    catalogues: list[gettext.NullTranslations] = [
        _catalogue(folder, name) for name in others if name != shown_in
    ]
    if shown_in != source:
        catalogues.append(gettext.NullTranslations())
    return tuple(
        sentence
        for catalogue in catalogues
        for code, plural in listed
        for written in dict.fromkeys(_written(catalogue, code, plural))
        if (sentence := _sentence(code, plural, written)) is not None
    )


def _catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    """A catalogue that goes once it was read: ``gettext.translation`` keeps each for good, 3 MB of texts."""
    with (folder / language / "LC_MESSAGES" / "waymark.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def _written(catalogue: gettext.NullTranslations, code: str, plural: str) -> list[str]:
    """The forms of a sentence in a language; none where a catalogue leaves it in English."""
    forms = (
        [catalogue.ngettext(code, plural, count) for count in _COUNTS]
        if plural
        else [catalogue.gettext(code)]
    )
    is_english = type(catalogue) is gettext.NullTranslations
    return forms if is_english else [form for form in forms if form not in (code, plural)]


def _sentence(code: str, plural: str, written: str) -> _Sentence | None:
    """The sentence that is written so; None for one that would be found in any text."""
    parts = list(string.Formatter().parse(written))
    own = [literal for literal, *_field in parts]
    if sum(map(_letters, own)) < _LEAST_LETTERS:
        return None
    return _Sentence(code, plural, max(own, key=len), written)


def _pattern(parts: Iterable[tuple[str, str | None, str | None, str | None]], value: str) -> str:
    """An expression for a sentence; a field that it names again has the same value there."""
    pattern, named = "", set()
    for literal, name, *_format in parts:
        pattern += re.escape(literal)
        if name:
            pattern += f"(?P={name})" if name in named else f"(?P<{name}>{value})"
            named.add(name)
    return pattern


def _letters(text: str) -> int:
    return sum((1 if char.isascii() else _LETTERS_OF_IDEOGRAPH) for char in text if char.isalpha())


def _filled(template: str, values: dict[str, str]) -> str:
    """A template with its values, which are shown as they are whatever the template asks for."""
    return "".join(
        literal + (values.get(name, "") if name else "")
        for literal, name, *_format in string.Formatter().parse(template)
    )
