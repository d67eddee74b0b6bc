"""Shell builtins: commands that change the shell they run in, and ``test``, ``echo``, ``printf``."""

from __future__ import annotations

import re
import stat

from collector.virtual.shell import registry
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.interpreter import NAME, NOT_FOUND, LeaveFunction, LeaveLoop, LeaveShell
from collector.virtual.shell.pipes import LineReader
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.terminal import Terminal


def _number(process: Process, default: int) -> int:
    text = process.arguments[0] if process.arguments else str(default)
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise CommandError(f"{NAME}: {process.name}: {text}: bad number")
    return int(text)


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
    name = process.arguments[0] if process.arguments else "/"
    try:
        place = process.machine.files.resolve(process.path(name))
        entry = process.machine.files.entry(place)
    except OSError:
        raise CommandError(f"{NAME}: cd: {name}: No such file or directory", 2) from None
    if not entry.is_directory:
        raise CommandError(f"{NAME}: cd: {name}: Not a directory", 2)
    # As in mksh, a folder reached through a link keeps the link's name.
    process.shell.directory = process.path(name).rstrip("/") or "/" if ".." not in name else place
    return 0


@command("pwd")
def pwd(process: Process) -> int:
    """Print the current folder."""
    process.line(process.shell.directory)
    return 0


@command("echo")
def echo(process: Process) -> int:
    """Print the arguments."""
    words = process.arguments
    newline, escapes = True, False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        newline = newline and "n" not in words[0]
        escapes = "e" in words[0] or escapes
        words = words[1:]
    text = " ".join(words)
    if escapes:
        # "\c" ends the output, the line end included.
        end = re.match(r"((?:[^\\]|\\[^c])*)\\c", text, re.DOTALL)
        text, newline = unescape(end[1] if end else text), newline and not end
    process.out(text + ("\n" if newline else ""))
    return 0


def unescape(text: str) -> str:
    """Replace the backslash escapes of ``echo -e`` and ``printf``."""
    plain = {
        "n": "\n",
        "t": "\t",
        "r": "\r",
        "\\": "\\",
        "a": "\a",
        "b": "\b",
        "e": "\x1b",
        "f": "\f",
        "v": "\v",
    }

    def replace(match: re.Match[str]) -> str:
        word = match[1]
        if word in plain:
            return plain[word]
        if word[0] == "x":
            return bytes([int(word[1:], 16)]).decode("utf-8", "surrogateescape")
        return chr(int(word, 8) & 0xFF)

    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|[ntr\\abefv])", replace, text)


@command("printf")
def printf(process: Process) -> int:
    """Print by a format, repeated while arguments remain."""
    if not process.arguments:
        raise CommandError(f"{NAME}: printf: missing format")
    pattern, *values = process.arguments
    pieces = re.split(r"(%[-+ 0#]*\d*(?:\.\d+)?[sdiuxXocbfeg%])", unescape(pattern))
    while True:
        for number, piece in enumerate(pieces):
            if number % 2 == 0:
                process.out(piece)
            elif piece[-1] == "%":
                process.out("%")
            else:
                process.out(_formatted(piece, values.pop(0) if values else ""))
        if not values or len(pieces) == 1:
            return 0


def _formatted(directive: str, value: str) -> str:
    kind = directive[-1]
    if kind in "sbc":
        text = unescape(value) if kind == "b" else value[:1] if kind == "c" else value
        return (directive[:-1] + "s") % text
    try:
        number = float(value or 0) if kind in "feg" else int(value or "0", 0)
    except ValueError:
        raise CommandError(f"{NAME}: printf: {value}: bad number") from None
    return (directive[:-1] + ("d" if kind == "u" else kind)) % number


@command("exit", "return")
def leave(process: Process) -> int:
    """Leave the shell or the function."""
    kind = LeaveFunction if process.name == "return" else LeaveShell
    raise kind(_number(process, process.shell.status) & 0xFF)


@command("local", "typeset")
def local(process: Process) -> int:
    """Declare local variables of a function, with or without a value."""
    for word in process.arguments:
        name, equals, value = word.partition("=")
        if name.startswith("-"):
            continue
        process.shell.make_local(name)
        if equals:
            process.shell.set_variable(name, value)
    return 0


@command("break", "continue")
def leave_loop(process: Process) -> int:
    """Leave a loop (``break``) or its current turn (``continue``)."""
    raise LeaveLoop(max(1, _number(process, 1)), process.name == "continue")


@command("export")
def export(process: Process) -> int:
    """Pass variables to the commands that are started."""
    for word in process.arguments:
        name, equals, value = word.partition("=")
        process.shell.exported.add(name)
        if equals:
            process.shell.set_variable(name, value)
    return 0


@command("unset")
def unset(process: Process) -> int:
    """Delete variables."""
    for name in process.arguments:
        process.shell.variables.pop(name, None)
        process.shell.exported.discard(name)
    return 0


@command("set")
def set_(process: Process) -> int:
    """List variables; set the positional parameters after ``--``."""
    words = process.arguments
    if not words:
        for name, value in sorted(process.shell.variables.items()):
            process.line(f"{name}={value}")
    elif words[0] == "--":
        process.shell.arguments = words[1:]
    return 0


@command("shift")
def shift(process: Process) -> int:
    """Drop the first positional parameters."""
    count = _number(process, 1)
    if count > len(process.shell.arguments):
        raise CommandError(f"{NAME}: shift: nothing to shift")
    process.shell.arguments = process.shell.arguments[count:]
    return 0


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


@command("read")
def read(process: Process) -> int:
    """Read a line into variables."""
    names = [name for name in process.arguments if not name.startswith("-")] or ["REPLY"]
    stdin = process.stdin
    line = next(stdin, b"") if isinstance(stdin, LineReader) else _read_line(process)
    words = line.decode("utf-8", "replace").rstrip("\n").split(None, len(names) - 1)
    for number, name in enumerate(names):
        process.shell.set_variable(name, words[number].strip() if number < len(words) else "")
    return 0 if line else 1


def _read_line(process: Process) -> bytes:
    line = bytearray()
    while (character := process.stdin.read(1)) and character != b"\n":
        line += character
    return bytes(line) + character


@command("eval")
def eval_(process: Process) -> int:
    """Run the arguments as a command line."""
    from collector.virtual.shell.parser import parse
    from collector.virtual.shell.word_reader import ShellSyntaxError

    try:
        script = parse(" ".join(process.arguments))
    except ShellSyntaxError as error:
        raise CommandError(f"{NAME}: {error}") from None
    return process.shell.run(script, process.streams)


@command("sh", "mksh")
def sh(process: Process) -> int:
    """Run another shell: a ``-c`` line, a file, or stdin."""
    words = [word for word in process.arguments if word not in ("-e", "-x", "-l")]
    child = process.shell.fork()
    if words and words[0] in ("-c", "-ec", "-lc"):
        if len(words) < 2:
            raise CommandError(f"{NAME}: -c: requires an argument")
        child.arguments = words[3:]
        return child.run_text(words[1], process.streams)
    if words:
        path = process.path(words[0])
        if not process.machine.files.exists(path):
            raise CommandError(f"{NAME}: can't open '{words[0]}': No such file or directory", NOT_FOUND)
        return process.shell.run_script_file(path, words[1:], process.streams)
    return child.run_text(process.input().decode("utf-8", "surrogateescape"), process.streams)


@command("source", ".")
def source(process: Process) -> int:
    """Run a file of commands in this shell."""
    if not process.arguments:
        raise CommandError(f"{NAME}: .: missing argument")
    text = process.machine.files.read(process.path(process.arguments[0])).decode("utf-8", "surrogateescape")
    return process.shell.run_text(text, process.streams)


@command("exec", "command", "nohup", "time", "setsid", "toybox", "busybox")
def run_other(process: Process) -> int:
    """Run the arguments as a command."""
    words = process.arguments
    if words and words[0] in ("-v", "-V") and process.name == "command":
        return _which(process, words[1:], path_only=False)
    return process.shell.execute(words, process.streams, process.environment) if words else 0


@command("timeout")
def timeout(process: Process) -> int:
    """Run a command for a limited number of seconds."""
    import threading

    words = [word for word in process.arguments if not word.startswith("-")]
    if len(words) < 2:
        raise CommandError('timeout: Need 2 arguments (see "timeout --help")', 125)
    try:
        seconds = float(words[0].rstrip("s"))
    except ValueError:
        raise CommandError(f"timeout: Unknown time {words[0]!r}", 125) from None
    child = process.shell.fork()
    child.interruption = process.interruption
    timer = threading.Timer(seconds, process.interruption.set)
    timer.daemon = True
    timer.start()
    try:
        return child.execute(process.arguments[process.arguments.index(words[0]) + 1 :], process.streams, {})
    finally:
        timer.cancel()


@command("wait", "trap", "umask", "ulimit", "alias", "unalias", "sync")
def no_op(process: Process) -> int:  # noqa: ARG001 - as every command
    """Accept the command and do nothing."""
    return 0


@command("type", "which")
def which(process: Process) -> int:
    """Print the paths of commands."""
    return _which(process, process.arguments, path_only=process.name == "which")


def _which(process: Process, names: list[str], *, path_only: bool) -> int:
    status = 0
    for name in names:
        is_command = registry.find(name) is not None or name in process.machine.programs
        if is_command:
            path = name if name.startswith("/") else f"/system/bin/{name}"
            process.line(f"{name} is {path}" if process.name == "type" else path)
        else:
            status = 1
            if not path_only and process.name == "type":
                process.line(f"{name} not found")
    return status


@command("test", "[")
def test(process: Process) -> int:
    """Evaluate a condition."""
    words = list(process.arguments)
    if process.name == "[" and (not words or words.pop() != "]"):
        raise CommandError(f"{NAME}: [: missing ]", 2)
    return int(not _Condition(process, words).value())


class _Condition:
    """Evaluate ``a = b -a ! -f c`` from left to right; precedence: or, and, not, single test."""

    def __init__(self, process: Process, words: list[str]) -> None:
        self._process = process
        self._words = words

    def value(self) -> bool:
        if not self._words:
            return False
        result = self._either()
        if self._words:
            raise CommandError(
                f"{NAME}: {self._process.name}: {self._words[0]}: unexpected operator/operand", 2
            )
        return result

    def _either(self) -> bool:
        result = self._both()
        while self._words[:1] == ["-o"]:
            self._words.pop(0)
            result = self._both() or result
        return result

    def _both(self) -> bool:
        result = self._not()
        while self._words[:1] == ["-a"]:
            self._words.pop(0)
            result = self._not() and result
        return result

    def _not(self) -> bool:
        if self._words[:1] == ["!"] and len(self._words) > 1:
            self._words.pop(0)
            return not self._not()
        return self._single_test()

    def _single_test(self) -> bool:
        words = self._words
        if not words:
            raise CommandError(f"{NAME}: {self._process.name}: missing argument", 2)
        if len(words) >= 3 and words[1] in _BINARY:
            left, operator, right = words[:3]
            del words[:3]
            return _compare(left, operator, right)
        if len(words) >= 2 and re.fullmatch(r"-[a-zA-Z]", words[0]):
            operator, operand = words[:2]
            del words[:2]
            return self._unary(operator, operand)
        return bool(words.pop(0))

    def _unary(self, operator: str, operand: str) -> bool:
        if operator == "-t":
            streams = {"0": self._process.stdin, "1": self._process.stdout, "2": self._process.stderr}
            return isinstance(streams.get(operand), Terminal)
        if operator in ("-z", "-n"):
            return bool(operand) == (operator == "-n")
        try:
            entry = self._process.machine.files.entry(
                self._process.path(operand), follow=operator not in ("-L", "-h")
            )
        except OSError:
            return False
        return _entry_is(operator, entry)


_BINARY = frozenset({"=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


def _compare(left: str, operator: str, right: str) -> bool:
    if operator in ("=", "==", "!="):
        return (left == right) == (operator != "!=")
    if operator in ("<", ">"):
        return left < right if operator == "<" else left > right
    try:
        first, second = int(left), int(right)
    except ValueError as error:
        raise CommandError(f"{NAME}: test: {left if not left.isdigit() else right}: bad number", 2) from error
    return {
        "-eq": first == second,
        "-ne": first != second,
        "-lt": first < second,
        "-le": first <= second,
        "-gt": first > second,
        "-ge": first >= second,
    }[operator]


def _entry_is(operator: str, entry: FileEntry) -> bool:
    answers = {
        "-d": entry.is_directory,
        "-f": stat.S_ISREG(entry.mode),
        "-L": entry.is_link,
        "-h": entry.is_link,
        "-s": entry.size > 0,
        "-r": bool(entry.mode & 0o444),
        "-w": bool(entry.mode & 0o222),
        "-x": bool(entry.mode & 0o111),
    }
    return answers.get(operator, True)
