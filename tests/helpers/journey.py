"""A person at the window: looks at the screen, acts with mouse and keyboard, and waits for what they see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.task import Task
from collector.model.tree import Node
from collector.store.project import Project
from studio.app.studio import Studio
from studio.views.record.workspace import RecordWorkspace

PATIENCE_MS = 30_000


class Person:
    """Acts in the Record workspace. Waits are on signals of the studio, never on a clock."""

    def __init__(self, studio: Studio, qtbot: Any, address: str) -> None:
        self.studio = studio
        self.qtbot = qtbot
        self.address = address
        self.record: RecordWorkspace = studio.window.workspace("record")  # type: ignore[assignment]
        self.recording = studio.recording

    @property
    def view(self) -> Any:
        return self.record.mirror.view

    def run(self, command: str, **arguments: str) -> None:
        self.studio.commander.run(command, **arguments)

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)

    # -- beginning -----------------------------------------------------------
    def open_project(self, folder: Path, *tasks: Task) -> Project:
        """Make a project with tasks and open it in the window."""
        project = Project.create(folder)
        project.save_tasks(tasks)
        with self.qtbot.waitSignal(self.studio.library.opened, timeout=PATIENCE_MS):
            self.studio.library.open(folder)
        return project

    def take_phone(self) -> None:
        """Use the phone and wait until its screen and its tree are here."""
        self.studio.window.show_workspace("record")
        self.studio.devices.use(self.address)
        link = self.studio.devices.current
        assert link is not None
        self.until(lambda: link.is_live and self.view.frame is not None)
        self.until(lambda: self.record.mirror.selection.tree is not None)

    def start(self) -> None:
        with self.qtbot.waitSignal(self.recording.begun, timeout=PATIENCE_MS):
            self.run("record.start")

    # -- seeing --------------------------------------------------------------
    def sees(self, words: str, nth: int = 0) -> Node:
        """The node whose text or description is ``words``; waits until it is on the screen."""
        found: list[Node] = []

        def look() -> bool:
            tree = self.record.mirror.selection.tree
            nodes = tree if tree is not None else ()
            found[:] = [node for node in nodes if words in (node.text, node.get("content-desc"))]
            return len(found) > nth

        self.until(look)
        return found[nth]

    def field(self, name: str) -> Node:
        """The field with an id."""
        found: list[Node] = []

        def look() -> bool:
            tree = self.record.mirror.selection.tree
            found[:] = [node for node in tree or () if node.resource_id.endswith(f":id/{name}")]
            return bool(found)

        self.until(look)
        return found[0]

    # -- acting --------------------------------------------------------------
    def tap(self, node: Node) -> None:
        """Click it on the mirror and wait for the next state, as a careful person does."""
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
        """Plain characters by keys, all others through the input method."""
        with self.qtbot.waitSignal(self.recording.next_ready, timeout=PATIENCE_MS):
            for char in text:
                if char.isascii():
                    QTest.keyClicks(self.view, char)
                    continue
                event = QInputMethodEvent("", [])
                event.setCommitString(char)
                QApplication.sendEvent(self.view, event)

    def presses(self, key: Qt.Key) -> None:
        with self.qtbot.waitSignal(self.recording.next_ready, timeout=PATIENCE_MS):
            QTest.keyClick(self.view, key)

    def finish(self) -> Path:
        """Submit; returns the folder once all is on the disk."""
        with self.qtbot.waitSignal(self.recording.finished, timeout=PATIENCE_MS) as caught:
            self.run("record.finish")
        assert caught.args is not None
        return Path(caught.args[0])
