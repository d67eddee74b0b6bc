"""What a recorder needs of a phone: what it shows, a way to act, and a tree on request."""

from __future__ import annotations

from typing import Protocol

from collector.device.protocols import InputTarget, PhoneScreen


class CaptureSource(PhoneScreen, InputTarget, Protocol):
    """A live phone. No method waits: frames and trees are the newest known, actions are queued."""

    def refresh_tree(self) -> None:
        """Ask for a new tree; :meth:`newest_tree` returns it when the phone has answered."""
