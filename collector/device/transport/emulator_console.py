"""Run commands of an emulator's console: calls, text messages and others that adb shell lacks.

An emulator listens on the port in its serial and requires the token file the Android SDK keeps in the home
folder. The virtual phone takes the same commands through its shell. The dialogue is written down in
``docs/emulators.md``.
"""

from __future__ import annotations

import contextlib
import re
import socket
import time
from pathlib import Path

from collector.adb.quoting import join
from collector.device.errors import CommandFailed, DeviceError, DeviceTimeout
from collector.device.protocols import Device
from collector.host.sockets import connect, is_trusted_listener
from collector.model.i18n import _

TIMEOUT = 5.0
_SERIAL = re.compile(r"emulator-([1-9][0-9]{0,4})")
_MOST_PORT = 65_535
_FILE = ".emulator_console_auth_token"
_MAX_ANSWER = 1 << 16
_END = re.compile(rb"(?:^|\r\n)(OK|KO[^\r\n]*)\r\n\Z")
_REASON = re.compile(rb"^KO: *([^\r\n]*)", re.MULTILINE)
_NOT_OURS = "token does not match"
_MORE_SECONDS = 1.0
"""How long a console may take to give the rest of its reasons."""


class NoConsole(DeviceError):  # noqa: N818 - named like the other device errors
    """This phone is neither an emulator nor a virtual phone."""

    def __init__(self) -> None:
        super().__init__(
            _("This phone has no console"),
            _("Only emulators and virtual phones can be called or sent a message from here"),
        )


class ConsoleRefused(CommandFailed):
    """The console answered with KO: it does not know the command, or cannot carry it out."""

    def __init__(self, what: str, reason: str) -> None:
        to_do = ""
        if _NOT_OURS in reason:
            to_do = _("Start it from this account, with the home folder that has its file {name}", name=_FILE)
        super().__init__(what, reason, to_do)


def is_emulator(device: Device) -> bool:
    """Whether a phone is an emulator of the Android SDK, as adb's name for it says."""
    return _SERIAL.fullmatch(device.serial) is not None


def run_console_command(device: Device, words: list[str], *, timeout: float = TIMEOUT) -> str:
    """Run the command ``words`` and return its answer without the final OK.

    Raises NoConsole, CommandFailed when the console refuses, and DeviceTimeout when it is silent.
    """
    match = _SERIAL.fullmatch(device.serial)
    if match and int(match[1]) <= _MOST_PORT:
        return _ask_emulator(int(match[1]), " ".join(words), timeout)
    result = device.shell(f"cmd waymark emu {join(words)}", timeout=timeout)
    text = result.text.strip()
    if "Can't find service" in result.text + result.error_text:
        raise NoConsole
    if not result.ok or text.splitlines()[-1:] != ["OK"]:
        raise ConsoleRefused(
            _("The console refused: {command}", command=" ".join(words)), text or result.error_text
        )
    return text[:-2].strip()


def _ask_emulator(port: int, line: str, timeout: float) -> str:
    if "\n" in line or "\r" in line:
        raise CommandFailed(_("The console takes one line"), line)
    end = time.monotonic() + timeout
    try:
        with connect(port, timeout) as link:
            greeting = _read_answer(link, end)
            if b"Authentication required" in greeting:
                _require_own(port)
                link.sendall(f"auth {_token()}\r\n".encode())
                _read_answer(link, end)
            link.sendall(f"{line}\r\n".encode())
            answer = _read_answer(link, end)
            link.sendall(b"quit\r\n")
    except TimeoutError:
        raise DeviceTimeout(line, timeout) from None
    except OSError as error:
        raise CommandFailed(_("The emulator's console does not answer"), str(error)) from None
    return answer.decode("utf-8", "replace").strip()


def _require_own(port: int) -> None:
    """The token of this account opens all its emulators: no other account may get it."""
    if not is_trusted_listener(port):
        raise CommandFailed(
            _("The emulator's console was not used"),
            _("another account of this computer listens on port {port}", port=port),
        )


def _read_answer(link: socket.socket, end: float) -> bytes:
    """Read up to OK; raises ConsoleRefused at KO."""
    data = b""
    while not (match := _END.search(data)):
        link.settimeout(max(0.01, end - time.monotonic()))
        received = link.recv(4096)
        if not received:
            raise CommandFailed(_("The emulator's console hung up"), data.decode("utf-8", "replace"))
        data += received
        if len(data) > _MAX_ANSWER:
            raise CommandFailed(_("The emulator's console gave an answer without an end"))
    if match[1] != b"OK":
        data += _rest(link, end)
        reasons = (reason.decode("utf-8", "replace") for reason in _REASON.findall(data))
        raise ConsoleRefused(_("The emulator's console refused"), "; ".join(reasons))
    return data[: match.start()]


def _rest(link: socket.socket, end: float) -> bytes:
    """The lines that follow a KO: a snapshot that does not load gives two or three, and no OK after them.

    The answer to a ping comes behind them.
    """
    data = b""
    until = min(end, time.monotonic() + _MORE_SECONDS)
    with contextlib.suppress(OSError):
        link.sendall(b"ping\r\n")
        while not data.endswith(b"OK\r\n") and b"KO: unknown command" not in data:
            link.settimeout(max(0.01, until - time.monotonic()))
            received = link.recv(4096)
            if not received or len(data) > _MAX_ANSWER:
                break
            data += received
    return data.partition(b"KO: unknown command")[0]


def _token() -> str:
    try:
        return (Path.home() / _FILE).read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise CommandFailed(_("The emulator's console wants a token"), str(error)) from None
