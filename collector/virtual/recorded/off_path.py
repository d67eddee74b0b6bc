"""What a recorded app answers where nothing was recorded, as its phone was started with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from collector.model.transition_graph import GraphScreen
from collector.virtual.recorded.state import RecordedAppState
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui.effects import Change, Focus, ShowToast, WriteLog

OffPathKind = Literal["stay", "say", "count"]
TAG = "WaymarkPractice"
"""Of its lines in the phone's log."""


@dataclass(frozen=True, slots=True)
class OffPathAnswer:
    """The state after an action that was not recorded, and what the phone does."""

    change: Change[RecordedAppState]

    def focusing(self, field: str) -> Change[RecordedAppState]:
        """The answer to a tap on a text field, which gets the focus all the same."""
        return replace(self.change, effects=(*self.change.effects, Focus(field)))


@dataclass(frozen=True, slots=True)
class OffPath:
    """``stay``: nothing happens. ``count``: it is counted and logged. ``say``: a toast says it, too."""

    kind: OffPathKind = "say"

    def answer(self, state: RecordedAppState, screen: GraphScreen, action: str) -> OffPathAnswer:
        """Answer an action, named for the log, that was not recorded on a screen."""
        if self.kind == "stay":
            return OffPathAnswer(Change(state))
        counted = replace(state, off_path=state.off_path + 1)
        line = WriteLog(TAG, f"off the path on screen {screen.number + 1}: {action}")
        if self.kind == "count":
            return OffPathAnswer(Change(counted, (line,)))
        words = say("Nothing was recorded here", state.locale.partition("-")[0])
        return OffPathAnswer(Change(counted, (line, ShowToast(words))))
