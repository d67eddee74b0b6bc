"""Windows and macOS, simulated: the branches that Linux does not take, as far as they run here."""

from __future__ import annotations

import datetime as dt
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.links import without_links_outside
from collector.host import other_processes, sockets
from collector.host.android_folders import find_sdk_program, sdk_folders
from collector.host.file_lock import hold, holders, lock_path
from collector.host.file_moves import rename, replace
from collector.host.other_processes import is_running, process_command
from collector.host.own_program import waymark_command
from collector.host.programs import Signals, find_program, replace_process, start_program
from collector.host.sockets import is_answered, is_free, listen
from collector.host.user_folders import cache_folder, config_folder
from collector.model.text.local_time import local_time
from collector.store.files.disk import Disk
from collector.store.files.lock import LOCK_NAME, acquire
from tests.helpers.windows_files import keep_open_files

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="files that are open are seen in /proc")
GROUP, NO_WINDOW = 0x200, 0x08000000


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("sys.platform", "win32")
    for name, flag in (("CREATE_NEW_PROCESS_GROUP", GROUP), ("CREATE_NO_WINDOW", NO_WINDOW)):
        monkeypatch.setattr(subprocess, name, flag, raising=False)
    return monkeypatch


def _program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return path


def test_programs_of_windows_have_endings(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    windows.setattr(os, "pathsep", ";")
    windows.setenv("PATHEXT", ".EXE;.cmd")  # Python looks itself, since 3.14 by the separator
    adb, tool = _program(tmp_path / "one" / "adb.EXE"), _program(tmp_path / "two" / "tool.cmd")
    environment = {
        "PATH": os.pathsep.join((str(tmp_path / "one"), str(tmp_path / "two"))),
        "PATHEXT": ".EXE;.cmd",
    }
    assert find_program("adb", environment) == adb
    assert find_program("adb.EXE", environment) == adb
    assert find_program("tool", environment) == tool
    assert find_program("none", environment) is None
    windows.setattr("sys.platform", "linux")
    assert find_program("adb", environment) is None


@pytest.mark.parametrize(
    ("signals", "flags"),
    [(Signals.SHARED, 0), (Signals.OWN_GROUP, GROUP | NO_WINDOW), (Signals.OWN_SESSION, GROUP | NO_WINDOW)],
)
def test_a_program_behind_a_window_opens_no_console(
    windows: pytest.MonkeyPatch, tmp_path: Path, signals: Signals, flags: int
) -> None:
    started: list[dict[str, Any]] = []
    windows.setattr(subprocess, "Popen", lambda _words, **how: started.append(how))
    start_program([str(tmp_path / "adb.exe")], signals=signals, folder=tmp_path)
    assert [(how["creationflags"], how["process_group"]) for how in started] == [(flags, None)]


def test_a_process_of_windows_is_followed_by_a_new_one(windows: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    windows.setattr(subprocess, "Popen", lambda words, **_how: done.append(words))
    windows.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match="0"):
        replace_process(["/opt/My Studio/waymark", "--project", "a b"])
    assert done == [["/opt/My Studio/waymark", "--project", "a b"]]


def test_what_is_held_open_for_a_moment_is_moved_later(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refused = [3]
    for name in ("replace", "rename"):
        plain = getattr(os, name)

        def move(*places: Any, plain: Any = plain) -> None:
            if refused[0]:
                refused[0] -= 1
                raise PermissionError(13, "in use")
            plain(*places)

        windows.setattr(os, name, move)
    (tmp_path / "a").mkdir()
    rename(tmp_path / "a", tmp_path / "b")
    (tmp_path / "file").write_text("new")
    refused[0] = 1
    replace(tmp_path / "file", tmp_path / "b" / "file")
    assert (tmp_path / "b" / "file").read_text() == "new"
    refused[0] = 100
    with pytest.raises(PermissionError):
        rename(tmp_path / "b", tmp_path / "c")
    windows.setattr("sys.platform", "linux")
    with pytest.raises(PermissionError):
        rename(tmp_path / "b", tmp_path / "c")
    assert refused[0] == 100 - 6 - 1, "another system is not asked twice"


@on_linux
def test_lock_files_go_although_windows_removes_no_open_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep_open_files(monkeypatch)
    path = lock_path(tmp_path, "phone")
    held = hold(path, {"name": "phone"})
    assert held is not None
    assert [note["name"] for note in holders(tmp_path)] == ["phone"]
    held.release()
    held.release()
    assert not path.exists()
    folder = tmp_path / "trajectory"
    folder.mkdir()
    with acquire(folder):
        assert (folder / LOCK_NAME).exists()
    assert not (folder / LOCK_NAME).exists()
    left = acquire(folder)
    with path.open("wb"), (folder / LOCK_NAME).open("rb"):
        left.release()
    assert (folder / LOCK_NAME).read_bytes() == b"", "one that another program reads stays, and is nobody's"
    acquire(folder).release()


@on_linux
def test_files_are_replaced_although_windows_moves_no_open_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep_open_files(monkeypatch)
    Disk().write(tmp_path / "tasks.yaml", b"old")
    Disk().write_parts(tmp_path / "tasks.yaml", (b"n", b"ew"))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_port_of_windows_is_taken_alone_and_a_free_one_is_not_tried(windows: pytest.MonkeyPatch) -> None:
    options: list[int] = []
    plain = socket.socket

    class Socket(plain):  # type: ignore[misc, valid-type]
        def setsockopt(self, level: int, option: int, value: Any) -> None:
            options.append(option)

    windows.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    windows.setattr(socket, "socket", Socket)
    with listen() as listener:
        port = listener.getsockname()[1]
        assert (is_answered(port), is_free(port)) == (True, False)
        assert options == [-5] * 3
        with pytest.raises(OSError, match="in use"):
            listen(port)
    windows.setattr(sockets, "connect", lambda *_given: pytest.fail("Windows takes seconds to refuse"))
    assert (is_answered(port), is_free(port)) == (False, True)


def test_a_port_of_macos_is_not_free_when_somebody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        # There one address may be taken although all addresses are.
        monkeypatch.setattr(sockets, "_can_bind", lambda _port: True)
        assert not is_free(port)
    assert is_free(port)


def test_the_sdk_is_looked_for_where_each_system_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    named = {"ANDROID_HOME": str(tmp_path / "sdk"), "ANDROID_SDK_ROOT": "relative"}
    assert list(sdk_folders(named)) == [tmp_path / "sdk", tmp_path / "Android/Sdk"]
    monkeypatch.setattr("sys.platform", "darwin")
    assert list(sdk_folders({})) == [tmp_path / "Library/Android/sdk"]
    mac = _program(tmp_path / "Library/Android/sdk/platform-tools/adb")
    assert find_sdk_program("platform-tools", "adb", {}) == mac
    monkeypatch.setattr("sys.platform", "win32")
    assert list(sdk_folders({"LOCALAPPDATA": str(tmp_path / "Local")})) == [tmp_path / "Local/Android/Sdk"]
    found = _program(tmp_path / "AppData/Local/Android/Sdk/platform-tools/adb.exe")
    assert find_sdk_program("platform-tools", "adb", {}) == found
    assert find_sdk_program("emulator", "emulator", {}) is None


def test_caches_stay_on_the_computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WAYMARK_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setattr("sys.platform", "win32")
    assert cache_folder() == tmp_path / "Local" / "waymark-studio" / "cache"
    assert config_folder() == tmp_path / "Roaming" / "waymark-studio" / "config"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "waymark-studio"
    assert config_folder() == tmp_path / "Library/Application Support/waymark-studio/config"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "large"))
    for system in ("win32", "darwin", "linux"):
        monkeypatch.setattr("sys.platform", system)
        assert cache_folder() == tmp_path / "large" / "waymark-studio", "as the advice on a full disk says"


def test_an_import_without_the_right_to_make_links_copies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source, outside = tmp_path / "source", tmp_path / "secret"
    outside.write_text("secret")
    (source / "inner").mkdir(parents=True)
    (source / "inner" / "page.xml").write_text("<page/>")
    (source / "link").symlink_to(outside)

    def refuse(*_given: object, **_named: object) -> None:
        raise OSError(1314, "A required privilege is not held by the client")

    monkeypatch.setattr(os, "symlink", refuse)
    with without_links_outside(source, ExchangeLog()) as folder:
        copied = folder / "inner" / "page.xml"
        assert (copied.read_text(), copied.is_symlink()) == ("<page/>", False)
        assert [path.name for path in folder.iterdir()] == ["inner"]


def test_other_processes_are_asked_for_by_the_programs_of_each_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[list[str]] = []

    def run(words: list[str], *, seconds: float) -> subprocess.CompletedProcess[bytes]:
        del seconds
        ran.append(words)
        return subprocess.CompletedProcess(words, 0, b"qemu -avd Pixel\n", b"")

    monkeypatch.setattr(other_processes, "run_program", run)
    assert Path(sys.executable).name in process_command(os.getpid()) or sys.platform != "linux"
    for system, program in (("darwin", "ps"), ("win32", "powershell")):
        monkeypatch.setattr("sys.platform", system)
        assert process_command(77) == "qemu -avd Pixel"
        assert (ran[-1][0], "77" in " ".join(ran[-1])) == (program, True)
    other_processes.kill_process(77)
    other_processes.kill_group(78)
    assert ran[-2:] == [["taskkill", "/F", "/T", "/PID", number] for number in ("77", "78")]


def test_a_process_runs_or_does_not() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert [is_running(pid) for pid in (os.getpid(), ended.pid, 0, -1, 1 << 40)] == [True, *[False] * 4]


class _Windows(dt.datetime):
    """A moment whose zone Windows does not know: it gives OSError before 1970."""

    def astimezone(self, tz: dt.tzinfo | None = None) -> dt.datetime:  # type: ignore[override]
        raise OSError(22, "Invalid argument")


def test_a_moment_that_windows_has_no_zone_for_is_shown_in_utc() -> None:
    assert local_time(_Windows(1901, 1, 1)) == dt.datetime(1901, 1, 1, tzinfo=dt.UTC)
    assert local_time(_Windows(1901, 1, 1, tzinfo=dt.UTC)).year == 1901
    noon = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    assert local_time(noon) == noon


def test_a_frozen_window_of_windows_starts_the_command_beside_it(
    windows: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = tmp_path / "waymark-studio.exe"
    windows.setattr(sys, "executable", str(window))
    windows.setattr(sys, "frozen", True, raising=False)
    assert waymark_command() == [str(window)]
    command = _program(tmp_path / "waymark.exe")
    assert waymark_command() == [str(command)]
    windows.setattr("sys.platform", "linux")
    assert waymark_command() == [str(window)]
