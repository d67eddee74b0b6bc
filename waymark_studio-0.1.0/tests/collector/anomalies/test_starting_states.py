"""Native changes of phones that are not as they come: what was there before is there again afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injector import InjectionRequest, Injector
from collector.virtual.apps import make_apps
from collector.virtual.apps.stand_in import stand_ins
from tests.helpers.phone_state import phone_state
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device

pytestmark = pytest.mark.shared_threads("phone-ticker")

APP = "com.waymark.anywhere"
OTHER = "com.waymark.elsewhere"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"
OWN = {anomaly.id: anomaly for anomaly in builtin_library().anomalies}


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device(apps=(*make_apps(("companion",)), *stand_ins([APP, OTHER]))) as phone:
        phone.shell(f"am start -n {APP}/.MainActivity")
        yield phone


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path) as one:
        yield one


STATES = [
    ("battery_level", "dumpsys battery unplug; dumpsys battery set level 30"),
    ("battery_level", "dumpsys battery set usb 1; dumpsys battery set status 2; dumpsys battery set level 4"),
    ("battery_level", "dumpsys battery set wireless 1; dumpsys battery set temp 451"),
    ("battery_level", "cmd waymark emu power ac on"),
    ("battery_level", "cmd power set-mode 1"),
    ("battery_saver", "dumpsys battery set ac 1; dumpsys battery set level 30"),
    ("battery_saver", "dumpsys battery unplug"),
    ("overheating", "cmd thermalservice override-status 1"),
    ("storage_low", "cmd devicestoragemonitor force-not-low"),
    ("airplane_mode", "svc wifi disable; svc data disable"),
    ("wifi_off", "cmd connectivity airplane-mode enable; svc wifi enable"),
    ("app_networking_off", "cmd connectivity set-chain3-enabled true"),
    ("camera_blocked", f"appops set {APP} CAMERA deny"),
    ("camera_blocked", f"appops set {APP} CAMERA allow"),
    ("location_off", "settings put secure location_mode 1"),
    ("dark_mode", "cmd uimode night auto"),
    ("dark_mode", "cmd uimode night custom_schedule"),
    ("dark_mode", "cmd uimode night custom_bedtime"),
    ("font_scale", "settings put system font_scale 1.15"),
    ("font_scale", "settings delete system font_scale"),
    ("app_language", f"cmd locale set-app-locales {APP} --locales en-US,zh-CN"),
    ("rotation", "settings put system user_rotation 1"),
    ("rotation", "settings put system user_rotation 3; settings put system accelerometer_rotation 0"),
    ("rotation", "settings delete system user_rotation; settings delete system accelerometer_rotation"),
    ("rotation", "wm user-rotation lock 2"),
    ("keyboard_changed", "ime set com.waymark.keyboard/.CompactIME"),
    ("do_not_disturb", "cmd notification set_dnd priority"),
    ("do_not_disturb", "cmd notification set_dnd alarms"),
    ("notification", "cmd waymark emu sms send 5550000 'I was here'"),
    ("text_message", "cmd notification post -t Mine mine 'I was here'"),
    ("permission_revoked", f"am start -n {OTHER}/.MainActivity"),
    ("permission_revoked", f"am force-stop {APP}"),
    ("app_crash", f"am start -n {OTHER}/.MainActivity"),
    ("process_death", "settings put system accelerometer_rotation 0"),
    ("app_crash", "settings put system accelerometer_rotation 0; settings put system user_rotation 1"),
    ("app_freeze", f"am start -n {OTHER}/.MainActivity"),
]


@pytest.mark.parametrize(("name", "before"), STATES)
def test_what_was_there_before_is_there_again(
    device: ShellDevice, injector: Injector, name: str, before: str
) -> None:
    device.shell(before)
    state = phone_state(device, APP)
    assert not injector.fire(InjectionRequest(OWN[name], APP)).was_so
    (taken,) = injector.undo_all()
    assert taken.problem == ""
    assert phone_state(device, APP) == state


@pytest.mark.parametrize(
    ("first", "second"),
    [("battery_level", "battery_saver"), ("battery_saver", "battery_level"), ("airplane_mode", "wifi_off"),
     ("wifi_off", "airplane_mode"), ("rotation", "app_crash"), ("font_scale", "permission_revoked")],
)  # fmt: skip
@pytest.mark.parametrize("oldest_first", [True, False])
def test_changes_of_one_thing_end_as_before_in_either_order(
    device: ShellDevice, injector: Injector, first: str, second: str, oldest_first: bool
) -> None:
    state = phone_state(device, APP)
    fired = [
        injector.fire(InjectionRequest(OWN[first], APP)),
        injector.fire(InjectionRequest(OWN[second], APP)),
    ]
    for injected in fired if oldest_first else reversed(fired):
        taken = injector.undo(injected.id)
        assert injected.was_so or (taken is not None and taken.problem == "")
    assert injector.pending == ()
    assert phone_state(device, APP) == state


def test_an_app_in_the_background_stays_there(device: ShellDevice, injector: Injector) -> None:
    """Neither is it ended with the app in front left alone, nor does the undo bring it to the front."""
    device.shell(f"am start -n {OTHER}/.MainActivity")
    injector.fire(InjectionRequest(OWN["process_death"], APP))
    assert device.phone.pid_of(APP) is None
    assert device.phone.stack()[0].app.package == OTHER
    injector.undo_all()
    assert device.phone.stack()[0].app.package == OTHER
