"""What every list of painted entries does the same: choose, open, copy and read aloud."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from collector.hierarchy.selector_ranking import rank_selectors
from collector.run.results.episode_log import LogLine
from studio.commands.search import PaletteEntry, search
from studio.theme import theme
from studio.views.project.problem_list import ProblemList, ProblemRow
from studio.widgets.episode_log.view import EpisodeLogView
from studio.widgets.inject.anomaly_entries import AnomalyEntry
from studio.widgets.inject.anomaly_list import AnomalyList
from studio.widgets.state_difference.trajectory_difference_list import (
    DifferenceEntry,
    TrajectoryDifferenceList,
)
from studio.widgets.tables.act_list import ActEntry, ActList
from studio.widgets.tree_panel.selectors import SelectorList
from studio.widgets.window_frame.command_palette import PaletteHitList
from studio.widgets.window_frame.notification_dialog import MessageList
from studio.widgets.window_frame.notification_log import Notification
from tests.helpers.sample_screen import sample_tree
from tests.helpers.solvability import LOW, QUIET


def acts():
    return ActList("Acts"), [ActEntry("edit", f"{who} proposed", "10:00", "", who) for who in "abc"]


def anomalies():
    return AnomalyList(), [AnomalyEntry(LOW, own=True), AnomalyEntry(QUIET, own=False)]


def differences():
    kinds = [("Loop", 2), ("Detour", 5), ("Ended", 9)]
    rows = [DifferenceEntry("loop", "text-2", title, "Because", slot, slot, 0) for title, slot in kinds]
    return TrajectoryDifferenceList(), rows


def hits():
    found, _count = search([PaletteEntry("command", name, f"Run {name}") for name in "abc"], "run")
    return PaletteHitList(), found


def log():
    return EpisodeLogView(), [LogLine(step, "check", f"Line {step}", "why " * 60) for step in (1, 2, 3)]


def messages():
    return MessageList(), [Notification("ok", f"Thing {number}", "So", "10:00:00") for number in range(3)]


def problems():
    rows = [
        ProblemRow("err", name, "It is wrong", "tasks.yaml", "Edit task", "edit-task", name) for name in "abc"
    ]
    return ProblemList(), rows


def selectors():
    tree = sample_tree()
    return SelectorList(), rank_selectors(tree, next(node for node in tree if node.short_id == "title"))


@pytest.fixture(params=[acts, anomalies, differences, hits, log, messages, problems, selectors])
def entries(request, hosted):
    view, given = request.param()
    hosted(view, 400, 300).show_entries(given)
    return view


@pytest.fixture
def heard(entries):
    said = {"chosen": [], "opened": []}
    entries.chosen.connect(said["chosen"].append)
    entries.opened.connect(said["opened"].append)
    return said


def test_arrows_choose_and_both_enter_keys_open(entries, heard):
    entries.choose(1)
    QTest.keyClick(entries, Qt.Key.Key_Up)
    assert heard["chosen"] == [entries.entries[1], entries.entries[0]]
    if isinstance(entries, ProblemList):
        entries.action_asked.connect(heard["opened"].append)
    QTest.keyClick(entries, Qt.Key.Key_Return)
    QTest.keyClick(entries, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    QTest.keyClick(entries, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert heard["opened"] == [entries.current] * 2


def test_a_click_chooses_and_one_or_two_open(entries, heard):
    place = entries.visualRect(entries.model().index(1, 0)).center()
    QTest.mouseClick(entries.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert entries.current == entries.entries[1]
    assert heard["opened"] == [entries.current] * entries.opens_on_click
    QTest.mouseDClick(entries.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heard["opened"][-1] == entries.current


def test_the_selected_entry_is_copied_or_all_without_one(entries):
    copied = []
    entries.copied.connect(copied.append)
    copy = Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(entries, *copy)
    entries.choose(1)
    QTest.keyClick(entries, *copy)
    texts = [entries.text_of(entry) for entry in entries.entries]
    assert copied == ["\n".join(texts), texts[1]]
    assert QGuiApplication.clipboard().text() == texts[1]
    entries.show_entries([])
    QTest.keyClick(entries, *copy)
    assert len(copied) == 2, "nothing takes the place of what was copied"


def test_the_list_and_each_entry_are_read_aloud(entries, qtmodeltester):
    assert entries.accessibleName()
    model = entries.model()
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert all(spoken)
    assert len(set(spoken)) == len(entries.entries)
    qtmodeltester.check(model)


def test_the_current_entry_stays_current_without_a_signal(entries, heard):
    given = entries.entries
    entries.show_row(1)
    entries.show_entries(given[::-1])
    assert entries.current == given[1]
    entries.show_entries((*entries.entries, given[0]))
    assert entries.current == given[1]
    entries.show_row(-1)
    assert entries.current is None
    assert heard == {"chosen": [], "opened": []}


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_current_entry_is_tinted_in_both_themes(entries, scheme):
    theme.use(scheme)
    box = entries.visualRect(entries.model().index(1, 0))
    plain = entries.viewport().grab().toImage().copy(box)
    entries.choose(1)
    assert entries.viewport().grab().toImage().copy(box) != plain


def test_of_findings_the_one_before_takes_the_place_of_one_that_is_gone(hosted):
    view, rows = problems()
    hosted(view, 400, 300).show_entries(rows)
    view.choose(2)
    view.show_entries(rows[:2])
    assert view.current == rows[1]
    view.choose(0)
    view.show_entries(rows[1:])
    assert view.current is None, "the next step goes to the first"


def test_more_lines_of_a_log_are_followed_at_its_end_alone(hosted):
    view, lines = log()
    hosted(view, 400, 90).show_entries(lines)
    view.scrollToBottom()
    view.show_lines([*lines, LogLine(4, "check", "Line 4")])
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    view.scrollToTop()
    view.show_lines([*lines, LogLine(4, "check", "Line 4"), LogLine(5, "check", "Line 5")])
    assert view.verticalScrollBar().value() == 0
