"""Values of dimensions as people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collector.metrics.rendering.plain_text import label_text
from collector.model.episode_text import modality_text
from collector.model.i18n import N_, _

_EMPTY: Mapping[str, str] = {
    "condition": N_("none"),
    "anomaly-category": N_("Baseline"),
    "variation": N_("default"),
}
"""What an empty value means; in other dimensions it is not known."""
_LEVELS: Mapping[str, str] = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


def dimension_value_text(dimension: str, value: str) -> str:
    """A value of the dimension with this id in words, on one line."""
    if not value:
        return _(_EMPTY[dimension]) if dimension in _EMPTY else label_text("")
    return label_text(_WORDS[dimension](value) if dimension in _WORDS else value)


def _category(value: str) -> str:
    """The categories of a condition; those of the built-in library have translations."""
    return ", ".join(_(category) for category in value.split(", "))


def _level(value: str) -> str:
    return _(_LEVELS.get(value, value))


_WORDS: Mapping[str, Callable[[str], str]] = {
    "anomaly-category": _category,
    "level": _level,
    "modality": modality_text,
}
