"""What back-tests ask of every recorded state, in lists with one entry a state: steps are far larger."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.trajectory import Step


class RecordedFacts:
    """Package, activity, dump and kind of action of each state; equal texts are kept once."""

    def __init__(self) -> None:
        self.packages: list[str] = []
        """The package in front as it was recorded; empty when it was not."""
        self.activities: list[str] = []
        """The activity in front as it was recorded; empty when it was not."""
        self.actions: list[str] = []
        """The kind of the action that was taken in the state; empty for none."""
        self.dumps: list[str | None] = []
        """SHA-256 of the dump as hex; empty for a state without a dump, None when it was not recorded."""
        self._known: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.dumps)

    def add(self, steps: Sequence[Step]) -> None:
        """Add the states of one more trajectory."""
        once = self._known.setdefault
        for step in steps:
            state, action = step.state, step.action
            written = (state.sha256.get(state.tree) or None) if state.tree else ""
            self.packages.append(once(state.package, state.package))
            self.activities.append(once(state.activity, state.activity))
            self.actions.append("" if action is None else action.kind)
            self.dumps.append(once(written, written) if written is not None else None)
