"""A sample to train with: a conversation with pictures, whose last answer is learnt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

IMAGE = "<image>"
"""Stands in a text where a picture is shown."""
BOX = "<bbox>"
"""Stands in a text for a place of :attr:`TrainingConversation.places`, in a form with places apart."""
SYSTEM, USER, ASSISTANT = "system", "user", "assistant"
_MARK = re.compile(r"<(?=(?:image|video|audio|bbox|ref-object)>|\|)")
"""Where words that stood on a screen would name a picture: trainers count these against the pictures."""
_PLACE_MARK = re.compile(r"< (?=\|box_(?:start|end)\|>)")


def plain_words(text: str, *, keeps_places: bool = False) -> str:
    """A text in which nothing names a picture; ``keeps_places`` for the grammar of UI-TARS."""
    plain = _MARK.sub("< ", text)
    return _PLACE_MARK.sub("<", plain) if keeps_places else plain


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a sample: a file beside the rows, or bytes in them."""

    name: str
    data: bytes

    @classmethod
    def of(cls, data: bytes, kind: str) -> Picture:
        """Named after what it shows, so that equal ones are one file; ``kind`` as in ``png``."""
        return cls(f"{hashlib.sha256(data).hexdigest()[:24]}.{kind}", data)


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the user or the model; :data:`IMAGE` stands where a picture is shown."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class PlaceApart:
    """A point or a box that a form writes beside the text, in pixels of a picture."""

    numbers: tuple[int, ...]
    """x, y; or left, top, right, bottom."""
    picture: int
    """Which picture of the sample, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConversation:
    """One sample."""

    system: str = ""
    said: Sequence[Said]
    """The user and the model in turn; the last is the model's, and learnt."""
    pictures: Sequence[Picture] = ()
    rejected: str = ""
    """A worse last answer; empty when there is none."""
    truth: str = ""
    """What a reward compares an answer with; empty for the last answer."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from. Every sample of an export has the same keys, with values of the same types."""
    refs: Sequence[str] = ()
    """What the places are called, where they have names."""
    said_apart: Sequence[Said] = ()
    """As ``said``, with :data:`BOX` for each of ``places``; empty when no place is written apart."""
    places: Sequence[PlaceApart] = ()

    @property
    def answer(self) -> str:
        """What is learnt."""
        return self.said[-1].text

    @property
    def prompt(self) -> Sequence[Said]:
        """All that is said before the last answer."""
        return self.said[:-1]
