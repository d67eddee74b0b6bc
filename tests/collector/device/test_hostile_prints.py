"""What a phone prints of itself and its apps is only text: in sentences, in commands and in sizes."""

from __future__ import annotations

import queue
import re
import shlex

import pytest

from collector.device.apps.app_control import start_app
from collector.device.apps.app_names import AppNotFound, find_app
from collector.device.apps.installed_apps import read_installed_apps
from collector.device.device_info import read_app_version, read_device_info, read_display, read_foreground
from collector.device.errors import CommandFailed
from collector.device.identity import read_identity
from collector.device.session import DeviceSession
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.geometry import Size
from tests.helpers.hostile_adb import SERIAL, endless, hostile_adb, shell

EVIL = "\x1b]0;owned\x07\x9b2J\u202e<img src=file:///etc/passwd>"
ICON = (
    "  Activity #0:\n    packageName={package}\n    name={package}.Main\n"
    "    nonLocalizedLabel={label} icon=0x1\n"
)
NAMES = ["$(reboot)", "../../etc", "a.b;reboot", "-rf", "a b", "com.x'", "", "a" * 900, "com.Ünicode"]


def phone(server) -> AdbDevice:
    return AdbDevice(SERIAL, AdbServer(server.port))


def icons(*apps: tuple[str, str]) -> bytes:
    return shell("".join(ICON.format(package=package, label=label) for package, label in apps).encode())


def test_only_names_of_packages_are_apps_and_labels_are_plain():
    listed = icons(
        ("com.example.shop", EVIL), ("com.example.bank", "B" * 5000), *((name, "x") for name in NAMES)
    )
    with hostile_adb({"shell,v2,raw:cmd package query": listed}) as server:
        apps = read_installed_apps(phone(server))
    assert [app.package for app in apps] == ["com.example.shop", "com.example.bank"]
    assert all(str(app).isprintable() and len(app.label) <= 100 for app in apps)


def test_a_list_of_too_many_apps_is_cut_and_searched():
    listed = icons(*((f"com.x{number}.y", "word " * 20) for number in range(5000)))
    with hostile_adb({"shell,v2,raw:cmd package query": listed}) as server:
        apps = read_installed_apps(phone(server))
    assert len(apps) == 3000
    with pytest.raises(AppNotFound) as failure:
        find_app("wort", apps)
    assert len(str(failure.value)) < 2000


@pytest.mark.parametrize("component", ["com.x/$(reboot)", "com.x/a;b", "com.x/`id`", "com.x/'"])
def test_what_the_phone_names_is_one_word_of_a_command(component):
    with hostile_adb({"shell,v2,raw:cmd package resolve": shell(f"{component}\n".encode())}) as server:
        start_app(phone(server), "com.x")
        read_app_version(phone(server), "$(reboot)")
        lines = [line.partition("raw:")[2] for line in server.asked if line.startswith("shell,v2,raw:")]
    started = next(line for line in lines if line.startswith("am start"))
    assert shlex.split(started)[-1] == component
    assert "dumpsys package '$(reboot)' | grep" in lines[-1]


def test_a_name_the_phone_gives_no_app_ends_in_a_sentence_and_not_the_input():
    listed = icons(("$(reboot)", "Evil"))
    with hostile_adb({"shell,v2,raw:cmd package query": listed}) as server:
        session = DeviceSession(SERIAL, server=AdbServer(server.port))
        said: queue.Queue[str] = queue.Queue()
        session.events.subscribe(lambda event: said.put(event.text) if event.kind == "message" else None)
        session.start()
        try:
            session.open_app("Evil")
            while "has no app Evil" not in said.get(timeout=20):
                pass  # the server refuses much of what a session asks
        finally:
            session.close()


def test_properties_are_one_line_of_plain_characters():
    names = ("ro.product.model", "ro.product.manufacturer", "ro.build.version.release", "ro.serialno",
             "ro.build.display.id", "ro.waymark.seed", "ro.waymark.variation")  # fmt: skip
    printed = "".join(f"[{name}]: [{EVIL}\nsecond {'x' * 9000}]\n" for name in names)
    sdk = "[ro.build.version.sdk]: [²]\n"
    with hostile_adb({"shell,v2,raw:getprop": shell((sdk + printed).encode())}) as server:
        info = read_device_info(phone(server))
        identity = read_identity(phone(server))
    texts = [
        info.model,
        info.android,
        info.seed,
        info.build,
        info.serial_number,
        info.variation,
        identity.key,
    ]
    assert info.sdk == 0
    assert all(text.isprintable() and 0 < len(text) <= 210 for text in texts)


@pytest.mark.parametrize(
    "printed",
    [
        "Physical size: 0x0\nPhysical density: 0\n", "Physical size: 1000000000x1000000000\n", "",
        f"Physical size: {'9' * 5000}x1\nPhysical density: {'9' * 5000}\n orientation={'9' * 5000}\n",
        "Physical size: -5x-5\nOverride density: 99999\n",
    ],
)  # fmt: skip
def test_a_display_no_phone_has_is_unknown(printed):
    with hostile_adb({"shell,v2,raw:wm size": shell(printed.encode())}) as server:
        display = read_display(phone(server))
    assert (display.size, display.density) == (Size(0, 0), 420)


def test_a_window_in_front_may_have_any_name():
    text = f"mCurrentFocus=Window{{1 u0 {EVIL}}}\nmFocusedApp=ActivityRecord{{1 u0 com.x/{'a' * 9000} t1}}\n"
    with hostile_adb({"shell,v2,raw:dumpsys window": shell(text.encode())}) as server:
        front = read_foreground(phone(server))
    assert len(front.activity) <= 300
    assert re.fullmatch(r"[\w.]*", front.package)


def test_a_print_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr("collector.device.transport.adb_device.MAX_BYTES", 1 << 20)
    packet = shell(b"x" * 50_000)[4:-6]
    with (
        hostile_adb({"shell,v2,raw:getprop": endless(packet)}) as server,
        pytest.raises(CommandFailed, match="has no end"),
    ):
        read_device_info(phone(server))
