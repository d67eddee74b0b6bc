"""A rule is rehearsed dry, then live: it fires, is answered on the mirror, followed up; another is undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from collector.anomalies.events import ANSWERED, FOLLOWED, INJECTED, UNDONE
from collector.anomalies.rehearsal import RehearsalOutcome
from collector.model.task import Task
from collector.rules.grammar.model import INJECTION
from rule_editor.widgets.cell_grid import GridCell
from studio.views.rules.rehearsal.panel import LIVE
from studio.widgets.device_view.view import MirrorMode
from tests.helpers.shown_texts import says

pytestmark = [pytest.mark.qt_log_ignore("does not support", extend=True)]
_TASK = Task("shop-1", "Look at the shop", "Shop", "com.waymark.shop")
_RULES = """rules:
  - id: battery_in_shop
    priority: 1
    conditions:
      all:
        - type: semantic_element_exists
          keywords: [Search products, Cart]
    actions:
      - type: inject_interference
        interference_id: battery_low_double_en
  - id: larger_text_in_shop
    priority: 2
    conditions:
      all:
        - {type: current_package_is, value: com.waymark.shop}
    actions:
      - type: inject_interference
        interference_id: font_scale
        trigger_probability: 0.5
  - id: settings_only
    conditions:
      all:
        - {type: current_package_is, value: com.android.settings}
    actions:
      - type: inject_interference
        interference_id: font_scale
"""


class Author:
    """Somebody in the Rules workspace with a phone beside it."""

    def __init__(self, person) -> None:
        self.person = person
        self.rules = person.studio.window.workspace("rules")
        self.panel, self.rehearsals = self.rules.rehearsal.panel, self.rules.rehearsal.rehearsals

    def until(self, condition) -> None:
        self.person.until(condition)

    def click(self, widget, at: QPoint | None = None) -> None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())

    def tap(self, words: str) -> None:
        """Tap what is written on the live screen."""
        view, session = self.rules.screen_pane.view, self.rules.session
        matches = []

        def seen() -> bool:
            nodes = session.state.nodes if session.state is not None else ()
            matches[:] = [node for node in nodes if words in (node.text, node.content_desc)]
            return bool(matches)

        self.until(seen)
        x, y = view.transform.to_view(matches[0].bounds.center)
        self.click(view, QPoint(round(x), round(y)))

    def shown(self, rule_id: str) -> list[RehearsalOutcome]:
        return [moment.cells[rule_id].shown for moment in self.rehearsals.moments if rule_id in moment.cells]

    def event_kinds(self, rule_id: str) -> list[str]:
        """Kinds of the events of the rule's newest injection."""
        for moment in reversed(self.rehearsals.moments):
            cell = moment.cells.get(rule_id)
            if cell is not None and cell.injected is not None:
                return [event.kind for event in self.rehearsals.events.get(cell.injected.id, ())]
        return []

    def open_cell(self, rule_id: str, number: int) -> None:
        """Click a cell of the lane."""
        lane = self.panel.lane
        row = self.panel.rows.rules.index(rule_id)
        column = number - self.rehearsals.moments[0].number
        self.click(lane.viewport(), lane.cell_rect(GridCell(row, column)).center())


def author_with_phone(person, folder) -> Author:
    """The rules are open, the phone shows its home screen in the Rules workspace."""
    project = person.open_project(folder, _TASK)
    (project.folder / "rules").mkdir(exist_ok=True)
    (project.folder / "rules" / "injection.yaml").write_text(_RULES, "utf-8")
    person.take_phone()
    with person.qtbot.waitSignal(person.studio.project_library.opened):
        person.studio.project_library.open(folder)
    person.studio.window.show_workspace("rules")
    author = Author(person)
    author.until(lambda: author.rules.session.rule is not None and author.rules.session.state is not None)
    return author


def test_a_rule_is_rehearsed_dry_then_live_and_what_it_did_is_undone(person, tmp_path) -> None:
    author = author_with_phone(person, tmp_path / "shop")
    rules, panel, rehearsals = author.rules, author.panel, author.rehearsals
    anomalies = person.studio.anomalies

    # Dry: the home screen is silent, in the shop the rule would fire, and nothing is injected.
    author.click(rules.toolbar.buttons["rules.rehearse"])
    author.until(lambda: author.shown("battery_in_shop") == [RehearsalOutcome.SILENT])
    assert rules.screen_pane.view.mode is MirrorMode.INTERACT
    author.tap("Shop")
    author.until(lambda: RehearsalOutcome.WOULD_FIRE in author.shown("battery_in_shop"))
    assert anomalies.active == ()
    number = rehearsals.moments[-1].number
    assert any("Would fire here, because" in line for line in panel.explanation.sentences)
    assert author.shown("larger_text_in_shop")[-1] is RehearsalOutcome.SUPPRESSED

    # A click on the first state shows it with the rule's clauses; the lane keeps what was found.
    author.open_cell("settings_only", 1)
    assert (rules.session.kind, rules.session.rule_id) == (INJECTION, "settings_only")
    assert rules.session.rehearsed is rehearsals.moment(1)
    assert says(rules.screen_pane, "state 1")
    assert not rules.screen_pane.is_live
    author.open_cell("battery_in_shop", number)
    assert says(rules.screen_pane, "fires")
    assert any(node.text == "Search products" for node in rules.session.state.nodes)

    # Live: it begins anew on the screen that is there; the dialog comes and is answered on the mirror.
    rules.live.show()
    QTest.mouseClick(rules.screen_pane.header.switch, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    author.click(panel.mode, panel.mode.rect().adjusted(0, 0, -10, 0).topRight() + QPoint(0, 10))
    assert rehearsals.setup.live
    assert panel.mode.current == LIVE
    author.until(lambda: author.shown("battery_in_shop")[:1] == [RehearsalOutcome.FIRED])
    assert [change.anomaly for change in anomalies.active] == ["battery_low_double_en"]
    author.tap("Open battery saver")
    author.until(lambda: FOLLOWED in author.event_kinds("battery_in_shop"))
    assert author.event_kinds("battery_in_shop") == [INJECTED, ANSWERED, FOLLOWED]
    author.open_cell("battery_in_shop", 1)
    sentences = panel.explanation.sentences
    assert "Answered: accept, by Open battery saver" in sentences
    assert "What follows: Opens the battery saver's page" in sentences
    author.until(lambda: anomalies.active == ())
    author.click(panel.start)
    assert not rehearsals.is_running

    # By force, whatever the screen shows; and taken back from the lane.
    rules.session.select(INJECTION, "settings_only")
    author.until(panel.fire.isEnabled)
    author.click(panel.fire)
    author.until(lambda: [change.anomaly for change in anomalies.active] == ["font_scale"])
    author.until(lambda: RehearsalOutcome.FIRED in author.shown("settings_only"))
    last = rehearsals.moments[-1]
    author.open_cell("settings_only", last.number)
    assert "It was forced" in panel.explanation.sentences
    author.click(panel.undo)
    author.until(lambda: anomalies.active == ())
    author.until(lambda: author.event_kinds("settings_only") == [INJECTED, UNDONE])
    assert "Undone" in panel.explanation.sentences
