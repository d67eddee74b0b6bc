"""``flock``: locks of files by open descriptors."""

from __future__ import annotations

import re

from collector.virtual.shell.options import read_options
from collector.virtual.shell.pipes import FileWriter
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command


@command("flock")
def flock(process: Process) -> int:
    """Lock (``-x``, or ``-s`` shared) or unlock (``-u``) a descriptor's file; ``-n`` does not wait."""
    options = read_options("flock", process.arguments, "sxun")
    if len(options.operands) != 1:
        count = "Needs" if not options.operands else "Max"
        raise CommandError(f'flock: {count} 1 argument (see "flock --help")')
    number = re.match(r"\s*[-+]?\d+", options.operands[0])
    descriptors = {0: process.stdin, 1: process.stdout, 2: process.stderr, **process.more}
    file = descriptors.get(int(number[0]) if number else 0)
    if file is None:
        raise CommandError("flock: flock: Bad file descriptor")
    locks = process.machine.file_locks
    if not isinstance(file, FileWriter):
        return 0  # no other command can have it open
    if "u" in options:
        locks.release(file)
    elif "n" in options:
        return 0 if locks.take(file, shared="s" in options) else 1
    else:
        locks.wait(file, shared="s" in options, interruption=process.interruption)
        if process.interruption.is_set:
            raise Interrupted
    return 0
