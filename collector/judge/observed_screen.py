"""The screen of a phone at one moment, as judges and replays compare it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.snapshot import TreeSnapshot
from collector.model.geometry import Size
from collector.model.tree import Tree
from collector.rules.evaluation.state_view import full_activity


@dataclass(frozen=True, slots=True, eq=False)
class ObservedScreen:
    """A tree that was just read, and the size of its display."""

    snapshot: TreeSnapshot
    size: Size

    @property
    def tree(self) -> Tree | None:
        return self.snapshot.tree

    @property
    def package(self) -> str:
        return self.snapshot.package

    @property
    def activity(self) -> str:
        """The activity with its package, however the phone wrote it."""
        return full_activity(self.snapshot.package, self.snapshot.activity)

    @property
    def _content(self) -> tuple[str, str, bytes]:
        return self.snapshot.package, self.snapshot.activity, self.snapshot.xml

    def is_same(self, other: ObservedScreen) -> bool:
        """Whether both show the same, byte for byte."""
        return self._content == other._content
