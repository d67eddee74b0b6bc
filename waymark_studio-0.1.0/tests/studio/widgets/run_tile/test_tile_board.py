"""Tiles on their board: what is painted where, what keys and clicks ask for, when numbers count."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from collector.model.action import Swipe, Tap, action_to_dict
from collector.run.progress import WorkerProgress
from studio.theme import theme
from studio.widgets import running_ring
from studio.widgets.run_tile.tile_board import TileBoard

NOW = 1000.0


def picture(shade: str = "#ffffff", width: int = 360, height: int = 800) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(shade)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def busy(number: int) -> WorkerProgress:
    return WorkerProgress(
        f"w{number}", "ready", f"virtual {number}", cell=f"c{number}", task="shop-14", agent="gpt",
        condition="low_battery", budget=30, step=3, phase="hold", control="running", picture=picture(),
        picture_number=1, width=1080, height=2400, states=("a", "b"), reached=("a",),
    )  # fmt: skip


@pytest.fixture
def board(hosted):
    clock = [NOW]
    board = TileBoard(lambda: clock[0], "lin")
    board.clock = clock
    hosted(board, 1260, 438)
    return board


def shown(board, *workers: WorkerProgress):
    board.show_workers(workers)
    return [board.tile(worker.name) for worker in workers]


def colors(tile) -> tuple[QImage, object]:
    image = tile.grab().toImage()
    ratio = image.devicePixelRatio()

    def at(across: float, down: float) -> str:
        """The colour at a share of the screen's width and height."""
        rect = tile.screen_rect()
        x, y = rect.left() + across * rect.width(), rect.top() + down * rect.height()
        return image.pixelColor(round(x * ratio), round(y * ratio)).name()

    return image, at


def test_the_next_action_and_a_dialog_are_drawn_on_the_screen(board) -> None:
    worker = busy(1)
    (tile,) = shown(board, worker)
    _image, at = colors(tile)
    assert at(0.5, 0.5) == "#ffffff"
    board.show_worker(
        replace(worker, action=action_to_dict(Tap(540, 1200)), caption="Tap 'Sort'", acts_at=NOW + 1)
    )
    reticle = theme.overlay("mark_next").name()
    image, at = colors(tile)
    rect, ratio = tile.screen_rect(), image.devicePixelRatio()
    middle = rect.center()
    ring = [image.pixelColor(round((middle.x() + 8) * ratio) + by, round(middle.y() * ratio)).name()
            for by in range(-3, 4)]  # fmt: skip
    assert reticle in ring
    board.show_worker(replace(worker, action=action_to_dict(Swipe(540, 2000, 540, 400))))
    _image, at = colors(tile)
    assert at(0.5, 0.5) != "#ffffff"
    # Without the action nothing is left; a dialog is outlined, and has its tag.
    board.show_worker(replace(worker, dialog=(100, 1000, 980, 1600)))
    image, at = colors(tile)
    assert at(0.5, 0.55) == "#ffffff"
    edge = {image.pixelColor(round((rect.left() + 100 / 1080 * rect.width()) * ratio) + by,
                             round((rect.top() + down / 2400 * rect.height()) * ratio)).name()
            for by in range(-4, 4) for down in range(1000, 1600, 10)}  # fmt: skip
    assert theme.overlay("injected").name() in edge


def counts(board) -> bool:
    """Whether numbers go on by themselves."""
    timers = board.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return any(timer.isActive() for timer in timers)


def test_numbers_count_only_while_something_is_awaited(board, qtbot) -> None:
    worker = busy(1)
    (tile,) = shown(board, worker)
    assert not counts(board)
    board.show_worker(replace(worker, action=action_to_dict(Tap(1, 2)), acts_at=NOW + 1.2))
    assert counts(board)
    board.clock[0] = NOW + 2
    qtbot.waitUntil(lambda: not counts(board))
    board.show_worker(replace(worker, anomaly="low", transition="injected", anomaly_since=NOW))
    assert counts(board)
    board.show_worker(replace(worker, anomaly="low", transition="answered"))
    qtbot.waitUntil(lambda: not counts(board))
    assert tile.describe().startswith("virtual 1, shop-14")


def test_the_ring_of_a_running_tile_turns_unless_motion_is_off(board, monkeypatch) -> None:
    worker = busy(1)
    (tile,) = shown(board, worker)
    ring = tile.ring
    assert ring.isVisible()
    assert not ring.is_turning
    still = ring.grab().toImage()
    theme.set_motion(True)
    try:
        assert ring.is_turning
        for seconds in (0.2, 0.4):
            monkeypatch.setattr(running_ring.time, "monotonic", lambda seconds=seconds: seconds)
            assert ring.grab().toImage() != still
    finally:
        theme.set_motion(False)
    assert ring.grab().toImage() == still
    for other in (replace(worker, control="paused"), replace(worker, anomaly="low", transition="injected")):
        board.show_worker(other)
        assert not ring.isVisible()
    board.show_worker(worker)
    assert ring.isVisible()


def test_one_to_sixteen_tiles_with_any_text(board) -> None:
    long = "我看到一个低电量的对话框遮住了列表，任务没有要求处理它。" * 40 + "🙂" * 30 + "x" * 3000
    for count in (1, 4, 9, 16):
        workers = [replace(busy(number), thought=long) for number in range(count)]
        tiles = shown(board, *workers)
        assert len(board.tiles) == count
        boxes = [tile.geometry() for tile in tiles]
        assert not any(first.intersects(second) for first in boxes for second in boxes if first is not second)
        for tile in tiles[:2]:
            assert not tile.grab().isNull()
    # The state of control is on the smallest tile, too.
    board.show_worker(replace(workers[2], control="taken_over", person="ana"))
    small = board.tile("w2")
    assert small.give_back.isVisible()
    assert small.surface is None
    assert small.accessibleDescription() == "ana is in control"
    # Another person works here from now on.
    board.set_person("ana")
    assert small.surface is not None
    board.show_worker(workers[2])
    assert small.surface is None


def test_clicks_and_keys(board, qtbot) -> None:
    chosen: list[str] = []
    board.chosen.connect(chosen.append)
    first, second = shown(board, busy(1), busy(2))
    asked: list[object] = []
    board.pause_asked.connect(lambda name, pause: asked.append((name, pause)))
    board.menu_asked.connect(lambda name, _at: asked.append(name))
    board.enlarged.connect(asked.append)
    assert chosen[-1] == "w1"
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert chosen[-1] == "w2"
    QTest.mouseClick(first.pause, Qt.MouseButton.LeftButton)
    QTest.mouseClick(first.menu, Qt.MouseButton.LeftButton)
    assert asked == [("w1", True), "w1"]
    QTest.mouseDClick(second, Qt.MouseButton.LeftButton, pos=QPoint(20, 100))
    assert board.enlarged_worker == "w2"
    assert not first.isVisible()
    assert abs(second.geometry().center().x() - board.width() // 2) < 8
    QTest.keyClick(second, Qt.Key.Key_Escape)
    assert board.enlarged_worker == ""
    assert asked[2:] == ["w2", ""]
    QTest.keyClick(second, Qt.Key.Key_Left)
    assert chosen[-1] == "w1"
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert board.enlarged_worker == "w1"
    shown(board, busy(2))  # the enlarged phone went
    assert board.enlarged_worker == ""
    assert chosen[-1] == "w2"


@pytest.mark.qt_log_ignore("JPEG", extend=True)
def test_a_screen_that_cannot_be_read_is_no_picture(board) -> None:
    broken = replace(busy(1), picture=b"\xff\xd8 no picture", picture_number=2)
    wide = replace(busy(2), width=2400, height=1080, picture=picture("#336699", 800, 360))
    first, second = shown(board, broken, wide)
    assert not first.grab().isNull()
    rect = second.screen_rect()
    assert rect.width() > rect.height()
    _image, at = colors(second)
    assert at(0.5, 0.5) == "#336699"
    taken = replace(broken, control="taken_over", person="lin")
    board.show_worker(taken)
    assert first.surface is not None
    assert first.surface.frame is None
