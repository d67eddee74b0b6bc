"""Watching a run in the window: tiles, results, the log of an episode, and what people do to phones."""

from __future__ import annotations

import dataclasses
import time

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from collector.model.action import Key, Tap, Type
from collector.model.errors import UserError
from collector.run.control.requests import SteerWorker
from collector.run.cycle.steering.control import (
    AnswerAgent,
    Pause,
    PersonAction,
    Resume,
    SingleStep,
    StopEpisode,
    TakeOver,
)
from collector.run.events import ControlChanged, EpisodeEnded, RunEnded, UserAsked, WorkerChanged
from collector.run.results.result_rows import ResultOrder
from rule_editor.widgets.cell_grid import GridCell
from studio.views.panel_layout import Panel
from tests.helpers.run_feed import RunFeed
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def jpeg(shade: int) -> bytes:
    image = QImage(360, 800, QImage.Format.Format_RGB32)
    image.fill(0xFF000000 | shade)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG")
    return bytes(buffer.data().data())


class Watched:
    """The workspace with a run of three phones, fed by hand."""

    def __init__(self, room) -> None:
        self.room, self.session, self.workspace = room, room.session, room.workspace
        self.sent: list[object] = []
        self.session.runs.send = self.sent.append
        cells = list(self.session.cells)
        self.feed = RunFeed(cells, 3, lambda worker, step: jpeg(worker * 40 + step), time.time)
        self.board = self.workspace.tiles.board
        self.session.take_events(self.feed.begin())
        self.episodes = [self.feed.episode(number) for number in range(3)]

    def until(self, kind: str, number: int = 0) -> None:
        """Feed the events of a phone until one of a kind."""
        for events in self.episodes[number]:
            self.session.take_events(events)
            if any(event.kind == kind for event in events):
                return

    def steered(self) -> list[tuple[str, object]]:
        sent, self.sent[:] = list(self.sent), []
        return [(item.worker, item.command) for item in sent if isinstance(item, SteerWorker)]


@pytest.fixture
def watched(room):
    return Watched(room)


@pytest.mark.all_workspaces
def test_a_run_is_watched_steered_and_taken_over(watched, qtbot, room) -> None:
    board, session = watched.board, watched.session
    assert [tile.worker.phone for tile in board.tiles] == ["virt-1", "virt-2", "virt-3"]
    watched.until("action_predicted", 0)
    watched.until("episode_began", 1)
    tile = board.tile("virt-1")
    assert tile.worker.caption == "Open Shop"
    assert "Open Shop" in tile.describe()
    assert tile.worker.picture_number == 1

    # A click chooses the phone and its cell; the commands are for it.
    qtbot.mouseClick(board.tile("virt-2"), Qt.MouseButton.LeftButton)
    assert session.selected_worker == "virt-2"
    assert session.selected_cell == session.progress.workers["virt-2"].cell
    room.run("run.pause-episode")
    room.run("run.step")
    room.run("run.stop-episode")
    assert watched.steered() == [("virt-2", Pause()), ("virt-2", SingleStep()), ("virt-2", StopEpisode())]
    qtbot.mouseClick(board.tile("virt-1").pause, Qt.MouseButton.LeftButton)
    assert watched.steered() == [("virt-1", Pause())]
    cell = session.progress.workers["virt-1"].cell
    session.take_events([ControlChanged(worker="virt-1", cell=cell, state="paused")])
    qtbot.mouseClick(board.tile("virt-1").pause, Qt.MouseButton.LeftButton)
    assert watched.steered() == [("virt-1", Resume())]
    session.select_worker("virt-2")
    room.run("run.next-phone")
    assert session.selected_worker == "virt-3"

    answer_what_agents_ask(watched, qtbot, room)

    # The menu of a tile holds the commands of its phone.
    board.menu_asked.emit("virt-2", QPoint(10, 10))
    titles = [action.text().split("\t")[0] for action in room.menu().actions() if action.text()]
    assert {"Step", "Take over", "Stop this episode", "Open in Review", "Log of the episode"} <= set(titles)
    room.menu().close()

    # A phone without an episode refuses in a sentence.
    session.select_worker("virt-3")
    with pytest.raises(UserError, match="no phone with a running episode"):
        room.run("run.step")

    take_over_and_give_back(watched, qtbot, room)

    # The end of the run takes the tiles away.
    session.take_events([WorkerChanged(worker=name, state="closed") for name in watched.feed.names])
    assert not board.tiles
    session.take_events([RunEnded(how="finished")])
    assert watched.workspace.tiles.empty.isVisible()


def answer_what_agents_ask(watched, qtbot, room) -> None:
    session, bar = watched.session, watched.workspace.tiles.questions
    with pytest.raises(UserError, match="no agent waits for an answer"):
        room.run("run.answer")
    workers = session.progress.workers
    asked = [
        UserAsked(worker=name, cell=workers[name].cell, step=2, question=question, within_s=within)
        for name, question, within in (("virt-1", "Which poster?", 90), ("virt-2", "Which day?", 60))
    ]
    session.take_events(asked[:1])
    assert bar.isVisible()
    session.take_events(asked[1:])
    assert (bar.worker, bar.question.text()) == ("virt-1", "Which poster?")  # what is answered stays
    assert "1 more agent asks" in bar.who.text()
    assert "seconds left" in bar.left.text()
    tile = watched.board.tile("virt-1")
    assert "The agent waits for an answer" in tile.accessibleDescription()
    assert "Which poster?" in tile.describe()
    room.run("run.answer")
    bar.field.setText("The oak one")
    watched.steered()
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    session.take_events([dataclasses.replace(asked[0], is_open=False)])
    assert (bar.worker, bar.field.text()) == ("virt-2", "")
    qtbot.mouseClick(bar.leave, Qt.MouseButton.LeftButton)
    assert watched.steered() == [
        ("virt-1", AnswerAgent("The oak one", "lin")), ("virt-2", AnswerAgent("", "lin")),
    ]  # fmt: skip
    session.take_events([dataclasses.replace(asked[1], is_open=False)])
    assert not bar.isVisible()


def take_over_and_give_back(watched, qtbot, room) -> None:
    board, session = watched.board, watched.session
    watched.until("screen_observed", 0)
    session.select_worker("virt-1")
    cell = session.selected_cell
    room.run("run.take-over")
    assert watched.steered() == [("virt-1", TakeOver("lin"))]
    assert board.enlarged_worker == "virt-1"
    tile = board.tile("virt-1")
    assert tile.surface is None  # until the runner says so
    session.take_events([ControlChanged(worker="virt-1", cell=cell, state="taken_over", person="lin")])
    surface = tile.surface
    assert surface is not None
    assert tile.give_back.isVisible()
    assert "lin is in control" in tile.accessibleDescription()
    assert room.studio.commander.title("run.take-over") == "Give back"
    room.until(lambda: surface.has_keyboard or not surface.isActiveWindow())

    at = surface.picture_rect().center()
    qtbot.mouseClick(surface, Qt.MouseButton.LeftButton, pos=at)
    with qtbot.waitSignal(surface.acted) as acted:
        pass
    assert isinstance(acted.args[0], Tap)
    assert abs(acted.args[0].x - 540) < 12
    qtbot.mouseClick(surface, Qt.MouseButton.RightButton, pos=at)
    surface.text_committed.emit("海报")
    surface.key_pressed.emit("enter")
    sent = [command.action for _worker, command in watched.steered() if isinstance(command, PersonAction)]
    assert [type(action) for action in sent] == [Tap, Key, Type, Key]
    assert sent[1] == Key("back")

    # The newest screen takes the place of the one before.
    before = surface.frame
    watched.until("screen_observed", 0)
    assert surface.frame is not before
    tile.give_back.click()
    assert watched.steered() == [("virt-1", Resume())]
    session.take_events([ControlChanged(worker="virt-1", cell=cell, state="running")])
    assert tile.surface is None
    assert not tile.give_back.isVisible()
    assert room.studio.commander.title("run.take-over") == "Take over"
    # Another person's control is shown, and this window sends nothing.
    session.take_events([ControlChanged(worker="virt-1", cell=cell, state="taken_over", person="ana")])
    assert tile.surface is None
    assert tile.give_back.isVisible()
    room.run("run.enlarge-phone")
    assert board.enlarged_worker == ""


def test_a_window_that_closes_gives_its_phones_back(watched, room) -> None:
    watched.until("screen_observed", 0)
    watched.session.select_worker("virt-1")
    cell = watched.session.selected_cell
    room.run("run.take-over")
    watched.session.take_events(
        [ControlChanged(worker="virt-1", cell=cell, state="taken_over", person="lin")]
    )
    assert watched.steered() == [("virt-1", TakeOver("lin"))]
    room.studio.window.close()
    assert watched.steered() == [("virt-1", Resume())]


def test_results_fill_in_and_the_log_is_read(watched, qtbot, room) -> None:
    session, results = watched.session, watched.workspace.results
    view = results.grid_view
    assert view.grid.total == len(session.cells)
    watched.until("episode_began", 0)
    watched.until("episode_ended", 1)
    first, second = (worker.task for worker in list(session.progress.workers.values())[:2])
    assert {first, second} <= set(view.grid.row_names)
    assert view.grid.counts()["running"] == 1
    assert view.grid.counts()["success"] == 1
    assert says(results, "1 of")

    # Keys walk, and choose the cell that commands are for.
    session.select_cell("")
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert session.selected_cell == session.cells[0].id
    assert "running" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    chosen = session.cell(session.selected_cell)
    assert chosen is not None
    assert chosen.task == "look"
    assert view.current_cell == GridCell(1, 1)
    rect = view.cell_rect(view.cell_of(session.cells[0].id))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert session.selected_cell == session.cells[0].id
    assert session.cells[0].task in view.tip_at(rect.center())

    # The legend filters, the button sorts.
    results.legend.toggle("success")
    assert len(view.rows.shown) == 1
    results.legend.toggle("success")
    view.set_order(ResultOrder.BEST)
    assert view.grid.success_of(view.rows.shown[0]) == 1.0

    room.run("run.show-rates")
    cells = results.rates.rows
    assert any(row[2].text == "100.0 %" for row in cells)
    room.run("run.show-list")
    room.until(lambda: results.episodes.note.text() == "0 episodes")
    results.episodes.field.setText("steps:<<")
    room.until(lambda: results.episodes.note.property("tone") == "err")
    room.run("run.show-grid")
    assert results.form == "grid"
    read_the_log_of_a_live_episode(watched, room)


def read_the_log_of_a_live_episode(watched, room) -> None:
    session, workspace = watched.session, watched.workspace
    watched.until("step_done", 0)
    session.select_worker("virt-1")
    assert not workspace.panel_shown(Panel.RIGHT)
    room.run("run.show-log")
    assert workspace.panel_shown(Panel.RIGHT)
    log = workspace.log.view
    room.until(lambda: any(line.text == "Thought" for line in log.entries))
    texts = [line.text for line in log.entries]
    condition = session.cell(session.selected_cell).condition
    assert texts[0].endswith("without an anomaly" if condition == "baseline" else f"under {condition}")
    assert "Observed the screen" in texts
    assert "Thought" in texts
    count = len(log.entries)
    watched.until("step_done", 0)
    room.until(lambda: len(log.entries) > count)
    log.copy()
    assert "Thought: The task is about posters" in QApplication.clipboard().text()
    worker = session.progress.workers["virt-1"]
    ended = EpisodeEnded(worker="virt-1", cell=worker.cell, trajectory="", infrastructure="The phone is gone")
    session.take_events([ended])
    room.until(lambda: "fault of the machine" in log.entries[-1].text)
    assert log.entries[-1].detail == "The phone is gone"
    assert "The phone is gone" in workspace.log.outcome.text()
