"""What opens every dialog of the window, filled, and the list of those that there are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from collector.model.task import Task
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from studio.app.studio import Studio

ROOT = Path(__file__).resolve().parents[2]
TASK = "shop-14"
Opens = Callable[["DialogStage"], QDialog]
OPENED: dict[str, Opens] = {}
"""By name of a class, or of the function that asks with a plain dialog, what opens it."""


def opens(name: str) -> Callable[[Opens], Opens]:
    """Register what opens a dialog."""

    def register(opener: Opens) -> Opens:
        OPENED[name] = opener
        return opener

    return register


class DialogStage:
    """A window with the sample project open, and what dialogs are about."""

    def __init__(self, studio: Studio, qtbot: Any) -> None:
        self.studio, self.window, self._qtbot = studio, studio.window, qtbot
        project = studio.project_library.project
        assert project is not None
        self.project: Project = project
        self.library, self.services = studio.project_library, studio.window.services
        self.runner = studio.tasks

    @property
    def stored(self) -> StoredTrajectory:
        return _stored(self.project.folder)

    @property
    def task(self) -> Task:
        found = self.project.task(TASK)
        assert found is not None
        return found

    def asked(self, command: str, **arguments: str) -> QDialog:
        """The dialog that a command opens."""
        self.studio.commander.run(command, **arguments)
        self._qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        return dialog

    def guide(self) -> QDialog:
        """The guide, which is not modal."""
        self.studio.commander.run("help.guide")
        self._qtbot.waitUntil(lambda: self.studio.guide.shown is not None)
        assert self.studio.guide.shown is not None
        return self.studio.guide.shown


@cache
def _stored(folder: Path) -> StoredTrajectory:
    return open_trajectory(folder / "trajectories" / TASK / f"{TASK}-lin")


def dialog_classes() -> Iterator[str]:
    """The names of the classes of dialogs that the window has, without those that others derive from."""
    bases: dict[str, set[str]] = {}
    for path in (*ROOT.glob("studio/**/*.py"), *ROOT.glob("rule_editor/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base) for base in node.bases}
    dialogs = {"QDialog"}
    while found := {name for name, of in bases.items() if of & dialogs} - dialogs:
        dialogs |= found
    yield from sorted(dialogs - {"QDialog", "FramelessDialog", "Dialog"})


def plain_dialogs() -> Iterator[str]:
    """The functions that ask with a plain :class:`Dialog` or a box of Qt's."""
    for path in (*ROOT.glob("studio/**/*.py"), *ROOT.glob("rule_editor/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(map(_makes_dialog, ast.walk(node))):
                yield f"{path.stem}/{node.name}"


def _makes_dialog(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("Dialog", "QInputDialog", "QMessageBox")


def newest_dialog() -> QDialog:
    """The dialog that was opened last."""
    widget: QWidget | None = QApplication.activeModalWidget()
    assert isinstance(widget, QDialog)
    return widget
