"""The desktop program scrcpy itself, where it is installed: WAYMARK_SCRCPY or the PATH names it."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import av
import pytest

from collector.virtual.daemon.stream import Channel
from collector.virtual.device import VirtualDevice
from collector.virtual.video.scrcpy_session import ScrcpySession
from tests.helpers.phone_driver import wait_until
from tests.helpers.virtual import AdbServer

PROGRAM = os.environ.get("WAYMARK_SCRCPY") or shutil.which("scrcpy") or ""
SECONDS = 60
pytestmark = [
    pytest.mark.shared_threads("adb", "adbd"),
    pytest.mark.skipif(not PROGRAM, reason="no scrcpy on the PATH and none in WAYMARK_SCRCPY"),
]


@pytest.fixture
def environment(adb: AdbServer, tmp_path: Path) -> dict[str, str]:
    """The phone takes any file for the server: it reads the version from the command that starts it."""
    server = tmp_path / "scrcpy-server"
    server.write_bytes(b"no program")
    given = {"ADB": adb.binary, "SCRCPY_SERVER_PATH": str(server), "SDL_VIDEODRIVER": "dummy"}
    return adb.environment | given


@contextmanager
def running(environment: dict[str, str], *words: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program and a terminal that shows its lines as they come."""
    reader, terminal = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    try:
        yield process, reader
    finally:
        process.kill()
        process.wait(SECONDS)
        os.close(reader)


def read_until(reader: int, text: str) -> str:
    """The output up to ``text``, or up to the end of the program."""
    output = b""
    while text.encode() not in output:
        try:
            output += os.read(reader, 4096)
        except OSError:  # a terminal ends with an error
            break
    return output.decode()


def test_a_recording_without_a_window_can_be_played(
    environment: dict[str, str], adb: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    movie, sent, framed = tmp_path / "movie.mkv", threading.Event(), ScrcpySession._when_ready

    def watched(session: ScrcpySession, channel: Channel | None) -> Callable[[bytes], None]:
        write = framed(session, channel)

        def send(data: bytes) -> None:
            write(data)
            sent.set()

        return send

    monkeypatch.setattr(ScrcpySession, "_when_ready", watched)
    options = ("--no-window", f"--record={movie}", "--crop=400:600:0:100")
    with running(environment, *options) as (process, reader):
        assert sent.wait(SECONDS)
        # The end of the server comes behind the first picture, a signal to the program might overtake it.
        assert adb.run("shell", "pkill -f com.genymobile.scrcpy.Server").returncode == 0
        assert "Recording complete" in read_until(reader, "Recording complete")
        assert process.wait(SECONDS) == 2, "as for any phone that is disconnected"
    with av.open(str(movie)) as container:
        frame = next(container.decode(video=0))
    assert (frame.width, frame.height) == (400, 600)


def test_what_the_phone_has_not_ends_the_program_with_the_reason(environment: dict[str, str]) -> None:
    with running(environment, "--no-window", "--no-audio", "--record=/dev/null", "--record-format=mkv",
                 "--video-encoder=none") as (process, reader):  # fmt: skip
        assert "[server] ERROR: Video encoder 'none' for h264 not found" in read_until(reader, "\0")
        assert process.wait(SECONDS) in (1, 2)


def test_a_killed_program_leaves_the_settings_as_they_were(
    environment: dict[str, str], phone: VirtualDevice
) -> None:
    settings = phone.phone.settings
    options = ("--no-window", "--no-video", "--no-audio", "--stay-awake", "--show-touches")
    with running(environment, *options):
        wait_until(phone.phone, lambda: settings.get("system", "show_touches") == "1", SECONDS)
    wait_until(phone.phone, lambda: settings.get("system", "show_touches") == "0", SECONDS)
    wait_until(phone.phone, lambda: settings.get("global", "stay_on_while_plugged_in") == "0", SECONDS)
