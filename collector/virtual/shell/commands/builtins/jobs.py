"""Builtins for commands in the background and signals: ``wait``, ``jobs``, ``kill``, ``trap``, ``times``."""

from __future__ import annotations

import re

from collector.virtual.shell.commands.processes.sending import send
from collector.virtual.shell.language.control_flow import NAME, NOT_FOUND
from collector.virtual.shell.language.expansion import quoted_word
from collector.virtual.shell.language.jobs import Job
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command
from collector.virtual.shell.signal_names import LAST, NUMBERS, description, name_of, number_of, signal_name

_KILL_USAGE = (
    "usage:\tkill [-s signame | -signum | -signame] { job | pid | pgrp } ...\n\tkill -l [exit_status ...]"
)
_COLUMN = 40
_SILENT = frozenset((NUMBERS["INT"], NUMBERS["PIPE"]))
"""Signals of which ``wait`` says nothing."""


@command("trap")
def trap(process: Process) -> int:
    """List traps, or set what runs at a signal, at the end (``EXIT``) or after a failure (``ERR``)."""
    traps, words = process.shell.traps, list(process.arguments)
    if words[:1] == ["--"]:
        words.pop(0)
    if not words:
        for signal, text in sorted(traps.items(), key=lambda item: item[0] != "EXIT"):
            process.line(f"trap -- {quoted_word(text)} {signal}")
        return 0
    clears = words[0] == "-" or words[0].isdecimal()
    text = "" if clears else words.pop(0)
    if clears and words[0] == "-":
        words.pop(0)
    status = 0
    for word in words:
        signal = _trapped(word)
        if not signal:
            process.err(f"{NAME}: trap: bad signal: {word}")
            status = 1
        elif clears:
            traps.pop(signal, None)
        else:
            traps[signal] = text
    return status


def _trapped(word: str) -> str:
    """The name under which a signal is kept; empty for an unknown one."""
    if word.upper() in ("0", "EXIT"):
        return "EXIT"
    if word.upper() == "ERR":
        return "ERR"
    return signal_name(word) or ""


def _job(process: Process, word: str) -> Job | None:
    """The job of ``%2``, ``%%`` or of a process id."""
    jobs, number = process.shell.jobs, word[1:]
    if word in ("%", "%%", "%+"):
        return jobs[-1] if jobs else None
    if word.startswith("%"):
        return jobs[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(jobs) else None
    return next((job for job in jobs if str(job.pid) == word), None)


@command("wait")
def wait(process: Process) -> int:
    """Wait for commands in the background; the status is that of the last argument."""
    jobs = process.shell.jobs
    status = 0
    for word in process.arguments:
        job = _job(process, word)
        if job is None:
            if not re.fullmatch(r"%.*|\d+", word):
                process.err(f"{NAME}: wait: {word}: argument must be %job or process id")
            status = NOT_FOUND
        elif signal := _awaited(process, job):
            return signal
        else:
            status = job.status
            jobs.remove(job)
            if job.signal and job.signal not in _SILENT:
                process.shell.streams.stderr.write(f"{description(job.signal)} \n".encode())
    for job in [] if process.arguments else list(jobs):
        if signal := _awaited(process, job):
            return signal
        jobs.remove(job)
    return status


def _awaited(process: Process, job: Job) -> int:
    """Wait for a job's end; the status with which a signal that is trapped ends the waiting, otherwise 0."""
    while not job.has_ended():
        if process.interruption.is_set:
            raise Interrupted
        if process.shell.caught:
            break
    return 128 + number_of(process.shell.caught[0]) if process.shell.caught else 0


@command("jobs")
def jobs_(process: Process) -> int:
    """List the commands in the background that still run."""
    running = [(number, job) for number, job in enumerate(process.shell.jobs, 1) if not job.ended.is_set()]
    for place, (number, job) in enumerate(reversed(running)):
        mark = "+-"[place] if place < 2 else " "
        process.line(f"[{number}] {mark} Running              {job.text}")
    return 0


@command("bg", "fg")
def without_job_control(process: Process) -> int:
    """Refuse what needs job control, which scripts do not have."""
    raise CommandError(f"{NAME}: {process.name}: job control not enabled")


@command("times")
def times(process: Process) -> int:
    """Print the processor's time of the shell and of its commands."""
    process.out("0m00.00s 0m00.00s\n" * 2)  # none is counted: the work is the phone's
    return 0


@command("kill")
def kill(process: Process) -> int:
    """Signal processes and jobs; signal 0 only checks that they exist."""
    words = list(process.arguments)
    if words[:1] == ["-l"]:
        return _names(process, words[1:]) if words[1:] else _table(process)
    signal = "TERM"
    if words and words[0].startswith("-") and words[0] not in ("-", "--"):
        word = words.pop(0)[1:]
        if not word[0].isdecimal() and not word[0].isupper():
            word = _option(word, words)
        signal = signal_name(word) or ""
        if not signal:
            raise CommandError(f"{NAME}: kill: bad signal: {word}")
    if words[:1] == ["--"]:
        words.pop(0)
    if not words:
        raise CommandError(_KILL_USAGE)
    status = 0
    for word in words:
        if failed := _kill(process, word, signal):
            process.err(f"{NAME}: kill: {word}: {failed}")
            status = 1
    return status


def _option(word: str, words: list[str]) -> str:
    """The signal of ``-s``."""
    if word[0] != "s":
        raise CommandError(f"{NAME}: kill: -{word[0]}: unknown option")
    if word == "s" and not words:
        raise CommandError(f"{NAME}: kill: -s: requires an argument")
    return word[1:] or words.pop(0)


def _kill(process: Process, word: str, signal: str) -> str:
    """Signal one job or process; return why that failed."""
    if word.startswith("%"):
        job = _job(process, word)
        return send(process, job.pid, signal) if job else "no such job"
    if not re.fullmatch(r"-?\d+", word):
        return "arguments must be jobs or process IDs"
    return send(process, abs(int(word)), signal)


def _names(process: Process, words: list[str]) -> int:
    """The names of signals, or of statuses with which they end a process."""
    for word in words:
        if not word.isdecimal():
            raise CommandError(f"{NAME}: kill: bad number: {word}")
        number = int(word) - 128 if int(word) > 128 else int(word)
        process.line(name_of(number) if 1 <= number <= LAST else word)
    return 0


def _table(process: Process) -> int:
    """Every signal with its description, in two columns as on a terminal of 80."""
    rows = [f"{number:2} {name_of(number):>6} {description(number)}" for number in range(1, LAST + 1)]
    half = len(rows) // 2
    for left, right in zip(rows[:half], rows[half:], strict=True):
        process.line(f"{left:{_COLUMN}}{right}".replace(f"{'':{_COLUMN}}", ""))
    return 0
