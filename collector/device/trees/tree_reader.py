"""Read trees on request, and by itself once the picture has come to rest."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from collector.device.errors import ABSENT, CallCancelled, DeviceError
from collector.device.events import DeviceEvent
from collector.device.protocols import Cancel, TreeSource
from collector.device.snapshot import TreeSnapshot
from collector.device.video.motion_detector import MotionDetector
from collector.model.message import _
from collector.model.tree import Tree

QUIET_MS = 300
"""How long the picture must have rested before a tree is read unasked."""
TRIES = 3
_SLOW_NS = 1_000_000_000
_REST = 3.0
"""Seconds until a failed reading is repeated unasked."""
RESTS = (30.0, 120.0, 300.0)
"""Seconds a failed source rests, after its first failure and after later ones."""
OPAQUE_WAIT = 0.5
_OPAQUE = ("android.webkit.WebView", "FlutterView", "FlutterSurfaceView")
_JOIN = 5.0
_POLL_S = 0.1
_log = logging.getLogger(__name__)


class TreeReader:
    """Keep the newest tree, on a thread of its own from ``start`` to ``close``.

    ``sources`` are tried in order; a source that fails rests and is tried again later.
    """

    def __init__(
        self,
        sources: Callable[[], list[TreeSource]],
        motion: MotionDetector,
        emit: Callable[[DeviceEvent], None],
        *,
        wait_until_stable: bool = True,
    ) -> None:
        self._make_sources = sources
        self._sources: list[TreeSource] = []
        self._rests: dict[str, tuple[float, int]] = {}
        self._motion = motion
        self._emit = emit
        self._wait_until_stable = wait_until_stable
        self._opaque: set[tuple[str, str]] = set()
        self._reported = ""
        self._requested = False
        self._paused = True
        self._leased = False
        self._busy = threading.Lock()  # UiAutomation serves one reader at a time
        self._failed_at = 0.0
        self._read_changes = -1
        self._only_asked = False
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device trees", daemon=True)
        self.newest: TreeSnapshot | None = None

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Cancel the present reading; waits for the thread."""
        self._closed.set()
        self._motion.wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def refresh(self) -> None:
        """Read a tree that begins after this call; requests before it begins are merged."""
        self._requested = True
        self._motion.wake()

    def pause(self, paused: bool) -> None:
        """Read nothing while the phone is gone."""
        self._paused = paused
        # A source that failed before may work on a phone that is back.
        self._rests.clear()
        self._motion.wake()

    def set_leased(self, leased: bool) -> None:
        """Read nothing unasked while a lease reads trees with :meth:`read`."""
        self._leased = leased
        self._motion.wake()

    def only_asked(self, only: bool) -> None:
        """Read a tree only when asked: another program may need the one automation of the phone."""
        self._only_asked = only
        self._motion.wake()

    def read(self, cancel: Cancel) -> TreeSnapshot:
        """Read a tree on the caller's thread and emit ``tree`` as for any other. Raises DeviceError."""
        while not self._busy.acquire(timeout=_POLL_S):
            if cancel.is_set():
                raise CallCancelled("tree")
        try:
            self.newest = snapshot = self._snapshot(cancel)
        finally:
            self._busy.release()
        self._emit(DeviceEvent("tree"))
        return snapshot

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self._motion.wait(self._motion.changes, self._patience())
                if not self._closed.is_set() and not self._paused and self._is_due():
                    requested, self._requested = self._requested, False
                    self._read(requested)
        except CallCancelled:
            _log.debug("closed while a tree was read")
        finally:
            for source in self._sources:
                source.close()
            self._sources = []

    def _patience(self) -> float | None:
        """Seconds until a tree is due; None when that needs a change or a request."""
        if self._paused or self._leased:
            return None
        if self._requested:
            return 0.0
        if self._only_asked:
            return None
        if self._motion.changes == self._read_changes:
            return None
        rested = time.monotonic_ns() - self._motion.changed_ns
        return max(0.0, QUIET_MS / 1e3 - rested / 1e9, self._failed_at + _REST - time.monotonic())

    def _is_due(self) -> bool:
        return self._patience() == 0.0

    def _read(self, requested: bool) -> None:
        try:
            with self._busy:
                snapshot = self._stable()
        except CallCancelled:
            raise
        except DeviceError as error:
            self._failed_at = time.monotonic()
            if not self._paused and (requested or str(error) != self._reported):
                self._reported = str(error)
                self._emit(DeviceEvent("message", self._reported))
            return
        self._reported, self._failed_at = "", 0.0
        self.newest = snapshot
        self._emit(DeviceEvent("tree"))

    def _stable(self) -> TreeSnapshot:
        """Read a tree while the picture does not change; mark the tree if it changed all the same."""
        for _attempt in range(TRIES):
            changes = self._motion.changes
            snapshot = self._complete(self._snapshot(self._closed))
            if not self._wait_until_stable or changes == self._motion.changes:
                self._read_changes = changes
                return snapshot
            if snapshot.finished_ns - snapshot.started_ns > _SLOW_NS:
                # A marked tree now is better; the next one follows when the picture rests.
                break
        return replace(snapshot, problem=snapshot.problem or _("The screen changed while the tree was read"))

    def _complete(self, snapshot: TreeSnapshot) -> TreeSnapshot:
        """Read again, once per screen, if a web or Flutter view is empty: the first request fills it."""
        screen = (snapshot.package, snapshot.activity)
        if snapshot.tree is None or screen in self._opaque or not has_opaque_leaf(snapshot.tree):
            return snapshot
        if self._closed.wait(OPAQUE_WAIT):
            raise CallCancelled("opaque view")
        again = self._snapshot(self._closed)
        if again.tree is not None and has_opaque_leaf(again.tree):
            self._opaque.add(screen)
        return again

    def _snapshot(self, cancel: Cancel) -> TreeSnapshot:
        if not self._sources:
            self._sources = self._make_sources()
        for source in self._sources[:-1]:
            until, count = self._rests.get(source.name, (0.0, 0))
            if time.monotonic() < until:
                continue
            try:
                snapshot = source.snapshot(cancel)
            except (CallCancelled, *ABSENT):
                raise
            except DeviceError as error:
                if self._paused:
                    raise
                # UiAutomation serves one source at a time: release it before the next one begins.
                source.close()
                rest = RESTS[min(count, len(RESTS) - 1)]
                self._rests[source.name] = (time.monotonic() + rest, count + 1)
                if not count:
                    self._emit(DeviceEvent("message", str(error)))
            else:
                self._rests.pop(source.name, None)
                return snapshot
        return self._sources[-1].snapshot(cancel)


def has_opaque_leaf(tree: Tree) -> bool:
    """Whether a web or Flutter view has no content yet."""
    return any(node.class_name.endswith(_OPAQUE) and not node.children for node in tree)
