"""Content and texts of the apps, read from ``assets/virtual``, and what a variation makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

import yaml

from collector.model.resources import asset
from collector.model.variation.phone_variation import PhoneVariation
from collector.model.variation.plus_merge import merged

FALLBACK = "en"


class Content(dict[str, Any]):
    """The content of one app. It is never changed, so what is computed of it can be kept with it, or by it:
    it equals itself alone."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self._derived: dict[str, Any] = {}

    def derived(self, name: str, compute: Callable[[Content], Any]) -> Any:
        """What ``compute`` makes of it, computed once."""
        if name not in self._derived:
            self._derived[name] = compute(self)
        return self._derived[name]

    def __eq__(self, other: object) -> bool:
        return self is other


class VariedContents:
    """The contents of all apps under a variation. The phone's lock protects it."""

    def __init__(self, variation: PhoneVariation) -> None:
        self.variation = variation
        self._by_app: dict[str, Content] = {}

    def of(self, app: str) -> Content:
        """The content file of an app with what the variation merges onto it."""
        content = self._by_app.get(app)
        if content is None:
            base, patches = _load(app), self.variation.content_of(app)
            content = Content(_patched(base, patches)) if patches else base
            self._by_app[app] = content
        return content

    def language_of(self, app: str) -> str:
        """The language that the variation gives an app; empty for the phone's."""
        language = ""
        for patch in self.variation.content_of(app):
            language = str(patch.get("language", language))
        return language

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """What is read of contents within is that of this variation."""
        token = _in_use.set(self)
        try:
            yield
        finally:
            _in_use.reset(token)


_in_use: ContextVar[VariedContents | None] = ContextVar("contents in use", default=None)


def load(app: str) -> Content:
    """The content of one app, under the variation in use."""
    varied = _in_use.get()
    return _load(app) if varied is None else varied.of(app)


@cache
def _load(app: str) -> Content:
    text = asset("virtual", f"{app}.yaml").read_text(encoding="utf-8")
    # Our own asset needs no limits of collector.located_yaml. The loader in C saves a quarter of the start.
    content = yaml.load(text, yaml.CSafeLoader)
    assert isinstance(content, dict)
    return Content(content)


def _patched(base: Mapping[str, Any], patches: tuple[Mapping[str, Any], ...]) -> Mapping[str, Any]:
    for patch in patches:
        base = merged(base, patch)
    return base


def localized(texts: Mapping[str, str], locale: str) -> str:
    """Pick the text for ``zh-CN`` from ``{en: ..., zh: ...}``; English when the language is missing."""
    return texts.get(locale.partition("-")[0]) or texts[FALLBACK]


class AppTexts:
    """An app's texts in one language: ``say("results", count=3)``."""

    def __init__(self, words: Mapping[str, Mapping[str, str]], locale: str) -> None:
        self.locale = locale
        self._words = words

    def __call__(self, word: str, /, **values: object) -> str:
        text = localized(self._words[word], self.locale)
        return text.format(**values) if values else text


def texts_of(app: str, locale: str) -> AppTexts:
    """The texts of an app in one language; one cached object per language."""
    content = load(app)
    texts: AppTexts = content.derived(f"texts {locale}", lambda it: AppTexts(it["words"], locale))
    return texts
