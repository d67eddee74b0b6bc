"""``sed``: a script that edits lines, with a pattern space and a hold space."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.commands.files.texts.sed_script import SedCommand, SedScript
from collector.virtual.shell.commands.files.texts.text import read_lines
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_SHOWN = {
    "\n": "\\n",
    "\t": "\\t",
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\r": "\\r",
    "\v": "\\v",
}


@command("sed")
def sed(process: Process) -> int:
    """Edit lines by a script; ``-i`` the files themselves, ``-n`` without printing what it does not print."""
    if "--version" in process.arguments:
        process.line("This is not GNU sed version 9.0")
        return 0
    letters, scripts, operands, kept = _arguments(process, process.arguments)
    if not scripts:
        if not operands:
            raise CommandError("sed: no pattern")
        scripts.append(operands.pop(0))
    commands = SedScript("\n".join(scripts), bool(letters & {"E", "r"})).commands()
    separate = bool(letters & {"i", "s"})
    files = process.machine.files
    status = int(any(name != "-" and not files.exists(process.path(name)) for name in operands))
    for names in [[name] for name in operands] if separate and operands else [operands]:
        lines = read_lines(process, names)
        if "z" in letters:
            lines = re.findall(rb"[^\0]*\0|[^\0]+\Z", b"".join(lines))
        run = _Run(process, commands, lines, "n" in letters, "\0" if "z" in letters else "\n")
        if "i" not in letters:
            for part in run.output():
                process.out(part)
        elif names and process.machine.files.exists(process.path(names[0])):
            if kept:
                data = process.machine.files.read(process.path(names[0]))
                process.machine.files.write(process.path(names[0] + kept), data)
            edited = "".join(run.output())
            process.machine.files.write(process.path(names[0]), edited.encode("utf-8", "surrogateescape"))
        status = run.status or status
        run.save()
        if run.has_left:
            break
    return status


def _read_script(process: Process, name: str) -> str:
    try:
        data = process.input() if name == "-" else process.machine.files.read(process.path(name))
    except OSError as error:
        raise CommandError(f"sed: {name}: {reason(error)}") from None
    return data.decode("utf-8", "surrogateescape").removesuffix("\n")


def _arguments(process: Process, words: list[str]) -> tuple[set[str], list[str], list[str], str]:
    """The option letters, the scripts of ``-e`` and ``-f``, the operands, and what is
    added to the names of files that are kept."""
    letters: set[str] = set()
    kept = ""
    scripts: list[str] = []
    operands: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter == "e":
                if not word[place:] and not rest:
                    raise CommandError('sed: Missing argument to -e (see "sed --help")')
                scripts.append(word[place:] or rest.pop(0))
                break
            if letter == "f":
                if not word[place:] and not rest:
                    raise CommandError('sed: Missing argument to -f (see "sed --help")')
                name = word[place:] or rest.pop(0)
                scripts.append(_read_script(process, name))
                break
            if letter not in "nEriszu":
                raise CommandError(f"sed: Unknown option '{letter}' (see \"sed --help\")")
            letters.add(letter)
            if letter == "i":
                kept = word[place:]
                break
    return letters, scripts, operands, kept


class _Run:
    """One run of a script over lines."""

    def __init__(
        self, process: Process, commands: list[SedCommand], lines: list[bytes], quiet: bool, mark: str
    ) -> None:
        self._process, self._commands, self._lines, self._quiet = process, commands, lines, quiet
        self._labels = {step.text: place for place, step in enumerate(commands) if step.verb == ":"}
        self._number, self._text, self._end, self._hold = 0, "", mark, ""
        self._mark = mark
        self._later: list[str] = []
        self._written: dict[str, str] = {
            step.text: "" for step in commands if step.text and step.verb in ("w", "s")
        }
        self.status = 0
        self.has_left = False

    def save(self) -> None:
        """Write the files of ``w``."""
        for name, text in self._written.items():
            if name == "/dev/stdout":
                continue
            try:
                data = text.encode("utf-8", "surrogateescape")
                self._process.machine.files.write(self._process.path(name), data)
            except OSError as error:
                raise CommandError(f"sed: {name}: {reason(error)}") from None

    def output(self) -> Iterator[str]:
        """What is printed, in parts; a line without an end gets one when another one follows."""
        is_open = False
        for part in self._parts():
            if part:
                yield self._mark + part if is_open else part
                is_open = not part.endswith(self._mark)

    def _parts(self) -> Iterator[str]:
        restart = False
        while restart or self._next():
            restart = False
            printed = not self._quiet
            for part in self._cycle():
                if part is None:
                    printed = False
                elif part == "":
                    restart = True
                else:
                    yield part
            if restart:
                continue
            if printed:
                yield self._text + self._end
            yield from self._later
            self._later = []
            if self.has_left:
                return

    def _next(self) -> bool:
        if self._number >= len(self._lines):
            return False
        line = self._lines[self._number].decode("utf-8", "surrogateescape")
        self._number += 1
        self._text, self._end = line.removesuffix(self._mark), self._mark if line.endswith(self._mark) else ""
        return True

    def _cycle(self) -> Iterator[str | None]:
        """Run the script once: what it prints; None for a line that is not printed, empty to begin anew."""
        place, replaced, last = 0, False, len(self._lines)
        while place < len(self._commands):
            step = self._commands[place]
            place += 1
            if step.verb in ":}" or not step.applies(self._number, self._number == last, self._text):
                place = step.end + 1 if step.verb == "{" else place
                continue
            if step.verb == "s":
                replaced |= yield from self._substitute(step)
            elif step.verb in "btT":
                if step.verb == "b" or replaced == (step.verb == "t"):
                    place = self._labels[step.text] if step.text else len(self._commands)
                replaced = False if step.verb != "b" else replaced
            elif step.verb == "D" and "\n" in self._text:
                self._text = self._text.partition("\n")[2]
                yield ""
                return
            elif step.verb in "nN":
                if not (yield from self._read_next(step)):
                    return
            elif step.verb in "dDcqQ":
                yield from self._leave(step)
                return
            else:
                yield from self._simple(step)

    def _substitute(self, step: SedCommand) -> Generator[str, None, bool]:
        self._text, done = step.substituted(self._text)
        if done and "p" in step.flags:
            yield self._text + self._end
        if done and step.text:
            yield from self._write(step.text)
        return done

    def _read_next(self, step: SedCommand) -> Generator[str | None, None, bool]:
        """The next line in place of this one, or behind it; False at the end."""
        if step.verb == "n" and not self._quiet:
            yield self._text + self._end
        before = self._text
        if not self._next():
            self.has_left = True
            if step.verb == "n":
                yield None
            return False
        if step.verb == "N":
            self._text = f"{before}\n{self._text}"
        return True

    def _leave(self, step: SedCommand) -> Iterator[str | None]:
        if step.verb == "c" and (len(step.addresses) < 2 or not step.is_inside or step.negated):
            yield step.text + "\n"
        if step.verb in "qQ":
            self.has_left = True
        if step.verb != "q":
            yield None

    def _simple(self, step: SedCommand) -> Iterator[str]:
        verb, text = step.verb, self._text
        if verb == "p":
            yield text + self._end
        elif verb == "P":
            yield text.partition("\n")[0] + "\n"
        elif verb == "=":
            yield f"{self._number}\n"
        elif verb == "l":
            yield "".join(_SHOWN.get(letter, letter) for letter in text) + "$\n"
        elif verb == "i":
            yield step.text + "\n"
        elif verb == "a":
            self._later.append(step.text + "\n")
        elif verb == "y":
            self._text = text.translate(str.maketrans(step.flags, step.replacement))
        elif verb in "gGhHx":
            self._swap(verb)
        elif verb == "w":
            yield from self._write(step.text)
        elif verb == "r" and self._process.machine.files.exists(self._process.path(step.text)):
            data = self._process.machine.files.read(self._process.path(step.text))
            self._later.append(data.decode("utf-8", "surrogateescape"))

    def _swap(self, verb: str) -> None:
        text, hold = self._text, self._hold
        self._text = {"g": hold, "G": f"{text}\n{hold}", "x": hold}.get(verb, text)
        self._hold = {"h": text, "H": f"{hold}\n{text}", "x": text}.get(verb, hold)

    def _write(self, name: str) -> Iterator[str]:
        if name == "/dev/stdout":
            yield self._text + "\n"
        else:
            self._written[name] += self._text + "\n"
