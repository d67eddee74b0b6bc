"""``find``: files below folders by tests, and what is done with each."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from collector.virtual.shell.commands.files.files import mode_text, owner, reason
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.pipes import NullPipe, Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_UNITS = {"c": 1, "": 512, "b": 512, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1, "": 86_400}
_KINDS: dict[str, Callable[[int], bool]] = {
    "f": stat.S_ISREG, "d": stat.S_ISDIR, "l": stat.S_ISLNK, "p": stat.S_ISFIFO, "c": stat.S_ISCHR,
    "b": stat.S_ISBLK, "s": stat.S_ISSOCK,
}  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "\\": "\\"}
_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class _Found:
    """A file: as it is printed, from its root, in the file system, and how deep."""

    shown: str
    root: str
    path: str
    entry: FileEntry
    depth: int

    @property
    def name(self) -> str:
        return self.shown.rstrip("/").rpartition("/")[2] or self.shown


_Test = Callable[[_Found], bool]


class _QuitError(Exception):
    """``-quit`` was reached."""


@dataclass(slots=True)
class _Plan:
    """What a command line asks for."""

    process: Process
    words: list[str]
    deepest: int = _ALL
    shallowest: int = 0
    inside_first: bool = False
    acts: bool = False
    """Whether something else than printing is asked for."""
    pruned: bool = False
    status: int = 0
    collected: list[tuple[list[str], list[str]]] = field(default_factory=list)
    """Commands of ``-exec ... +``, each with the files so far."""

    def parse(self) -> _Test:
        test = self._any() if self.words else lambda _found: True
        if self.words:
            raise CommandError(f"find: bad arg '{self.words[0]}'")
        if self.acts:
            return test

        def printed(found: _Found) -> bool:
            if not test(found):
                return False
            self.process.line(found.shown)
            return True

        return printed

    def _any(self) -> _Test:
        tests = [self._all()]
        while self.words and self.words[0] in ("-o", "-or"):
            self.words.pop(0)
            tests.append(self._all())
        return tests[0] if len(tests) == 1 else lambda found: any(test(found) for test in tests)

    def _all(self) -> _Test:
        tests = [self._one()]
        while self.words and self.words[0] not in ("-o", "-or", ")"):
            if self.words[0] in ("-a", "-and"):
                self.words.pop(0)
            tests.append(self._one())
        return tests[0] if len(tests) == 1 else lambda found: all(test(found) for test in tests)

    def _one(self) -> _Test:
        if not self.words:
            raise CommandError("find: bad arg '(null)'")
        word = self.words.pop(0)
        if word in ("!", "-not"):
            test = self._one()
            return lambda found: not test(found)
        if word == "(":
            inner = self._any()
            if self.words[:1] != [")"]:
                raise CommandError("find: need extra )")
            self.words.pop(0)
            return inner
        simple = _SIMPLE.get(word)
        if simple is not None:
            return simple(self)
        valued = _VALUED.get(word)
        if valued is None:
            raise CommandError(f"find: bad arg '{self.words[0] if self.words else '(null)'}'")
        if not self.words:
            raise CommandError(f"find: '{word}' needs 1 arg")
        return valued(self, self.words.pop(0))

    def runner(self, _word: str = "") -> _Test:
        self.acts = True
        argv: list[str] = []
        while self.words:
            word = self.words.pop(0)
            if word == ";":
                return lambda found: self._run([part.replace("{}", found.shown) for part in argv]) == 0
            if word == "+" and argv[-1:] == ["{}"]:
                files: list[str] = []
                self.collected.append((argv[:-1], files))

                return self.doing(lambda found, files=files: files.append(found.shown))  # type: ignore[misc]
            argv.append(word)
        raise CommandError("find: -exec needs ;")

    def _run(self, argv: list[str]) -> int:
        streams = Streams(NullPipe(), self.process.stdout, self.process.stderr)
        return self.process.shell.execute(argv, streams, self.process.environment)

    def finish(self) -> None:
        for argv, files in self.collected:
            if files and self._run([*argv, *files]):
                self.status = 1

    def doing(self, act: Callable[[_Found], None]) -> _Test:
        self.acts = True

        def do(found: _Found) -> bool:
            act(found)
            return True

        return do

    def delete(self) -> _Test:
        self.inside_first = True

        def remove(found: _Found) -> None:
            files = self.process.machine.files
            try:
                if found.entry.is_directory:
                    files.remove_directory(found.path)
                else:
                    files.remove(found.path)
            except OSError as error:
                self.process.err(f"find: {found.shown}: {reason(error)}")
                self.status = 1

        acts, test = self.acts, self.doing(remove)
        self.acts = acts  # toybox prints what it deletes
        return test

    def prune(self) -> _Test:
        def stop(_found: _Found) -> bool:
            self.pruned = True
            return True

        return stop

    def quit(self) -> _Test:
        def stop(_found: _Found) -> bool:
            raise _QuitError

        return stop

    def limit(self, name: str, text: str) -> _Test:
        if not text.isdecimal():
            raise CommandError(f"find: not integer: {text}")
        if name == "deepest":
            self.deepest = int(text)
        else:
            self.shallowest = int(text)
        return lambda _found: True

    def depth(self) -> _Test:
        self.inside_first = True
        return lambda _found: True

    def seconds(self) -> float:
        return self.process.machine.phone.clock.now.timestamp()


def _counted(text: str, units: dict[str, int], option: str) -> tuple[str, int, int]:
    """The sign of a number, the number, and the size of its unit."""
    match = re.fullmatch(r"([+-]?)(\d+)(\w?)", text)
    if match is None or match[3] not in units:
        raise CommandError(f"find: bad {option} '{text}'")
    return match[1], int(match[2]), units[match[3]]


def _compare(sign: str, value: int, wanted: int) -> bool:
    return value > wanted if sign == "+" else value < wanted if sign == "-" else value == wanted


def _size(_plan: _Plan, text: str) -> _Test:
    sign, wanted, unit = _counted(text, _UNITS, "-size")
    return lambda found: _compare(sign, -(-found.entry.size // unit), wanted)


def _age(plan: _Plan, text: str) -> _Test:
    sign, wanted, unit = _counted(text, _SECONDS, "-mtime")
    return lambda found: _compare(sign, int(plan.seconds() - found.entry.mtime) // unit, wanted)


def _newer(plan: _Plan, name: str) -> _Test:
    try:
        limit = plan.process.machine.files.entry(plan.process.path(name)).mtime
    except OSError as error:
        raise CommandError(f"find: '{name}': {reason(error)}") from None
    return lambda found: found.entry.mtime > limit


def _kind(_plan: _Plan, letters: str) -> _Test:
    unknown = [letter for letter in letters.split(",") if letter not in _KINDS]
    if unknown:
        raise CommandError(f"find: bad -type '{letters}'")
    return lambda found: any(_KINDS[letter](found.entry.mode) for letter in letters.split(","))


def _permissions(_plan: _Plan, text: str) -> _Test:
    sign, digits = (text[0], text[1:]) if text[:1] in ("-", "/") else ("", text)
    if not re.fullmatch("[0-7]{1,4}", digits):
        raise CommandError(f"find: bad mode '{digits}'")
    wanted = int(digits, 8)

    def fits(found: _Found) -> bool:
        mode = stat.S_IMODE(found.entry.mode)
        if sign == "-":
            return mode & wanted == wanted
        return bool(mode & wanted) or not wanted if sign == "/" else mode == wanted

    return fits


def _owner(_plan: _Plan, name: str) -> _Test:
    return lambda found: name in (owner(found.entry.uid), str(found.entry.uid))


def _is_empty(found: _Found) -> bool:
    return not found.entry.contents if found.entry.is_directory else found.entry.size == 0


def _named(found: _Found, pattern: str, *, folded: bool) -> bool:
    name, wanted = (found.name.lower(), pattern.lower()) if folded else (found.name, pattern)
    return fnmatchcase(name, wanted)


def _printed(plan: _Plan, layout: str) -> _Test:
    return plan.doing(lambda found: plan.process.out(_filled(layout, found)))


def _filled(layout: str, found: _Found) -> str:
    entry = found.entry
    values = {
        "p": found.shown, "f": found.name, "P": found.shown[len(found.root) :].lstrip("/"), "%": "%",
        "m": f"{stat.S_IMODE(entry.mode):o}", "M": mode_text(entry.mode), "i": str(entry.inode),
        "l": entry.target if entry.is_link else "", "s": str(entry.size), "b": str(-(-entry.size // 512)),
        "u": owner(entry.uid), "g": owner(entry.gid), "U": str(entry.uid), "G": str(entry.gid),
        "T@": f"{entry.mtime:.10f}",
    }  # fmt: skip

    def part(match: re.Match[str]) -> str:
        if match[1]:
            return _ESCAPES.get(match[1], match[0])
        return values.get(match[2], match[0])

    return re.sub(r"\\(.)|%(T@|.)", part, layout)


_SIMPLE: dict[str, Callable[[_Plan], _Test]] = {
    "-print": lambda plan: plan.doing(lambda found: plan.process.line(found.shown)),
    "-print0": lambda plan: plan.doing(lambda found: plan.process.out(found.shown + "\0")),
    "-delete": _Plan.delete,
    "-depth": _Plan.depth,
    "-prune": _Plan.prune,
    "-quit": _Plan.quit,
    "-empty": lambda _plan: _is_empty,
    "-true": lambda _plan: lambda _found: True,
    "-false": lambda _plan: lambda _found: False,
    "-xdev": lambda _plan: lambda _found: True,
    "-executable": lambda _plan: lambda found: bool(found.entry.mode & 0o111),
    "-exec": _Plan.runner,
    "-execdir": _Plan.runner,
}
_VALUED: dict[str, Callable[[_Plan, str], _Test]] = {
    "-name": lambda _plan, text: lambda found: _named(found, text, folded=False),
    "-iname": lambda _plan, text: lambda found: _named(found, text, folded=True),
    "-path": lambda _plan, text: lambda found: fnmatchcase(found.shown, text),
    "-ipath": lambda _plan, text: lambda found: fnmatchcase(found.shown.lower(), text.lower()),
    "-type": _kind,
    "-size": _size,
    "-mtime": _age,
    "-atime": _age,
    "-ctime": _age,
    "-mmin": lambda plan, text: _age(plan, text + "m"),
    "-newer": _newer,
    "-perm": _permissions,
    "-user": _owner,
    "-inum": lambda _plan, text: lambda found: str(found.entry.inode) == text,
    "-printf": _printed,
    "-maxdepth": lambda plan, text: plan.limit("deepest", text),
    "-mindepth": lambda plan, text: plan.limit("shallowest", text),
}


@command("find")
def find(process: Process) -> int:
    """``find [DIR...] [TESTS] [ACTIONS]``, as toybox has them."""
    words = [word for word in process.arguments if word not in ("-H", "-L")]
    roots: list[str] = []
    while words and not (words[0].startswith("-") or words[0] in ("!", "(")):
        roots.append(words.pop(0))
    plan = _Plan(process, words)
    test = plan.parse()
    try:
        for root in roots or ["."]:
            try:
                entry = process.machine.files.entry(process.path(root), follow=False)
            except OSError as error:
                process.err(f"find: '{root}': {reason(error)}")
                plan.status = 1
                continue
            for found in _walked(plan, _Found(root, root, process.path(root), entry, 0)):
                if found.depth >= plan.shallowest:
                    test(found)
    except _QuitError:
        pass
    plan.finish()
    return plan.status


def _walked(plan: _Plan, found: _Found) -> Iterator[_Found]:
    """A file and, for a folder, what is in it: before or after it."""
    plan.pruned = False
    if not plan.inside_first:
        yield found
    if found.entry.is_directory and found.depth < plan.deepest and not plan.pruned:
        try:
            inside = plan.process.machine.files.list(found.path)
        except OSError as error:
            plan.process.err(f"find: {found.shown}: {reason(error)}")
            plan.status = 1
            inside = []
        for name, entry in inside:
            shown, path = (f"{place.rstrip('/')}/{name}" for place in (found.shown, found.path))
            yield from _walked(plan, _Found(shown, found.root, path, entry, found.depth + 1))
    plan.pruned = False
    if plan.inside_first:
        yield found
