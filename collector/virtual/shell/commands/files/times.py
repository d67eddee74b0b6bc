"""toybox's ``touch``, which sets when a file was changed, and ``fsync``."""

from __future__ import annotations

import datetime as dt
import re

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?"
)
_TIME = re.compile(r"(\d\d)?(\d\d)?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?")
_SECOND_CENTURY = 69
"""Years of two digits from this on are of the last century."""


@command("touch")
def touch(process: Process) -> int:
    """Create empty files, ``-c`` none; or set when files changed: now, ``-d``, ``-t``, as ``-r FILE``."""
    options = read_options("touch", process.arguments, "amch", "dtr")
    if not options.operands:
        raise CommandError('touch: Needs 1 argument (see "touch --help")')
    when = _moment(process, options)
    files, status = process.machine.files, 0
    for name in options.operands:
        path = process.path(name)
        try:
            if not files.exists(path):
                if "c" in options:
                    continue
                files.write(path, b"")
            files.change(path, mtime=when)
        except OSError as error:
            process.err(f"touch: '{name}': {reason(error)}")
            status = 1
    return status


def _moment(process: Process, options: CommandOptions) -> float:
    """The time that the options say, in seconds of the phone's clock."""
    now = process.machine.phone.clock.now
    if "r" in options:
        name = options.get("r")
        try:
            return process.machine.files.entry(process.path(name)).mtime
        except OSError as error:
            raise CommandError(f"touch: Can't stat {name}: {reason(error)}") from None
    if "d" in options or "t" in options:
        text = options.get("d") or options.get("t")
        try:
            return _dated(text) if "d" in options else _digits(text, now.year)
        except (ValueError, OverflowError):
            raise CommandError(f"touch: bad date {text}") from None
    return now.replace(tzinfo=dt.UTC).timestamp()


def _dated(text: str) -> float:
    """``2026-11-20T12:04:00.5Z`` or ``@SECONDS``."""
    if text.startswith("@"):
        return float(text[1:])
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    moment = dt.datetime(year, month, day, hour, minute, second, tzinfo=dt.UTC).timestamp()
    zone = match[8] or ""
    if zone[:1] in ("+", "-"):
        digits = zone.replace(":", "")
        offset = int(digits[1:3]) * 3600 + int(digits[3:5]) * 60
        moment -= offset if zone[0] == "+" else -offset
    return moment + float(f"0.{match[7] or 0}")


def _digits(text: str, this_year: int) -> float:
    """``[[CC]YY]MMDDhhmm[.ss]``."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(text)
    century, year_of, *rest = match.groups()
    if century and not year_of:  # two digits before the month are the year
        century, year_of = None, century
    month, day, hour, minute, second = (int(part or 0) for part in rest)
    year = this_year
    if year_of:
        short = int(year_of)
        year = int(century) * 100 + short if century else short + (1900 if short >= _SECOND_CENTURY else 2000)
    return dt.datetime(year, month, day, hour, minute, second, tzinfo=dt.UTC).timestamp()


@command("fsync")
def fsync(process: Process) -> int:
    """Find each file; what the phone has is written at once."""
    status = 0
    for name in read_options("fsync", process.arguments, "d").operands:
        try:
            process.machine.files.entry(process.path(name))
        except OSError as error:
            process.err(f"fsync: {name}: {reason(error)}")
            status = 1
    return status
