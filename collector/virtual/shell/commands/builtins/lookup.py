"""``command``, ``type``, ``which`` and aliases: what a name stands for."""

from __future__ import annotations

from collector.virtual.shell import registry
from collector.virtual.shell.language.control_flow import NAME, FatalError
from collector.virtual.shell.language.expansion import quoted_word
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_RESERVED = frozenset(
    [
        "if",
        "then",
        "else",
        "elif",
        "fi",
        "while",
        "until",
        "do",
        "done",
        "for",
        "select",
        "case",
        "esac",
        "in",
        "function",
        "time",
        "{",
        "}",
        "!",
        "[[",
    ]
)


@command("command")
def command_(process: Process) -> int:
    """Run the arguments as a command, but no function; ``-v`` and ``-V`` say what it is."""
    words = list(process.arguments)
    if words and words[0] in ("-v", "-V"):
        return _describe(process, words[1:], verbose=words[0] == "-V")
    if words and words[0] in ("-p", "--"):
        words.pop(0)
    return process.shell.execute(words, process.streams, process.environment) if words else 0


@command("builtin")
def builtin(process: Process) -> int:
    """Run a builtin."""
    words = process.arguments
    if not words:
        return 0
    if not registry.is_builtin(words[0]):
        raise FatalError(f"{NAME}: builtin: {words[0]}: not found", 1)
    return process.shell.execute(words, process.streams, process.environment)


@command("type", "whence")
def type_(process: Process) -> int:
    """Say what names stand for."""
    words = [word for word in process.arguments if not word.startswith("-")]
    verbose = process.name == "type" or any("v" in word for word in process.arguments if word.startswith("-"))
    return _describe(process, words, verbose=verbose)


@command("which")
def which(process: Process) -> int:
    """Print the paths of programs."""
    status = 0
    for name in process.arguments:
        path = _path_of(process, name)
        if path:
            process.line(path)
        else:
            status = 1
    return status


def _path_of(process: Process, name: str) -> str:
    """The path of a program; empty when there is none."""
    files = process.machine.files
    if "/" in name:
        place = process.path(name)
        try:
            entry = files.entry(place)
        except OSError:
            return ""
        return name if entry.mode & 0o111 and not entry.is_directory else ""
    path = f"/system/bin/{name}"
    return path if name and files.exists(path) else ""


def _describe(process: Process, names: list[str], *, verbose: bool) -> int:
    status = 0
    for name in names:
        short, long = _meaning(process, name)
        if verbose:
            process.line(f"{name} {long}" if long else f"{name} not found")
        elif short:
            process.line(short)
        if not short:
            status = 1
            if not verbose and process.name == "command":
                break
    return status


def _meaning(process: Process, name: str) -> tuple[str, str]:
    """What ``command -v`` and ``command -V`` print after the name; empty for nothing."""
    shell = process.shell
    if name in _RESERVED:
        return name, "is a reserved word"
    if name in shell.aliases:
        text = quoted_word(shell.aliases[name])
        return f"alias {name}={text}", f"is an alias for {text}"
    if name in shell.functions:
        return name, "is a function"
    if registry.is_builtin(name):
        kind = "special " if name in registry.SPECIAL else ""
        return name, f"is a {kind}shell builtin"
    path = _path_of(process, name)
    return path, f"is {path}" if "/" in name else f"is a tracked alias for {path}" if path else ""


@command("alias")
def alias(process: Process) -> int:
    """List aliases, or define them."""
    shell, status = process.shell, 0
    for word in process.arguments or sorted(shell.aliases):
        name, equals, text = word.partition("=")
        if equals:
            shell.aliases[name] = text
        elif name in shell.aliases:
            process.line(f"{name}={quoted_word(shell.aliases[name])}")
        else:
            process.line(f"{name} alias not found")
            status = 1
    return status


@command("unalias")
def unalias(process: Process) -> int:
    """Forget aliases; ``-a`` all."""
    if process.arguments == ["-a"]:
        process.shell.aliases.clear()
        return 0
    missing = [name for name in process.arguments if process.shell.aliases.pop(name, None) is None]
    if not process.arguments:
        raise CommandError(f"{NAME}: unalias: missing argument")
    return int(bool(missing))
