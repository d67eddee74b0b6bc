"""Content and texts of the apps, read from ``assets/virtual``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from collector.model.resources import asset

FALLBACK = "en"


@cache
def load(app: str) -> dict[str, Any]:
    """Read the content file of one app."""
    text = asset("virtual", f"{app}.yaml").read_text(encoding="utf-8")
    # Our own asset needs no limits of collector.located_yaml. The loader in C saves a quarter of the start.
    content = yaml.load(text, yaml.CSafeLoader)
    assert isinstance(content, dict)
    return content


def localized(texts: Mapping[str, str], locale: str) -> str:
    """Pick the text for ``zh-CN`` from ``{en: ..., zh: ...}``; English when the language is missing."""
    return texts.get(locale.partition("-")[0]) or texts[FALLBACK]


class AppTexts:
    """An app's texts in one language: ``say("results", count=3)``."""

    def __init__(self, app: str, locale: str) -> None:
        self.locale = locale
        self._words: dict[str, dict[str, str]] = load(app)["words"]

    def __call__(self, word: str, /, **values: object) -> str:
        text = localized(self._words[word], self.locale)
        return text.format(**values) if values else text


@cache
def texts_of(app: str, locale: str) -> AppTexts:
    """The texts of an app in one language; one cached object per language."""
    return AppTexts(app, locale)
