"""Programs are found by absolute places alone, and start where there is nothing to be found."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from collector.host.connected_program import start_connected
from collector.host.programs import Signals, find_program, run_program, start_program
from collector.host.python_processes import python_processes
from collector.host.user_folders import runtime_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts with a shebang")


def write_program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def trapped(tmp_path, monkeypatch):
    """The current folder has a program `adb`, and relative entries of PATH reach it."""
    folder = tmp_path / "project"
    folder.mkdir()
    write_program(folder / "adb", "echo trapped")
    monkeypatch.chdir(folder)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "../project", str(tools), "/usr/bin", "/bin"]))
    return tools


def test_a_program_of_the_current_folder_is_not_found(trapped):
    assert find_program("adb") is None
    with pytest.raises(FileNotFoundError):
        run_program(["adb", "version"], seconds=5)
    for name in ("./adb", "../project/adb"):
        with pytest.raises(FileNotFoundError):
            run_program([name, "version"], seconds=5)


def test_the_same_program_in_an_absolute_folder_is(trapped):
    write_program(trapped / "adb", "echo good")
    assert find_program("adb") == trapped / "adb"
    assert run_program(["adb"], seconds=5).stdout == b"good\n"


def test_a_program_works_in_a_folder_of_this_account(trapped):
    where = run_program(["pwd"], seconds=5).stdout.decode().strip()
    assert Path(where) == runtime_folder()
    assert run_program(["sh", "-c", "echo $PATH"], seconds=5).stdout.decode().startswith(str(trapped))


def test_a_program_that_does_not_end_is_killed():
    with pytest.raises(TimeoutError, match="sleep does not end within"):
        run_program(["sleep", "60"], seconds=0.05)


@pytest.mark.parametrize(("signals", "same_group", "same_session"), [
    (Signals.SHARED, True, True), (Signals.OWN_GROUP, False, True), (Signals.OWN_SESSION, False, False),
])  # fmt: skip
def test_whose_signals_a_program_gets(signals, same_group, same_session):
    process = start_program(["cat"], stdin=subprocess.PIPE, signals=signals)
    assert process.stdin is not None
    assert (os.getpgid(process.pid) == os.getpgrp()) == same_group
    assert (os.getsid(process.pid) == os.getsid(0)) == same_session
    process.stdin.close()
    assert process.wait(10) == 0


def test_processes_of_python_find_no_module_in_the_current_folder(tmp_path, monkeypatch):
    marker = tmp_path / "marker"
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("multiprocessing", "pickle", "socket", "threading"):
        (tmp_path / f"{name}.py").write_text(
            f"open({str(marker)!r}, 'a').write({name!r})\nraise SystemExit(3)\n"
        )
    process = python_processes().Process(target=os.getpid)
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert not marker.exists()


def test_a_trusted_program_is_taken_from_the_folder_that_names_it(trapped, monkeypatch):
    folder = trapped.parent / "project"
    write_program(folder / "agent.sh", "exit 7")

    class Pipes(asyncio.SubprocessProtocol):
        def __init__(self) -> None:
            self.ended = asyncio.Event()

        def process_exited(self) -> None:
            self.ended.set()

    async def status(words: list[str]) -> int | None:
        pipes = Pipes()
        transport = await start_connected(lambda: pipes, words, folder, {"PATH": os.environ["PATH"]})
        await pipes.ended.wait()
        transport.close()
        return transport.get_returncode()

    assert asyncio.run(status(["./agent.sh"])) == 7
    with pytest.raises(FileNotFoundError):
        asyncio.run(status(["adb"]))
