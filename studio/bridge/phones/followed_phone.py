"""Signals of one phone after another: those of the phone in front, without those of the others."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod

from shiboken6 import isValid

from studio.bridge.phones.phone import PhoneLink


class FollowedPhone:
    """Connects signals of a :class:`PhoneLink`, by their names, while it is followed."""

    def __init__(self, **slots: Callable[..., Any]) -> None:
        # Weakly: their owner has this object, and would wait for a collection of cycles.
        self._slots = {name: _weakly(slot) for name, slot in slots.items()}
        self.link: PhoneLink | None = None
        """The phone that is followed; None for none."""

    def follow(self, link: PhoneLink | None) -> None:
        """Follow another phone, or none; the link before may be closed and deleted."""
        before, self.link = self.link, link
        if before is link:
            return
        for name, known in self._slots.items():
            slot = known()
            if slot is None:
                continue  # its owner is gone
            if before is not None and isValid(before):
                getattr(before, name).disconnect(slot)
            if link is not None:
                getattr(link, name).connect(slot)


def _weakly(slot: Callable[..., Any]) -> Callable[[], Callable[..., Any] | None]:
    return WeakMethod(slot) if isinstance(slot, MethodType) else lambda: slot
