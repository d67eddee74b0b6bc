"""Builtins that change where a shell goes: ``cd``, ``exit``, ``eval``, ``test``."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from collector.virtual.shell.commands.builtins.variables import set_
from collector.virtual.shell.language.arithmetic import ExpansionError
from collector.virtual.shell.language.condition import PlainCondition, ShellComparison, TestError
from collector.virtual.shell.language.control_flow import (
    NAME,
    NOT_FOUND,
    FatalError,
    LeaveFunction,
    LeaveLoop,
    LeaveShell,
)
from collector.virtual.shell.language.variable_store import VariableStore
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command


@command("true", ":")
def true(process: Process) -> int:  # noqa: ARG001 - as every command
    """Succeed."""
    return 0


@command("false")
def false(process: Process) -> int:  # noqa: ARG001 - as every command
    """Fail."""
    return 1


@command("cd")
def cd(process: Process) -> int:
    """Change the current folder."""
    words = [word for word in process.arguments if word not in ("-P", "-L", "--")]
    shell = process.shell
    name = words[0] if words else shell.variable("HOME") or "/"
    if name == "-":
        name = shell.variable("OLDPWD") or ""
        if not name:
            raise CommandError(f"{NAME}: cd: no OLDPWD", 2)
        process.line(name)
    before = shell.directory
    try:
        place = process.machine.files.resolve(process.path(name))
        entry = process.machine.files.entry(place)
    except OSError:
        raise CommandError(f"{NAME}: cd: {name}: No such file or directory", 2) from None
    if not entry.is_directory:
        raise CommandError(f"{NAME}: cd: {name}: Not a directory", 2)
    # As in mksh, a folder reached through a link keeps the link's name.
    shell.directory = process.path(name).rstrip("/") or "/" if ".." not in name else place
    shell.set_variable("OLDPWD", before)
    return 0


@command("pwd")
def pwd(process: Process) -> int:
    """Print the current folder."""
    process.line(process.shell.directory)
    return 0


@command("exit", "return")
def leave(process: Process) -> int:
    """Leave the shell or the function."""
    kind = LeaveFunction if process.name == "return" else LeaveShell
    text = process.arguments[0] if process.arguments else str(process.shell.status)
    if not re.fullmatch(r"-?\d{1,10}", text):
        raise FatalError(f"{NAME}: {process.name}: bad number: {text}")
    raise kind(int(text) & 0xFF)


@command("break", "continue")
def leave_loop(process: Process) -> int:
    """Leave a loop (``break``) or its current turn (``continue``)."""
    text = process.arguments[0] if process.arguments else "1"
    if not re.fullmatch(r"\d{1,9}", text) or not int(text):
        raise FatalError(f"{NAME}: {process.name}: {text}: bad value")
    if not process.shell.loops:
        process.err(f"{NAME}: {process.name}: can't {process.name}")
        return 0
    raise LeaveLoop(min(int(text), process.shell.loops), process.name == "continue")


@command("env", "printenv")
def env(process: Process) -> int:
    """List the environment, or run a command with additional variables."""
    words = list(process.arguments)
    environment = dict(process.environment)
    if process.name == "printenv" and words:
        for name in words:
            if name in environment:
                process.line(environment[name])
        return int(not all(name in environment for name in words))
    while words and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if words:
        return process.shell.execute(words, process.streams, environment)
    for name, value in environment.items():
        process.line(f"{name}={value}")
    return 0


@command("eval")
def eval_(process: Process) -> int:
    """Run the arguments as a command line."""
    return (
        process.shell.evaluate(" ".join(process.arguments), process.streams) if any(process.arguments) else 0
    )


@command("sh", "mksh")
def sh(process: Process) -> int:
    """Run another shell: a ``-c`` line, a file, or stdin."""
    words = list(process.arguments)
    child = process.shell.fork_program(process.pid, process.interruption)
    child.name, child.arguments, child.options = process.name, [], set()
    child.aliases, child.functions = {}, {}
    child.store = VariableStore(dict(process.environment), exported=set(process.environment))
    inner = replace(process, shell=child)
    takes_text = False
    while words and re.fullmatch(r"[-+][a-zA-Z]+", words[0]):
        word = words.pop(0)
        letters = word[1:]
        takes_text = takes_text or "c" in letters
        letters = re.sub("[clis]", "", letters)
        if letters:
            options = [word[0] + letters] + ([words.pop(0)] if letters.endswith("o") and words else [])
            set_(replace(inner, argv=["set", *options]))
    if words[:1] == ["--"]:
        words.pop(0)
    if takes_text:
        if not words:
            raise CommandError(f"{NAME}: -c: requires an argument")
        text = words.pop(0)
        child.name, child.arguments = (words[0], words[1:]) if words else (process.name, [])
        return child.run_text(text, process.streams)
    if words:
        path = process.path(words[0])
        if not process.machine.files.exists(path):
            raise CommandError(f"{NAME}: can't open '{words[0]}': No such file or directory", NOT_FOUND)
        return child.run_script_file(path, words, process.streams)
    return child.run_text(process.input().decode("utf-8", "surrogateescape"), process.streams)


@command("source", ".")
def source(process: Process) -> int:
    """Run a file of commands in this shell."""
    if not process.arguments:
        raise FatalError(f"{NAME}: .: missing argument")
    name = process.arguments[0]
    try:
        text = process.machine.files.read(process.path(name)).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise FatalError(f"{NAME}: .: {name}: {os.strerror(error.errno or 0)}") from None
    shell = process.shell
    arguments = shell.arguments
    if process.arguments[1:]:
        shell.arguments = process.arguments[1:]
    try:
        return shell.evaluate(text, process.streams)
    except LeaveFunction as left:
        return left.status
    finally:
        shell.arguments = arguments


@command("nohup", "setsid", "toybox")
def run_other(process: Process) -> int:
    """Run the arguments as a command."""
    words = process.arguments
    return process.shell.execute(words, process.streams, process.environment) if words else 0


@command("exec")
def exec_(process: Process) -> int:
    """Replace the shell by a command."""
    words = process.arguments
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        return 0
    raise LeaveShell(process.shell.execute(words, process.streams, process.environment))


@command("umask")
def umask(process: Process) -> int:
    """Print the mask of new files; the phone keeps one for all."""
    if "-S" in process.arguments:
        process.line("u=rwx,g=rwx,o=rwx")
    elif not process.arguments:
        process.line("000")
    return 0


@command("sync", "hash")
def no_op(process: Process) -> int:  # noqa: ARG001 - as every command
    """Accept the command and do nothing."""
    return 0


@command("test", "[")
def test(process: Process) -> int:
    """Evaluate a condition."""
    words = list(process.arguments)
    if process.name == "[" and (not words or words.pop() != "]"):
        raise CommandError(f"{NAME}: [: missing ]", 2)
    comparison = ShellComparison(process.shell, process.machine.files, process.streams)
    try:
        return int(not PlainCondition(process.name, words, comparison).value())
    except TestError as error:
        raise CommandError(f"{NAME}: {error}", 2) from None
    except ExpansionError as error:
        raise CommandError(f"{NAME}: {process.name}: {error}", 2) from None
