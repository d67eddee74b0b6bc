"""The tab *Judges* writes a judge, tries it over the film strip, and runs it on many trajectories."""

from __future__ import annotations

import json
import threading
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from collector.consent.allowed_hosts import AllowedHosts
from collector.model_judges.judge_files import read_judge_file
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from studio.views.states.judges.judge_form_dialog import JudgeFormDialog
from studio.views.states.judges.judge_texts import spent_text
from studio.views.states.judges.run_many_dialog import RunManyDialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog
from tests.helpers.chat_server import ChatServer, completion
from tests.helpers.shown_texts import says
from tests.studio.app.test_focus_and_names import nameless

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


class Model:
    """Says yes of results from step 2 on, and of no other state; waits while ``going`` is cleared."""

    def __init__(self) -> None:
        self.going = threading.Event()
        self.going.set()

    def __call__(self, exchange) -> None:
        self.going.wait(20)
        words = " ".join(exchange.server.requests[-1].texts)
        if "Which colour" in words:
            answer = "<answer>blue</answer>" if "<answer>" in words else '{"colour": "blue"}'
        else:
            answer = (
                f"<think>looked</think><answer>{'yes' if 'Results are shown' in words else 'no'}</answer>"
            )
        exchange.send(200, json.dumps(completion(answer)).encode())


@pytest.fixture
def model():
    playing = Model()
    yield playing
    playing.going.set()


@pytest.fixture
def server(model):
    with ChatServer(model) as opened:
        yield opened


@pytest.fixture
def tab(room):
    room.run("states.show-judges")
    page = room.workspace.bottom.page("judges")
    room.until(lambda: page.library.judges)
    return page


def press(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def dialog_of(room, kind):
    room.until(lambda: room.studio.window.findChild(kind) is not None)
    return room.studio.window.findChild(kind)


def names(tab) -> list[str]:
    return [row[0].text for row in tab.list.table.rows]


def write(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def make_judge(room, tab, server) -> None:
    """Write the judge ``mine`` from a3rm by the form."""
    tab.list.table.choose(names(tab).index("a3rm"))
    press(tab.list.new)
    form = dialog_of(room, JudgeFormDialog)
    assert form.name.text() == "a3rm-2"
    write(form.name, "mine")
    write(form.fields["base_url"], server.address)
    write(form.fields["price_input"], "1")
    write(form.fields["price_output"], "x")
    press(form.yes)
    assert says(form, "price_output is a number")
    write(form.fields["price_output"], "2")
    press(form.yes)
    room.until(lambda: "mine" in names(tab) and tab.list.judge.name == "mine")


def test_a_judge_is_written_checked_and_tried_over_the_film_strip(room, tab, server):
    assert {"a3rm", "a3-commercial", "cascade", "probench", "vote", "rubric"} <= set(names(tab))
    tab.list.table.choose(names(tab).index("rubric"))
    assert (tab.list.new.isEnabled(), tab.list.edit.isEnabled(), tab.try_it.isEnabled()) == (
        True,
        False,
        False,
    )
    make_judge(room, tab, server)
    project = Project.open(room.folder)
    options = read_judge_file("mine", project).options
    assert (options["window"], options["price_output"], options["prompt"]) == (2, 2, "a3rm")
    room.until(lambda: says(tab, "mine as it is now was not asked"))
    assert not server.requests

    press(tab.list.check)
    trust = dialog_of(room, TrustDialog)
    assert says(trust, "Agents and judges of project show")
    assert says(trust, server.address.removesuffix("/v1"))
    press(trust.yes)
    room.until(lambda: says(tab.list, "sees the picture"))
    assert server.address.removesuffix("/v1") in AllowedHosts().hosts()

    press(tab.try_it)
    room.until(lambda: tab.bars.rows)
    results, bought, liked = (row.bars for row in tab.bars.rows)
    assert [(bar.first, bar.last, bar.verdict) for bar in results] == [(0, 1, "reached")]
    assert {bar.verdict for bar in (*bought, *liked)} == {"missed"}
    assert [(bar.first, bar.last) for bar in liked] == [(0, 1), (1, 2), (2, 3)]
    asked = len(server.requests) - 1
    assert says(tab, f"mine: failure, not stored  ·  {asked * 0.00126:.4f} USD, {asked} questions asked")
    assert not read_judgements(room.folder_of("buy-lin")).judgements

    place = tab.bars.bar_place(1, 0).center()
    QTest.mouseClick(tab.bars.viewport(), Qt.MouseButton.LeftButton, pos=place)
    room.until(lambda: len(tab.details.pictures) == 2)
    assert says(tab.details, "The poster is in the cart")
    assert says(tab.details, "missed - looked")
    assert says(tab.details, "1200 + 30 tokens")
    assert says(tab.details, "0.0013 USD")
    assert "The poster is in the cart" in tab.details.question.text
    assert "[picture 2]" in tab.details.question.text
    assert tab.details.answer.text == "<think>looked</think><answer>no</answer>"
    QTest.keyClick(tab.bars, Qt.Key.Key_Down)
    room.until(lambda: says(tab.details, "The poster looks good") and tab.details.pictures)

    assert nameless(QAccessible.queryAccessibleInterface(tab)) == []
    tab.keep.click()
    press(tab.try_it)
    room.until(lambda: says(tab, f"mine: failure  ·  0 questions asked, {asked} answered before"))
    stored = read_judgements(room.folder_of("buy-lin")).judgements
    assert {item.judge for item in stored} == {"mine"}

    press(tab.list.edit)
    form = dialog_of(room, JudgeFormDialog)
    write(form.fields["window"], "3")
    press(form.yes)
    room.until(lambda: says(tab, "mine as it is now was not asked"))


def test_many_are_judged_with_cost_pause_and_cancel(room, tab, server, model, qtbot):
    make_judge(room, tab, server)
    changes = []
    room.studio.stored_labels.changed.connect(partial(changes.append, True))
    press(tab.many)
    dialog = dialog_of(room, RunManyDialog)
    room.until(lambda: "2 trajectories, at most 15 questions, about" in dialog.cost.text())
    write(dialog.limit, "none")
    assert (says(dialog, "Write an amount"), dialog.yes.isEnabled()) == (True, False)
    write(dialog.limit, "5")
    model.going.clear()
    press(dialog.yes)
    press(dialog_of(room, TrustDialog).yes)
    room.until(lambda: tab.judging.is_running and server.requests)
    assert not tab.try_it.isEnabled()
    assert not tab.many.isVisible()
    press(tab.pause)
    assert tab.pause.text() == "Go on"
    model.going.set()
    room.until(lambda: says(tab, "mine is paused at 0 of 2") and not says(tab, " 0 questions asked"))
    asked = len(server.requests)
    press(tab.pause)
    room.until(lambda: not tab.judging.is_running)
    assert says(tab, "mine: 2 failure")
    assert len(server.requests) > asked
    assert changes
    judged = {
        item.judge
        for name in ("buy-lin", "buy-sara")
        for item in read_judgements(room.folder_of(name)).judgements
    }
    assert judged == {"mine"}

    press(tab.many)
    dialog = dialog_of(room, RunManyDialog)
    dialog.undecided.click()
    room.until(lambda: "2 trajectories, at most 0 questions" in dialog.cost.text())
    press(dialog.no)

    press(tab.list.edit)
    form = dialog_of(room, JudgeFormDialog)
    write(form.fields["window"], "3")
    press(form.yes)
    room.until(lambda: says(tab, "mine as it is now was not asked"))
    model.going.clear()
    press(tab.try_it)
    room.until(lambda: tab.judging.is_running and tab.cancel.isVisible())
    press(tab.cancel)
    room.until(lambda: says(tab, "mine: cancelled"))
    assert not tab.cancel.isVisible()


def test_without_prices_no_sum_is_said():
    assert spent_text((3, 1, 0.0)) == "3 questions asked, one answered before"
    assert spent_text((1, 0, 0.5)) == "0.5000 USD, one question asked"
