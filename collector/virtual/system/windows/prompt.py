"""A question the system asks in a dialog over everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["crash", "anr", "permission", "saver", "call", "input_method", "suspended", "pop_up"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system dialog with a question. ``package`` is the app it is about; ``detail`` depends on the
    kind."""

    kind: Kind
    package: str = ""
    detail: str = ""
    """A permission, a caller's number, the ids of keyboards joined by ``:``, or the id of a pop-up."""
    repeated: bool = False
    """Whether it was asked, or happened, before."""
    cancelable: bool = False
    """Whether BACK and a tap outside answer ``cancel``."""
    number: int = 0


class OpenPrompts(Protocol):
    """The prompts that are open, as far as windows and activities may open and close them."""

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt."""
        ...

    def withdraw(self, kind: Kind, package: str = "") -> None:
        """Close the prompts of a kind, or those of a package, without an answer."""
        ...

    def cancel(self, prompt: Prompt) -> None:
        """Answer ``cancel``, when the prompt allows it."""
        ...
