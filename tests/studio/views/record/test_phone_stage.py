"""The bar and the tiles of the phones of a window: what they say, what they ask for, where there is room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording
from studio.settings import Settings
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.phones.phone_stage import PhoneStage
from studio.views.record.phones.phone_tab import PhoneTab
from studio.views.record.phones.window_phone import WindowPhone, window_phone
from tests.studio.views.record.test_mirror import BlackSession

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ONE = WindowPhone("one", "Pixel 7", "360 x 800  ·  en-US", "state-rec", "recording  ·  3 steps", "err")
TWO = WindowPhone("two", "phone-2 (virtual)", "720 x 1600  ·  zh-CN", "state-ok", "live")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def recording(runner, tmp_path):
    return Recording(runner, Settings(tmp_path / "s.yaml"))


@pytest.fixture
def stage(recording, qtbot):
    stage = PhoneStage(MirrorPane(recording, QLabel()))
    qtbot.addWidget(stage)
    stage.resize(900, 700)
    stage.show()
    yield stage
    stage.close_tiles()
    stage.mirror.close_phone()


@pytest.fixture
def link():
    link = PhoneLink("two", BlackSession)
    yield link
    link.close()


def test_one_phone_needs_no_bar_and_each_of_several_has_a_tab_with_what_it_does(stage, qtbot):
    bar = stage.bar
    bar.show_phones([ONE], "one")
    assert bar.isHidden()
    bar.show_phones([ONE, TWO], "two")
    assert bar.isVisible()
    assert [tab.isChecked() for tab in bar.tabs.values()] == [False, True]
    tab = bar.tabs["one"]
    assert tab.accessibleName() == "Pixel 7"
    assert tab.accessibleDescription() == "Pixel 7, 360 x 800  ·  en-US, recording  ·  3 steps"
    with qtbot.waitSignal(bar.chosen) as chosen:
        QTest.mouseClick(tab, LEFT)
    assert chosen.args == ["one"]
    for key, asked in ((Qt.Key.Key_Return, bar.chosen), (Qt.Key.Key_Delete, bar.close_asked)):
        with qtbot.waitSignal(asked):
            QTest.keyClick(tab, key)
    with qtbot.waitSignal(bar.close_asked):
        QTest.mouseClick(tab.close_button, LEFT)
    with qtbot.waitSignal(bar.close_asked):
        QTest.mouseClick(tab, Qt.MouseButton.MiddleButton)
    bar.show_phones([TWO], "two")
    assert list(bar.tabs) == ["two"]


def test_the_bar_says_in_words_and_colour_that_input_goes_to_all_phones(stage, qtbot):
    bar = stage.bar
    bar.show_phones([ONE, TWO], "one")
    corner = bar.rect().center().x(), 3
    plain = bar.grab().toImage().pixelColor(*corner)
    bar.show_mirroring(2)
    assert bar.mirror.text() == "Input goes to 2 phones"
    assert bar.mirror.isChecked()
    assert bar.grab().toImage().pixelColor(*corner) != plain
    bar.resize(420, bar.height())
    assert not bar.mirror.is_compact, "its words stay while it is on"
    bar.show_mirroring(0)
    assert bar.mirror.is_compact
    with qtbot.waitSignal(bar.mirror_asked):
        QTest.mouseClick(bar.mirror, LEFT)


def test_tiles_stand_where_their_phones_are_among_the_others_and_take_no_touch(stage, link, qtbot):
    stage.show_tiles([TWO, ONE], "one", {"two": link}, 0)
    tile = stage.tiles["two"]
    qtbot.waitUntil(lambda: stage.mirror.x() > tile.x() and tile.width() > 100)
    assert stage.mirror.width() >= 400
    assert link.session.wanted.width <= tile.width() * tile.devicePixelRatioF()
    assert tile.canvas.frame is not None
    with qtbot.waitSignal(tile.chosen) as chosen:
        QTest.mouseClick(tile.canvas, LEFT)
    assert chosen.args == ["two"]
    with qtbot.waitSignal(tile.chosen):
        QTest.keyClick(tile, Qt.Key.Key_Return)
    stage.show_tiles([ONE, TWO], "one", {"two": link}, 2)
    qtbot.waitUntil(lambda: stage.mirror.x() < tile.x())
    stage.show_tiles([ONE], "one", {"two": link}, 0)
    assert stage.tiles == {}
    assert link.session.wanted.is_empty, "nothing is scaled for nobody"


def test_tiles_stand_above_one_another_where_their_pictures_are_larger_so(stage, qtbot):
    three = replace(TWO, serial="three")
    stage.resize(stage.minimumSizeHint().width() + 220, 700)
    stage.show_tiles([TWO, ONE, three], "one", {}, 0)
    upper, lower = (stage.tiles[serial] for serial in ("two", "three"))
    qtbot.waitUntil(lambda: lower.y() >= upper.y() + upper.height() and upper.width() > 110)
    assert upper.x() == lower.x() < stage.mirror.x()
    stage.resize(1600, 700)
    qtbot.waitUntil(lambda: upper.y() == lower.y() and upper.x() < stage.mirror.x() < lower.x())


def test_a_tile_says_what_was_not_mirrored(stage, link):
    stage.show_tiles([ONE, TWO], "one", {"two": link}, 2)
    canvas = stage.tiles["two"].canvas
    assert canvas.notice == ("", "")
    stage.show_tiles([ONE, replace(TWO, problem="'Pay' is not on its screen")], "one", {"two": link}, 2)
    assert canvas.notice == ("Not mirrored", "'Pay' is not on its screen")
    assert "'Pay' is not on its screen" in stage.tiles["two"].accessibleDescription()
    link.is_lost = True
    stage.show_tiles([ONE, TWO], "one", {"two": link}, 2)
    assert canvas.notice[0] == "The phone is gone"


def test_there_is_room_for_tiles_only_beside_a_mirror_that_can_be_used(stage):
    least = stage.minimumSizeHint().width()
    stage.resize(least + 120, 700)
    assert [stage.has_room(phones) for phones in (0, 1, 2)] == [False, True, False]
    stage.resize(least + 60, 700)
    assert not stage.has_room(1)


def test_a_phone_is_described_by_what_it_does_now(recording, link):
    idle = recording.of("two")
    assert window_phone("two", "two", None, None, idle).state == "at rest"
    assert window_phone("two", "two", link, None, idle).state == "live"
    link.taken = "It is in use"
    assert window_phone("two", "two", link, None, idle).state == "in use"
    link.is_lost = True
    assert window_phone("two", "two", link, None, idle).icon == "state-err"


def test_tabs_of_phones_of_one_name_are_told_apart_however_narrow(qtbot):
    facts = replace(TWO, name="WAYMARK0001 (virtual)", brief="zh-CN")
    tab = PhoneTab(facts)
    qtbot.addWidget(tab)
    said = [tab.details_in(width) for width in (600, 200, 110, 30)]
    assert said == ["live  ·  720 x 1600  ·  zh-CN", "720 x 1600  ·  zh-CN", "zh-CN", ""]
