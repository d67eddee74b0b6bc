"""A question the system asks in a dialog over everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["crash", "anr", "permission", "saver", "call"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system dialog with a question. ``package`` is the app it is about; ``detail`` depends on the
    kind."""

    kind: Kind
    package: str = ""
    detail: str = ""
    """A permission, or a caller's number."""
    repeated: bool = False
    """Whether it was asked, or happened, before."""
    cancelable: bool = False
    """Whether BACK and a tap outside answer ``cancel``."""
    number: int = 0


class OpenPrompts(Protocol):
    """The prompts that are open, as far as windows may close them."""

    def withdraw(self, kind: Kind, package: str = "") -> None:
        """Close the prompts of a kind, or those of a package, without an answer."""
        ...

    def cancel(self, prompt: Prompt) -> None:
        """Answer ``cancel``, when the prompt allows it."""
        ...
