"""Interpret parsed commands: pipelines, lists, compounds, redirects, variables, exit statuses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from collector.virtual.shell import registry
from collector.virtual.shell.language.arithmetic import ExpansionError
from collector.virtual.shell.language.background import start_background
from collector.virtual.shell.language.condition import BracketCondition, ShellComparison
from collector.virtual.shell.language.control_flow import (
    LeaveFunction,
    LeaveLoop,
    LeaveShell,
    ShellAborted,
)
from collector.virtual.shell.language.expansion import Expander, quoted_word
from collector.virtual.shell.language.parser import parse_lines
from collector.virtual.shell.language.program_runner import ProgramRunner
from collector.virtual.shell.language.redirection import RedirectError, Redirection, close_pipes
from collector.virtual.shell.language.select_menu import ask
from collector.virtual.shell.language.stages import run_stage
from collector.virtual.shell.language.syntax import (
    AndOr,
    Assignment,
    Calculation,
    CaseCommand,
    Command,
    Condition,
    For,
    Function,
    GroupCommand,
    If,
    Pipeline,
    Redirect,
    Script,
    SimpleCommand,
    Timed,
    While,
)
from collector.virtual.shell.language.variable_store import ReadOnlyError
from collector.virtual.shell.language.word_reader import ShellSyntaxError
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.named_pipes import RUNNING
from collector.virtual.shell.pipes import Collector, Pipe, Streams
from collector.virtual.shell.process import encode
from collector.virtual.shell.process_table import CancelScope, Interrupted

_MAX_DEPTH = 50
_MAX_CALLS = 50


class Shell(ProgramRunner):
    """A shell with variables, folder and last status. Not shared between threads; see :meth:`fork`."""

    def __init__(self, machine: Machine, interruption: CancelScope, environment: dict[str, str]) -> None:
        super().__init__(machine, interruption, environment)
        self._depth = 0
        self._guarded = 0
        """Conditions that run, in which ``set -e`` does not count."""
        self._substituted = 0
        """Status of the last substitution in an assignment."""

    def run_text(self, text: str, streams: Streams) -> int:
        """Run a command line and its ``EXIT`` trap; return the exit status; syntax errors go to stderr."""
        return self.guard(lambda: self.evaluate(text, streams), streams)

    def evaluate(self, text: str, streams: Streams) -> int:
        """Run text in this shell as ``eval`` does; ShellAborted after a syntax error."""
        scripts = parse_lines(text, self.aliases)
        outer, self.streams = self.streams, streams
        status = 0
        try:
            for script in scripts:
                status = self.run(script, self.streams)
        except ShellSyntaxError as error:
            self.complain(str(error), streams)
            self.status = 1
            raise ShellAborted(1) from None
        finally:
            if self.streams is streams or outer is not streams:
                self.streams = outer
        self.status = status
        return status

    def guard(self, body: Callable[[], int], streams: Streams) -> int:
        """Run what may leave the shell, then the ``EXIT`` trap; return the exit status."""
        try:
            self.status = body()
        except LeaveShell as leave:
            self.status = leave.status
        except LeaveLoop:
            self.status = 0
        except Interrupted:
            self.leave_coprocess()
            raise
        return self.run_exit_trap(streams)

    def run_exit_trap(self, streams: Streams) -> int:
        """Run what ``trap ... EXIT`` said, once; return the exit status of the shell."""
        text, status = self.traps.pop("EXIT", ""), self.status
        self._guarded = 0
        if text:
            try:
                self.evaluate(text, streams)
            except LeaveShell as leave:
                return leave.status
            except LeaveLoop:
                return status
        self.leave_coprocess()
        return status

    def run(self, script: Script, streams: Streams) -> int:
        """Run a script; raise Interrupted when cancelled."""
        self._depth += 1
        outer, self.streams = self.streams, streams
        try:
            if self._depth > _MAX_DEPTH:
                raise ExpansionError("nested too deeply")
            for item in script.items:
                if self.interruption.is_set:
                    raise Interrupted
                if item.background:
                    start_background(self, item, self.streams)
                elif "noexec" not in self.options:
                    self._list(item, self.streams)
            if self.interruption.signal:
                raise Interrupted
        except ExpansionError as error:
            self.complain(str(error), streams)
            self.status = 2 if isinstance(error, ReadOnlyError) else 1
            raise ShellAborted(self.status) from None
        finally:
            self._depth -= 1
            # What "exec" redirected lasts up to the end of the command around it that has redirects.
            if self.streams is streams or outer is not streams:
                self.streams = outer
        return self.status

    def capture(self, script: Script) -> str:
        """The output of a script that runs in a fork."""
        collected = Collector()
        child = self.fork()
        streams = replace(self.streams, stdout=collected)
        self._substituted = child.guard(lambda: child.run(script, streams), streams)
        return collected.data.decode("utf-8", "surrogateescape").replace("\0", "")

    def _list(self, item: AndOr, streams: Streams) -> None:
        pipelines = [("", item.first), *item.rest]
        for number, (operator, pipeline) in enumerate(pipelines):
            if operator and (self.status == 0) != (operator == "&&"):
                continue
            guarded = number < len(pipelines) - 1 or pipeline.negated
            self._guarded += guarded
            try:
                self._pipeline(pipeline, streams)
            finally:
                self._guarded -= guarded
            if self.caught and self is self.main:
                self._run_caught(streams)
            if self.status and not guarded and _counts(pipeline):
                self._failed(streams)

    def _run_caught(self, streams: Streams) -> None:
        """Run the traps of the signals that came."""
        while self.caught:
            status = self.status
            self.evaluate(self.traps.get(self.caught.pop(0), ""), streams)
            self.status = status

    def _failed(self, streams: Streams) -> None:
        """Run the ``ERR`` trap, and leave the shell under ``set -e``."""
        if self._guarded:
            return
        status = self.status
        if text := self.traps.get("ERR"):
            self.evaluate(text, streams)
            self.status = status
        if "errexit" in self.options:
            raise LeaveShell(status)

    def _pipeline(self, pipeline: Pipeline, streams: Streams) -> None:
        if len(pipeline.commands) == 1:
            self.status = self.command(pipeline.commands[0], streams)
        else:
            self.status = self._connected(pipeline.commands, streams)
        if pipeline.negated:
            self.status = int(not self.status)

    def _connected(self, commands: Sequence[Command], streams: Streams) -> int:
        stdin = streams.stdin
        threads: list[threading.Thread] = []
        statuses = [0] * len(commands)
        upstream: Pipe | None = None
        for number, command in enumerate(commands[:-1]):
            pipe = Pipe()
            stage = replace(streams, stdin=stdin, stdout=pipe)
            work = self._stage(command, stage, upstream, pipe, statuses, number)
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            threads.append(thread)
            stdin = upstream = pipe
        last, streams = self.fork(), replace(streams, stdin=stdin)
        try:
            statuses[-1] = last.guard(lambda: last.command(commands[-1], streams), streams)
        finally:
            if upstream:
                upstream.close_reading()
        for thread in threads:
            while thread.is_alive() and not self.interruption.is_set:
                thread.join(0.2)
        self.store.arrays["PIPESTATUS"] = {
            place: str(status) for place, status in enumerate(statuses) if place
        }
        self.store.values["PIPESTATUS"] = str(statuses[0])
        if "pipefail" in self.options:
            return next((status for status in reversed(statuses) if status), 0)
        return statuses[-1]

    def _stage(
        self,
        command: Command,
        streams: Streams,
        upstream: Pipe | None,
        pipe: Pipe,
        statuses: list[int],
        number: int,
    ) -> Callable[[], None]:
        shell = self.fork()

        def work() -> None:
            statuses[number] = run_stage(
                shell,
                lambda: shell.guard(lambda: shell.command(command, streams), streams),
                streams,
                upstream,
                pipe,
            )

        return work

    def command(self, command: Command, streams: Streams) -> int:
        """Run one command with its redirects; return its exit status."""
        if not command.redirects:
            return self._unredirected(command, streams)
        try:
            redirected = self._redirected(command.redirects, streams)
        except RedirectError as error:
            self.complain(str(error), streams)
            return 1
        outer, self.streams = self.streams, redirected
        if isinstance(command, SimpleCommand) and command.words and not command.assignments:
            first = self._expander.arguments(command.words[:1])
            if first == ["exec"] and len(command.words) == 1:
                opened = {redirect.descriptor for redirect in command.redirects}
                self.streams = replace(redirected, private=redirected.private | opened)
                return 0
        try:
            return self._unredirected(command, redirected)
        finally:
            self.streams = outer
            close_pipes(redirected, streams)

    def _unredirected(self, command: Command, streams: Streams) -> int:
        if isinstance(command, SimpleCommand):
            return self._simple(command, streams)
        runner = _RUNNERS[type(command)]
        return runner(self, command, streams)

    def _function(self, command: Function, _streams: Streams) -> int:
        self.functions[command.name] = command
        return 0

    def _timed(self, command: Timed, streams: Streams) -> int:
        if command.pipeline:
            self._pipeline(command.pipeline, streams)
        zero = "0m00.00s"
        streams.stderr.write(encode(f"    {zero} real     {zero} user     {zero} system\n"))
        return self.status

    def _calculation(self, command: Calculation, _streams: Streams) -> int:
        return int(not self._expander.calculate(command.expression))

    def _condition(self, command: Condition, streams: Streams) -> int:
        comparison = ShellComparison(self, self.machine.files, streams)
        return BracketCondition(self, self._expander, comparison).status(command.tokens)

    def _condition_run(self, script: Script, streams: Streams) -> bool:
        self._guarded += 1
        try:
            return self.run(script, streams) == 0
        finally:
            self._guarded -= 1

    def _if(self, command: If, streams: Streams) -> int:
        for condition, body in command.branches:
            if self._condition_run(condition, streams):
                return self.run(body, streams) if body.items else 0
        return self.run(command.otherwise, streams) if command.otherwise else 0

    def _group(self, command: GroupCommand, streams: Streams) -> int:
        if not command.subshell:
            return self.run(command.body, streams)
        child = self.fork()
        return child.guard(lambda: child.run(command.body, streams), streams)

    def _while(self, loop: While, streams: Streams) -> int:
        status = 0
        self.loops += 1
        try:
            while True:
                try:
                    if self._condition_run(loop.condition, streams) == loop.until:
                        return status
                    if self.interruption.is_set:
                        raise Interrupted
                    status = self.run(loop.body, streams)
                except LeaveLoop as leave:
                    status = 0
                    if not self._continues(leave):
                        return 0
        finally:
            self.loops -= 1

    def _for(self, loop: For, streams: Streams) -> int:
        values = list(self.arguments) if loop.words is None else self._expander.arguments(loop.words)
        status = 0
        self.loops += 1
        try:
            for value in ask(self, values, streams) if loop.asks else values:
                self.set_variable(loop.name, value)
                try:
                    status = self.run(loop.body, streams)
                except LeaveLoop as leave:
                    status = 0
                    if not self._continues(leave):
                        return 0
        finally:
            self.loops -= 1
        return 1 if loop.asks else status

    def _case(self, command: CaseCommand, streams: Streams) -> int:
        text = self._expander.text(command.word)
        status, falls = 0, False
        for branch in command.branches:
            if not falls and not any(self._expander.matches(text, pattern) for pattern in branch.patterns):
                continue
            status = self.run(branch.body, streams) if branch.body.items else 0
            falls = branch.end == ";&"
            if branch.end == ";;":
                break
        return status

    def _call(self, argv: list[str], assignments: Sequence[Assignment], streams: Streams) -> int:
        """Call a function with its own arguments and local variables."""
        if len(self.store.outer) >= _MAX_CALLS:
            raise ExpansionError(f"{argv[0]}: nested too deeply")
        arguments, self.arguments = self.arguments, argv[1:]
        loops, self.loops = self.loops, 0
        function = self.functions[argv[0]]
        name = self.name
        self.store.outer.append({})
        try:
            for assignment in assignments:
                self.make_local(assignment.name)
                self._assign(assignment)
            if function.names_itself:
                self.name = function.name
            status = self.command(function.body, streams)
        except LeaveFunction as leave:
            status = leave.status
        finally:
            self.arguments, self.loops, self.name = arguments, loops, name
            self.store.leave_function()
        return status

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
        self.line = command.line
        self._substituted = 0
        argv = self._expander.arguments(command.words)
        if "xtrace" in self.options:
            self._trace(command, argv, streams)
        if not argv:
            for assignment in command.assignments:
                self._assign(assignment)
            return self._substituted
        self.last_argument = argv[-1]
        if argv[0] in self.functions:
            return self._call(argv, command.assignments, streams)
        values = {each.name: self._expander.text(each.value) for each in command.assignments}
        environment = {name: self.variables.get(name, "") for name in self.exported} | values
        if not values or not registry.is_builtin(argv[0]):
            return self.execute(argv, streams, environment)
        # A builtin sees the assignments as variables; they end with it, except a special one's.
        before = {name: self.variables.get(name) for name in values}
        self.variables.update(values)
        try:
            return self.execute(argv, streams, environment)
        finally:
            if argv[0] not in registry.SPECIAL:
                for name, value in before.items():
                    _restore(self.variables, name, value)

    def _trace(self, command: SimpleCommand, argv: list[str], streams: Streams) -> None:
        texts = [
            f"{each.name}={quoted_word(self._expander.text(each.value))}" for each in command.assignments
        ]
        line = " ".join([*texts, *map(quoted_word, argv)]) + (" " if not argv else "")
        streams.stderr.write(encode(f"{self.variables.get('PS4', '+ ')}{line}\n"))

    def _assign(self, assignment: Assignment) -> None:
        name = assignment.name
        if assignment.elements is not None:
            values = self._expander.arguments(assignment.elements)
            start = max(self.elements(name), default=-1) + 1 if assignment.appends else 0
            if not assignment.appends:
                self.store.unset(name)
            for place, value in enumerate(values, start):
                self.set_element(name, place, value)
            return
        index = self._expander.index(assignment.subscript) if assignment.subscript else 0
        value = self._expander.text(assignment.value)
        if assignment.appends:
            value = (self.element(name, index) or "") + value
        if index:
            self.set_element(name, index, value)
        else:
            self.set_variable(name, value)

    def _redirected(self, redirects: Sequence[Redirect], streams: Streams) -> Streams:
        keeps = "noclobber" in self.options
        RUNNING.set(self.interruption)
        redirection = Redirection(self.machine.files, self._expander, self.place, keeps, self.coprocess)
        for redirect in redirects:
            streams = redirection.redirected(redirect, streams)
        return streams


def _counts(pipeline: Pipeline) -> bool:
    """Whether a failure of the pipeline counts for ``set -e``; what fails inside of compounds did there."""
    command = pipeline.commands[-1]
    if len(pipeline.commands) > 1 or isinstance(command, SimpleCommand | Condition | Calculation | Timed):
        return True
    return isinstance(command, GroupCommand) and command.subshell


def _restore(values: dict[str, str], name: str, value: str | None) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


_RUNNERS: dict[type, Callable[..., int]] = {
    GroupCommand: Shell._group,
    If: Shell._if,
    While: Shell._while,
    For: Shell._for,
    CaseCommand: Shell._case,
    Condition: Shell._condition,
    Calculation: Shell._calculation,
    Timed: Shell._timed,
    Function: Shell._function,
}
