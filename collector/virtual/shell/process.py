"""A running command of the phone: its arguments, its pipes and its cancellation."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from collector.virtual.shell.language.syntax import Function, Script
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import InputPipe, Streams, Writer, read_all
from collector.virtual.shell.process_table import CancelScope, Interrupted
from collector.virtual.shell.terminal.terminal import Terminal

if TYPE_CHECKING:
    from collector.virtual.shell.language.jobs import Coprocess, Job
    from collector.virtual.shell.language.variable_store import VariableStore


class CommandError(Exception):
    """A command fails: the message goes to its stderr unchanged; then its exit status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class CallingShell(Protocol):
    """The shell that runs a command, as far as commands may use it."""

    aliases: dict[str, str]
    arguments: list[str]
    caught: list[str]
    coprocess: Coprocess | None
    directory: str
    functions: dict[str, Function]
    history: list[str] | None
    interruption: CancelScope
    jobs: list[Job]
    limits: Mapping[str, tuple[int, int]]
    loops: int
    name: str
    option_offset: int
    option_place: int
    options: set[str]
    owner: str
    pid: int
    status: int
    store: VariableStore
    streams: Streams
    terminal: Terminal | None
    traps: dict[str, str]

    @property
    def exported(self) -> set[str]: ...
    @property
    def variables(self) -> dict[str, str]: ...

    def element(self, name: str, index: int) -> str | None: ...
    def elements(self, name: str) -> dict[int, str]: ...
    def evaluate(self, text: str, streams: Streams) -> int: ...
    def execute(self, argv: list[str], streams: Streams, environment: dict[str, str]) -> int: ...
    def fork(self) -> Self: ...
    def fork_program(self, pid: int, interruption: CancelScope) -> Self: ...
    def is_trapped(self, pid: int, signal: str) -> bool: ...
    def make_local(self, name: str) -> None: ...
    def place(self, name: str) -> str: ...
    def run(self, script: Script, streams: Streams) -> int: ...
    def run_script_file(self, path: str, argv: list[str], streams: Streams) -> int: ...
    def run_text(self, text: str, streams: Streams) -> int: ...
    def set_element(self, name: str, index: int, value: str) -> None: ...
    def set_variable(self, name: str, value: str) -> None: ...
    def variable(self, name: str) -> str | None: ...


@dataclass(slots=True)
class Process:
    """The argument of a command function; ``argv[0]`` is the name it was called by."""

    machine: Machine
    shell: CallingShell
    argv: list[str]
    stdin: InputPipe
    stdout: Writer
    stderr: Writer
    interruption: CancelScope
    environment: dict[str, str] = field(default_factory=dict)
    pid: int = 0
    more: Mapping[int, InputPipe | Writer] = field(default_factory=dict)
    """The other open descriptors."""

    @property
    def name(self) -> str:
        return self.argv[0]

    @property
    def arguments(self) -> list[str]:
        return self.argv[1:]

    @property
    def streams(self) -> Streams:
        """Stdin, stdout and stderr together, for a command that this one runs."""
        return Streams(self.stdin, self.stdout, self.stderr, self.more)

    def out(self, text: str) -> None:
        """Print to stdout without a line end."""
        self.stdout.write(encode(text))

    def line(self, text: str = "") -> None:
        """Print a line to stdout."""
        self.stdout.write(encode(text + "\n"))

    def err(self, text: str) -> None:
        """Print a line to stderr."""
        self.stderr.write(encode(text + "\n"))

    def path(self, name: str) -> str:
        """The absolute path of a name as typed."""
        return name if name.startswith("/") else f"{self.shell.directory.rstrip('/')}/{name}"

    def input(self) -> bytes:
        """Read all of stdin."""
        return read_all(self.stdin)

    @property
    def terminal(self) -> Terminal | None:
        """The terminal that stdin reads from; None when stdin is a pipe or a file."""
        return self.stdin if isinstance(self.stdin, Terminal) else None

    def sleep(self, seconds: float) -> None:
        """Wait; raise Interrupted on cancellation."""
        if self.interruption.wait(min(seconds, threading.TIMEOUT_MAX)):
            raise Interrupted

    def simulate_duration(self, seconds: float) -> None:
        """On a realistic phone, take as long as the command takes there."""
        if self.machine.realistic:
            self.sleep(seconds)


def encode(text: str) -> bytes:
    """Encode text for output; input bytes that were not UTF-8 are restored unchanged."""
    return text.encode("utf-8", "surrogateescape")
