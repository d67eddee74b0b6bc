"""Interpret parsed commands: pipelines, lists, compounds, redirects, variables, exit statuses."""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import replace

from collector.virtual.shell import registry
from collector.virtual.shell.expansion import Expander, ExpansionError
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.parser import parse
from collector.virtual.shell.pipes import (
    BytesReader,
    Collector,
    FileWriter,
    InputPipe,
    NullPipe,
    Pipe,
    Streams,
    Writer,
)
from collector.virtual.shell.process import CommandError, Interrupted, Process, encode
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.shell.syntax import (
    AndOr,
    CaseCommand,
    Command,
    For,
    Function,
    GroupCommand,
    If,
    Pipeline,
    Redirect,
    Script,
    SimpleCommand,
    While,
)
from collector.virtual.shell.terminal import Terminal
from collector.virtual.shell.word_reader import ShellSyntaxError

_log = logging.getLogger(__name__)

NAME = "/system/bin/sh"
NOT_FOUND = 127
INTERRUPTED = 130
_MAX_DEPTH = 50


class LeaveLoop(Exception):  # noqa: N818 - control flow, not an error
    """``break`` and ``continue``."""

    def __init__(self, levels: int, is_continue: bool) -> None:
        super().__init__(levels)
        self.levels = levels
        self.is_continue = is_continue


class LeaveShell(Exception):  # noqa: N818 - control flow, not an error
    """``exit`` and ``return``."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LeaveFunction(LeaveShell):
    """``return``; outside of a function it leaves the shell."""


class Shell:
    """A shell with variables, folder and last status. Not shared between threads; see :meth:`fork`."""

    def __init__(self, machine: Machine, interruption: CancelScope, environment: dict[str, str]) -> None:
        self.machine = machine
        self.interruption = interruption
        self.variables = dict(environment)
        self.exported = set(environment)
        self.arguments: list[str] = []
        self.directory = "/"
        self.owner = ""
        """The package as whose user the shell runs; empty for the shell user."""
        self.functions: dict[str, Command] = {}
        self.history: list[str] | None = None
        """The lines typed at the prompt, the oldest first; None in a shell without one."""
        self.terminal: Terminal | None = None
        self.status = 0
        self.pid = 0
        self._depth = 0
        self._outer: list[dict[str, str | None]] = []
        """Previous values of the local variables of each running function, innermost last."""
        self._streams = Streams(NullPipe(), NullPipe(), NullPipe())

    def fork(self) -> Shell:
        """Create an independent copy of this shell."""
        other = copy.copy(self)
        other.variables = dict(self.variables)
        other.exported = set(self.exported)
        other.functions = dict(self.functions)
        other._outer = [dict(variables) for variables in self._outer]
        return other

    def run_text(self, text: str, streams: Streams) -> int:
        """Run a command line and return the exit status; syntax errors go to stderr."""
        try:
            script = parse(text)
        except ShellSyntaxError as error:
            streams.stderr.write(encode(f"{NAME}: {error}\n"))
            self.status = 1
            return 1
        try:
            return self.run(script, streams)
        except LeaveShell as leave:
            return leave.status
        except LeaveLoop:
            return 0

    def run(self, script: Script, streams: Streams) -> int:
        """Run a script; raise Interrupted when cancelled."""
        self._depth += 1
        outer, self._streams = self._streams, streams
        try:
            if self._depth > _MAX_DEPTH:
                raise CommandError(f"{NAME}: nested too deeply")
            for item in script.items:
                if self.interruption.is_set:
                    raise Interrupted
                if item.background:
                    self._start_background(item, streams)
                else:
                    self._list(item, streams)
        except (CommandError, ExpansionError) as error:
            prefix = "" if isinstance(error, CommandError) else f"{NAME}: "
            streams.stderr.write(encode(f"{prefix}{error}\n"))
            self.status = 1
        finally:
            self._depth -= 1
            self._streams = outer
        return self.status

    # Methods of the Scope protocol for expansion.

    def variable(self, name: str) -> str | None:
        """A variable or special parameter; ``@`` and ``*`` come NUL-separated."""
        if name in self.variables:
            return self.variables[name]
        if name.isdigit():
            number = int(name)
            if number == 0:
                return NAME
            return self.arguments[number - 1] if number <= len(self.arguments) else None
        special = {
            "?": str(self.status),
            "$": str(self.pid),
            "#": str(len(self.arguments)),
            "PWD": self.directory,
            "COLUMNS": str(self.terminal.width if self.terminal else 80),
            "LINES": str(self.terminal.rows or 24 if self.terminal else 24),
        }
        if name in ("@", "*"):
            return "\0".join(self.arguments)
        return special.get(name)

    def set_variable(self, name: str, value: str) -> None:
        self.variables[name] = value

    def make_local(self, name: str) -> None:
        """Make a variable local to the running function; no effect outside of a function."""
        if self._outer:
            self._outer[-1].setdefault(name, self.variables.get(name))

    def capture(self, script: Script) -> str:
        """The output of a script that runs in a fork."""
        collected = Collector()
        child = self.fork()
        try:
            self.status = child.run(script, replace(self._streams, stdout=collected))
        except LeaveShell as leave:
            self.status = leave.status
        return collected.data.decode("utf-8", "surrogateescape")

    def _list(self, item: AndOr, streams: Streams) -> None:
        self._pipeline(item.first, streams)
        for operator, pipeline in item.rest:
            if (self.status == 0) == (operator == "&&"):
                self._pipeline(pipeline, streams)

    def _start_background(self, item: AndOr, streams: Streams) -> None:
        child = self.fork()
        # It goes on when its shell ends: tools start their servers on the phone so.
        parent = self.machine.background
        child.interruption = CancelScope(parent)
        quiet = replace(streams, stdin=NullPipe())
        manager = threading.Thread(
            target=_run_quietly,
            args=(child, Script((replace(item, background=False),)), quiet, parent),
            name="shell background",
            daemon=True,
        )
        manager.start()
        self.status = 0

    def _pipeline(self, pipeline: Pipeline, streams: Streams) -> None:
        if len(pipeline.commands) == 1:
            self.status = self._command(pipeline.commands[0], streams)
        else:
            self.status = self._connected(pipeline.commands, streams)
        if pipeline.negated:
            self.status = int(not self.status)

    def _connected(self, commands: Sequence[Command], streams: Streams) -> int:
        stdin = streams.stdin
        threads: list[threading.Thread] = []
        upstream: Pipe | None = None
        for command in commands[:-1]:
            pipe = Pipe()
            stage = replace(streams, stdin=stdin, stdout=pipe)
            thread = threading.Thread(
                target=_run_stage, args=(self.fork(), command, stage, upstream, pipe), daemon=True
            )
            thread.start()
            threads.append(thread)
            stdin = upstream = pipe
        try:
            status = self.fork()._command(commands[-1], replace(streams, stdin=stdin))
        except LeaveShell as leave:
            status = leave.status
        finally:
            if upstream:
                upstream.close_reading()
        for thread in threads:
            while thread.is_alive() and not self.interruption.is_set:
                thread.join(0.2)
        return status

    def _command(self, command: Command, streams: Streams) -> int:
        try:
            streams = self._redirected(command.redirects, streams)
        except OSError as error:
            operation = "open" if isinstance(error, FileNotFoundError) and error.filename2 else "create"
            reason = os.strerror(error.errno or 0)
            streams.stderr.write(encode(f"{NAME}: can't {operation} {error.filename}: {reason}\n"))
            return 1
        if isinstance(command, SimpleCommand):
            return self._simple(command, streams)
        if isinstance(command, GroupCommand):
            return self._group(command, streams)
        if isinstance(command, If):
            for condition, body in command.branches:
                if self.run(condition, streams) == 0:
                    return self.run(body, streams)
            return self.run(command.otherwise, streams) if command.otherwise else 0
        if isinstance(command, While):
            return self._while(command, streams)
        if isinstance(command, CaseCommand):
            return self._case(command, streams)
        if isinstance(command, Function):
            self.functions[command.name] = command.body
            return 0
        return self._for(command, streams)

    def _group(self, command: GroupCommand, streams: Streams) -> int:
        if not command.subshell:
            return self.run(command.body, streams)
        try:
            return self.fork().run(command.body, streams)
        except LeaveShell as leave:
            return leave.status

    def _while(self, loop: While, streams: Streams) -> int:
        status = 0
        while (self.run(loop.condition, streams) == 0) != loop.until:
            if self.interruption.is_set:
                raise Interrupted
            try:
                status = self.run(loop.body, streams)
            except LeaveLoop as leave:
                if not self._continues(leave):
                    break
        return status

    def _for(self, loop: For, streams: Streams) -> int:
        status = 0
        for value in self._expander.arguments(loop.words):
            self.variables[loop.name] = value
            try:
                status = self.run(loop.body, streams)
            except LeaveLoop as leave:
                if not self._continues(leave):
                    break
        return status

    def _case(self, command: CaseCommand, streams: Streams) -> int:
        text = self._expander.text(command.word)
        for patterns, body in command.branches:
            if any(self._expander.matches(text, pattern) for pattern in patterns):
                return self.run(body, streams) if body.items else 0
        return 0

    def _call(self, argv: list[str], streams: Streams) -> int:
        """Call a function with its own arguments and local variables."""
        if len(self._outer) >= _MAX_DEPTH:
            raise CommandError(f"{NAME}: {argv[0]}: nested too deeply")
        arguments, self.arguments = self.arguments, argv[1:]
        self._outer.append({})
        try:
            return self._command(self.functions[argv[0]], streams)
        except LeaveFunction as leave:
            return leave.status
        finally:
            self.arguments = arguments
            for name, value in self._outer.pop().items():
                if value is None:
                    self.variables.pop(name, None)
                else:
                    self.variables[name] = value

    @staticmethod
    def _continues(leave: LeaveLoop) -> bool:
        """Whether the loop continues after ``break`` or ``continue``, which may target an outer loop."""
        if leave.levels > 1:
            raise LeaveLoop(leave.levels - 1, leave.is_continue)
        return leave.is_continue

    @property
    def _expander(self) -> Expander:
        return Expander(self, self.machine.files)

    def _simple(self, command: SimpleCommand, streams: Streams) -> int:
        expander = self._expander
        argv = expander.arguments(command.words)
        values = {name: expander.text(word) for name, word in command.assignments}
        if not argv:
            self.variables.update(values)
            return self.status if command.assignments else 0
        if argv[0] in self.functions:
            self.variables.update(values)
            return self._call(argv, streams)
        environment = {name: self.variables.get(name, "") for name in self.exported} | values
        return self.execute(argv, streams, environment)

    def execute(self, argv: list[str], streams: Streams, environment: dict[str, str]) -> int:
        """Run one command with expanded arguments; return its exit status."""
        function = self.machine.programs.get(argv[0]) or registry.find(argv[0])
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
        )
        try:
            return function(process)
        except CommandError as error:
            process.err(str(error))
            return error.status
        except (BrokenPipeError, LeaveShell, LeaveLoop):
            # When the reader closes its pipe, this pipeline stage ends, as with SIGPIPE.
            raise
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            process.err(f"{argv[0]}: {error.filename}: {reason}" if error.filename else f"{argv[0]}: {error}")
            return 1
        except Interrupted:
            if self.interruption.is_set:
                raise
            return 143
        except Exception:  # noqa: BLE001 - one command's bug must not take its shell down
            _log.exception("command %r failed", argv)
            process.err(f"{argv[0]}: Aborted")
            return 134
        finally:
            self.machine.processes.end(entry)
            self.interruption.leave(interruption)

    def _not_a_command(self, argv: list[str], streams: Streams) -> int:
        name = argv[0]
        path = name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"
        if "/" in name and self.machine.files.exists(path):
            return self._run_file(argv, path, streams)
        streams.stderr.write(encode(f"{NAME}: {name}: {self.machine.not_found}\n"))
        return NOT_FOUND

    def _run_file(self, argv: list[str], path: str, streams: Streams) -> int:
        entry = self.machine.files.entry(path)
        if entry.is_directory or not entry.mode & 0o111:
            reason = "is a directory" if entry.is_directory else "can't execute: Permission denied"
            streams.stderr.write(encode(f"{NAME}: {argv[0]}: {reason}\n"))
            return 126
        return self.run_script_file(path, argv[1:], streams)

    def run_script_file(self, path: str, arguments: list[str], streams: Streams) -> int:
        """Run a file of commands in a new shell; return its exit status."""
        child = self.fork()
        child.arguments = arguments
        return child.run_text(self.machine.files.read(path).decode("utf-8", "surrogateescape"), streams)

    def _redirected(self, redirects: Sequence[Redirect], streams: Streams) -> Streams:
        for redirect in redirects:
            target = self._expander.text(redirect.target)
            if redirect.operator in (">&", "<&"):
                streams = _duplicated(redirect.descriptor, target, streams)
            elif redirect.operator == "<<":
                streams = replace(streams, stdin=BytesReader(encode(target)))
            elif redirect.operator == "<":
                streams = replace(streams, stdin=self._open(target))
            else:
                writer = self._create(target, streams, append=redirect.operator == ">>")
                if redirect.operator == "&>":
                    streams = replace(streams, stdout=writer, stderr=writer)
                elif redirect.descriptor == 2:
                    streams = replace(streams, stderr=writer)
                elif redirect.descriptor == 1:
                    streams = replace(streams, stdout=writer)
        return streams

    def _open(self, name: str) -> InputPipe:
        if name == "/dev/null":
            return NullPipe()
        path = name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"
        try:
            return BytesReader(self.machine.files.read(path))
        except OSError as error:
            # The second file name marks a failed open, whose message differs from that of a failed create.
            raise OSError(error.errno, error.strerror, name, None, name) from error

    def _create(self, name: str, streams: Streams, *, append: bool) -> Writer:
        if name == "/dev/null":
            return NullPipe()
        if name in ("/dev/stdout", "/dev/tty", "/proc/self/fd/1"):
            return streams.stdout
        if name in ("/dev/stderr", "/proc/self/fd/2"):
            return streams.stderr
        path = name if name.startswith("/") else f"{self.directory.rstrip('/')}/{name}"
        try:
            return FileWriter(self.machine.files, path, append=append)
        except OSError as error:
            raise OSError(error.errno, error.strerror, name) from error


def _duplicated(descriptor: int, target: str, streams: Streams) -> Streams:
    if target == "-":
        source: Writer = NullPipe()
    else:
        source = streams.stderr if target == "2" else streams.stdout
    if descriptor == 2:
        return replace(streams, stderr=source)
    return replace(streams, stdout=source) if descriptor == 1 else streams


def _run_stage(shell: Shell, command: Command, streams: Streams, upstream: Pipe | None, pipe: Pipe) -> None:
    try:
        shell._command(command, streams)
    except (LeaveShell, LeaveLoop, Interrupted, BrokenPipeError):
        _log.debug("a stage of a pipeline ended early")
    except Exception:  # noqa: BLE001 - a thread's end, which nobody waits for: the other stages go on
        _log.exception("a stage of a pipeline failed")
    finally:
        pipe.close_writing()
        if upstream:
            upstream.close_reading()


def _run_quietly(shell: Shell, script: Script, streams: Streams, parent: CancelScope) -> None:
    try:
        shell.run(script, streams)
    except (LeaveShell, LeaveLoop, Interrupted, BrokenPipeError):
        _log.debug("a background command ended early")
    except Exception:  # noqa: BLE001 - a thread's end, which nobody waits for: its shell goes on
        _log.exception("a background command failed")
    finally:
        parent.leave(shell.interruption)
