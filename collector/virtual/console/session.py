"""The dialogue with one client of the console: bytes in, bytes out.

As ``control_global_accept``, ``control_client_read_byte``, ``control_client_do_command`` and ``do_auth`` of
the emulator's console.cpp.
"""

from __future__ import annotations

import hmac
import re
from pathlib import Path

from collector.virtual.console.auth_token import read_token
from collector.virtual.console.command_table import OK, Commands, ConsoleError, answer, find_command
from collector.virtual.console.commands.tables import AUTH, BEFORE, CONSOLE, QUIT
from collector.virtual.console.emulator import Emulator

_LONGEST_LINE = 4095
_HTTP = re.compile(r"(?:GET|HEAD|POST|PUT|DELETE|TRACE|CONNECT)[ \t].*[ \t]HTTP/[0-9]+\.[0-9]+[ \t]*")
"""A request line, as ``httpIsRequestLine`` of HttpUtils.cpp: no web page may speak to the console."""
_HELP = "Android Console: type 'help' for a list of commands\n"


class ConsoleSession:
    """What one client and the console have said. ``path`` is the file of the token."""

    def __init__(self, emulator: Emulator, path: Path) -> None:
        self._emulator, self._path = emulator, path
        self._commands: Commands = BEFORE
        self._line = bytearray()
        self.is_finished = False
        """Whether the console hangs up."""

    def greet(self) -> bytes:
        """What the console says first; nothing, and it hangs up, when the token cannot be read."""
        try:
            token = read_token(self._path)
        except (OSError, ValueError):
            self.is_finished = True
            return b""
        if not token:
            self._commands = CONSOLE
            return _encode(_HELP + OK)
        return _encode(
            "Android Console: Authentication required\n"
            "Android Console: type 'auth <auth_token>' to authenticate\n"
            f"Android Console: you can find your <auth_token> in \n'{self._path}'\n{OK}"
        )

    def receive(self, data: bytes) -> bytes:
        """Take what a client sent, and return the answers to the lines that are complete."""
        written = b""
        for byte in data:
            if byte == ord("\r"):
                continue
            if byte != ord("\n"):
                if len(self._line) >= _LONGEST_LINE:
                    self._line.clear()
                self._line.append(byte)
                continue
            line, self._line = bytes(self._line), bytearray()
            written += _encode(self._answer(line))
            if self.is_finished:
                break
        return written

    def _answer(self, data: bytes) -> str:
        try:
            line = data.decode("utf-8")
        except UnicodeDecodeError:
            self.is_finished = True
            return "KO: Forbidden binary request. Aborting\n"
        if _HTTP.fullmatch(line):
            self.is_finished = True
            return "KO: Forbidden HTTP request. Aborting\n"
        command, rest = find_command(line, self._commands)
        if command is not None and QUIT in command.names:
            self.is_finished = True
            return ""
        if command is not None and command.names == AUTH:
            try:
                return self._authenticate(rest)
            except ConsoleError as error:
                return error.answer
        text = answer(line, self._commands, self._emulator)
        self.is_finished = self._emulator.is_killed
        return text

    def _authenticate(self, given: str) -> str:
        if not given:
            raise ConsoleError("missing authentication token")
        try:
            token = read_token(self._path)
        except (OSError, ValueError):
            raise ConsoleError("unable to read ~/.emulator_console_auth_token") from None
        if not hmac.compare_digest(token.encode(), given.encode()):
            raise ConsoleError("authentication token does not match ~/.emulator_console_auth_token")
        self._commands = CONSOLE
        return _HELP + OK


def _encode(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()
