"""A shell that is fed line by line, from a prompt or from a script on its input."""

from __future__ import annotations

from collector.virtual.shell.language.control_flow import INTERRUPTED, LeaveLoop, LeaveShell, ShellAborted
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.language.parser import parse
from collector.virtual.shell.language.word_reader import ShellSyntaxError
from collector.virtual.shell.pipes import LineReader, Streams
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.terminal.completion import complete_word
from collector.virtual.shell.terminal.line_editor import LineCancelled, LineEditor
from collector.virtual.shell.terminal.terminal import Terminal


def run_script(shell: Shell, streams: Streams) -> int:
    """Run the lines of stdin until its end or ``exit``; return the last status."""
    lines = LineReader(streams.stdin)
    streams = Streams(lines, streams.stdout, streams.stderr)
    return shell.guard(lambda: _run_lines_of(shell, lines, streams), streams)


def _run_lines_of(shell: Shell, lines: LineReader, streams: Streams) -> int:
    shell.streams = streams
    pending = ""
    while (line := next(lines, None)) is not None:
        pending += line.decode("utf-8", "surrogateescape")
        pending, _status = _run_lines(shell, pending, last=False)
    return _run_lines(shell, pending, last=True)[1] if pending else shell.status


def run_prompt(shell: Shell, terminal: Terminal) -> int:
    """Run the lines typed at a terminal until Ctrl+D, ``exit`` or a hang-up; return the last status.

    Ctrl+C ends a command or drops the typed line, not the session.
    """
    streams = Streams(terminal, terminal, terminal)
    shell.streams, shell.history = streams, []
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
                break
            _remember(shell.history, line, continued=bool(pending))
            pending, _status = _run_lines(shell, f"{pending}{line}\n", last=False)
        except ShellAborted as aborted:
            pending, shell.status = "", aborted.status
        except LeaveShell as leave:
            shell.status, pending = leave.status, ""
            break
        except (Interrupted, LineCancelled):
            pending, shell.status = "", INTERRUPTED
    if pending:
        shell.status = _run_lines(shell, pending, last=True)[1]
    return shell.run_exit_trap(shell.streams)


def _remember(history: list[str], line: str, *, continued: bool) -> None:
    """Add a line to the history; a command of several lines is one entry."""
    if continued and history:
        history[-1] += f"\n{line}"
    elif line.strip():
        history.append(line)


def _prompt(shell: Shell) -> str:
    failed = f"{shell.status}|" if shell.status else ""
    return f"{failed}waymark:{shell.directory} $ "


def _run_lines(shell: Shell, text: str, *, last: bool) -> tuple[str, int]:
    """The incomplete text that needs more lines, and the status."""
    try:
        script = parse(text, shell.aliases)
    except ShellSyntaxError as error:
        if error.incomplete and not last:
            return text, shell.status
        shell.complain(str(error), shell.streams)
        shell.status = 1
        return "", 1
    try:
        return "", shell.run(script, shell.streams)
    except LeaveLoop:
        return "", shell.status
