"""``seq``: numbers from one to another."""

from __future__ import annotations

import re

from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_FORMAT = re.compile(r"(?:[^%]|%%)*%[-+ 0#']*\d*(?:\.\d+)?[aefgAEFG](?:[^%]|%%)*")


@command("seq")
def seq(process: Process) -> int:
    """Print numbers: ``[FIRST [STEP]] LAST``; ``-s`` stands between, ``-w`` pads, ``-f`` is a format."""
    words = list(process.arguments)
    split = next((place for place, word in enumerate(words) if _NUMBER.fullmatch(word)
                  and not (place and words[place - 1] in ("-s", "-f"))), len(words))  # fmt: skip
    options = read_options("seq", words[:split], "w", "sf")
    numbers = [*options.operands, *words[split:]]
    if not numbers:
        raise CommandError('seq: Needs 1 argument (see "seq --help")')
    if len(numbers) > 3:
        raise CommandError('seq: Max 3 arguments (see "seq --help")')
    for word in numbers:
        if not _NUMBER.fullmatch(word):
            raise CommandError(f"seq: strtod {word}: Invalid argument")
    layout = options.get("f")
    if layout and not _FORMAT.fullmatch(layout):
        raise CommandError(f"seq: bad -f '{layout}'")
    _print(process, numbers, options.get("s") or "\n", layout, pads="w" in options)
    return 0


def _print(process: Process, words: list[str], between: str, layout: str, *, pads: bool) -> None:
    numbers = [float(word) for word in words]
    first, step, last = (1.0, 1.0, numbers[0])
    if len(numbers) > 1:
        first, last = numbers[0], numbers[-1]
    if len(numbers) > 2:
        step = numbers[1]
    digits = max(len(word.partition(".")[2].rstrip("0")) for word in (words[:-1] or ["1"]))
    width = max(len(f"{value:.{digits}f}") for value in (first, last)) if pads else 0
    count, value = 0, first
    while (value <= last + 1e-9) if step >= 0 else (value >= last - 1e-9):
        if process.interruption.is_set:
            raise Interrupted
        text = layout % value if layout else f"{value:0{width}.{digits}f}" if pads else f"{value:.{digits}f}"
        process.out((between if count else "") + text)
        count += 1
        value = first + count * step
        if not step:
            value = first
    if count:
        process.out("\n")
