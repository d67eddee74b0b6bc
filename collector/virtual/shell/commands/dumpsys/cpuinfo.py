"""``dumpsys cpuinfo``: what used the processor lately."""

from __future__ import annotations

import datetime as dt

from collector.virtual.shell.kernel_files.cpu_usage import (
    CORES,
    CpuTime,
    load_averages,
    machine_time,
    process_time,
)
from collector.virtual.shell.kernel_files.memory_usage import process_memory
from collector.virtual.shell.proc import process_rows
from collector.virtual.shell.process import Process

_WINDOW_NS = 30_000_000_000
"""Android looks at most so far back."""


def dump_cpuinfo(process: Process, words: list[str]) -> int:
    """The load, and the share of each process since a while ago; percents are of one core."""
    del words
    phone = process.machine.phone
    now = phone.clock.uptime_ns
    since = max(0, now - _WINDOW_NS)
    passed = max(1.0, (now - since) / 1e6)
    process.line("Load: " + " / ".join(f"{load:g}" for load in load_averages(phone)))
    moment = phone.clock.now
    begun = moment - dt.timedelta(milliseconds=int(passed))
    stamps = " to ".join(
        f"{when:%Y-%m-%d %H:%M:%S}.{when.microsecond // 1000:03}" for when in (begun, moment)
    )
    process.line(f"CPU usage from {int(passed)}ms to 0ms ago ({stamps}):")
    shares = []
    for row in process_rows(phone, process.machine.processes):
        used = process_time(phone, row, now) - process_time(phone, row, since)
        if used.total >= 1.0:
            faults = process_memory(phone, row).rss // 400 if used.total > 40 else 0
            shares.append((used, f"{row.pid}/{row.command[:15] if row.kernel else row.name}", faults))
    for used, name, faults in sorted(shares, key=lambda share: -share[0].total):
        minor = f" / faults: {faults} minor" if faults else ""
        process.line(f"  {_percents(used, passed)}{minor}".replace("@", name))
    spent = machine_time(phone, now) - machine_time(phone, since)
    whole = passed * CORES
    process.line(
        f"{_share(spent.busy + spent.iowait, whole)}% TOTAL: {_share(spent.user, whole)}% user + "
        f"{_share(spent.system, whole)}% kernel + {_share(spent.iowait, whole)}% iowait + "
        f"{_share(spent.irq, whole)}% irq + {_share(spent.softirq, whole)}% softirq"
    )
    return 0


def _percents(used: CpuTime, passed: float) -> str:
    user, kernel = _share(used.user, passed), _share(used.system, passed)
    return f"{_share(used.total, passed)}% @: {user}% user + {kernel}% kernel"


def _share(value: float, whole: float) -> str:
    """A percentage with one decimal, as Android prints it: without a zero after the point."""
    tenths = int(1000 * value / whole)
    return f"{tenths // 10}" if tenths >= 1000 or tenths % 10 == 0 else f"{tenths / 10:.1f}"
