"""A shell that is fed line by line, from a prompt or from a script on its input."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.interpreter import INTERRUPTED, LeaveLoop, LeaveShell, Shell
from collector.virtual.shell.parser import parse
from collector.virtual.shell.pipes import LineReader, Streams
from collector.virtual.shell.process import Interrupted, encode
from collector.virtual.shell.words import ShellSyntaxError


def run_session(shell: Shell, streams: Streams, before_prompt: Callable[[], None] | None = None) -> int:
    """Run the lines of stdin until its end or ``exit``; return the last status.

    ``before_prompt``, called before each line, turns on the prompt; Ctrl+C then ends a command and not
    the session.
    """
    lines = LineReader(streams.stdin)
    streams = Streams(lines, streams.stdout, streams.stderr)
    pending = ""
    while True:
        if before_prompt:
            before_prompt()
            streams.stderr.write(encode("> " if pending else _prompt(shell)))
        line = next(lines, None)
        if line is None and before_prompt and shell.interruption.is_set:
            pending, shell.status = "", INTERRUPTED
            continue
        if line is None:
            return _run_lines(shell, pending, streams, last=True)[1] if pending else shell.status
        pending += line.decode("utf-8", "surrogateescape")
        try:
            pending, _status = _run_lines(shell, pending, streams, last=False)
        except LeaveShell as leave:
            return leave.status
        except Interrupted:
            if not before_prompt:
                raise
            pending, shell.status = "", INTERRUPTED


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
