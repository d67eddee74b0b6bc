"""The pivot table of a built window: its numbers, its choices, and exactly the episodes behind each."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QInputDialog

from studio.views.metrics.episodes_panel import COUNTED
from studio.views.panel_layout import Panel

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def listed(panel) -> list[tuple[str, str, str]]:
    """Task, seed and outcome of each episode of the side panel."""
    episodes = [panel.model.episode(row) for row in range(panel.model.rowCount())]
    return [(episode.title, episode.about, episode.outcome) for episode in episodes]


def test_numbers_are_those_of_the_files_and_open_exactly_their_episodes(room) -> None:
    view, panel = room.workspace.table.view, room.workspace.episodes
    assert room.texts("Agent") == ["able", "able", "weak", "weak"]
    assert room.texts("SR %") == ["75.0", "25.0", "25.0", "0.0"]
    assert room.texts("Episodes") == ["4", "4", "5", "4"]
    assert room.texts("Faults") == ["0", "0", "1", "0"]
    assert room.texts("RSR %") == ["\N{EN DASH}", "33.3", "\N{EN DASH}", "0.0"]
    assert room.texts("vs baseline %") == ["\N{EN DASH}", "−50.0", "\N{EN DASH}", "−25.0"]
    assert "1 episode ended by a fault of the machine" in room.workspace.table.notes.text()
    assert room.workspace.table.count.text() == "17 of 17 episodes"
    (category,) = (column for column in view.content.columns if column.title == "Anomaly category")
    assert category.texts[0] == "Baseline"
    assert category.details[0] == "", "said once"
    interval = next(column for column in view.content.columns if column.title == "95 % interval")
    assert interval.texts[1] == "4.6 to 69.9"
    assert interval.marks.tolist()[1] == 0.75  # the baseline of the agent

    view.select_number(1, 0)
    assert (panel.title.text(), panel.figure.text(), panel.of.text()) == ("SR 25.0 %", "1", "of 4 episodes")
    assert panel.bar.counts == {"success": 1, "failure": 2, "uncompleted": 1}
    assert "Wilson interval, 4.6 to 69.9. Judge: as recorded." in panel.how.text()
    assert listed(panel) == [
        ("buy", "seed 2", "failure"), ("look", "seed 2", "failure"),
        ("look", "seed 1", "uncompleted"), ("buy", "seed 1", "success"),
    ]  # fmt: skip
    assert room.session.row_values == {
        "agent": "able",
        "anomaly-category": room.session.row_values["anomaly-category"],
    }
    room.until(lambda: panel.model.episode(0).line == "because able-b2")
    panel.show_filter("uncompleted")
    assert listed(panel) == [("look", "seed 1", "uncompleted")]
    assert panel.count.text() == "1 of 4"
    panel.show_filter(COUNTED)
    assert listed(panel) == [("buy", "seed 1", "success")]
    room.run("metrics.copy-episodes")
    from PySide6.QtGui import QGuiApplication

    room.until(lambda: QGuiApplication.clipboard().text() == "trajectories/buy/able-b1\n")

    view.select_number(2, len(room.session.tables[0].report.columns) + 1)
    panel.show_filter("all")
    assert listed(panel) == [("buy", "seed 3", "fault")]
    assert panel.bar.counts == {"fault": 1}
    room.session.show_episodes(None)
    assert view.selected is None
    assert panel.model.rowCount() == 0


def test_rows_columns_and_the_order_follow_the_person(room) -> None:
    view, bar = room.workspace.table.view, room.workspace.choices
    assert bar.rows.value == "agent, anomaly category"
    room.run("metrics.rows")
    room.choose("Anomaly category")
    room.until_counted()
    assert bar.rows.value == "agent"
    assert room.texts("Agent") == ["able", "weak"]
    assert room.texts("SR %") == ["50.0", "12.5"]
    view.toggle_sorting([column.title for column in view.content.columns].index("SR %"))
    view.toggle_sorting([column.title for column in view.content.columns].index("SR %"))
    assert room.texts("Agent") == ["weak", "able"]  # worst first
    room.run("metrics.measures")
    part = next(action.menu() for action in room.menu().actions() if action.text() == "Outcomes")
    next(action for action in part.actions() if action.text() == "Uncompleted, of all %").trigger()
    room.menu().hide()
    room.until_counted()
    assert room.texts("Uncompleted, of all %") == ["0.0", "12.5"]
    # Another number of tries than those of the menu; from then on the menu has it, too.
    room.run("metrics.measures")
    part = next(action.menu() for action in room.menu().actions() if action.text() == "Repetition")
    part.actions()[-1].trigger()
    dialog = bar.findChild(QInputDialog)
    assert (dialog.intMaximum(), dialog.isVisible()) == (100, True)
    dialog.setIntValue(1)
    dialog.accept()
    room.until_counted()
    assert room.texts("pass@1 %") == room.texts("pass^1 %") == ["12.5", "50.0"]
    room.run("metrics.measures")
    part = next(action.menu() for action in room.menu().actions() if action.text() == "Repetition")
    assert [action.text() for action in part.actions() if action.isChecked()] == ["pass@1 %", "pass^1 %"]
    room.menu().hide()


@pytest.mark.parametrize("width", [1280, 1440])
def test_choices_have_their_names_beside_the_episodes(room, qtbot, width) -> None:
    """A bare "7" or "all 3" says nothing; commands give way to the names, and are in the menu then."""
    window, workspace = room.studio.window, room.workspace
    window.resize(width, 900)
    workspace.show_panel(Panel.RIGHT)

    def all_named() -> None:
        shown = [button for button in workspace.choices.buttons if not button.isHidden()]
        assert {button.text() for button in shown if not names_itself(button)} == set()

    qtbot.waitUntil(all_named)
    assert workspace.toolbar.more.isVisible()


def names_itself(button) -> bool:
    """Whether a choice is painted with its name: it looks different without."""
    named = button.grab().toImage()
    words = button.text()
    button.setText(" " * len(words))
    with_blank = button.grab().toImage()
    button.setText(words)
    return named != with_blank


def test_tasks_conditions_seeds_judge_and_a_search_choose_what_is_counted(room) -> None:
    session, bar = room.session, room.workspace.choices
    assert [button.value for button in bar.buttons if not button.isHidden()] == [
        "numbers", "agent, anomaly category", "7", "all 2", "all 2", "recorded", "all 3",
    ]  # fmt: skip
    room.run("metrics.seeds")
    room.choose("2")
    room.until_counted()
    assert bar.seeds.value == "2 of 3"
    assert room.texts("Episodes") == ["2", "2", "3", "2"]
    room.run("metrics.seeds")
    room.choose("All")
    room.until_counted()
    assert room.texts("Episodes") == ["4", "4", "5", "4"]
    room.run("metrics.seeds")
    room.choose("All")
    room.until_counted()
    assert room.texts("Episodes") == []
    assert session.number is None
    room.run("metrics.seeds")
    room.choose("2")
    room.until_counted()
    assert bar.seeds.value == "1 of 3"
    room.run("metrics.count-all")
    room.until_counted()
    room.run("metrics.seeds")
    room.choose("2")
    room.until_counted()
    room.run("metrics.condition")
    room.choose("baseline")
    room.until_counted()
    assert room.texts("SR %") == ["50.0", "0.0"]
    assert room.texts("RSR %") == ["50.0", "0.0"]  # pairs still find their baselines
    room.run("metrics.count-all")
    room.until_counted()
    assert room.texts("Episodes") == ["4", "4", "5", "4"]
    room.workspace.menus.search("agent:able task:buy")
    room.until(lambda: session.is_counted and len(room.texts("Agent")) == 2)
    assert room.texts("SR %") == ["100.0", "50.0"]
    assert bar.tasks.value.endswith("agent:able task:buy")
    room.workspace.menus.search("")
    room.run("metrics.judge")
    room.choose("strict")
    room.until(lambda: session.is_counted and bar.judge.value == "strict" and len(room.texts("SR %")) == 4)
    assert room.texts("SR %") == ["0.0"] * 4
    assert "Judge: strict." in room.workspace.episodes.how.text()
