"""The prompt of a terminal: editing, history, search, completion, and the modes that commands set."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from collector.virtual.device import VirtualDevice
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.shell.session import run_prompt
from collector.virtual.shell.terminal.terminal import Terminal
from tests.helpers.virtual import profile

PROMPT = b"waymark:/ $ "
UP, DOWN, LEFT, HOME, END = b"\x1b[A", b"\x1b[B", b"\x1b[D", b"\x1b[H", b"\x1bOF"


class Screen:
    """What a terminal shows: carriage returns, line ends, backspaces and wide characters."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.data = b""
        self._changed = threading.Condition()

    def write(self, data: bytes) -> None:
        with self._changed:
            self.data += data
            self._changed.notify_all()

    def wait(self, shown: Callable[[str], bool]) -> str:
        """The last line of the screen, once ``shown`` holds for all lines."""
        with self._changed:
            assert self._changed.wait_for(lambda: shown("\n".join(self.lines)), 20), "\n".join(self.lines)
            return self.lines[-1]

    @property
    def lines(self) -> list[str]:
        cells: list[str] = []
        lines, column = [], 0
        for character in self.data.decode("utf-8", "replace"):
            if character == "\n":
                lines.append("".join(cells).rstrip())
                cells = []
            elif character == "\r":
                column = 0
            elif character == "\b":
                column = max(0, column - 1)
            elif character != "\a":
                wide = "一" <= character <= "鿿"
                cells += [" "] * (column + 1 + wide - len(cells))
                cells[column : column + 1 + wide] = [character, ""][: 1 + wide]
                column += 1 + wide
        return [*lines, "".join(cells).rstrip()]


class Prompt:
    """A shell at a terminal; ``type`` presses keys, ``shown`` waits for text on the screen."""

    def __init__(self, device: VirtualDevice, columns: int = 80) -> None:
        interruption = CancelScope()
        self.screen = Screen(columns)
        self.terminal = Terminal(self.screen, interruption)
        self.terminal.resize(30, columns)
        shell = Shell(device.machine, interruption, device.machine.environment())
        shell.terminal = self.terminal
        self._status: list[int] = []
        self._thread = threading.Thread(
            target=lambda: self._status.append(run_prompt(shell, self.terminal)), daemon=True
        )
        self._thread.start()
        self.shown("$")

    def type(self, *keys: bytes) -> None:
        for key in keys:
            self.terminal.typed(key)

    def shown(self, end: str) -> str:
        return self.screen.wait(lambda text: text.endswith(end))

    def run(self, *keys: bytes) -> list[str]:
        """Type keys and Enter; the lines of the output."""
        before = len(self.screen.lines)
        self.type(*keys, b"\r")
        self.screen.wait(lambda text: text.count("\n") >= before and text.endswith(("$", "$ ")))
        return self.screen.lines[before:-1]

    def leave(self) -> int:
        self.terminal.hang_up()
        self._thread.join(20)
        return self._status[0]


@pytest.fixture(scope="module")
def device() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile("todo"))
    yield device
    device.close()


@pytest.fixture
def prompt(device: VirtualDevice) -> Iterator[Prompt]:
    prompt = Prompt(device)
    yield prompt
    prompt.leave()


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ([b"echo one", b"\x01", b"\x0b", b"echo two"], "two"),  # Ctrl+A, Ctrl+K
        ([b"bc", b"\x01", b"echo a", b"\x05", b"d"], "abcd"),  # Ctrl+E
        ([b"rubbish", b"\x15", b"echo kept"], "kept"),  # Ctrl+U
        ([b"echo one two", b"\x17", b"three"], "one three"),  # Ctrl+W
        ([b"echo one two", b"\x17", b"\x19", b"\x19"], "one twotwo"),  # Ctrl+Y
        ([b"echo abd", LEFT, b"c"], "abcd"),
        ([b"cho a", HOME, b"e", END, b"b"], "ab"),
        ([b"echo xab", LEFT, LEFT, b"\x7f"], "ab"),
        ([b"echo xab", LEFT, LEFT, LEFT, b"\x04"], "ab"),  # Ctrl+D
        ([b"echo ab", b"\x14"], "ba"),  # Ctrl+T
        ([b"echo a b", b"\x1bb", b"x"], "a xb"),  # Meta+B
        (["echo 中文x".encode(), b"\x7f", b"\x7f", "国".encode()], "中国"),
        (["echo 中文".encode(), LEFT, LEFT, "二".encode()], "二中文"),
    ],
)
def test_keys_that_edit_a_line(prompt, keys, line):
    typed = prompt.run(*keys)
    assert typed == [line]
    assert prompt.screen.lines[-3] == f"waymark:/ $ echo {line}"


def test_ctrl_l_draws_the_line_again(prompt):
    assert prompt.run(b"echo b", b"\x0c") == ["waymark:/ $ echo b", "b"]


def test_ctrl_c_drops_a_line_and_ctrl_d_leaves(prompt):
    prompt.type(b"echo lost", b"\x03")
    assert prompt.shown("130|waymark:/ $") == "130|waymark:/ $"
    assert "lost^C" in prompt.screen.lines[-2]
    assert prompt.run(b"echo $?") == ["130"]
    prompt.type(b"\x04")
    assert prompt.leave() == 0
    assert prompt.screen.lines[-2].endswith("^D")


def test_a_program_reads_what_is_typed_until_ctrl_d(prompt):
    prompt.type(b"cat; echo done\r")
    prompt.screen.wait(lambda text: "cat; echo done\n" in text)
    prompt.type(b"on", b"\x7f", b"ne\r")
    prompt.screen.wait(lambda text: text.count("one") == 2)
    prompt.type(b"\x04")
    prompt.shown("done\nwaymark:/ $")


def test_the_history_by_arrows_keys_and_search(prompt):
    for line in (b"echo first", b"echo second", b"date +%Y"):
        prompt.run(line)
    assert prompt.run(UP, UP) == ["second"]
    assert prompt.run(b"\x10", b"\x10", b"\x10", b"\x10") == ["first"]  # Ctrl+P
    assert prompt.run(UP, UP, DOWN, b"\x0e", b"echo new") == ["new"]  # Ctrl+N
    assert prompt.run(b"\x12", b"fir")[-1] == "first"  # Ctrl+R
    assert prompt.run(b"\x12", b"ech", b"\x12", b"\x12", b"\x05", b"!")[-1].endswith("!")
    assert prompt.run(b"echo f", b"\x1b[5~", b"\x05", b"!") == ["first!!"]  # Page Up
    assert "I-search:" in "\n".join(prompt.screen.lines)
    assert prompt.run(b"fc -l 1 2") == ["1\techo first", "2\techo second"]
    assert prompt.run(b"history")[0] == "1\techo first"
    assert prompt.run(b"r second=again 2") == ["echo again", "again"]
    assert prompt.run(b"echo a b", b"\r", b"echo ", b"\x1b.")[-1] == "b"  # Meta+.


def test_tab_completes_commands_and_paths(prompt):
    assert prompt.run(b"unam\t-m") == ["aarch64"]
    assert prompt.run(b"ls /system/e\tho\t") == ["/system/etc/hosts"]
    assert prompt.run(b"cd /sdc\t; pwd; cd /") == ["/sdcard"]
    prompt.run(b"touch '/sdcard/a b.txt' /sdcard/abc")
    assert prompt.run(b"ls /sdcard/a\\ \t") == ["/sdcard/a b.txt"]
    prompt.type(b"ls /sdcard/a\t")
    prompt.screen.wait(lambda text: "\na b.txt  abc\n" in text and text.endswith("ls /sdcard/a"))
    prompt.type(b"\x15", b"nosuchcommand\t")
    prompt.screen.wait(lambda text: text.endswith("nosuchcommand") and prompt.screen.data.endswith(b"\a"))
    prompt.type(b"\x15")


def test_a_line_longer_than_the_window_scrolls(device):
    prompt = Prompt(device, columns=30)
    prompt.type(b"echo " + b"0123456789" * 4)
    assert prompt.shown("<").startswith("waymark:/ $ ")
    assert all(len(line) < 30 for line in prompt.screen.lines)
    prompt.type(b"\x01")
    assert prompt.shown(">").startswith("waymark:/ $ echo 01234")
    assert prompt.run() == ["0123456789" * 4]
    prompt.leave()


def test_what_commands_know_of_the_terminal(prompt, device):
    assert prompt.run(b"tty; stty size; echo $COLUMNS; [ -t 0 ] && echo yes") == [
        "/dev/pts/0", "30 80", "80", "yes"
    ]  # fmt: skip
    prompt.terminal.resize(40, 100)
    assert prompt.run(b"echo x | tty; echo x | stty size") == [
        "not a tty", "stty: standard input: Not a typewriter"
    ]  # fmt: skip
    assert prompt.run(b"stty -a")[0] == "speed 38400 baud; rows 40; columns 100; line = 0;"
    prompt.type(b"stty -echo; read secret; stty echo; echo got $secret\r")
    prompt.screen.wait(lambda text: "$secret\n" in text and not prompt.terminal.modes.echo)
    prompt.type(b"hidden\r")
    prompt.shown("got hidden\nwaymark:/ $")
    assert sum("hidden" in line for line in prompt.screen.lines) == 1


def test_top_runs_until_q(prompt):
    prompt.type(b"top -d 60\r")
    prompt.screen.wait(lambda text: "\x1b[H\x1b[JTasks: " in text and "system_server" in text)
    assert b"\x1b[7m  PID USER" in prompt.screen.data
    prompt.type(b"q")
    prompt.shown("waymark:/ $")
