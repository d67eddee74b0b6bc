"""What a shell remembers: variables, arguments, options, traps, functions and jobs."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from typing import Self

from collector.virtual.shell.language.control_flow import NAME
from collector.virtual.shell.language.jobs import Coprocess, Job
from collector.virtual.shell.language.syntax import Function
from collector.virtual.shell.language.variable_store import VariableStore
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import NullPipe, Streams
from collector.virtual.shell.process import encode
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.shell.terminal.terminal import Terminal

FLAGS = {"allexport": "a", "errexit": "e", "noglob": "f", "monitor": "m", "noexec": "n", "nounset": "u",
         "verbose": "v", "xtrace": "x", "noclobber": "C"}  # fmt: skip
"""Options by their long names -> letters of ``set``."""


class ShellState:
    """The memory of one shell, and its special parameters."""

    def __init__(self, machine: Machine, interruption: CancelScope, environment: dict[str, str]) -> None:
        self.machine = machine
        self.interruption = interruption
        self.store = VariableStore(dict(environment), exported=set(environment))
        self.name = NAME
        """``$0``, which begins each message."""
        self.arguments: list[str] = []
        self.directory = "/"
        self.owner = ""
        """The package as whose user the shell runs; empty for the shell user."""
        self.functions: dict[str, Function] = {}
        self.aliases: dict[str, str] = {}
        self.options: set[str] = set()
        """Names of ``set -o`` that are on."""
        self.limits: Mapping[str, tuple[int, int]] = {}
        """The soft and the hard value of each limit that ``ulimit`` set, by its letter; never changed."""
        self.traps: dict[str, str] = {}
        """Signal, ``EXIT`` or ``ERR`` -> commands."""
        self.jobs: list[Job] = []
        self.job_pid = 0
        """``$!``; 0 before anything was started in the background."""
        self.coprocess: Coprocess | None = None
        self.main: ShellState = self
        """The shell whose process id is ``$$``, in its copies."""
        self.caught: list[str] = []
        """Trapped signals that came and whose traps have not run yet."""
        self.history: list[str] | None = None
        """The lines typed at the prompt, the oldest first; None in a shell without one."""
        self.terminal: Terminal | None = None
        self.option_place, self.option_offset = 1, 0
        """Where ``getopts`` goes on: the argument, and the letter in it."""
        self.status = 0
        self.pid = 0
        self.streams = Streams(NullPipe(), NullPipe(), NullPipe())
        """The current descriptors, which ``exec`` changes."""
        self.loops = 0
        """Loops that run."""
        self.last_argument = ""
        self.is_file = False
        self.line = 0

    @property
    def variables(self) -> dict[str, str]:
        return self.store.values

    @property
    def exported(self) -> set[str]:
        return self.store.exported

    def fork(self) -> Self:
        """Create an independent copy of this shell, without its traps and jobs."""
        other = copy.copy(self)
        other.store = self.store.copied()
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.options = set(self.options)
        other.traps = {signal: text for signal, text in self.traps.items() if not text}
        other.jobs = []
        other.coprocess = None
        return other

    def leave_coprocess(self) -> None:
        """Close the shell's ends of its coprocess's pipes, as when the shell ends."""
        if self.coprocess is not None:
            self.coprocess.to_it.close_writing()
            self.coprocess.from_it.close_reading()
            self.coprocess = None

    def fork_program(self, pid: int, interruption: CancelScope) -> Self:
        """Create the shell of a program of its own, with its own ``$$``."""
        other = self.fork()
        other.main, other.pid, other.interruption = other, pid, interruption
        other.caught, other.job_pid = [], 0
        return other

    def is_trapped(self, pid: int, signal: str) -> bool:
        """Whether a signal to a process is for this shell or the one it copies, and trapped there.

        Its trap runs after the command that runs.
        """
        if pid != self.pid or signal in ("KILL", "STOP"):
            return False
        text = self.main.traps.get(signal)
        if text:
            self.main.caught.append(signal)
        return text is not None

    def complain(self, message: str, streams: Streams) -> None:
        """Print an error of the shell itself."""
        streams.stderr.write(encode(f"{self.prefix}: {message}\n"))

    @property
    def prefix(self) -> str:
        """What begins messages: the name, in a script also the line."""
        return f"{self.name}[{self.line}]" if self.is_file and self.line else self.name

    @property
    def flags(self) -> str:
        """The letters of the options that are on, as ``$-``."""
        letters = sorted(FLAGS[name] for name in self.options if name in FLAGS)
        return "".join(
            [
                *(letter for letter in letters if letter.islower()),
                "h",
                *(letter for letter in letters if letter.isupper()),
            ]
        )

    # Methods of the Scope protocol for expansion.

    def variable(self, name: str) -> str | None:
        """A variable or special parameter."""
        if name == "RANDOM":
            return str(random.randrange(32768))
        if name in self.store.values:
            return self.store.values[name]
        if name.isdigit():
            number = int(name)
            if number == 0:
                return self.name
            return self.arguments[number - 1] if number <= len(self.arguments) else None
        special = _SPECIAL.get(name)
        return special(self) if special else None

    def set_variable(self, name: str, value: str) -> None:
        """Set a variable; ReadOnlyError when it may not change."""
        self.store.set_element(name, 0, value)
        if "allexport" in self.options:
            self.store.exported.add(name)

    def element(self, name: str, index: int) -> str | None:
        return self.store.element(name, index) if index else self.variable(name)

    def set_element(self, name: str, index: int, value: str) -> None:
        self.store.set_element(name, index, value)

    def elements(self, name: str) -> dict[int, str]:
        return self.store.elements(name)

    def make_local(self, name: str) -> None:
        """Make a variable local to the running function; no effect outside of a function."""
        self.store.make_local(name)

    def place(self, name: str) -> str:
        """The absolute path of a name."""
        return name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"


_SPECIAL: dict[str, Callable[[ShellState], str | None]] = {
    "?": lambda shell: str(shell.status),
    "$": lambda shell: str(shell.pid),
    "#": lambda shell: str(len(shell.arguments)),
    "!": lambda shell: str(shell.job_pid) if shell.job_pid else None,
    "-": lambda shell: shell.flags,
    "_": lambda shell: shell.last_argument,
    "@": lambda shell: " ".join(shell.arguments),
    "*": lambda shell: " ".join(shell.arguments),
    "PWD": lambda shell: shell.directory,
    "PPID": lambda _shell: "1",
    "IFS": lambda _shell: " \t\n",
    "OPTIND": lambda _shell: "1",
    "SECONDS": lambda shell: str(shell.machine.processes.age(shell.pid)),
    "COLUMNS": lambda shell: str(shell.terminal.width if shell.terminal else 80),
    "LINES": lambda shell: str(shell.terminal.rows or 24 if shell.terminal else 24),
    "LINENO": lambda shell: str(shell.line if shell.is_file else 0),
    "EPOCHREALTIME": lambda shell: f"{shell.machine.phone.clock.now.timestamp():.6f}",
    "KSH_VERSION": lambda _shell: "@(#)MIRBSD KSH R59 2020/10/31 Android",
    "PS4": lambda _shell: "+ ",
}
