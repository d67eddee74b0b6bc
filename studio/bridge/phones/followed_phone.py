"""Signals of one phone after another: those of the phone in front, without those of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shiboken6 import isValid

from studio.bridge.phones.phone import PhoneLink


class FollowedPhone:
    """Connects signals of a :class:`PhoneLink`, by their names, while it is followed."""

    def __init__(self, **slots: Callable[..., Any]) -> None:
        self._slots = slots
        self.link: PhoneLink | None = None
        """The phone that is followed; None for none."""

    def follow(self, link: PhoneLink | None) -> None:
        """Follow another phone, or none; the link before may be closed and deleted."""
        before, self.link = self.link, link
        if before is link:
            return
        for name, slot in self._slots.items():
            if before is not None and isValid(before):
                getattr(before, name).disconnect(slot)
            if link is not None:
                getattr(link, name).connect(slot)
