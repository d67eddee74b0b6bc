"""A person at the window for journey tests: sees the mirrored screen, uses mouse and keyboard, waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.tree import Node
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from studio.app.studio import Studio
from studio.views.record.workspace import RecordWorkspace

PATIENCE_MS = 30_000


class Person:
    """Acts in the Record workspace. Waits for signals and states of the studio, never for a fixed time."""

    def __init__(self, studio: Studio, qtbot: Any, address: str) -> None:
        self.studio = studio
        self.qtbot = qtbot
        self.address = address
        self.recording = studio.recording

    @property
    def record(self) -> RecordWorkspace:
        """The workspace of the window that is there now: another language or scale builds a new one."""
        return self.studio.window.workspace("record")  # type: ignore[return-value]

    @property
    def view(self) -> Any:
        return self.record.mirror.view

    def run(self, command: str, **arguments: str) -> None:
        """Run a command of the window by id."""
        self.studio.commander.run(command, **arguments)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)

    # -- set up ----------------------------------------------------------------
    def open_project(self, folder: Path, *tasks: Task, states: Iterable[EssentialState] = ()) -> Project:
        """Create a project with tasks and essential states, and open it in the window."""
        project = Project.create(folder)
        project.save_tasks(tasks, states=[StateChange(None, state) for state in states])
        with self.qtbot.waitSignal(self.studio.project_library.opened, timeout=PATIENCE_MS):
            self.studio.project_library.open(folder)
        return project

    def take_phone(self) -> None:
        """Bring the phone into use and wait for its screen and its tree."""
        self.studio.window.show_workspace("record")
        self.studio.devices.use(self.address)
        link = self.studio.devices.current
        assert link is not None
        self.until(lambda: link.is_live and self.view.frame is not None)
        self.until(lambda: self.record.mirror.selection.tree is not None)

    def until_in_use(self, address: str) -> None:
        """Wait until the phone at an address is the one in use; there may be none before."""
        self.until(lambda: (link := self.studio.devices.current) is not None and link.serial == address)

    def start(self) -> None:
        """Start a recording and wait until it runs."""
        with self.qtbot.waitSignal(self.recording.begun, timeout=PATIENCE_MS):
            self.run("record.start")

    # -- look ------------------------------------------------------------------
    def sees(self, text: str, nth: int = 0) -> Node:
        """Wait for a node with this text or description on the screen and return it."""
        matches: list[Node] = []

        def look() -> bool:
            tree = self.record.mirror.selection.tree
            nodes = tree if tree is not None else ()
            matches[:] = [node for node in nodes if text in (node.text, node.get("content-desc"))]
            return len(matches) > nth

        self.until(look)
        return matches[nth]

    def field(self, name: str) -> Node:
        """Wait for the node with this id on the screen and return it."""
        matches: list[Node] = []

        def look() -> bool:
            tree = self.record.mirror.selection.tree
            matches[:] = [node for node in tree or () if node.resource_id.endswith(f":id/{name}")]
            return bool(matches)

        self.until(look)
        return matches[0]

    # -- act -------------------------------------------------------------------
    def tap(self, node: Node) -> None:
        """Click a node on the mirror and wait for the next state."""
        assert node.bounds is not None
        x, y = self.view.transform.to_view(node.bounds.center)
        with self.qtbot.waitSignal(self.recording.next_ready, timeout=PATIENCE_MS):
            QTest.mouseClick(
                self.view,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                QPoint(round(x), round(y)),
            )

    def types(self, text: str) -> None:
        """Type ASCII characters by keys and all others through the input method; wait for the next state."""
        with self.qtbot.waitSignal(self.recording.next_ready, timeout=PATIENCE_MS):
            for char in text:
                if char.isascii():
                    QTest.keyClicks(self.view, char)
                    continue
                event = QInputMethodEvent("", [])
                event.setCommitString(char)
                QApplication.sendEvent(self.view, event)

    def presses(self, key: Qt.Key) -> None:
        """Press a key and wait for the next state."""
        with self.qtbot.waitSignal(self.recording.next_ready, timeout=PATIENCE_MS):
            QTest.keyClick(self.view, key)

    def finish(self) -> Path:
        """Finish the recording; return its folder once all files are written."""
        with self.qtbot.waitSignal(self.recording.finished, timeout=PATIENCE_MS) as caught:
            self.run("record.finish")
        assert caught.args is not None
        return Path(caught.args[0])
