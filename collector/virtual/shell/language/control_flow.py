"""How commands leave loops, functions and shells."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError

NAME = "/system/bin/sh"
NOT_FOUND = 127
INTERRUPTED = 130


class LeaveLoop(Exception):  # noqa: N818 - control flow, not an error
    """``break`` and ``continue``."""

    def __init__(self, levels: int, is_continue: bool) -> None:
        super().__init__(levels)
        self.levels = levels
        self.is_continue = is_continue


class LeaveShell(Exception):  # noqa: N818 - control flow, not an error
    """``exit``, and a failure under ``set -e``."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LeaveFunction(LeaveShell):
    """``return``; outside of a function it leaves the shell."""


class ShellAborted(LeaveShell):
    """An error that ends a script, after its message was printed; a prompt goes on."""


class FatalError(CommandError):
    """A builtin fails so that its shell ends, as mksh's special builtins do."""
