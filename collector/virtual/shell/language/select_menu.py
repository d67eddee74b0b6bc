"""The menu of ``select``: numbered words, and the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from collector.virtual.shell.pipes import LineReader, Streams
from collector.virtual.shell.process import encode


class AskingShell(Protocol):
    """The shell that asks."""

    def variable(self, name: str) -> str | None: ...

    def set_variable(self, name: str, value: str) -> None: ...


def ask(shell: AskingShell, values: list[str], streams: Streams) -> Iterator[str]:
    """The chosen word for each line of stdin, empty for no number of the menu; ends with stdin."""
    if not values:
        return
    shows = True
    while True:
        if shows:
            streams.stderr.write(encode("".join(f"{n}) {value}\n" for n, value in enumerate(values, 1))))
        streams.stderr.write(encode(shell.variable("PS3") or "#? "))
        line = read_line(streams)
        if not line:
            return
        answer = line.decode("utf-8", "surrogateescape").strip()
        shell.set_variable("REPLY", answer)
        shows = not answer
        if answer:
            number = int(answer) if answer.isdecimal() and len(answer) < 6 else 0
            yield values[number - 1] if 0 < number <= len(values) else ""


def read_line(streams: Streams, end: bytes = b"\n") -> bytes:
    """One line of stdin with its end, and nothing of what follows."""
    if end == b"\n" and isinstance(streams.stdin, LineReader):
        return next(streams.stdin, b"")
    line = bytearray()
    while (character := streams.stdin.read(1)) and character != end:
        line += character
    return bytes(line) + character
