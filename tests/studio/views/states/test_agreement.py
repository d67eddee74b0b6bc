"""The tab *Agreement* compares people and judges, and opens each disagreement at its step."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from collector.model.verdicts.judgement import Judgement, Subject
from collector.model.verdicts.voted_subject import PEOPLE
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def tab(room):
    """Lin submitted the first of two goldens that sara and the rules judged, too; jo labelled one state."""
    first, second = room.folder_of("buy-lin"), room.folder_of("buy-sara")
    lin = Labels("lin", submitted="2026-11-23").with_reached("results", 1).with_reached("bought", 3)
    write_labels(first, lin.with_missed("liked"))
    write_labels(
        first,
        Labels("sara", submitted="2026-11-24").with_reached("results", 2).with_missed("bought", "liked"),
    )
    write_labels(second, Labels("lin").with_reached("results", 1).with_missed("bought"))
    write_labels(second, Labels("sara").with_reached("results", 1).with_reached("bought", 2))
    write_labels(second, Labels("jo").with_missed("results"))
    add_judgements(first, [
        Judgement("rules", "rule", "1", Subject("state", "results", 1, 1), "reached"),
        Judgement("rules", "rule", "1", Subject("state", "bought", 3, 3), "reached"),
        *(Judgement(who, "person", "", Subject(), "success") for who in ("lin", "sara")),
    ])  # fmt: skip
    room.run("states.show-agreement")
    page = room.workspace.bottom.page("agreement")
    room.until(lambda: page.reader.votes.judges)
    return page


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_pairs_quality_and_disagreements_are_shown_copied_and_opened(room, tab):
    pairs = {row[0]: row[2:] for row in texts(tab.pairs)}
    # Lin and sara on five states: agree on results, liked and results; on bought twice not.
    assert pairs["lin - sara"] == ["0.17", "60 %", "50 %", "5 of 5"]
    assert pairs["lin - rules"] == ["undefined", "100 %", "100 %", "2 of 5"]
    assert pairs["jo - lin"][0] == "0.00"
    assert pairs["all 3 people"][3] == "1 of 5"
    assert [figure.text() for figure in tab.figures] == ["-0.50", "-", "1 / 5"]
    tab.tolerance.set_current("1")
    tab.tolerance.chosen.emit("1")
    assert {row[0]: row[2:] for row in texts(tab.pairs)}["lin - sara"][2] == "100 %"

    assert tab.against.currentData() == PEOPLE
    assert texts(tab.quality) == [["rules", "100.0", "100.0", "100.0", "100.0", "1"]]
    # What others say of the second trajectory has to wait until lin submits it.
    assert [row[:2] for row in texts(tab.disagreements)] == [["golden-1", "The poster is in the cart"]]
    assert "lin: step 4, rules: step 4, sara: missed" in texts(tab.disagreements)[0][2]
    assert says(tab, "2 more")

    as_csv, as_markdown = tab.copy_menu().actions()
    as_markdown.trigger()
    copied = QGuiApplication.clipboard().text()
    assert "| lin - sara | state | all | 5 | 5 | 60.0 | 0.167 | 100.0 | 2 |" in copied
    assert "| rules | people | state | 1 | 100.0 | 100.0 | 100.0 | 100.0 |" in copied
    as_csv.trigger()
    assert "lin - rules,state,all,2,5,100.0,,100.0,2" in QGuiApplication.clipboard().text()

    room.session.choose_trajectory("buy-sara", 0)
    tab.disagreements.choose(0)
    tab.open.click()
    assert (room.session.trajectory.id, room.session.step, room.session.state_id) == ("buy-lin", 3, "bought")

    tab.verdict_menu(tab.chosen).actions()[0].trigger()
    room.until(lambda: room.toasts and "you reviewed it yourself" in room.toasts[-1])
    assert not read_judgements(room.folder_of("buy-lin")).settled()
    room.studio.settings.set("recording.author", "cleo")  # she labelled nothing: nothing is hidden from her
    room.until(lambda: len(tab.disagreements.rows) == 3)
    tab.disagreements.choose(0)
    menu = tab.verdict_menu(tab.chosen)
    words = [action.text() for action in menu.actions()]
    assert words == ["step 4, as lin, rules says", "missed, as sara says"]
    next(action for action in menu.actions() if "lin" in action.text()).trigger()
    room.until(lambda: read_judgements(room.folder_of("buy-lin")).settled())
    room.until(lambda: "adjudicated: reached" in texts(tab.disagreements)[0][2])
    room.until(lambda: texts(tab.quality) == [["rules", "100.0", "100.0", "100.0", "100.0", "2"]])
    room.run("edit.undo")
    room.until(lambda: not read_judgements(room.folder_of("buy-lin")).settled())

    tab.kind.set_current("task")
    tab.kind.chosen.emit("task")
    assert [row[0] for row in texts(tab.pairs)] == ["lin - sara"]
    assert tab.disagreements.rows == ()
    room.session.choose_task("look")
    assert tab.pairs.rows == ()
    assert says(tab, "No two judges")
    tab.scope.set_current("all")
    tab.scope.chosen.emit("all")
    assert len(tab.pairs.rows) == 1
    tab.kind.set_current("state")
    tab.kind.chosen.emit("state")
    assert tab.disagreements.rows[0][0].text.startswith("buy / ")
    tab.open_disagreement(0)
    room.until(lambda: room.session.task_id == "buy" and room.session.trajectory is not None)
