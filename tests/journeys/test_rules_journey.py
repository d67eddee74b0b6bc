"""From a recorded trajectory to a passing success rule and a firing injection rule, without typing YAML."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from collector.cli.main import main
from collector.model.task import Task
from collector.rules.grammar.model import INJECTION, SUCCESS
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.widgets.cell_grid import GridCell
from tests.helpers.guide import quote
from tests.helpers.shown_texts import says

RULES_PAGE = "docs/guide/rules.md"
pytestmark = [pytest.mark.qt_log_ignore("does not support", extend=True)]
_TASK = Task("shop-1", "Sign in to the shop and look for posters", "Shop", "com.waymark.shop")


class Author:
    """Somebody in the Rules workspace, with a mouse and a keyboard."""

    def __init__(self, person) -> None:
        self.person = person
        self.rules = person.studio.window.workspace("rules")

    def until(self, condition) -> None:
        self.person.until(condition)

    def pick(self, words: str) -> None:
        """Click the entry of the open menu that holds ``words``."""
        menus: list[QMenu] = []

        def opened() -> bool:
            popup = QApplication.activePopupWidget()
            menus[:] = [popup] if isinstance(popup, QMenu) else []
            return bool(menus)

        self.until(opened)
        action = next(action for action in menus[0].actions() if words in action.text())
        QTest.mouseClick(menus[0], Qt.MouseButton.LeftButton, pos=menus[0].actionGeometry(action).center())

    def press(self, command: str) -> None:
        """Click a button of the toolbar."""
        QTest.mouseClick(self.rules.toolbar.buttons[command], Qt.MouseButton.LeftButton)

    def go(self, step: int) -> None:
        """Wait for a cell of the matrix, click it, and wait for its screen."""
        view, rows = self.rules.matrix.view, self.rules.matrix.rows
        self.until(lambda: rows.position_of(GridCell(0, step - 1)) is not None)
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.cell_rect(GridCell(0, step - 1)).center()
        )
        self.until(
            lambda: self.rules.session.recorded is not None and self.rules.session.recorded.index == step - 1
        )

    def click(self, words: str) -> None:
        """Click the node with these words on the screen; the menu of conditions opens."""
        view = self.rules.screen_pane.view
        node = next(
            node for node in self.rules.session.state.nodes if words in (node.text, node.content_desc)
        )
        x, y = view.transform.to_view(node.bounds.center)
        QTest.mouseMove(view, QPoint(round(x), round(y)))
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
        self.until(self.rules.menu.isVisible)

    def take(self, row: int = 0) -> None:
        """Click a row of the menu of conditions."""
        menu = self.rules.menu
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.row_rect(row).center())

    @property
    def outcomes(self) -> str:
        """What the rule on show does at each step, as letters."""
        row = self.rules.matrix.rows.shown[0]
        return "".join(row.outcome(index).value[0] for index in range(len(row.outcomes)))


def recorded(person, folder) -> None:
    """Four steps in the shop, recorded through the mirror."""
    person.open_project(folder, _TASK)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))
    person.tap(person.sees("Sign in"))
    person.presses(Qt.Key.Key_Back)
    person.tap(person.sees("Search products"))
    person.finish()


def test_rules_are_made_by_clicking_and_proved_on_what_was_recorded(person, tmp_path, capsys) -> None:
    folder = tmp_path / "shop"
    recorded(person, folder)
    person.studio.window.show_workspace("rules")
    author = Author(person)
    rules = author.rules
    author.until(lambda: rules.session.recorded is not None)
    steps = rules.session.recorded.count

    # A success rule, proposed from the trajectory: it holds at the end and nowhere before.
    quote(RULES_PAGE, "the window proposes success rules, true at its end and nowhere before")
    author.press("rules.propose")
    author.until(author.rules.proposals.menu.isVisible)
    QTest.keyClick(author.rules.proposals.menu, Qt.Key.Key_Return)
    author.until(
        lambda: rules.session.kind == SUCCESS and rules.session.rule is not None and rules.matrix.rows.shown
    )
    author.until(lambda: author.outcomes == "s" * (steps - 1) + "f" or author.outcomes.endswith("f"))
    assert "f" not in author.outcomes[:-1]
    assert person.studio.project_library.edits.tasks[0].rule_key == rules.session.rule_id

    # An injection rule from a template, and one click on the screen it is meant for.
    quote(RULES_PAGE, "Press `N` and choose *Injection rule in this app*. It appears in the list as a draft.")
    author.press("rules.new")
    author.pick("Injection rule, empty")
    author.until(lambda: rules.session.kind == INJECTION and rules.session.rule is not None)
    author.go(2)
    quote(RULES_PAGE, "Click what distinguishes that screen from others. A menu offers conditions")
    author.click("Prints")
    author.take()
    author.until(
        lambda: rules.session.rule is not None and len(rules.session.rule.conditions.conditions) == 1
    )
    author.until(lambda: author.outcomes[1:2] == "f")
    assert author.outcomes[0] == "s"
    author.until(lambda: says(rules.screen_pane, "fires"))

    # Undone and redone by key, and on the disk without a Save button.
    quote(RULES_PAGE, "`Ctrl+Z` undoes any edit, in whatever file it was made. There is no Save button.")
    person.run("edit.undo")
    author.until(lambda: not rules.session.rule.conditions.conditions)
    person.run("edit.redo")
    author.until(lambda: len(rules.session.rule.conditions.conditions) == 1)
    author.until(lambda: not rules.session.documents.dirty)
    injection = folder / "rules" / "injection.yaml"
    author.until(lambda: injection.exists() and len(read_rules(injection.read_text("utf-8")).rules) == 1)
    author.until((folder / "rules" / "success.yaml").exists)
    assert read_rules((folder / "rules" / "success.yaml").read_text("utf-8")).kind == SUCCESS

    # The command line says the same.
    assert main(["rules", "backtest", str(folder), "--json"]) in (0, 1)
    assert rules.session.rule_id in capsys.readouterr().out
