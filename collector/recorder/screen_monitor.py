"""Looks at each new picture: remembers changes, tells when the screen rests, has its tree fetched."""

from __future__ import annotations

from collector.device.snapshot import TreeSnapshot
from collector.recorder.capture_source import CaptureSource
from collector.recorder.events import NextStateReady
from collector.recorder.settle import MAP_SIZE, FrameHistory, SettleDetector, SettleResult

_TREE_PATIENCE_NS = 10_000_000_000


class ScreenMonitor:
    """Call :meth:`look` some twenty times a second from one thread."""

    def __init__(self, source: CaptureSource, history: FrameHistory, settle: SettleDetector) -> None:
        self._source = source
        self._history = history
        self._settle = settle
        self._sequence: int | None = None
        self._rested: SettleResult | None = None

    def use_source(self, source: CaptureSource) -> None:
        """Go on with another connection to the phone."""
        self._source = source

    @property
    def is_quiet(self) -> bool:
        """Whether the screen rests and its tree is here, or neither is to be had."""
        return not self._settle.is_watching and self._rested is None

    def acted(self, now_ns: int) -> None:
        """An action was made: whatever was awaited is overtaken."""
        self._rested = None
        self._settle.begin(now_ns)

    def look(self, now_ns: int) -> NextStateReady | None:
        """Take the newest picture; the next state, once it is ready."""
        frame = self._source.newest_frame()
        if frame is not None and frame.sequence != self._sequence:
            self._sequence = frame.sequence
            picture = frame.luma(MAP_SIZE)
            if self._settle.feed(picture, frame.received_ns):
                self._history.add(frame.received_ns, picture)
        settled = self._settle.outcome(now_ns)
        if settled is not None:
            self._rested = settled
            self._source.refresh_tree()
        return self._next_state(now_ns)

    def _next_state(self, now_ns: int) -> NextStateReady | None:
        rested = self._rested
        if rested is None:
            return None
        snapshot = self._source.newest_tree()
        fresh = snapshot is not None and snapshot.started_ns >= rested.at_ns
        if not fresh and now_ns - rested.at_ns < _TREE_PATIENCE_NS:
            return None
        self._rested = None
        return NextStateReady(_count(snapshot) if fresh else 0, rested.settle_ms, rested.in_time)


def _count(snapshot: TreeSnapshot | None) -> int:
    return len(snapshot.tree) if snapshot is not None and snapshot.tree is not None else 0
