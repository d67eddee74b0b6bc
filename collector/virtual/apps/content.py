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
    """The content file of one app."""
    text = asset("virtual", f"{app}.yaml").read_text(encoding="utf-8")
    content = yaml.safe_load(text)  # our own asset, so it needs no limits of collector.located_yaml
    assert isinstance(content, dict)
    return content


def localized(texts: Mapping[str, str], locale: str) -> str:
    """The text for ``zh-CN`` out of ``{en: ..., zh: ...}``; English when there is none."""
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
def words(app: str, locale: str) -> AppTexts:
    """The words of an app, one object a language."""
    return AppTexts(app, locale)
