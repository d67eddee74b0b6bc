"""A window with a hostile phone: mirror, record and close; what cannot be had is said, and nothing breaks.

A record of WARNING, a warning of Qt, a thread that is left or a window that does not close fails a test here
as everywhere.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from collector.adb.scrcpy.stream import (
    VideoPacket,
    encode_codec_meta,
    encode_device_meta,
    encode_packet_header,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.adb.shell_protocol import ShellPacket
from collector.adb.smart_socket import OKAY, encode_block
from collector.hierarchy.tree_builder import MAX_NODES
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.store.project.project import Project
from studio.theme import theme
from tests.helpers import hostile_phone as phone
from tests.helpers.h264 import access_units
from tests.helpers.hostile_adb import SERIAL, Answer, drip, endless, held, hostile_adb, reset, scrcpy, shell
from tests.helpers.studios import end_studio, new_studio

pytestmark = [
    pytest.mark.attack,
    pytest.mark.qt_log_ignore(
        "propagateSizeHints", "raise", "grabbing the keyboard", "This plugin does not support", extend=True
    ),
]
VERSION = ScrcpyVersion.parse("3.3.4")
HEAD = (
    OKAY
    + b"\0"
    + encode_device_meta(VERSION, "x", Size(1, 1))
    + encode_codec_meta(VERSION, "h264", Size(1, 1))
)


def packet(data: bytes) -> bytes:
    return encode_packet_header(VERSION, VideoPacket(data)) + data


def video(sent: Answer, control: Answer = OKAY, **more: Answer) -> dict[str, Answer]:
    """A phone with scrcpy; a virtual one, whose server this computer always has."""
    return {
        "shell,v2,raw:getprop": shell(b"[ro.waymark.seed]: [1]\n[ro.serialno]: [P7]\n"),
        "exec:CLASSPATH": more.get("printed", held(OKAY)),
        "localabstract:": scrcpy(sent, control),
    }


def listed(*lists: str) -> bytes:
    return b"".join(map(encode_block, lists))


STILL = HEAD + packet(access_units(1)[0])
SIZES = [Size(64, 128), Size(128, 64), Size(2, 2), Size(640, 16)]
TOUCHSCREEN = b"""add device 1: /dev/input/event2
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 719, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 1599, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""
KEY = ShellPacket(1, b"[ 1.0] /dev/input/event2: EV_KEY KEY_BACK DOWN\r\n").encode()
LONG = phone.TREE.replace(b'"Buy"', '"{}"'.format("\u202eB<b>uy ".encode().decode() * 20_000).encode())
ATTACKS: Mapping[str, Mapping[str, Answer]] = {
    "nothing at all": {},
    "a server that answers lengths that are none": {"host:transport:": b"OKAY-001"},
    "lists without an end": {
        "host:track-devices": endless(listed("", f"{SERIAL}\toffline\n", f"{SERIAL}\tdevice\n"))
    },
    "every command in drops": {"shell,v2,raw:": drip(shell(b"x" * 90), 0.5), "shell,v2,raw:true": shell()},
    "too many nodes": {"exec:cat": OKAY + f"<hierarchy>{phone.NODE * (MAX_NODES + 1)}</hierarchy>".encode()},
    "as many nodes as allowed": {
        "exec:cat": OKAY + f'<hierarchy rotation="0">{phone.NODE * MAX_NODES}</hierarchy>'.encode()
    },
    "a text of 160,000 letters": {"exec:cat": OKAY + LONG},
    "a tree without an end": {"exec:cat": endless(b"x" * 65_536)},
    "a tree that is cut": {"exec:cat": reset(OKAY + b"<hier")},
    "a screenshot that is cut": {"exec:screencap": OKAY + phone.picture()[:90]},
    "a screen of four pixels": {"exec:screencap": OKAY + phone.picture(2, 2)},
    "a screen of one line": {"exec:screencap": OKAY + phone.picture(4000, 1)},
    "a display of a billion pixels": {
        "shell,v2,raw:wm size": shell(b"Physical size: 1000000000x1000000000\nPhysical density: 0\n")
    },
    "input that fails in colours": {"shell,v2,raw:input": shell(b"x" * 200_000, b"\x1b[2J<b>no</b>", 255)},
    "a window with the name of a command": {
        "shell,v2,raw:dumpsys window": shell(b"mCurrentFocus=Window{1 u0 $(id)/../x\x1b[2J}\n" * 99)
    },
    "a video that never decodes": video(endless(packet(b"\0\0\0\1\x65" + bytes(range(256))), HEAD)),
    "a video that changes its size": video(
        endless(b"".join(packet(access_units(1, size=size)[0]) for size in SIZES), HEAD)
    ),
    "a video without a pause": video(endless(b"".join(map(packet, access_units(40))), HEAD)),
    "messages without a pause": video(STILL, endless(b"\1" + bytes(8))),
    "a clipboard of 4 GB": video(STILL, OKAY + b"\0\xff\xff\xff\xff" + b"x" * 9000),
    "a server that prints without a pause": video(STILL, printed=endless(b"INJECT_EVENTS \x1b[2J<b>\n")),
    "keys that nobody presses": {
        "shell,v2,raw:getevent": shell(TOUCHSCREEN), "shell,v2,pty:getevent": endless(KEY),
    },
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_window_survives(attack, qapp, qtbot, tmp_path, monkeypatch):
    theme.install(qapp, "dark", motion=False)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t1", "Buy it", "Shop", phone.APP)])
    # Another phone for each worker of pytest: leases are for the whole account.
    own = {"shell,v2,raw:getprop ro.serialno": shell(f"W{os.getpid()}\n\nboot-1\n".encode())}
    with hostile_adb({**phone.WELL, **own, **ATTACKS[attack]}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        studio = new_studio(tmp_path, "record")
        said: list[str] = []
        show = type(studio.window.toasts).show

        def note(toasts, kind, *texts, **more):
            said.extend(texts)
            return show(toasts, kind, *texts, **more)

        monkeypatch.setattr(type(studio.window.toasts), "show", note)
        studio.devices.start()
        with qtbot.waitSignal(studio.project_library.opened, timeout=30_000):
            studio.project_library.open(project.folder)
        qtbot.waitUntil(lambda: _is_decided(studio, said), timeout=60_000)
        _record(studio, qtbot)
        end_studio(studio, qtbot)
    assert all(text.replace("\n", "").isprintable() for text in said)


def _is_decided(studio, said) -> bool:
    """Whether the phone is mirrored, or the window says why it is not."""
    link = studio.devices.current
    return link is not None and (link.is_live or bool(said) or link.is_lost)


def _record(studio, qtbot) -> None:
    """Start a recording, tap and type for a while, and finish it; there is none without a picture."""
    view = studio.window.workspace("record").mirror.view
    with contextlib.suppress(UserError):
        studio.commander.run("record.start")
    for _tap in range(4):
        middle = QPoint(view.width() // 2, view.height() // 2)
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
        qtbot.wait(500)
    QTest.keyClicks(view, "ab")
    qtbot.wait(500)
    if studio.recording.is_active:
        studio.commander.run("record.finish")
        qtbot.wait(500)
