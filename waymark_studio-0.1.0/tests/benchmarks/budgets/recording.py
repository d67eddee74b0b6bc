"""Memory of the window while a person records a long task on a virtual phone, over a real adb."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.host.malloc import limit_malloc
from collector.model.geometry import Point
from collector.model.task import Task
from collector.store.project.project import Project
from studio.app.studio import Studio
from studio.settings import Settings
from studio.views.record.workspace import RecordWorkspace
from tests.benchmarks.budgets.table import Budget, Row, share_of_memory
from tests.helpers.virtual import adb_server, virtual_process

STEPS = int(os.environ.get("BENCH_STEPS", "2000"))
_WARM_UP = 200
_GROWTH_MB = 50.0
_SHOWN_MS = 500.0
_PLACES = 20
"""So many places of the step list are looked at again, from the last to the first."""
_TASK = Task("long", "Look at every poster of the shop", "Shop", "com.waymark.shop")
_LIST = "com.waymark.shop/com.waymark.shop.ResultsActivity"
_IN_FLIGHT = 3
_IDLE_S = 1.0
_PATIENCE_S = 60.0


def rows() -> Iterator[Row]:
    """Taps and keys as fast as their steps are written; then the step list is scrolled to its top."""
    if not sys.platform.startswith("linux"):
        return
    limit_malloc()
    with _recording() as person:
        person.record(_WARM_UP)
        before = share_of_memory(os.getpid())
        began = time.monotonic()
        person.record(_WARM_UP + STEPS)
        seconds = time.monotonic() - began
        recorded = share_of_memory(os.getpid())
        note = (
            f"{before:.0f} MB after the first {_WARM_UP} steps, {recorded:.0f} MB at the end, "
            f"{STEPS / seconds:.1f} steps a second"
        )
        what, limit = (
            f"window: memory (PSS) that {STEPS:,} more steps add",
            Budget("max", _GROWTH_MB, unit="MB"),
        )
        yield Row(what, [recorded - before], limit, note=note, unit="MB")
        shown = person.scroll_back()
        what = f"step list of {STEPS:,} steps: scroll back until all thumbnails are there"
        yield Row(what, shown, Budget("p95", _SHOWN_MS))
        scrolled = share_of_memory(os.getpid())
        yield Row("window: memory (PSS) after that, over the first", [scrolled - before], limit, unit="MB")


class _Person:
    """Taps on the mirrored phone, presses Back, and looks at earlier steps."""

    def __init__(self, studio: Studio) -> None:
        workspace = studio.window.workspace("record")
        assert isinstance(workspace, RecordWorkspace)
        self.recording = studio.recording
        self._workspace, self._view = workspace, workspace.mirror.view
        self._acted = 0

    @property
    def sees_phone(self) -> bool:
        """Whether the window has the phone's screen and its tree."""
        return self._view.frame is not None and self._workspace.mirror.selection.tree is not None

    def record(self, count: int) -> None:
        """Act until so many steps are on the disk, then rest."""
        recorder = self.recording.recorder
        assert recorder is not None
        while len(self.recording.steps) < count:
            _until(lambda: recorder.pending <= _IN_FLIGHT)
            self._act()
        rested = time.monotonic() + _IDLE_S
        _until(lambda: time.monotonic() > rested and not recorder.pending)

    def _act(self) -> None:
        if self._acted % 2:
            QTest.keyClick(self._view, Qt.Key.Key_Back)
        else:
            x, y = self._view.transform.to_view(Point(360, 466 + self._acted * 37 % 800))
            left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
            QTest.mouseClick(self._view, left, none, QPoint(round(x), round(y)))
        self._acted += 1

    def scroll_back(self) -> list[float]:
        """Milliseconds until the thumbnails of each place of the step list are there."""
        steps = self._workspace.side.steps
        thumbnails, bar = self._workspace.screens.thumbnails, steps.verticalScrollBar()
        awaited: set[object] = set()
        thumbnails.requested.connect(awaited.add)
        thumbnails.arrived.connect(awaited.discard)
        loaded, samples = 0, []
        for place in reversed(range(_PLACES)):
            began = time.perf_counter()
            bar.setValue(bar.maximum() * place // _PLACES)
            steps.viewport().repaint()
            loaded += len(awaited)
            _until(lambda: not awaited)
            samples.append((time.perf_counter() - began) * 1000)
        if not loaded:
            raise RuntimeError("no thumbnail was loaded again: nothing was measured")
        return samples


@contextmanager
def _recording() -> Iterator[_Person]:
    """A person in front of a window that records a virtual phone."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(adb_server())
        _process, address = stack.enter_context(virtual_process())
        server.connect(address)
        home = {"WAYMARK_HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache")}
        stack.enter_context(mock.patch.dict(os.environ, server.environment | home))
        server.run("-s", address, "shell", "am", "start", "-W", "-n", _LIST)
        settings = Settings(folder / "settings.yaml")
        settings.set("recording.author", "lin")
        studio = Studio(settings)
        stack.callback(studio.close)
        studio.window.resize(1600, 1000)
        studio.show()
        stack.callback(studio.window.close)
        studio.window.show_workspace("record")
        Project.create(folder / "p").save_tasks([_TASK])
        studio.project_library.open(folder / "p")
        _until(lambda: studio.project_library.snapshot is not None)
        studio.devices.start()
        studio.devices.use(address)
        person = _Person(studio)
        _until(lambda: person.sees_phone)
        studio.commander.run("record.start")
        _until(lambda: studio.recording.recorder is not None)
        yield person


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the window did not get there")
        QApplication.processEvents()
        time.sleep(0.002)
