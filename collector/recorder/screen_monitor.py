"""Watch the frames of the screen: remember changes, notice when the screen rests, then request its tree."""

from __future__ import annotations

from collector.device.snapshot import TreeSnapshot
from collector.recorder.capture_source import CaptureSource
from collector.recorder.events import NextStateReady
from collector.recorder.settle import MAP_SIZE, FrameHistory, SettleDetector, SettleResult

_TREE_PATIENCE_NS = 10_000_000_000


class ScreenMonitor:
    """Reports the next state when it is ready. Call :meth:`look` about 20 times a second from one thread."""

    def __init__(self, source: CaptureSource, history: FrameHistory, settle: SettleDetector) -> None:
        self._source = source
        self._history = history
        self._settle = settle
        self._sequence: int | None = None
        self._at_rest: SettleResult | None = None

    def use_source(self, source: CaptureSource) -> None:
        """Go on with another connection to the phone."""
        self._source = source

    @property
    def is_quiet(self) -> bool:
        """Whether no state is awaited: it has been reported, or it did not come in time."""
        return not self._settle.is_watching and self._at_rest is None

    def acted(self, now_ns: int) -> None:
        """An action was made: wait for the state after it, and no longer for an earlier one."""
        self._at_rest = None
        self._settle.begin(now_ns)

    def look(self, now_ns: int) -> NextStateReady | None:
        """Look at the newest frame. Returns the next state once it is ready."""
        frame = self._source.newest_frame()
        if frame is not None and frame.sequence != self._sequence:
            self._sequence = frame.sequence
            luma = frame.luma(MAP_SIZE)
            if self._settle.feed(luma, frame.received_ns):
                self._history.add(frame.received_ns, luma)
        settled = self._settle.result(now_ns)
        if settled is not None:
            self._at_rest = settled
            self._source.refresh_tree()
        return self._next_state(now_ns)

    def close(self) -> None:
        """Drop what was seen of the screen."""
        self._history.clear()
        self._settle = SettleDetector()

    def _next_state(self, now_ns: int) -> NextStateReady | None:
        at_rest = self._at_rest
        if at_rest is None:
            return None
        snapshot = self._source.newest_tree()
        fresh = snapshot is not None and snapshot.started_ns >= at_rest.at_ns
        if not fresh and now_ns - at_rest.at_ns < _TREE_PATIENCE_NS:
            return None
        self._at_rest = None
        shown = snapshot if fresh else None
        return NextStateReady(_count(shown), at_rest.settle_ms, at_rest.in_time, shown)


def _count(snapshot: TreeSnapshot | None) -> int:
    return len(snapshot.tree) if snapshot is not None and snapshot.tree is not None else 0
