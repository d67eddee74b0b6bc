"""The console of an emulator, byte by byte, and that of the virtual phone."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from collector.device.errors import CommandFailed, DeviceTimeout
from collector.device.transport.emulator_console import ConsoleRefused, NoConsole, run_console_command
from collector.device.transport.shell_result import ShellResult

GREETING = (
    b"Android Console: Authentication required\r\n"
    b"Android Console: type 'auth <auth_token>' to authenticate\r\n"
    b"Android Console: you can find your <auth_token> in \r\n"
    b"'/home/lin/.emulator_console_auth_token'\r\nOK\r\n"
)


NOTHING = ShellResult(b"", b"", 0)


class Phone:
    def __init__(self, serial: str, answer: ShellResult = NOTHING) -> None:
        self.serial, self.answer, self.ran = serial, answer, list[str]()

    def shell(self, command: str, **_options: Any) -> ShellResult:
        self.ran.append(command)
        return self.answer


@contextmanager
def emulator(
    *answers: bytes, greeting: bytes = GREETING, hangs_up: bool = False
) -> Iterator[tuple[int, list[bytes]]]:
    """A console that greets, then gives one answer a line; its port and the lines it heard."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            link, _address = server.accept()
            with link, link.makefile("rb") as lines, suppress(ConnectionError):
                link.sendall(greeting)
                for answer, line in zip(answers, lines, strict=False):
                    heard.append(line)
                    for at in range(len(answer)):  # byte by byte: an answer may come in any pieces
                        link.sendall(answer[at : at + 1])
                if not hangs_up:
                    heard.extend(lines)

        thread = threading.Thread(target=serve, name="emulator console")
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            thread.join(10)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".emulator_console_auth_token").write_text("s3cret\n", "ascii")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)


def test_an_emulator_is_told_the_token_and_then_the_words() -> None:
    with emulator(b"Android Console: type 'help'\r\nOK\r\n", b"inbound from 5551234\r\nOK\r\n") as (
        port,
        heard,
    ):
        answer = run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"])  # type: ignore[arg-type]
    assert answer == "inbound from 5551234"
    assert heard == [b"auth s3cret\r\n", b"gsm list\r\n", b"quit\r\n"]


def test_one_that_wants_no_token_gets_none() -> None:
    with emulator(b"OK\r\n", greeting=b"Android Console\r\nOK\r\n") as (port, heard):
        assert run_console_command(Phone(f"emulator-{port}"), ["gsm", "call", "1"]) == ""  # type: ignore[arg-type]
    assert heard == [b"gsm call 1\r\n", b"quit\r\n"]


WELCOME = b"Android Console: type 'help' for a list of commands\r\nOK\r\n"
UNKNOWN = b"KO: unknown command, try 'help'\r\n"
NO_SNAPSHOT = (
    b"KO: Device 'cache' does not have the requested snapshot 'x'\r\n"
    b"KO: Snapshot load failure: snapshot doesn't exist\r\n"
)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ((WELCOME, UNKNOWN, b"I am alive!\r\nOK\r\n"), "unknown command, try 'help'"),
        ((WELCOME, UNKNOWN, UNKNOWN), "unknown command, try 'help'"),
        (
            (WELCOME, NO_SNAPSHOT, b"I am alive!\r\nOK\r\n"),
            "Device 'cache' does not have the requested snapshot 'x'; "
            "Snapshot load failure: snapshot doesn't exist",
        ),
        # The second reason comes when the first has been read, before the answer to the ping.
        (
            (WELCOME, NO_SNAPSHOT, b"KO: fatal error, VM stopped.\r\nOK\r\n"),
            "Device 'cache' does not have the requested snapshot 'x'; "
            "Snapshot load failure: snapshot doesn't exist; fatal error, VM stopped.",
        ),
    ],
)
def test_what_it_refuses_is_told_with_all_its_reasons(answers: tuple[bytes, ...], said: str) -> None:
    with emulator(*answers) as (port, heard), pytest.raises(ConsoleRefused) as refused:
        run_console_command(Phone(f"emulator-{port}"), ["avd", "snapshot", "load", "x"])  # type: ignore[arg-type]
    assert (refused.value.what, refused.value.why) == ("The emulator's console refused", said)
    assert heard == [b"auth s3cret\r\n", b"avd snapshot load x\r\n", b"ping\r\n"]


def test_a_token_of_another_home_folder_is_told_with_what_to_do() -> None:
    wrong = b"KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
    refused = pytest.raises(ConsoleRefused, match=r"token does not match.*\. Start it from this account")
    with emulator(wrong, b"I am alive!\r\nOK\r\n") as (port, heard), refused:
        run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"])  # type: ignore[arg-type]
    assert heard == [b"auth s3cret\r\n", b"ping\r\n"], "no command is sent"


def test_a_console_that_cannot_read_its_token_hangs_up(tmp_path: Path) -> None:
    with (
        emulator(greeting=b"", hangs_up=True) as (port, _heard),
        pytest.raises(CommandFailed, match="hung up"),
    ):
        run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"])  # type: ignore[arg-type]
    (tmp_path / ".emulator_console_auth_token").write_bytes(b"\xff")
    with emulator() as (port, _heard), pytest.raises(CommandFailed, match="wants a token"):
        run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"])  # type: ignore[arg-type]


def test_the_last_words_of_one_that_is_killed_are_its_answer() -> None:
    with emulator(WELCOME, b"OK: killing emulator, bye bye\r\nOK\r\n") as (port, _heard):
        answer = run_console_command(Phone(f"emulator-{port}"), ["kill"])  # type: ignore[arg-type]
    assert answer == "OK: killing emulator, bye bye"


def test_one_that_is_silent_takes_no_longer_than_it_may() -> None:
    with emulator(greeting=b"Android Con") as (port, _heard), pytest.raises(DeviceTimeout):
        run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"], timeout=0.05)  # type: ignore[arg-type]


def test_an_answer_without_an_end_is_given_up() -> None:
    with (
        emulator(greeting=b"x" * 200_000) as (port, _heard),
        pytest.raises(CommandFailed, match="without an end"),
    ):
        run_console_command(Phone(f"emulator-{port}"), ["gsm", "list"])  # type: ignore[arg-type]


@pytest.mark.parametrize("serial", ["emulator-99999", "emulator-" + "9" * 5000, "emulator-\u0661\u0662"])
def test_a_serial_with_a_port_that_is_none_is_no_console(serial: str) -> None:
    phone = Phone(serial, ShellResult(b"", b"Can't find service: waymark", 20))
    with pytest.raises(NoConsole):
        run_console_command(phone, ["gsm", "list"])  # type: ignore[arg-type]


def test_a_second_line_cannot_be_slipped_in() -> None:
    with pytest.raises(CommandFailed, match="one line"):
        run_console_command(Phone("emulator-1"), ["sms", "send", "1", "hi\r\nkill"])  # type: ignore[arg-type]


def test_a_virtual_phone_takes_the_same_words_through_its_shell() -> None:
    phone = Phone("127.0.0.1:1", ShellResult(b"inbound from 1\nOK\n", b"", 0))
    assert run_console_command(phone, ["sms", "send", "1", "it's me"]) == "inbound from 1"  # type: ignore[arg-type]
    assert phone.ran == ["cmd waymark emu sms send 1 'it'\"'\"'s me'"]


def test_a_phone_of_glass_has_none() -> None:
    answer = ShellResult(b"cmd: Can't find service: waymark\n", b"", 20)
    with pytest.raises(NoConsole, match="Only emulators and virtual phones"):
        run_console_command(Phone("R58M123", answer), ["gsm", "list"])  # type: ignore[arg-type]
