"""The newest tree: read when asked, and by itself once the picture has come to rest."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from collector.device.errors import ABSENT, CallCancelled, DeviceError
from collector.device.events import DeviceEvent
from collector.device.motion_detector import MotionDetector
from collector.device.protocols import Cancel, TreeSource
from collector.device.snapshot import TreeSnapshot
from collector.model.i18n import _
from collector.model.tree import Tree

QUIET_MS = 300
"""The picture must have rested so long before a tree is read unasked."""
_TRIES = 3
_SLOW_NS = 1_000_000_000
_REST = 3.0
"""Seconds until a tree that failed is tried again unasked."""
_RESTS = (30.0, 120.0, 300.0)
"""Seconds a source that failed is left alone, the first time and later ones."""
_OPAQUE_WAIT = 0.5
_OPAQUE = ("android.webkit.WebView", "FlutterView", "FlutterSurfaceView")
_JOIN = 5.0
_TURN_S = 0.1
_log = logging.getLogger(__name__)


class TreeReader:
    """Works on a thread of its own.

    ``sources`` are tried in order; one that fails gives way to the next and is tried again later.
    """

    def __init__(
        self,
        sources: Callable[[], list[TreeSource]],
        motion: MotionDetector,
        tell: Callable[[DeviceEvent], None],
        *,
        wait_until_stable: bool = True,
    ) -> None:
        self._make_sources = sources
        self._sources: list[TreeSource] = []
        self._rests: dict[str, tuple[float, int]] = {}
        self._motion = motion
        self._tell = tell
        self._wait_until_stable = wait_until_stable
        self._opaque: set[tuple[str, str]] = set()
        self._said = ""
        self._asked = False
        self._paused = True
        self._leased = False
        self._busy = threading.Lock()  # only one may ask the phone's automation at a time
        self._failed_at = 0.0
        self._read_changes = -1
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device trees", daemon=True)
        self.newest: TreeSnapshot | None = None

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Give up what is being read; waits for the thread."""
        self._closed.set()
        self._motion.wake()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def refresh(self) -> None:
        """Read a tree that begins after this call; asked twice before it begins, it is one."""
        self._asked = True
        self._motion.wake()

    def pause(self, paused: bool) -> None:
        """While the phone is gone nothing is read."""
        self._paused = paused
        # A phone that is back may do again what it could not before.
        self._rests.clear()
        self._motion.wake()

    def set_leased(self, leased: bool) -> None:
        """While a run has the lease, only :meth:`read` reads; the run calls it again and again."""
        self._leased = leased
        self._motion.wake()

    def read(self, cancel: Cancel) -> TreeSnapshot:
        """A tree asked for now, on the caller's thread; it is told as every other is. Raises DeviceError."""
        while not self._busy.acquire(timeout=_TURN_S):
            if cancel.is_set():
                raise CallCancelled("tree")
        try:
            self.newest = snapshot = self._snapshot(cancel)
        finally:
            self._busy.release()
        self._tell(DeviceEvent("tree"))
        return snapshot

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self._motion.wait(self._motion.changes, self._patience())
                if not self._closed.is_set() and not self._paused and self._is_due():
                    asked, self._asked = self._asked, False
                    self._read(asked)
        except CallCancelled:
            _log.debug("closed while a tree was read")
        finally:
            for source in self._sources:
                source.close()

    def _patience(self) -> float | None:
        """Seconds until a tree is due; None when only a change or a question can make it so."""
        if self._paused or self._leased:
            return None
        if self._asked:
            return 0.0
        if self._motion.changes == self._read_changes:
            return None
        rested = time.monotonic_ns() - self._motion.changed_ns
        return max(0.0, QUIET_MS / 1e3 - rested / 1e9, self._failed_at + _REST - time.monotonic())

    def _is_due(self) -> bool:
        return self._patience() == 0.0

    def _read(self, asked: bool) -> None:
        try:
            with self._busy:
                snapshot = self._stable()
        except CallCancelled:
            raise
        except DeviceError as error:
            self._failed_at = time.monotonic()
            if not self._paused and (asked or str(error) != self._said):
                self._said = str(error)
                self._tell(DeviceEvent("message", self._said))
            return
        self._said, self._failed_at = "", 0.0
        self.newest = snapshot
        self._tell(DeviceEvent("tree"))

    def _stable(self) -> TreeSnapshot:
        """A tree during whose reading the picture did not change, or one that says that it did."""
        for _attempt in range(_TRIES):
            changes = self._motion.changes
            snapshot = self._complete(self._snapshot(self._closed))
            if not self._wait_until_stable or changes == self._motion.changes:
                self._read_changes = changes
                return snapshot
            if snapshot.finished_ns - snapshot.started_ns > _SLOW_NS:
                # Better a doubtful tree now; the next one follows when the picture rests.
                break
        return replace(snapshot, problem=snapshot.problem or _("The screen changed while the tree was read"))

    def _complete(self, snapshot: TreeSnapshot) -> TreeSnapshot:
        """Web and Flutter views fill in only once somebody has asked: ask again, once a screen."""
        screen = (snapshot.package, snapshot.activity)
        if snapshot.tree is None or screen in self._opaque or not has_opaque_leaf(snapshot.tree):
            return snapshot
        if self._closed.wait(_OPAQUE_WAIT):
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
                # Only one may hold the phone's automation: the first lets go before the next begins.
                source.close()
                rest = _RESTS[min(count, len(_RESTS) - 1)]
                self._rests[source.name] = (time.monotonic() + rest, count + 1)
                if not count:
                    self._tell(DeviceEvent("message", str(error)))
            else:
                self._rests.pop(source.name, None)
                return snapshot
        return self._sources[-1].snapshot(cancel)


def has_opaque_leaf(tree: Tree) -> bool:
    """Whether a web or Flutter view shows no content of its own yet."""
    return any(node.class_name.endswith(_OPAQUE) and not node.children for node in tree)
