"""``ulimit``: the limits of a shell and of what it starts."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.android_versions import ANDROID_11
from collector.virtual.shell.language.arithmetic import ExpansionError, calculate
from collector.virtual.shell.language.control_flow import NAME
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

NO_LIMIT = -1
_LETTERS_OF_OPTIONS = "acdefHilmnpqrSstvx"


@dataclass(frozen=True, slots=True)
class ProcessLimit:
    """A limit, with what holds on a phone at first: the soft value, which may rise to the hard one."""

    letter: str
    name: str
    soft: int
    hard: int


_LIMITS = (
    ProcessLimit("t", "time(cpu-seconds)", NO_LIMIT, NO_LIMIT),
    ProcessLimit("f", "file(blocks)", NO_LIMIT, NO_LIMIT),
    ProcessLimit("c", "coredump(blocks)", 0, NO_LIMIT),
    ProcessLimit("d", "data(KiB)", NO_LIMIT, NO_LIMIT),
    ProcessLimit("s", "stack(KiB)", 8192, NO_LIMIT),
    ProcessLimit("l", "lockedmem(KiB)", 65536, 65536),
    ProcessLimit("n", "nofiles(descriptors)", 32768, 32768),
    ProcessLimit("p", "processes", 14101, 14101),
    ProcessLimit("i", "sigpending", 14101, 14101),
    ProcessLimit("q", "msgqueue(bytes)", 819200, 819200),
    ProcessLimit("e", "maxnice", 40, 40),
    ProcessLimit("r", "maxrtprio", 0, 0),
    ProcessLimit("m", "resident-set(KiB)", NO_LIMIT, NO_LIMIT),
    ProcessLimit("v", "address-space(KiB)", NO_LIMIT, NO_LIMIT),
    ProcessLimit("x", "filelocks", NO_LIMIT, NO_LIMIT),
)
_BY_LETTER = {limit.letter: limit for limit in _LIMITS}


@command("ulimit")
def ulimit(process: Process) -> int:
    """Print or set a limit: ``-n`` and the like, ``-a`` for all, ``-S`` soft and ``-H`` hard alone."""
    letter, which, is_all, words = "f", "", False, list(process.arguments)
    while words and words[0].startswith("-") and words[0] != "-":
        for option in words.pop(0)[1:]:
            if option in "HS":
                which += option
            elif option == "a":
                is_all = True
            elif option in _BY_LETTER:
                letter = option
            else:
                usage = f"{NAME}: ulimit: usage: ulimit [-{_LETTERS_OF_OPTIONS}] [value]"
                raise CommandError(f"{NAME}: ulimit: -{option}: unknown option\n{usage}")
    if len(words) > 1:
        raise CommandError(f"{NAME}: ulimit: too many arguments")
    if is_all:
        _print_all(process, which)
    elif words:
        _set(process, _BY_LETTER[letter], which or "HS", words[0])
    else:
        process.line(_text(_value(process, _BY_LETTER[letter], which)))
    return 0


def _values(process: Process, limit: ProcessLimit) -> tuple[int, int]:
    return process.shell.limits.get(limit.letter, (limit.soft, limit.hard))


def _value(process: Process, limit: ProcessLimit, which: str) -> int:
    return _values(process, limit)[which == "H"]


def _text(value: int) -> str:
    return "unlimited" if value == NO_LIMIT else str(value)


def _print_all(process: Process, which: str) -> None:
    has_letters = process.machine.phone.profile.sdk >= ANDROID_11
    for limit in _LIMITS if has_letters else _LIMITS[:-1]:
        value = _text(_value(process, limit, which))
        lead = f"-{limit.letter}: {limit.name:<21}" if has_letters else f"{limit.name:<20}"
        process.line(f"{lead} {value}")


def _set(process: Process, limit: ProcessLimit, which: str, text: str) -> None:
    soft, hard = _values(process, limit)
    value = NO_LIMIT if text == "unlimited" else _number(process, limit, text)
    if hard != NO_LIMIT and (value == NO_LIMIT or value > hard):
        raise CommandError(f"{NAME}: ulimit: {text} exceeds allowable {limit.name} limit")
    changed = (value if "S" in which else soft, value if "H" in which else hard)
    process.shell.limits = {**process.shell.limits, limit.letter: changed}


def _number(process: Process, limit: ProcessLimit, text: str) -> int:
    if text[:1].isdigit():
        try:
            return calculate(text, process.shell)
        except (ExpansionError, ValueError):
            pass
    raise CommandError(f"{NAME}: ulimit: invalid {limit.name} limit: {text}")
