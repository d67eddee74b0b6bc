"""A person injects while they record, answers on the mirror, and takes changes of the phone back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.events import ANSWERED, FOLLOWED, INJECTED, UNDONE
from collector.anomalies.model import NATIVE
from collector.device.apps.companion_app import CompanionApp
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.companion.activities import OVERLAY
from collector.model.task import Task
from collector.store.checks.check import check_project
from collector.store.trajectory.reader import open_trajectory
from studio.widgets.inject.companion_dialog import CompanionDialog
from tests.helpers.guide import quote
from tests.helpers.killed_window import Window, phone_for_windows
from tests.helpers.phone_state import phone_state

SHOP = "com.waymark.shop"
_TASK = Task("shop-14", "Look at the shop", "Shop", "com.waymark.shop")
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)


def _inject(person, anomaly):
    """By the palette and the keyboard alone."""
    palette = person.studio.window.inject.palette
    person.run("record.inject")
    person.until(lambda: palette.list.entries)
    QTest.keyClicks(palette.field, anomaly)
    assert palette.list.current.anomaly.id == anomaly
    person.until(palette.inject.isEnabled)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()


def _active(person):
    return [change.anomaly for change in person.studio.anomalies.active]


def test_a_golden_path_with_an_interruption(person, tmp_path):
    heard = []
    person.studio.anomalies.happened.connect(lambda event: heard.append((event.kind, event.anomaly)))
    badge = person.studio.window.inject.badge
    project = person.open_project(tmp_path / "project", _TASK)
    person.take_phone()
    person.start()
    person.tap(person.sees("Shop"))

    quote("README.md", "press *Inject...*, type `battery` and Enter: answer the dialog on the phone")
    _inject(person, "battery_low_double_en")
    person.tap(person.sees("Open battery saver"))
    person.until(lambda: (FOLLOWED, "battery_low_double_en") in heard)
    person.until(lambda: _active(person) == [])
    assert not badge.isVisible()
    person.run("device.back")
    person.sees("Search products")

    _inject(person, "font_scale")
    person.until(lambda: _active(person) == ["font_scale"])
    quote("docs/guide/anomalies.md", "A red badge in the status bar counts open dialogs and changes")
    assert badge.text() == "1 anomaly active"
    person.until(badge.isVisible)
    person.tap(person.sees("Cart"))
    person.run("anomaly.undo")
    person.until(lambda: _active(person) == [])
    assert not badge.isVisible()
    person.run("device.back")
    person.sees("Search products")
    done = person.finish()

    dialog = [kind for kind, anomaly in heard if anomaly == "battery_low_double_en"]
    assert dialog == [INJECTED, ANSWERED, FOLLOWED]
    assert [kind for kind, anomaly in heard if anomaly == "font_scale"] == [INJECTED, UNDONE]
    stored = open_trajectory(done)
    quote("docs/guide/recording.md", "What you do about it is part of the path")
    assert stored.header.extra["interrupted"] == ["battery_low_double_en", "font_scale"]
    battery, font = stored.interruptions()
    captions = [step.description for step in stored.steps]
    answered = captions.index("Tap 'Open battery saver'")
    assert (battery.steps, battery.answered_by) == ((answered,), answered)
    assert (battery.answer, battery.button) == ("accept", "Open battery saver")
    assert "BATTERY_SAVER" in battery.follow_ups[0].command
    assert battery.slot == answered
    assert [captions[at] for at in font.steps] == ["Tap 'Cart'"]
    assert [bool(step.extra.get("anomaly")) for step in stored.steps].count(True) == 1
    assert not list(check_project(project))

    person.record.trajectories.open(done)
    person.until(lambda: len(person.record.anomalies.interruptions) == 2)
    lanes = [lane for lane in person.record.timeline.canvas.lanes() if lane.title == "Anomalies"]
    assert [mark.text for lane in lanes for mark in lane.given] == ["battery_low_double_en", "font_scale"]
    person.record.session.go(answered)
    badges = [badge.text for badge in person.record.side.steps.rows.row(answered).badges]
    quote("docs/guide/recording.md", "an injected dialog lay over the app")
    assert "under battery_low_double_en" in badges


def test_the_companion_app_is_offered_once_installed_and_removed(person, tmp_path):
    person.open_project(tmp_path / "project", _TASK)
    person.take_phone()
    window, device = person.studio.window, person.studio.devices.current.session.device
    CompanionApp(device).remove()
    toasts = window.services.toasts

    def dialog():
        shown = [each for each in window.findChildren(CompanionDialog) if each.isVisible()]
        return shown[0] if shown else None

    _inject(person, "battery_low_double_en")
    person.until(lambda: dialog() is not None and dialog().yes.isEnabled())
    assert dialog().state.text() == "The companion app is not on this phone"
    QTest.keyClick(dialog(), Qt.Key.Key_Escape)
    person.until(lambda: dialog() is None)
    assert not CompanionApp(device).status().is_installed
    person.run("device.companion")
    QTest.keyClick(dialog(), Qt.Key.Key_Escape)  # while the phone is still asked

    # It is not asked again: the error has a button that does.
    _inject(person, "battery_low_double_en")
    person.until(
        lambda: any("companion app is not on this phone" in each.accessibleName() for each in toasts.shown)
    )
    assert dialog() is None
    buttons = toasts.shown[-1].findChildren(QAbstractButton)
    ask = next(button for button in buttons if button.text() == "Install the companion...")
    QTest.mouseClick(ask, Qt.MouseButton.LeftButton)
    person.until(lambda: dialog() is not None and dialog().yes.isEnabled())
    QTest.mouseClick(dialog().yes, Qt.MouseButton.LeftButton)
    person.until(lambda: _active(person) == ["battery_low_double_en"])
    person.sees("Open battery saver")
    assert CompanionApp(device).status().is_current
    centre = person.sees("Not now").bounds.center
    device.shell(f"input tap {centre.x} {centre.y}")
    person.until(lambda: _active(person) == [])

    # A window over other apps needs a permission, which the error gives.
    _inject(person, "setup_overlay_en")
    person.until(
        lambda: any("may not show windows over other apps" in each.accessibleName() for each in toasts.shown)
    )
    buttons = toasts.shown[-1].findChildren(QAbstractButton)
    allow = next(button for button in buttons if button.text() == "Allow it and inject")
    assert OVERLAY not in CompanionApp(device).status().allowed
    QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
    person.until(lambda: _active(person) == ["setup_overlay_en"])
    assert OVERLAY in CompanionApp(device).status().allowed
    person.run("anomaly.undo")
    person.until(lambda: _active(person) == [])

    person.run("device.companion")
    person.until(lambda: dialog() is not None and dialog().remove.isVisible())
    overlay = dialog().switches[OVERLAY]
    person.until(overlay.isEnabled)
    assert overlay.isChecked()
    QTest.mouseClick(overlay, Qt.MouseButton.LeftButton)
    person.until(lambda: overlay.isEnabled() and not overlay.isChecked())
    assert OVERLAY not in CompanionApp(device).status().allowed
    QTest.mouseClick(dialog().remove, Qt.MouseButton.LeftButton)
    person.until(lambda: dialog().state.text() == "The companion app is not on this phone")
    assert not overlay.isEnabled()
    assert not CompanionApp(device).status().is_installed
    dialog().reject()
    CompanionApp(device).install()


def test_the_end_of_the_window_leaves_the_phone_as_it_was(person, tmp_path):
    person.open_project(tmp_path / "project", _TASK)
    person.take_phone()
    device = person.studio.devices.current.session.device
    before = device.shell("settings get system font_scale").text
    person.run("record.inject", anomaly="font_scale")
    person.until(lambda: _active(person) == ["font_scale"])
    assert device.shell("settings get system font_scale").text != before
    person.studio.window.close()
    person.studio.anomalies.close()
    assert device.shell("settings get system font_scale").text == before


# One that ends the app leaves none for the next, and airplane mode leaves no radio to switch off.
_ALONE = ("app_crash", "process_death", "permission_revoked", "airplane_mode")
_RINGS = "incoming_call"
_NATIVE = [
    anomaly.id
    for anomaly in builtin_library().anomalies
    if anomaly.kind == NATIVE and anomaly.id not in _ALONE
]
_AT_ONCE = sorted(_NATIVE, key=lambda anomaly: anomaly == _RINGS)
"""What rings lies over the app, and comes last."""


@pytest.mark.timeout(240)
@pytest.mark.fault("F34")
def test_a_killed_window_restores_the_phone_when_it_is_started_again(phones, tmp_path, qapp):
    """Killed with one change in a recording, which goes on in the next window; that one with every change."""
    home = tmp_path / "home"
    with phone_for_windows(tmp_path, phones) as (project, port):
        with Window(project, home, port) as first:
            first.until_ready()
            serial = first.ask("state")["phone"]["serial"]
            before = _font_scale(port, serial)
            first.run("record.start")
            first.until("state", lambda state: state["recording"]["folder"], "the recording")
            first.run("record.inject", anomaly="font_scale")
            first.until("state", lambda state: state["context"].get("anomaly.active"), "the anomaly")
            folder = first.folder
            first.until("state", lambda _state: open_trajectory(folder).interruptions(), "its event")
            first.run("record.wait")
            first.until_steps(1)
            first.kill()
        assert _font_scale(port, serial) != before
        (interruption,) = open_trajectory(folder).interruptions()
        assert (interruption.anomaly, interruption.undone_ms) == ("font_scale", None)

        with Window(project, home, port) as second:
            second.until_ready()
            second.until("state", lambda _state: _font_scale(port, serial) == before, "the phone set right")
            second.until("state", lambda state: not state["context"].get("anomaly.active"), "no badge")
            second.run("record.open-trajectory", folder=str(folder))
            second.until("state", lambda state: state["context"].get("trajectory.stored"), "the trajectory")
            second.run("record.start")
            second.until("state", lambda state: state["recording"]["folder"] == str(folder), "going on")
            second.run("record.wait")
            second.until_steps(2)
            second.until(
                "state", lambda _state: open_trajectory(folder).interruptions()[0].undone_ms, "its end"
            )
            second.run("record.finish")
            second.until("state", lambda state: not state["recording"]["folder"], "the end of it")
            stored = open_trajectory(folder)
            (interruption,) = stored.interruptions()
            assert interruption.steps == (0,), [step.t_ms for step in stored.steps]

            device = AdbDevice(serial, AdbServer(port=port))
            device.shell("am start -n com.waymark.shop/.MainActivity")
            before = phone_state(device, SHOP)
            for count, anomaly in enumerate(_AT_ONCE, 1):
                second.run("record.inject", anomaly=anomaly)
                second.until("state", lambda state, count=count: len(state["anomalies"]) == count, anomaly)
            second.kill()
        assert phone_state(device, SHOP) != before

        with Window(project, home, port) as third:
            third.until_ready()
            third.until("state", lambda _state: phone_state(device, SHOP) == before, "the phone")
            third.until("state", lambda state: not state["anomalies"], "no badge")
            assert phone_state(device, SHOP) == before


def _font_scale(port, serial):
    device = AdbDevice(serial, AdbServer(port=port))
    return device.shell("settings get system font_scale").text.strip()
