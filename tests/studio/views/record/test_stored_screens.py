"""Screens of recorded states are loaded from the disk."""

from __future__ import annotations

import io
import weakref

import pytest
from PIL import Image
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from collector.model.geometry import Size
from collector.model.trajectory import State, Step
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.pictures import thumbnail
from studio.views.stored_screens import StoredScreenCache, StoredScreens
from tests.helpers.hostile_pictures import HUGE, black_png, huge_png
from tests.helpers.steps import xml


def test_a_state_without_a_screenshot_still_shows_its_tree_and_is_kept_by_no_cache(runner, folder, qtbot):
    screens = StoredScreens(runner, None, None)
    stored = open_trajectory(folder)
    screens.open(stored.header.id, folder)
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(stored.steps[0])
    step, screen = arrived.args
    assert step is stored.steps[0]
    assert screen.image.isNull()
    assert len(screen.tree) >= 1
    node = weakref.ref(screen.tree.nodes[0])
    del arrived, screen
    qtbot.waitUntil(lambda: node() is None)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_a_thumbnail_covers_its_box_and_has_the_colours_of_the_screen(mode):
    screen = Image.new("RGB", (1080, 2400), (200, 200, 200))
    screen.paste((20, 20, 20), (0, 1200, 1080, 2400))
    data = io.BytesIO()
    screen.convert(mode).save(data, "PNG")
    small = thumbnail(data.getvalue(), QSize(116, 258))
    assert small.size() == QSize(116, 258)
    assert small.pixelColor(58, 60) == QColor(200, 200, 200)
    assert small.pixelColor(58, 200) == QColor(20, 20, 20)


def test_a_small_screen_is_scaled_up_and_a_damaged_one_has_no_thumbnail():
    data = io.BytesIO()
    Image.new("RGB", (90, 200), (0, 99, 0)).save(data, "PNG")
    small = thumbnail(data.getvalue(), QSize(116, 258))
    assert small.size() == QSize(116, 258)
    assert small.pixelColor(50, 50) == QColor(0, 99, 0)
    assert thumbnail(data.getvalue()[:-30], QSize(116, 258)).isNull()


def test_screens_are_kept_within_their_bytes(runner, tmp_path, qtbot):
    for number in range(4):
        image = QImage(20, 40, QImage.Format.Format_RGB32)
        image.fill(QColor(number, 0, 0))
        assert image.save(str(tmp_path / f"{number}.png"))
    cache = StoredScreenCache(7_000)  # room for two
    screens = StoredScreens(runner, None, cache)
    screens.open("t", tmp_path)
    for number in range(4):
        with qtbot.waitSignal(screens.arrived):
            screens.request(Step(number, number, "", State(f"{number}.png"), None))
    assert cache.byte_count == 2 * 20 * 40 * 4
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(Step(0, 0, "", State("0.png"), None))
    assert arrived.args[1].image.pixelColor(1, 1) == QColor(0, 0, 0)


def test_a_screenshot_that_cannot_be_shown_says_why_and_its_tree_is_shown(runner, tmp_path, qtbot):
    (tmp_path / "0.png").write_bytes(huge_png())
    (tmp_path / "0.xml").write_bytes(xml())
    screens = StoredScreens(runner, None, StoredScreenCache())
    screens.open("t", tmp_path)
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(Step(0, 0, "", State("0.png", "0.xml"), None))
    screen = arrived.args[1]
    assert screen.image.isNull()
    assert len(screen.tree) == 1
    assert f"too large: {HUGE} pixels" in screen.picture_problem
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(Step(1, 1, "", State("gone.png", "0.xml"), None))
    assert arrived.args[1].picture_problem.startswith("gone.png cannot be read")


def test_a_large_screenshot_is_kept_reduced(runner, tmp_path, qtbot):
    """Four columns of 36 megapixels would take 600 MB."""
    (tmp_path / "0.png").write_bytes(black_png(6000, 6000))
    screens = StoredScreens(runner, None, StoredScreenCache())
    screens.open("t", tmp_path)
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(Step(0, 0, "", State("0.png"), None))
    screen = arrived.args[1]
    assert (screen.image.size(), screen.size) == (QSize(3000, 3000), Size(6000, 6000))
