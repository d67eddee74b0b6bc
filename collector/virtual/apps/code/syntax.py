"""Colour a program's text: comments, strings, numbers, keywords and names of functions."""

from __future__ import annotations

import re
from functools import lru_cache

from collector.virtual.ui.content import load
from collector.virtual.ui.widgets import Span

COLORS = {
    "comment": ("#6A737D", "#8B949E"),
    "string": ("#0A6B3D", "#A5D6A7"),
    "number": ("#B5530B", "#F2B27A"),
    "keyword": ("#8A2DA5", "#D6A3F0"),
    "name": ("#1B5FB4", "#82B7FF"),
}
"""Colour of each kind of token on a light and on a dark background."""
_LONGEST = 20_000
"""Letters up to which a text is coloured."""

_PYTHON = (
    "and as assert async await break class continue def del elif else except False finally for from global "
    "if import in is lambda None nonlocal not or pass raise return True try while with yield match case"
)
_C_LIKE = (
    "abstract async await boolean break case catch char class const continue default delete do double else "
    "enum export extends false final finally float for from func function go if implements import in include "
    "int interface let long new nil null of package private protected public return short static struct "
    "super switch this throw true try type typedef undefined using namespace var void volatile while yield"
)
_SHELL = "case do done echo elif else esac exit export fi for function if in local read return set then while"
_DATA = "true false null yes no"
_NUMBER = r"(?P<number>#[0-9a-fA-F]{3,8}\b|\b\d[\w.]*(?:px|em|rem)?\b|(?<![\w.])\d+%)"
_STRING = r"(?P<string>\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)"


def _words(words: str) -> str:
    return r"(?P<keyword>\b(?:" + "|".join(words.split()) + r")\b)"


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts))


_CALL = r"(?P<name>\b[A-Za-z_]\w*(?=\())"
_PATTERNS = {
    "Python": _pattern(
        r"(?P<comment>#[^\n]*)",
        r"(?P<string>\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)|[fr]?\"(?:\\.|[^\"\\\n])*\"?"
        r"|[fr]?'(?:\\.|[^'\\\n])*'?)",
        r"(?P<name>@[\w.]+|(?<=def )\w+|(?<=class )\w+|\b[A-Za-z_]\w*(?=\())",
        _words(_PYTHON),
        _NUMBER,
    ),
    "C": _pattern(
        r"(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|(?m:^\s*#\w+))", _STRING, _words(_C_LIKE), _CALL, _NUMBER
    ),
    "CSS": _pattern(
        r"(?P<comment>/\*[\s\S]*?(?:\*/|\Z))",
        _STRING,
        _NUMBER,
        r"(?P<keyword>[\w-]+(?=\s*:[^\n{]*;?))",
        r"(?P<name>[.#]?[\w-]+(?=[^{};\n]*\{))",
    ),
    "HTML": _pattern(
        r"(?P<comment><!--[\s\S]*?(?:-->|\Z))",
        r"(?P<keyword></?!?[A-Za-z][\w-]*|/?>)",
        r"(?P<name>\b[\w-]+(?==))",
        r"(?P<string>\"[^\"\n]*\"?)",
    ),
    "YAML": _pattern(
        r"(?P<comment>#[^\n]*)", r"(?P<name>[\w./-]+(?=:(?:\s|\Z)))", _STRING, _words(_DATA), _NUMBER
    ),
    "JSON": _pattern(r"(?P<name>\"(?:\\.|[^\"\\\n])*\"(?=\s*:))", _STRING, _words(_DATA), _NUMBER),
    "Shell": _pattern(r"(?P<comment>#[^\n]*)", _STRING, r"(?P<name>\$\{?\w+\}?)", _words(_SHELL), _NUMBER),
    "Markdown": _pattern(
        r"(?P<keyword>(?m:^#{1,6} [^\n]*))",
        r"(?P<string>`[^`\n]+`)",
        r"(?P<name>(?m:^\s*(?:[-*]|\d+\.)(?: \[[ x]\])? )|\*\*[^*\n]+\*\*)",
    ),
}
_LIKE_C = ("JavaScript", "TypeScript", "C", "C++", "Go", "Java")


def language_of(path: str) -> str:
    """The language of a file by the end of its name; plain text when it is not known."""
    languages: dict[str, str] = load("code")["languages"]
    return languages.get(path.rpartition(".")[2].lower(), languages["txt"])


@lru_cache(maxsize=32)
def colored(text: str, language: str, dark: bool) -> tuple[Span, ...]:
    """The parts of a text with their colours; no parts when it has only one colour."""
    pattern = _PATTERNS.get("C" if language in _LIKE_C else language)
    if pattern is None or len(text) > _LONGEST:
        return ()
    spans: list[Span] = []
    end = 0
    for match in pattern.finditer(text):
        if match.start() == match.end():
            continue
        if match.start() > end:
            spans.append(Span(text[end : match.start()]))
        color = COLORS[match.lastgroup or "name"][dark]
        spans.append(Span(match.group(), color))
        end = match.end()
    if end < len(text):
        spans.append(Span(text[end:]))
    return tuple(spans) if len(spans) > 1 or (spans and spans[0].color) else ()
