"""Check the content of an app once everything that is said of it was merged.

A file is checked by itself when it is read. What it adds to an entry may still find none: another file, or
another part of a combination, replaced the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from collector.model.i18n import _
from collector.model.variation.plus_merge import merged
from collector.variations.content_types import ContentType, content_type, own_content
from collector.variations.content_values import ENGLISH, NAMED, NAMED_BY_KEY


def problem_in(app: str, patches: Iterable[Mapping[str, Any]]) -> str:
    """What keeps an app from showing its content with ``patches`` merged onto it; empty when nothing does."""
    content: Mapping[str, Any] = own_content(app)
    for patch in patches:
        content = merged(content, patch)
    expected = content_type(app)
    return next(
        (
            problem
            for key, value in content.items()
            if key in expected.keys
            for problem in _problems(value, expected.keys[key], f"{app}.{key}", content)
        ),
        "",
    )


def _problems(value: Any, expected: ContentType, where: str, content: Mapping[str, Any]) -> Iterator[str]:
    """Keys that are missing in ``value`` or within, texts without English, and names of what there is not."""
    if isinstance(value, Mapping):
        if "texts" in expected.kinds and not expected.keys and not expected.is_open:
            if value and ENGLISH not in value:
                yield _("{where} has no English text", where=where)
            return
        for key in sorted(expected.required - value.keys()):
            yield _("{key} is missing in {where}", key=key, where=_called(value, where))
        if where in NAMED_BY_KEY:
            yield from _unknown(value, NAMED_BY_KEY[where], where, content)
        for key, inner in value.items():
            type_of_inner = expected.keys.get(key) or expected.item
            if type_of_inner is not None:
                yield from _problems(inner, type_of_inner, f"{where}.{key}", content)
    elif isinstance(value, list) and expected.item is not None:
        for item in value:
            yield from _problems(item, expected.item, where, content)
    elif value and where in NAMED:
        yield from _unknown([value], NAMED[where], where, content)


def _unknown(words: Iterable[Any], key: str, where: str, content: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each word that names no entry of ``key``."""
    entries = content.get(key)
    if isinstance(entries, Mapping):
        names = set(entries)
    else:
        listed: Sequence[Any] = entries if isinstance(entries, list) else ()
        names = {item.get("id") for item in listed if isinstance(item, Mapping)}
    for word in words:
        if word not in names:
            yield _("There is no {key} called {word}", key=where, word=word)


def _called(entry: Mapping[str, Any], where: str) -> str:
    """Where an entry is, with its id."""
    return f"{where}.{entry['id']}" if "id" in entry else where
