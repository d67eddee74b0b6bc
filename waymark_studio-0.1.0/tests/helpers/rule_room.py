"""A small project with two recorded trajectories, and somebody in the Rules workspace over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from collector.model.action import Action, Complete, Tap
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.dumps import hierarchy, node
from tests.helpers.steps import png, step

SIZE = Size(360, 720)
SHOP = "com.example.shop"
INJECTION_TEXT = """# kept
rules:
  - id: on_results
    description: While results are shown
    conditions:
      all:
        - type: semantic_element_exists
          keywords: [Sort, Filter, Metro]
          threshold: 1.0
        - type: current_package_is
          value: com.example.shop
    actions:
      - type: inject_interference
        interference_id: low_battery
"""
SUCCESS_TEXT = """bought:
  description: Something is in the cart
  conditions:
    - type: element_text_equals
      selector: resource-id='shop:id/cart'
      text: Cart (1)
"""
LIBRARY_TEXT = """interference_library:
  - id: low_battery
    description: Battery low
    params: {param_allow_btn_text: Settings, param_deny_btn_text: Ignore, param_allow_log_event: A}
    post_actions:
      EVENT:A: [{type: adb, command: am start, description: opens Battery saver}]
"""


def home_screen() -> bytes:
    """Three buttons, none of them of results."""
    return _screen(("Shop", "shop"), ("Chat", "chat"), ("Cart (0)", "cart"))


def results_screen(cart: int = 0) -> bytes:
    """Buttons to sort and filter, and the cart."""
    return _screen(("Sort", "sort"), ("Filter", "filter"), (f"Cart ({cart})", "cart"))


def _screen(*buttons: tuple[str, str]) -> bytes:
    nodes = [
        node(text=text, resource_id=f"shop:id/{name}", class_="android.widget.Button", clickable="true",
             bounds=f"[20,{100 + 120 * row}][340,{200 + 120 * row}]")
        for row, (text, name) in enumerate(buttons)
    ]  # fmt: skip
    return hierarchy(node(*nodes, bounds="[0,0][360,720]")).encode()


SCREENS = (home_screen(), results_screen(), results_screen(cart=1))


def make_project(folder: Path) -> Project:
    """Tasks ``buy`` and ``look`` with one golden trajectory each; rules and a library."""
    project = Project.create(folder, "Room")
    project.save_tasks(
        [Task("buy", "Buy a poster", "Shop", SHOP, rule_key="bought", target_rule_ids=("on_results",)),
         Task("look", "Look at posters", "Shop", SHOP)]
    )  # fmt: skip
    for name, text in (
        ("rules/injection.yaml", INJECTION_TEXT),
        ("rules/success.yaml", SUCCESS_TEXT),
        ("anomalies/library.yaml", LIBRARY_TEXT),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    _record(project, "buy", SCREENS)
    _record(project, "look", SCREENS[:2])
    return project


def _record(project: Project, task: str, screens: tuple[bytes, ...]) -> None:
    with project.new_trajectory(TrajectoryHeader(f"{task}-golden", task, who="lin")) as writer:
        for number, screen in enumerate(screens):
            action: Action = Complete() if number == len(screens) - 1 else Tap(180, 150)
            state = State(package=SHOP, activity=".Main", size=SIZE)
            writer.append(
                step(number, action, state=state, target=None), png(SIZE.width, SIZE.height, 60), screen
            )
        writer.finish()


class Room:
    """The workspace of a built window, and how to wait for what it does."""

    def __init__(self, studio: Any, qtbot: Any, folder: Path) -> None:
        self.studio, self.qtbot, self.folder = studio, qtbot, folder

    @property
    def workspace(self) -> Any:
        """The workspace of the window that is there now."""
        return self.studio.window.workspace("rules")

    @property
    def session(self) -> Any:
        return self.workspace.session

    def until(self, condition: Callable[[], object]) -> None:
        """Let the window work until ``condition`` holds."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def run(self, command: str) -> None:
        """Run a command as a key or a menu does."""
        self.studio.commander.run(command)

    def at(self, position: int) -> None:
        """Show a recorded state and wait for its verdict."""
        self.session.backtests.show(position)
        self.until(lambda: self.session.recorded is not None and self.session.recorded.position == position)

    def menu(self) -> Any:
        """The open menu."""
        from PySide6.QtWidgets import QApplication, QMenu

        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    def choose(self, words: str) -> None:
        """Take the entry of the open menu that holds ``words``."""
        menu = self.menu()
        next(action for action in menu.actions() if words in action.text() and action.isEnabled()).trigger()
        menu.hide()

    @property
    def toasts(self) -> list[str]:
        return [toast.accessibleName() for toast in self.studio.window.toasts.shown]
