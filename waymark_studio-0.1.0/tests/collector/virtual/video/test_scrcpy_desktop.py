"""The commands and bytes of the released desktop clients 2.7, 3.3.3 and 4.1, sent through a real adb."""

from __future__ import annotations

import re
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.phone_driver import wait_until
from tests.helpers.virtual import AdbServer

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")

JAR = "/data/local/tmp/scrcpy-server.jar"
SCID = "1a2b3c4d"
SOCKET = f"localabstract:scrcpy_{SCID}"
VERSIONS = ("2.7", "3.3.3", "4.1")
SECONDS = 20
# The descriptor of the desktop client's simulated keyboard, and its key presses.
KEYBOARD = bytes.fromhex("05010906a101050719e029e715002501750195088102750895018101050819012905"
                         "750195059102750395019101050719002965150025657508950681 00c0")  # fmt: skip


def server_command(version: str, *options: str) -> list[str]:
    words = ["app_process", "/", "com.genymobile.scrcpy.Server", version, f"scid={SCID}", "log_level=info"]
    return ["shell", f"CLASSPATH={JAR}", *words, *options]


def exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        assert part, f"the server hung up after {data!r}"
        data += part
    return data


@contextmanager
def started(adb: AdbServer, version: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    process = adb.start(*server_command(version, *options))
    try:
        yield process
    finally:
        process.terminate()
        process.wait(SECONDS)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                pipe.close()


@contextmanager
def by_reverse(adb: AdbServer, version: str, *options: str) -> Iterator[list[socket.socket]]:
    """The default: the phone connects to us, three times."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(SECONDS)
        port = listener.getsockname()[1]
        assert adb.run("reverse", SOCKET, f"tcp:{port}").returncode == 0
        with started(adb, version, *options):
            connections = [listener.accept()[0] for _socket in range(3)]
            assert adb.run("reverse", "--remove", SOCKET).returncode == 0
            with quiet(connections):
                yield connections


@contextmanager
def by_forward(adb: AdbServer, version: str, *options: str) -> Iterator[list[socket.socket]]:
    """Where reverse does not work: we connect to the phone, and the first socket greets with a zero."""
    socket_name = SOCKET
    for option in options:
        if option.startswith("scid="):
            socket_name = f"localabstract:scrcpy_{option.removeprefix('scid=')}"
    port = adb.run("forward", "tcp:0", socket_name).stdout.decode().strip()
    with started(adb, version, "tunnel_forward=true", *options):
        while True:
            video = socket.create_connection(("127.0.0.1", int(port)), SECONDS)
            if first := video.recv(1):
                break
            # Connecting always succeeds; only a byte shows that the server listens.
            video.close()
        assert first == b"\0"
        rest = [socket.create_connection(("127.0.0.1", int(port)), SECONDS) for _socket in range(2)]
        assert adb.run("forward", "--remove", f"tcp:{port}").returncode == 0
        with quiet([video, *rest]) as connections:
            yield connections


@contextmanager
def quiet(connections: list[socket.socket]) -> Iterator[list[socket.socket]]:
    for connection in connections:
        connection.settimeout(SECONDS)
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


def header(version: str) -> bytes:
    """The codec and the first size; since 4.0 the size is a packet of its own."""
    size = struct.pack(">II", 720, 1600)
    return b"h264" + (struct.pack(">I", 1 << 31) if version == "4.1" else b"") + size


def config_and_key(version: str) -> tuple[int, int]:
    """The flags of configurations and of key frames; the topmost bit marks sessions since 4.0."""
    top = 62 if version == "4.1" else 63
    return 1 << top, 1 << (top - 1)


def packet(video: socket.socket) -> tuple[int, bytes]:
    flags, length = struct.unpack(">QI", exactly(video, 12))
    if flags >> 63 and length in (720, 1600):  # a session of 4.x: its height takes the place of the length
        return packet(video)
    return flags, exactly(video, length)


@pytest.mark.parametrize("tunnel", [by_reverse, by_forward])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_desktop_client_is_served(adb: AdbServer, phone: VirtualDevice, version: str, tunnel) -> None:
    jar = Path(__file__)
    assert adb.run("push", str(jar), JAR).returncode == 0
    with tunnel(adb, version) as (video, audio, control):
        assert exactly(video, 64) == phone.phone.profile.model.encode().ljust(64, b"\0")
        assert exactly(video, len(header(version))) == header(version)
        assert exactly(audio, 4) == bytes(4), "audio is disabled, and the client goes on without"
        config_flag, key_flag = config_and_key(version)
        flags, config = packet(video)
        assert flags == config_flag
        assert config[:5] == b"\0\0\0\1\x67"
        assert b"\0\0\0\1\x68" in config
        flags, picture = packet(video)
        assert flags & config_flag == 0
        assert flags & key_flag
        assert picture[:5] == b"\0\0\0\1\x65"
        answer_to_the_first_messages(control, phone)


def answer_to_the_first_messages(control: socket.socket, phone: VirtualDevice) -> None:
    """The computer's clipboard, with and without an answer asked for, then the phone's."""
    silent, acknowledged = (struct.pack(">BQBI", 9, sequence, 0, 2) + b"hi" for sequence in (0, 7))
    control.sendall(silent + acknowledged + b"\x08\x00")
    assert exactly(control, 9) == struct.pack(">BQ", 1, 7)
    assert phone.phone.clipboard == "hi"


@pytest.mark.parametrize("version", ["2.7", "4.1"])
def test_a_simulated_keyboard_types(adb: AdbServer, phone: VirtualDevice, version: str) -> None:
    phone.phone.clear("com.android.settings")
    phone.phone.start_activity(search())
    identity = struct.pack(">H", 1) if version == "2.7" else struct.pack(">HHH", 1, 0, 0)
    with by_reverse(adb, version) as (_video, _audio, control):
        control.sendall(b"\x0c" + identity + b"\0" + struct.pack(">H", len(KEYBOARD)) + KEYBOARD)
        for usage in (4, 5):  # a, b
            for held in (usage, 0):
                control.sendall(struct.pack(">BHH", 13, 1, 8) + bytes([0, 0, held, 0, 0, 0, 0, 0]))
        control.sendall(struct.pack(">BH", 14, 1) + struct.pack(">BQBI", 9, 3, 0, 0))
        assert exactly(control, 9) == struct.pack(">BQ", 1, 3), "everything before it is done"
    assert b'text="ab"' in phone.phone.hierarchy_xml()


def search():
    from collector.virtual.ui.effects import Component, Intent

    return Intent(component=Component("com.android.settings", "com.android.settings.SearchActivity"))


@pytest.mark.parametrize("version", ["3.3.3", "4.1"])
def test_turning_begins_a_new_configuration(adb: AdbServer, phone: VirtualDevice, version: str) -> None:
    with by_reverse(adb, version) as (video, _audio, control):
        config_flag, key_flag = config_and_key(version)
        exactly(video, 64 + len(header(version)))
        assert packet(video)[0] == config_flag
        control.sendall(b"\x0b")  # rotate
        while packet(video)[0] != config_flag:
            pass
        assert packet(video)[0] & key_flag
    phone.phone.set_rotation(0)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("list_displays=true", r"List of displays:\n    --display-id=0    \(720x1600\)"),
        ("list_encoders=true", r"--video-codec=h264 --video-encoder=c2\.android\.avc\.encoder"),
        ("list_apps=true", r"List of apps:\n \* .*\n - To-do {26}com\.waymark\.todo"),
        ("list_cameras=true", r"List of cameras:\n    \(none\)"),
    ],
)
def test_listings(adb: AdbServer, option: str, message: str) -> None:
    done = adb.run(*server_command("3.3.4", option, "cleanup=false"))
    text = done.stdout.decode()
    assert text.startswith("[server] INFO: Device: [Waymark] waymark ")
    assert re.search(message, text, re.DOTALL), text
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("new_display=1920x1080", "Could not create display"),
        ("display_id=3", "Display 3 not found\nList of displays:\n    --display-id=0    (720x1600)"),
        ("video_codec=av1", "Could not create default video encoder for av1\nList of video encoders:"),
        ("video_source=camera", "No matching camera found"),
    ],
)
def test_what_it_cannot_show_it_refuses_and_leaves(adb: AdbServer, option: str, message: str) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(SECONDS)
        adb.run("reverse", SOCKET, f"tcp:{listener.getsockname()[1]}")
        process = adb.start(*server_command("3.3.4", option))
        with quiet([listener.accept()[0] for _socket in range(3)]) as (video, _audio, _control):
            _out, err = process.communicate(timeout=SECONDS)
            assert f"[server] ERROR: {message}" in err.decode()
            # Like the real server: it logs what it could not do, and ends as usual.
            assert process.returncode == 0
            assert len(exactly(video, 64)) == 64
            if option.startswith("new_display"):  # the display is created after the header was sent
                assert exactly(video, 12) == b"h264" + struct.pack(">II", 720, 1600)
            assert video.recv(1) == b""
        adb.run("reverse", "--remove", SOCKET)


def test_another_version_is_refused_in_the_real_words(adb: AdbServer) -> None:
    done = adb.run(*server_command("9.9"))
    message = "The server version (3.3.4) does not match the client (9.9)"
    assert done.stderr.decode() == (
        f"[server] ERROR: {message}\njava.lang.IllegalArgumentException: {message}\n"
    )
    assert done.returncode == 1


def test_the_file_of_the_client_is_deleted_and_a_killed_client_leaves_no_settings(
    adb: AdbServer, phone: VirtualDevice
) -> None:
    assert adb.run("push", __file__, JAR).returncode == 0
    settings = phone.phone.settings
    with by_reverse(adb, "3.3.3", "stay_awake=true") as (video, _audio, _control):
        exactly(video, 64 + 12)
        assert settings.get("global", "stay_on_while_plugged_in") == "7"
        assert adb.run("shell", f"ls {JAR}").returncode == 1
    wait_until(phone.phone, lambda: settings.get("global", "stay_on_while_plugged_in") == "0", SECONDS)


def test_two_clients_mirror_one_phone(adb: AdbServer, phone: VirtualDevice) -> None:
    with by_reverse(adb, "3.3.3") as (first, _audio, control):
        exactly(first, 64 + 12)
        with by_forward(adb, "2.7", "scid=00000002") as (second, _audio, other):
            exactly(second, 64 + 12)
            config_flag, _key_flag = config_and_key("3.3.3")
            assert (packet(first)[0], packet(second)[0]) == (config_flag, config_flag)
            other.sendall(b"\x0b")
            for video in (first, second):
                while packet(video)[0] != config_flag:
                    pass
        phone.phone.set_rotation(0)
        answer_to_the_first_messages(control, phone)
