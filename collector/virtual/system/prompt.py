"""A question the system asks in a dialog over everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["crash", "anr", "permission", "saver", "call"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system dialog with a question. ``package`` is the app it is about; ``detail`` depends on the
    kind."""

    kind: Kind
    package: str = ""
    detail: str = ""
    """A permission, or a caller's number."""
    again: bool = False
    """Whether it was asked, or happened, before."""
    cancelable: bool = False
    """Whether BACK and a tap outside answer ``cancel``."""
    number: int = 0
