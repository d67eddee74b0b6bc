"""The lane of a rehearsal in the Rules workspace: by mouse and by keyboard, with a phone and without."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from collector.anomalies.rehearsal import RehearsalOutcome
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.rules.grammar.model import INJECTION, SUCCESS
from rule_editor.widgets.cell_grid import GridCell
from studio.views.rules.bottom_panel import BACKTEST, REHEARSAL
from studio.views.rules.rehearsal.lane_rows import LaneCell
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE, probability_text, sentence
from tests.helpers.rule_room import SHOP, SIZE, home_screen, results_screen
from tests.helpers.shown_texts import says

RULE = "on_results"


def snapshot(data: bytes) -> TreeSnapshot:
    return TreeSnapshot(data, parse_tree(data), 0, 0, "uiautomator", SHOP, ".Main", "")


class FakeLink(QObject):
    """A phone that shows what the test wants."""

    frame_ready = Signal()
    tree_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.serial, self.name, self.is_lost, self.taken = "p1", "Pixel", False, ""
        self.newest = snapshot(home_screen())
        self.screen = SimpleNamespace(
            secure=False, newest_tree=lambda: self.newest, newest_frame=lambda: None, screen_size=SIZE
        )

    def take_frame(self) -> None:
        return None

    def set_view_size(self, _size) -> None:
        pass

    def refresh_tree(self) -> None:
        pass


class RehearsalRig:
    """The room with a phone in use."""

    def __init__(self, room) -> None:
        self.room, self.workspace = room, room.workspace
        rehearsal = room.workspace.rehearsal
        self.panel, self.rehearsals = rehearsal.panel, rehearsal.rehearsals
        self.link = FakeLink()

    def plug(self) -> None:
        self.workspace.live.set_phone(self.link)
        self.rehearsals.use_phone(self.link)

    def come(self, data: bytes) -> None:
        count = len(self.rehearsals.moments)
        self.link.newest = snapshot(data)
        self.link.tree_changed.emit(self.link.newest)
        self.room.until(lambda: len(self.rehearsals.moments) > count)

    def run(self, *screens: bytes) -> None:
        """Start on the home screen and show these."""
        self.plug()
        self.room.run("rules.rehearse")
        self.room.until(lambda: self.rehearsals.moments)
        for screen in screens:
            self.come(screen)

    def click(self, row: int, column: int) -> None:
        lane = self.panel.lane
        at = lane.cell_rect(GridCell(row, column)).center()
        QTest.mouseClick(lane.viewport(), Qt.MouseButton.LeftButton, pos=at)


@pytest.fixture
def rig(room):
    """The rule fires on results: without the keyword no screen has."""
    room.workspace.rule_edits.set_condition_field((0,), "keywords", ["Sort", "Filter"])
    new_rig = RehearsalRig(room)
    yield new_rig
    new_rig.rehearsals.stop()
    new_rig.rehearsals.use_phone(None)
    new_rig.workspace.live.set_phone(None)
    new_rig.link.deleteLater()


def test_without_a_phone_the_lane_says_so_and_leads_to_one(rig) -> None:
    asked = []
    rig.panel.empty.command_wanted.disconnect()
    rig.panel.empty.command_wanted.connect(asked.append)
    QTest.mouseClick(rig.workspace.toolbar.buttons["rules.rehearse"], Qt.MouseButton.LeftButton)
    assert rig.workspace.bottom.page == REHEARSAL
    assert rig.panel.empty.title.text() == "No phone in use"
    assert not rig.rehearsals.is_running
    assert not rig.panel.start.isEnabled()
    for button in rig.panel.empty.buttons:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == ["device.start-virtual", "device.connect"]


def test_without_injection_rules_one_is_to_be_made(rig) -> None:
    rig.plug()
    rig.room.run("rules.delete")
    assert rig.panel.empty.title.text() == "No injection rule to rehearse"
    rig.room.run("rules.rehearse")
    assert not rig.rehearsals.is_running


def test_the_pages_are_switched_by_mouse_and_by_key(rig) -> None:
    below = rig.workspace.bottom
    switch = below.switches[0]
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=switch.rect().center() + QPoint(40, 0))
    assert below.page == REHEARSAL
    assert [switch.current for switch in below.switches] == [REHEARSAL, REHEARSAL]
    below.switches[1].setFocus()
    QTest.keyClick(below.switches[1], Qt.Key.Key_Left)
    assert below.page == BACKTEST
    assert rig.workspace.window().focusWidget() is below.switches[0]


def test_states_come_into_the_lane_and_are_explained(rig) -> None:
    rig.run(results_screen(), results_screen(1))
    outcomes = [moment.cells[RULE].shown for moment in rig.rehearsals.moments]
    assert outcomes == [RehearsalOutcome.SILENT, RehearsalOutcome.WOULD_FIRE, RehearsalOutcome.SUPPRESSED]
    assert rig.panel.lane.current == LaneCell(RULE, 3)
    assert rig.panel.explanation.sentences[0].startswith("Held back: ")
    rig.click(0, 1)
    sentences = rig.panel.explanation.sentences
    assert sentences[0].startswith("Would fire here, because: ")
    assert sentences[1].startswith("Draw 0.")
    assert sentences[1].endswith("against probability 1")
    assert "low_battery" in sentences
    assert rig.panel.start.text() == "Stop"


def test_a_cell_shows_its_state_with_the_rule_ticked_and_back_to_live(rig) -> None:
    rig.run(results_screen())
    rig.room.session.select(SUCCESS, "bought")
    rig.click(0, 0)
    assert rig.room.session.rehearsed is rig.rehearsals.moments[0]
    assert (rig.room.session.kind, rig.room.session.rule_id) == (INJECTION, RULE)
    assert not rig.workspace.screen_pane.is_live
    assert says(rig.workspace.screen_pane, "state 1")
    rig.room.run("rules.next-state")
    assert says(rig.workspace.screen_pane, "state 2")
    assert says(rig.workspace.screen_pane, "fires")
    assert rig.panel.lane.current == LaneCell(RULE, 2)
    rig.room.run("rules.next-state")
    assert says(rig.workspace.screen_pane, "state 2")
    rig.come(results_screen(1))  # what comes does not take the person away
    assert says(rig.workspace.screen_pane, "state 2")
    rig.room.run("rules.toggle-live")
    assert rig.workspace.screen_pane.is_live
    assert rig.room.session.rehearsed is None


def test_the_lane_goes_by_keys(rig) -> None:
    rig.run(results_screen(), results_screen(1))
    lane = rig.panel.lane
    lane.setFocus()
    for key, number in ((Qt.Key.Key_Left, 2), (Qt.Key.Key_Home, 1), (Qt.Key.Key_Left, 1),
                        (Qt.Key.Key_End, 3), (Qt.Key.Key_Down, 3), (Qt.Key.Key_Left, 2)):  # fmt: skip
        QTest.keyClick(lane, key)
        assert lane.current == LaneCell(RULE, number)
    assert rig.room.session.rehearsed is None
    QTest.keyClick(lane, Qt.Key.Key_Return)
    assert rig.room.session.rehearsed is rig.rehearsals.moment(2)


def test_a_cell_tells_in_its_tool_tip_and_each_mark_has_its_own_shape(rig) -> None:
    rig.run(results_screen())
    lane = rig.panel.lane
    tip = lane.tip_at(lane.cell_rect(GridCell(0, 1)).center())
    assert tip.startswith("on_results, state 2: would fire\nWould fire here, because: ")
    assert lane.tip_at(QPoint(400, 200)) == ""
    icons = [icon for icon, _tone, _words in APPEARANCE.values()]
    assert len(set(icons)) == len(icons) == len(RehearsalOutcome)
    drawn = QImage(lane.viewport().size(), QImage.Format.Format_RGB32)
    lane.viewport().render(drawn)
    silent, fires = (drawn.copy(lane.cell_rect(GridCell(0, column))) for column in (0, 1))
    assert silent != fires


def test_it_is_arranged_in_the_head_of_the_lane(rig, qtbot) -> None:
    rig.run()
    panel, rehearsals = rig.panel, rig.rehearsals
    panel.seed.selectAll()
    QTest.keyClicks(panel.seed, "41")
    QTest.keyClick(panel.seed, Qt.Key.Key_Return)
    assert rehearsals.setup.seed == 41
    QTest.mouseClick(panel.dice, Qt.MouseButton.LeftButton)
    assert rehearsals.setup.seed != 41
    assert panel.seed.text() == str(rehearsals.setup.seed)
    panel.most.setValue(4)
    assert rehearsals.setup.most == 4
    panel.scope.setFocus()
    QTest.keyClick(panel.scope, Qt.Key.Key_Right)
    assert rehearsals.setup.rule_id == RULE
    rig.room.run("rules.rehearse-dry-run")
    assert rehearsals.setup.live
    assert panel.mode.current == "live"
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert not rehearsals.is_running
    assert panel.start.text() == "Start"
    rig.room.until(lambda: rehearsals.moments)
    QTest.mouseClick(panel.clear, Qt.MouseButton.LeftButton)
    assert not rehearsals.moments
    assert panel.empty.title.text() == "Nothing rehearsed yet"
    assert not rig.room.studio.commander.enabled("rules.rehearse-clear")


def test_of_a_success_rule_alone_nothing_is_rehearsed(rig) -> None:
    rig.plug()
    rig.room.session.select(SUCCESS, "bought")
    QTest.keyClick(rig.panel.scope, Qt.Key.Key_Right)
    assert rig.rehearsals.setup.rule_id == ""
    assert rig.panel.scope.current == "all"
    assert not rig.panel.fire.isEnabled()
    assert not rig.room.studio.commander.enabled("rules.rehearse-fire-now")


def test_an_edit_counts_from_the_next_state_and_what_was_found_stays(rig) -> None:
    rig.run(results_screen())
    rig.click(0, 1)
    assert says(rig.workspace.screen_pane, "fires")
    rig.workspace.rule_edits.set_condition_field((0,), "keywords", ["Sort", "Metro"])
    rig.room.until(lambda: says(rig.workspace.screen_pane, "near miss"))  # on the kept screen
    assert rig.rehearsals.moments[1].cells[RULE].shown is RehearsalOutcome.WOULD_FIRE
    rig.come(results_screen(1))
    assert rig.rehearsals.moments[2].cells[RULE].shown is RehearsalOutcome.NEAR


def test_a_saved_edit_does_not_take_the_kept_state_away(rig) -> None:
    rig.run(results_screen())
    rig.click(0, 0)
    with rig.room.qtbot.waitSignal(rig.room.session.backtests.ready, timeout=20_000):
        rig.room.run("rules.backtest")
    rig.room.until(lambda: not rig.room.studio.tasks.jobs)
    assert rig.room.session.rehearsed is rig.rehearsals.moments[0]


@pytest.mark.all_workspaces
def test_leaving_the_workspace_ends_it(rig) -> None:
    rig.run()
    rig.workspace.window().show_workspace("record")
    assert not rig.rehearsals.is_running
    assert rig.rehearsals.moments


def test_sentences_say_what_was_drawn(rig) -> None:
    rig.run(results_screen())
    result = rig.rehearsals.moments[1].cells[RULE]
    assert probability_text(result) == f"Draw {result.draw:.2f} against probability 1"
    assert sentence(result) == f"Would fire here, because: {result.reason}"
    assert probability_text(rig.rehearsals.moments[0].cells[RULE]) == ""


def test_in_a_narrow_window_the_head_leaves_out_what_can_be_done_without(rig, qtbot) -> None:
    rig.workspace.bottom.turn_to(REHEARSAL)
    window, panel = rig.workspace.window(), rig.panel
    for width, legend, captions in ((1600, True, True), (1280, False, True), (960, False, False)):
        window.resize(width, 800)
        rig.room.until(lambda: window.width() == width)  # noqa: B023 - asked before the next turn
        assert [label.isVisible() for label in panel.legend] == [legend] * 4
        assert [caption.isVisible() for caption in panel.captions] == [captions] * 2
        assert panel.clear.geometry().right() < panel.width()
        assert panel.fire.x() > panel.most.geometry().right()
