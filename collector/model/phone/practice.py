"""How far the recordings were followed that a virtual phone plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Practice:
    """What was done on a phone that plays recordings, since it was started or reset."""

    followed: Mapping[str, tuple[int, int]]
    """Of each recording, by its id, the steps that were done, and all of them."""
    off_path: int
    """Actions that were not recorded on their screen."""
