"""The forms in which a text may be repeated: escaped, in another case, spelled out, or encoded.

Letters and digits alone are compared, without their case, width and accents. So ``HUNTER-22``, ``h u n t e r
2 2`` and full-width letters are the same as ``hunter22``. Looking for a form takes time linear in the text.
"""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from urllib.parse import quote, quote_plus

LONG = 6
"""Letters and digits from which a text is looked for in all its forms; a shorter one occurs by chance."""
_SPELLED = 4
"""Letters and digits from which a shorter text is still looked for spelled out."""
_LONGEST_CODED = 1000
"""Characters of the longest text whose codes are looked for; the shortest has ``_SPELLED``."""
_BREAK = "\0"
"""Stands in folded letters for four or more other characters: no form goes on across it."""
_GAP = re.compile(r"[^a-z0-9]{4,}")
_OTHERS = re.compile(rf"[^a-z0-9{_BREAK}]+")
_PLACES = re.compile(r"[a-z0-9]|[^a-z0-9]{4,}")
_MOST_BETWEEN = 3
_IN_TOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=-")
_JOINED = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]")
"""A letter or digit of a script that separates its words."""
_ESCAPE = re.compile(r"\\[bfnrt]|%[0-9A-Fa-f]{2}")
"""An escaped character: what follows it begins a word, though it ends with a letter."""


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form as folded letters."""

    letters: str
    stands_alone: bool = False
    """Found only between other characters, in one piece or with something between all of its letters."""
    is_token: bool = False
    """Part of a base64 code, whose other letters may be of the text too."""


def escaped_forms(text: str) -> set[str]:
    """The text as it is, and as JSON, XML, web addresses and the command ``input text`` write it."""
    json_forms = (json.dumps(text, ensure_ascii=on)[1:-1] for on in (True, False))
    xml_forms = (html.escape(text, quote=on) for on in (True, False))
    in_addresses = quote(text, safe="", errors="replace"), quote_plus(text, errors="replace")
    return {text, *json_forms, *xml_forms, *in_addresses, text.replace(" ", "%s")}


def folded_forms(text: str) -> set[TextForm]:
    """The other forms in which ``text`` is looked for; none for one of few letters."""
    letters = _fold(text)
    codes = {TextForm(code, is_token=token) for code, token in _codes_of(text) if len(code) >= LONG}
    if len(letters) >= LONG:
        return codes | {TextForm(form) for form in (letters, letters[::-1], *map(_fold, escaped_forms(text)))}
    if len(letters) >= _SPELLED:
        return codes | {TextForm(letters, stands_alone=True)}
    return codes


def _codes_of(text: str) -> Iterator[tuple[str, bool]]:
    """The folded letters of its codes, and whether each is base64."""
    if not _SPELLED <= len(text) <= _LONGEST_CODED:
        return
    for written in {text, text.lower(), text.upper(), text.capitalize()}:
        data = written.encode("utf-8", "replace")
        for code in _base64_codes(data):
            yield _fold(code), True
        pairs = [f"{byte:02x}" for byte in data]
        for between in ("", "x", "0x"):
            yield between.join(pairs), False
        yield "".join(map(str, data)), False
        yield "".join(f"u{ord(character):04x}" for character in written), False


def _base64_codes(data: bytes) -> Iterator[str]:
    """What base64 of anything with ``data`` in it has, for each place in a group of three bytes."""
    yield base64.b64encode(data).decode().rstrip("=")
    for before in range(3):
        first, end = -(-8 * before // 6), 8 * (before + len(data)) // 6
        yield base64.b64encode(bytes(before) + data).decode()[first:end]


class FoldedText:
    """The letters and digits of a text, folded, with the place of each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: list[int] = []
        if text.isascii():
            lower = text.lower().replace(_BREAK, " ")
            self._letters = _OTHERS.sub("", _GAP.sub(_BREAK, lower))
        else:
            self._letters = self._folded()

    def spans_of(self, form: TextForm) -> Iterator[tuple[int, int]]:
        """Where the text has the form, as start and end."""
        at = self._letters.find(form.letters)
        while at >= 0:
            known = self._known_places()
            places = known[at : at + len(form.letters)]
            start, stop = places[0], places[-1] + 1
            if form.stands_alone and not (is_even(places) and stands_alone(self._text, start, stop)):
                at = self._letters.find(form.letters, at + 1)
                continue
            if form.is_token:
                start, stop = self._token(start, stop)
            yield start, stop
            at = self._letters.find(form.letters, bisect_left(known, stop))

    def _known_places(self) -> list[int]:
        """The place of each letter, made when the first form is found."""
        if not self._places:
            lower = self._text.lower()
            self._places = [match.start() for match in _PLACES.finditer(lower.replace(_BREAK, " "))]
        return self._places

    def _folded(self) -> str:
        letters: list[str] = []
        last = -1
        for place, character in enumerate(self._text):
            folded = folded_character(character)
            if not folded:
                continue
            if place - last > _MOST_BETWEEN + 1:
                folded = _BREAK + folded
            last = place
            letters.append(folded)
            self._places += [place] * len(folded)
        return "".join(letters)

    def _token(self, start: int, stop: int) -> tuple[int, int]:
        """The whole code around a part of it."""
        while start and self._text[start - 1] in _IN_TOKEN:
            start -= 1
        while stop < len(self._text) and self._text[stop] in _IN_TOKEN:
            stop += 1
        return start, stop


def plain_spans(text: str, written: str, *, alone: bool) -> Iterator[tuple[int, int]]:
    """Where a text has what is ``written``; ``alone`` passes over parts of words."""
    at = text.find(written)
    while at >= 0:
        stop = at + len(written)
        is_found = not alone or stands_alone(text, at, stop)
        if is_found:
            yield at, stop
        at = text.find(written, stop if is_found else at + 1)


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, those that touch as one."""
    result: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(stop, result[-1][1])
        else:
            result.append((start, stop))
    return result


def stands_alone(text: str, start: int, stop: int) -> bool:
    """Whether no word goes on across the start or the end of a part of a text."""
    if _JOINED.match(text, stop - 1) and _JOINED.match(text, stop):
        return False
    if not start or not (_JOINED.match(text, start - 1) and _JOINED.match(text, start)):
        return True
    return any(_ESCAPE.fullmatch(text, max(0, start - length), start) for length in (2, 3))


def is_even(places: list[int]) -> bool:
    """Whether all places, or none of them, have something between."""
    return len({after - before > 1 for before, after in pairwise(places)}) <= 1


def _fold(text: str) -> str:
    return "".join(map(folded_character, text))


@lru_cache(8192)
def folded_character(character: str) -> str:
    """The letters and digits of a character without case, width and accents; empty for any other."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(letter for letter in plain if letter.isalnum())
