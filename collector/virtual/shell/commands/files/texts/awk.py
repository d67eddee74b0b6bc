"""``awk``."""

from __future__ import annotations

import os
import re

from collector.virtual.shell.awk.interpreter import Awk
from collector.virtual.shell.awk.lexer import AwkError, unescape
from collector.virtual.shell.awk.parser import parse
from collector.virtual.shell.awk.surroundings import UNREADABLE
from collector.virtual.shell.awk.values import Input
from collector.virtual.shell.pipes import (
    BytesReader,
    Collector,
    InputPipe,
    LineReader,
    NullPipe,
    Streams,
    Writer,
)
from collector.virtual.shell.process import CommandError, Process, encode
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_FATAL = 2
_MISSING = {"F": "field separator", "v": "variable name", "f": "program filename"}


@command("awk")
def awk(process: Process) -> int:
    """Run a program over the lines of files or stdin: ``-F``, ``-v``, ``-f``."""
    words = list(process.arguments)
    separator, settings, texts = "", [], []
    while words and words[0][:1] == "-" and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        letter, value = word[1], word[2:]
        if letter not in "Fvf":
            process.err(f"awk: unknown option {word} ignored")
            continue
        if not value and not words:
            raise CommandError(f"awk: no {_MISSING[letter]}", _FATAL)
        value = value or words.pop(0)
        if letter == "F":
            separator = "\t" if value == "t" else value
        elif letter == "v":
            settings.append(value)
        else:
            texts.append(_file(process, value))
    if not texts:
        if not words:
            process.err("usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]")
            return _FATAL
        texts.append(words.pop(0))
    around = _Around(process, words)
    try:
        running = Awk(parse("\n".join(texts)), around)
        around.awk = running
        _prepare(running, process, separator, settings, words)
        return running.run()
    except AwkError as error:
        if process.interruption.is_set:
            raise Interrupted from None
        raise CommandError(f"awk: {error}", _FATAL) from None
    except RecursionError:
        raise CommandError("awk: program nested too deeply", _FATAL) from None
    finally:
        around.close_all()


def _prepare(running: Awk, process: Process, separator: str, settings: list[str], words: list[str]) -> None:
    running.set("ENVIRON", {name: Input(value) for name, value in process.environment.items()})
    running.set("ARGC", float(len(words) + 1))
    running.set("ARGV", {str(place): Input(word) for place, word in enumerate(["awk", *words])})
    if separator:
        running.set("FS", unescape(separator))
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise AwkError(f"invalid -v argument: {setting}")
        running.set(name, Input(unescape(value)))


def _file(process: Process, name: str) -> str:
    try:
        data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"awk: can't open file {name}: {os.strerror(error.errno or 0)}", _FATAL) from None
    return data.decode("utf-8", "surrogateescape")


class _Records:
    """Cuts input into records."""

    def __init__(self, reader: InputPipe) -> None:
        self._lines = LineReader(reader)
        self._rest = ""

    def next(self, separator: str) -> str | None:
        """The next record; None at the end."""
        if separator == "\n":
            line = next(self._lines, None)
            return None if line is None else line.decode("utf-8", "surrogateescape").removesuffix("\n")
        while part := self._lines.read():
            self._rest += part.decode("utf-8", "surrogateescape")
        if not separator:
            self._rest = self._rest.lstrip("\n")
        if not self._rest:
            return None
        source = r"\n\n+" if not separator else re.escape(separator) if len(separator) == 1 else separator
        record, _, self._rest = [*re.split(f"({source})", self._rest, maxsplit=1), "", ""][:3]
        return record.removesuffix("\n") if not self._rest else record


class _Around:
    """The files, commands and input of a program."""

    def __init__(self, process: Process, words: list[str]) -> None:
        self.awk: Awk | None = None
        self._process = process
        self._words = list(words)
        self._used_stdin = False
        self._current: tuple[_Records, str] | None = None
        self._first = True
        self._writers: dict[str, Writer | Collector] = {}
        self._pipes: dict[str, Collector] = {}
        self._readers: dict[str, _Records] = {}

    @property
    def interrupted(self) -> bool:
        return self._process.interruption.is_set

    def write(self, operator: str | None, target: str, data: str) -> None:
        """Print to stdout, a file, or a command."""
        if operator is None:
            self._process.stdout.write(encode(data))
        elif operator == "|":
            self._pipes.setdefault(target, Collector()).write(encode(data))
        elif target in ("/dev/stdout", "-"):
            self._process.stdout.write(encode(data))
        elif target == "/dev/stderr":
            self._process.stderr.write(encode(data))
        else:
            path, files = self._process.path(target), self._process.machine.files
            try:
                files.write(path, encode(data), append=operator == ">>" or target in self._writers)
            except OSError as error:
                raise AwkError(f"can't redirect to {target}: {os.strerror(error.errno or 0)}") from None
            self._writers[target] = NullPipe()

    def close(self, target: str) -> int:
        """Close a file or a command; -1 when it was not open."""
        known = self._writers.pop(target, None) is not None
        known = self._readers.pop(target, None) is not None or known
        if pipe := self._pipes.pop(target, None):
            return self._run(target, BytesReader(bytes(pipe.data)), self._process.stdout)
        return 0 if known else -1

    def close_all(self) -> None:
        """Run the commands that were printed to."""
        for target in list(self._pipes):
            self.close(target)

    def run(self, line: str) -> int:
        """``system``."""
        return self._run(line, self._process.stdin, self._process.stdout)

    def _run(self, line: str, stdin: InputPipe, stdout: Writer) -> int:
        return self._process.shell.fork().run_text(line, Streams(stdin, stdout, self._process.stderr))

    def read_from(self, operator: str, source: str, separator: str) -> str | None:
        """A record of a file or of a command's output."""
        records = self._readers.get(source)
        if records is None:
            reader = self._reader(operator, source)
            if reader is None:
                return UNREADABLE
            records = self._readers[source] = _Records(reader)
        return records.next(separator)

    def _reader(self, operator: str, source: str) -> InputPipe | None:
        if operator == "|":
            collected = Collector()
            self._run(source, NullPipe(), collected)
            return BytesReader(bytes(collected.data))
        if source in ("-", "/dev/stdin"):
            return self._process.stdin
        try:
            return BytesReader(self._process.machine.files.read(self._process.path(source)))
        except OSError:
            return None

    def next_record(self, separator: str) -> tuple[str, str, bool] | None:
        """The next record of the input, the name of its file, and whether it is the file's first."""
        while True:
            if self._current is None and not self._open_next():
                return None
            assert self._current
            records, name = self._current
            line = records.next(separator)
            if line is not None:
                first, self._first = self._first, False
                return line, name, first
            self._current = None

    def _open_next(self) -> bool:
        while self._words:
            word = self._words.pop(0)
            if match := re.match(r"([A-Za-z_]\w*)=", word):
                if self.awk:
                    self.awk.set(match[1], Input(unescape(word[match.end() :])))
                continue
            if not word:
                continue
            self._used_stdin = True
            reader = self._reader("<", word)
            if reader is None:
                raise AwkError(f"can't open file {word}")
            self._current, self._first = (_Records(reader), word), True
            return True
        if self._used_stdin:
            return False
        self._used_stdin, self._first = True, True
        self._current = (_Records(self._process.stdin), "")
        return True
