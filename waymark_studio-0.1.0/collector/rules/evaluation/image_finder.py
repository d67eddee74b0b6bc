"""The interface through which conditions search screenshots for images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from collector.model.geometry import Rect
from collector.rules.evaluation.state_view import StateView


@dataclass(frozen=True, slots=True)
class ImageQuery:
    """Which image to look for: its file, where on the screen, and by which method."""

    file: str
    region: Rect | None = None
    """In device pixels; None = the whole screen."""
    method: str = "template"


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where an image is seen best and how sure that is, 0 to 1."""

    score: float
    area: Rect | None = None


class ImageFinder(Protocol):
    """Finds the images that rules name on screens."""

    def sighting(self, query: ImageQuery, view: StateView) -> Sighting | None:
        """Where the image is seen best, even if the score is low; None when there is no screenshot.

        Raises RuleError when the image cannot be read.
        """
        ...

    def stamp(self, file: str) -> str:
        """A text that changes whenever the image file changes; empty when there is no such file."""
        ...
