"""Notice keys and passwords that somebody wrote into the options of an agent or a judge."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

_NAMES = re.compile(
    r"(?i)(^|[_\-. ])"
    r"(api[_\-]?key|apikey|access[_\-]?key|secret|password|passwd|token|authorization|bearer)s?$"
)
_HARMLESS_NAMES = re.compile(r"(?i)(max|min|num|count|limit|budget|stop|pad|eos|bos)[_\-]?\w*tokens?$|_env$")
_SHAPES = re.compile(
    r"sk-[A-Za-z0-9_\-]{16,}|AIza[\w\-]{30,}|gh[pousr]_\w{30,}|xox[abpr]-[\w\-]{10,}|AKIA[0-9A-Z]{16}"
    r"|hf_\w{20,}|glpat-[\w\-]{16,}|eyJ[\w\-]{10,}\.[\w\-]{10,}|Bearer\s+[\w\-.]{16,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:[^/\s@]+@"
)
"""What keys of well-known services look like, and a password inside an address."""
_IN_QUERY = re.compile(r"[?&]([^=&#\s\"]+)=([^&#\s\"]+)")
_QUERY_NAMES = ("key", "sig", "signature", "code")
"""Names that hold a key in the query of an address, and elsewhere something else."""
_RANDOM = re.compile(r"[A-Za-z0-9+/_\-]{32,}={0,2}")
_MIN_BITS = 3.7
"""Bits a character of a random text; words of a language and paths have fewer."""
_SHORTEST = 8


def looks_like_a_secret(name: str, text: str) -> bool:
    """Whether the option ``name`` holds a key or a password; ``text`` is its value, of a mapping as JSON."""
    value = text.strip('"')
    if _SHAPES.search(value):
        return True
    if any(_is_secret_of_query(*match.groups()) for match in _IN_QUERY.finditer(value)):
        return True
    if _names_a_secret(name):
        return _may_be_secret(value)
    return any(_is_random(match[0]) for match in _RANDOM.finditer(value))


def secret_in(options: Mapping[str, Any]) -> str:
    """The first option that holds a key or a password, or a mapping with one; empty when none does."""
    return next((name for name, value in options.items() if _holds_secret(str(name), value)), "")


def _holds_secret(name: str, value: Any) -> bool:
    if isinstance(value, Mapping):
        is_query = name == "query"
        return any(
            _holds_secret(str(key), part) or (is_query and _is_secret_of_query(str(key), str(part)))
            for key, part in value.items()
        )
    return looks_like_a_secret(name, json.dumps(value, default=str))


def _names_a_secret(name: str) -> bool:
    return bool(_NAMES.search(name)) and not _HARMLESS_NAMES.search(name)


def _may_be_secret(value: str) -> bool:
    return len(value) >= _SHORTEST and not value.isdigit() and not _is_variable(value)


def _is_secret_of_query(name: str, value: str) -> bool:
    """Whether a part of the query of an address is a key, as in ``?key=...``."""
    return (_names_a_secret(name) or name.lower() in _QUERY_NAMES) and _may_be_secret(value)


def _is_variable(value: str) -> bool:
    """Whether a value names an environment variable, as in ``$OPENAI_API_KEY``."""
    return bool(re.fullmatch(r"\$\{?\w+\}?|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", value))


def _is_random(word: str) -> bool:
    """Whether a long word has digits, both cases, and no order in its characters."""
    if "/" in word and len(word.split("/")) > 2:
        return False
    kinds = [re.search(pattern, word) for pattern in (r"[a-z]", r"[A-Z]", r"\d")]
    counts = Counter(word)
    bits = -sum(count / len(word) * math.log2(count / len(word)) for count in counts.values())
    return all(kinds) and bits >= _MIN_BITS
