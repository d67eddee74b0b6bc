"""androidtv, over adb-shell."""

import os

from androidtv.androidtv.androidtv_sync import AndroidTVSync
from check_runner import check, run_checks

host, port = os.environ["ANDROID_SERIAL"].split(":")
tv = AndroidTVSync(host, int(port))
SETTINGS, TODO = "com.android.settings", "com.waymark.todo"
OF_15 = "finds the app in front up to Android 14 and asks Android 15 as it did Android 9"


@check()
def connect() -> None:
    assert tv.adb_connect(auth_timeout_s=5)
    assert tv.available


@check()
def what_it_is() -> None:
    told = tv.get_device_properties()
    assert told["sw_version"] == "15", told


@check()
def installed_apps() -> None:
    assert SETTINGS in tv.get_installed_apps()


@check(OF_15)
def app_in_front() -> None:
    tv.launch_app(TODO)
    assert tv.current_app() == TODO


@check()
def start_app() -> None:
    tv.start_intent("https://example.org")
    assert "com.waymark.browser" in tv.running_apps()


@check()
def running_apps() -> None:
    tv.adb_shell(f"monkey -p {TODO} 1")
    assert TODO in tv.running_apps()


@check(OF_15)
def current_app_and_media_session() -> None:
    assert tv.current_app_media_session_state()[0] == TODO


@check()
def screen_on_and_awake() -> None:
    assert tv.screen_on_awake_wake_lock_size()[:2] == (True, True)


@check()
def volume() -> None:
    tv.set_volume_level(0.5)
    level = tv.volume_level()
    assert 0.3 < level < 0.7
    assert tv.max_volume == 15


@check()
def volume_keys() -> None:
    tv.volume_up()  # with nothing that plays, the first press shows the panel
    before = tv.volume()
    tv.volume_up()
    assert tv.volume() == before + 1, (before, tv.volume())
    tv.volume_down()
    assert tv.volume() == before


@check()
def mute() -> None:
    assert tv.is_volume_muted() is False


@check()
def keys() -> None:
    tv.home()
    tv.up()
    tv.down()
    tv.enter()
    tv.back()


@check()
def sleep_and_wake() -> None:
    tv.turn_off()
    assert tv.screen_on_awake_wake_lock_size()[0] is False
    tv.turn_on()
    assert tv.screen_on_awake_wake_lock_size()[0] is True


@check()
def stop_app() -> None:
    tv.stop_app(TODO)
    assert TODO not in tv.running_apps()


@check()
def screenshot() -> None:
    assert tv.adb_screencap().startswith(b"\x89PNG")


@check()
def update() -> None:
    state = tv.update()
    assert state[0] in ("idle", "standby", "off", "paused", "playing"), state


run_checks()
