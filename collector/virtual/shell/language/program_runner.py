"""Run commands with expanded arguments: functions of the registry, files of commands."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from collector.virtual.shell import registry
from collector.virtual.shell.language.arithmetic import ExpansionError
from collector.virtual.shell.language.control_flow import (
    NAME,
    NOT_FOUND,
    FatalError,
    LeaveLoop,
    LeaveShell,
    ShellAborted,
)
from collector.virtual.shell.language.shell_state import ShellState
from collector.virtual.shell.language.syntax import Script
from collector.virtual.shell.named_pipes import RUNNING
from collector.virtual.shell.pipes import Streams
from collector.virtual.shell.process import CommandError, Process, encode
from collector.virtual.shell.process_table import CancelScope, Interrupted
from collector.virtual.shell.refused_commands import refusal
from collector.virtual.shell.signal_names import NUMBERS, description

_SILENT = (NUMBERS["INT"], NUMBERS["PIPE"])
"""Signals by which a command may end without a word."""
_log = logging.getLogger(__name__)


class ProgramRunner(ShellState):
    """A shell as far as it runs programs."""

    def run(self, script: Script, streams: Streams) -> int:
        """Run a script; return the exit status."""
        raise NotImplementedError

    def run_text(self, text: str, streams: Streams) -> int:
        """Run a command line and its ``EXIT`` trap; return the exit status."""
        raise NotImplementedError

    def evaluate(self, text: str, streams: Streams) -> int:
        """Run text in this shell; return the exit status."""
        raise NotImplementedError

    def execute(self, argv: list[str], streams: Streams, environment: dict[str, str]) -> int:
        """Run one command with expanded arguments; return its exit status."""
        function = self._program(argv[0])
        if function is None:
            return self._not_a_command(argv, streams)
        interruption = CancelScope(self.interruption)
        entry = self.machine.processes.start(argv[0], interruption, arguments=argv, parent=self.pid)
        process = Process(
            self.machine,
            self,
            argv,
            streams.stdin,
            streams.stdout,
            streams.stderr,
            interruption,
            environment,
            entry.pid,
            streams.more if registry.is_builtin(argv[0]) else streams.of_programs,
        )
        around = RUNNING.set(interruption)
        try:
            self._refuse(process)
            return function(process)
        except CommandError as error:
            message = str(error)
            if message.startswith(f"{NAME}:"):
                message = self.prefix + message.removeprefix(NAME)
            process.err(message)
            if isinstance(error, FatalError):
                raise ShellAborted(error.status) from None
            return error.status
        except (BrokenPipeError, ExpansionError, LeaveShell, LeaveLoop):
            # When the reader closes its pipe, this pipeline stage ends, as with SIGPIPE.
            raise
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            process.err(f"{argv[0]}: {error.filename}: {reason}" if error.filename else f"{argv[0]}: {error}")
            return 1
        except Interrupted:
            if self.interruption.is_set:
                raise
            signal = interruption.signal or NUMBERS["TERM"]
            if signal not in _SILENT and (argv[0], signal) != ("sh", NUMBERS["TERM"]):
                self.streams.stderr.write(encode(f"{description(signal)} \n"))
            return 128 + signal
        except Exception:  # noqa: BLE001 - one command's bug must not take its shell down
            _log.exception("command %r failed", argv)
            process.err(f"{argv[0]}: Aborted")
            return 134
        finally:
            RUNNING.reset(around)
            self.machine.processes.end(entry)
            self.interruption.leave(interruption)

    def _program(self, name: str) -> Callable[[Process], int] | None:
        """The function of a command; None for one that this phone lacks."""
        if name.rpartition("/")[2] in self.machine.missing_programs:
            return None
        return self.machine.programs.get(name) or registry.find(name)

    def _refuse(self, process: Process) -> None:
        """Raises CommandError for a command that the phone refuses, as those of some makers do."""
        refused = refusal(self.machine.phone.profile.quirks, process.argv)
        if refused is not None:
            raise CommandError(refused.message_for(process.arguments, process.pid), refused.status)

    def _not_a_command(self, argv: list[str], streams: Streams) -> int:
        name = argv[0]
        path = name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"
        if "/" in name and self.machine.files.exists(path):
            return self._run_file(argv, path, streams)
        self.complain(f"{name}: {self.machine.not_found}", streams)
        return NOT_FOUND

    def _run_file(self, argv: list[str], path: str, streams: Streams) -> int:
        entry = self.machine.files.entry(path)
        if entry.is_directory or not entry.mode & 0o111:
            reason = "Is a directory" if entry.is_directory else "Permission denied"
            self.complain(f"{argv[0]}: can't execute: {reason}", streams)
            return 126
        return self.run_script_file(path, argv, streams)

    def run_script_file(self, path: str, argv: list[str], streams: Streams) -> int:
        """Run a file of commands in a new shell; ``argv`` begins with its ``$0``. Return its exit status."""
        child = self.fork()
        child.name, child.arguments = argv[0], argv[1:]
        child.is_file = True
        text = self.machine.files.read(path).decode("utf-8", "surrogateescape")
        return child.run_text(text, streams)
