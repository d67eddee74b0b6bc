"""A shell that is fed line by line, from a prompt or from a script on its input."""

from __future__ import annotations

from collector.virtual.shell.completion import complete_word
from collector.virtual.shell.interpreter import INTERRUPTED, LeaveLoop, LeaveShell, Shell
from collector.virtual.shell.line_editor import LineCancelled, LineEditor
from collector.virtual.shell.parser import parse
from collector.virtual.shell.pipes import LineReader, Streams
from collector.virtual.shell.process import Interrupted, encode
from collector.virtual.shell.terminal import Terminal
from collector.virtual.shell.word_reader import ShellSyntaxError


def run_script(shell: Shell, streams: Streams) -> int:
    """Run the lines of stdin until its end or ``exit``; return the last status."""
    lines = LineReader(streams.stdin)
    streams = Streams(lines, streams.stdout, streams.stderr)
    pending = ""
    while (line := next(lines, None)) is not None:
        pending += line.decode("utf-8", "surrogateescape")
        try:
            pending, _status = _run_lines(shell, pending, streams, last=False)
        except LeaveShell as leave:
            return leave.status
    return _run_lines(shell, pending, streams, last=True)[1] if pending else shell.status


def run_prompt(shell: Shell, terminal: Terminal) -> int:
    """Run the lines typed at a terminal until Ctrl+D, ``exit`` or a hang-up; return the last status.

    Ctrl+C ends a command or drops the typed line, not the session.
    """
    streams = Streams(terminal, terminal, terminal)
    shell.history = []
    editor = LineEditor(
        terminal,
        shell.history,
        lambda text, caret: complete_word(shell.machine, shell.directory, shell.functions, text, caret),
    )
    pending = ""
    while True:
        try:
            line = editor.read_line("> " if pending else _prompt(shell))
            if line is None:
                return _run_lines(shell, pending, streams, last=True)[1] if pending else shell.status
            _remember(shell.history, line, continued=bool(pending))
            pending, _status = _run_lines(shell, f"{pending}{line}\n", streams, last=False)
        except LeaveShell as leave:
            return leave.status
        except (Interrupted, LineCancelled):
            pending, shell.status = "", INTERRUPTED


def _remember(history: list[str], line: str, *, continued: bool) -> None:
    """Add a line to the history; a command of several lines is one entry."""
    if continued and history:
        history[-1] += f"\n{line}"
    elif line.strip():
        history.append(line)


def _prompt(shell: Shell) -> str:
    failed = f"{shell.status}|" if shell.status else ""
    return f"{failed}waymark:{shell.directory} $ "


def _run_lines(shell: Shell, text: str, streams: Streams, *, last: bool) -> tuple[str, int]:
    """The incomplete text that needs more lines, and the status."""
    try:
        script = parse(text)
    except ShellSyntaxError as error:
        if error.incomplete and not last:
            return text, shell.status
        streams.stderr.write(encode(f"/system/bin/sh: {error}\n"))
        shell.status = 1
        return "", 1
    try:
        return "", shell.run(script, streams)
    except LeaveLoop:
        return "", shell.status
