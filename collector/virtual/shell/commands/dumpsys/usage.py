"""``dumpsys usagestats``, ``batterystats`` and ``procstats``: what was used, and what it cost."""

from __future__ import annotations

import datetime as dt
import zlib

from collector.virtual.android_versions import ANDROID_14
from collector.virtual.shell.kernel_files.cpu_usage import process_time
from collector.virtual.shell.kernel_files.memory_usage import process_memory
from collector.virtual.shell.proc import process_rows, user_name
from collector.virtual.shell.process import Process
from collector.virtual.system.usage_report import UsedPackage

_CAPACITY_MAH = 4500
_KERNEL_MB = 420.0
_NAMES = {"Persistent": "Persist", "Top": "Top    ", "(Cached)": "Cached "}
"""The names of the states of processes in the sums of memory."""
_INTERVALS = ("daily", "weekly", "monthly", "yearly")


def _time(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _elapsed(seconds: float) -> str:
    """``01:02:03`` or ``02:03``, as ``DateUtils.formatElapsedTime``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def _duration(milliseconds: int) -> str:
    """``1h 2m 3s 4ms``, as ``BatteryStats.formatTimeMs``."""
    seconds, rest = divmod(milliseconds, 1000)
    parts = [
        (seconds // 86400, "d"),
        (seconds // 3600 % 24, "h"),
        (seconds // 60 % 60, "m"),
        (seconds % 60, "s"),
    ]
    shown = [f"{value}{unit} " for value, unit in parts if value]
    return "".join(shown) + f"{rest}ms "


def dump_usage(process: Process, words: list[str]) -> int:
    """Events of the last 24 hours, and the use of each package; all intervals began when the phone did."""
    phone = process.machine.phone
    wanted = [word for word in words if not word.startswith("-")]
    used = [use for use in phone.services.usage.packages() if not wanted or use.package in wanted]
    now = phone.clock.now
    process.line(f'user=0\n  Last 24 hour events (timeRange="{_range(now - dt.timedelta(days=1), now)}" )')
    for event in phone.services.usage.events():
        component = event.component
        if component is None:
            process.line(f'    time="{_time(event.time)}" type={event.kind} package=android flags=0x0')
        elif not wanted or component.package in wanted:
            process.line(
                f'    time="{_time(event.time)}" type={event.kind} package={component.package} '
                f"class={component.activity} instanceId={zlib.crc32(str(component).encode()) & 0xFFFFFF} "
                f"taskRootPackage={component.package} taskRootClass={component.activity} flags=0x0"
            )
    start = now - dt.timedelta(seconds=phone.clock.uptime_ns / 1e9)
    for interval in _INTERVALS:
        process.line(f'  In-memory {interval} stats\n    timeRange="{_range(start, now)}"\n    packages')
        for use in used:
            process.line(_used(use))
        process.line("    ChooserCounts\n    configurations\n      events")
    return 0


def _range(start: dt.datetime, end: dt.datetime) -> str:
    return f"{start:%m/%d/%Y, %H:%M} – {end:%m/%d/%Y, %H:%M}"


def _used(use: UsedPackage) -> str:
    total, last = _elapsed(use.seconds), _time(use.last)
    return (
        f'      package={use.package} totalTimeUsed="{total}" lastTimeUsed="{last}" '
        f'totalTimeVisible="{total}" lastTimeVisible="{last}" lastTimeComponentUsed="{last}" '
        f'totalTimeFS="00:00" lastTimeFS="1970-01-01 00:00:00" appLaunchCount={use.launches}'
    )


def dump_battery_stats(process: Process, words: list[str]) -> int:
    """Time on battery and the estimated use of each user; ``--reset`` and the like are accepted."""
    phone = process.machine.phone
    if words[:1] == ["--reset"]:
        process.line("Battery stats and history reset.")
        return 0
    if words[:1] in (["--enable"], ["--disable"]):
        process.line(f"{'En' if words[0] == '--enable' else 'Dis'}abled: {' '.join(words[1:])}")
        return 0
    supply = phone.services.power.supply
    uptime = phone.clock.uptime_ns // 1_000_000
    on_battery = 0 if supply.plugged else uptime
    drained = _CAPACITY_MAH * (100 - supply.level) // 100
    percent = 100.0 if on_battery else 0.0
    began = phone.clock.now - dt.timedelta(microseconds=phone.clock.uptime_ns // 1000)
    is_dated = phone.profile.sdk >= ANDROID_14
    at, state = (
        (f"  {began:%m-%d %H:%M:%S}.{began.microsecond // 1000:03} ",) * 2
        if is_dated
        else ("                    0 (15) ", "                    0 (2) ")
    )
    process.out(
        f"Battery History {'[Format: 2] ' if is_dated else ''}"
        "(0% used, 1624 used of 4096KB, 4 strings using 36):\n"
        f"{at}RESET:TIME: {began:%Y-%m-%d-%H-%M-%S}\n"
        f"{state}{supply.level:03} status={_STATUS.get(supply.status, 'unknown')} "
        f"health=good plug={'usb' if supply.plugged else 'none'} temp={supply.temperature} "
        f"volt={supply.voltage}"
        f"{' +screen' if phone.awake else ''}\n\n"
        "Per-PID Stats:\n\n"
        "Statistics since last charge:\n  System starts: 0, currently on battery: "
        f"{str(not supply.plugged).lower()}\n  Estimated battery capacity: {_CAPACITY_MAH} mAh\n"
        f"  Time on battery: {_duration(on_battery)}({percent:.1f}%) realtime, "
        f"{_duration(on_battery)}({percent:.1f}%) uptime\n"
        f"  Time on battery screen off: 0ms (0.0%) realtime, 0ms (0.0%) uptime\n"
        f"  Total run time: {_duration(uptime)}realtime, {_duration(uptime)}uptime\n"
        f"  Screen on: {_duration(on_battery)}({percent:.1f}%) 1x, Interactive: {_duration(on_battery)}"
        f"({percent:.1f}%)\n\n"
        "  Estimated power use (mAh):\n"
        f"    Capacity: {_CAPACITY_MAH}, Computed drain: {drained}, actual drain: {drained}\n"
    )
    for name, share in _shares(process):
        process.line(f"    UID {name}: {drained * share:.3g} ( cpu={drained * share:.3g} )")
    return 0


_STATUS = {1: "unknown", 2: "charging", 3: "discharging", 4: "not-charging", 5: "full"}


def _shares(process: Process) -> list[tuple[str, float]]:
    """The users by their part of the CPU time, the largest first."""
    phone = process.machine.phone
    ticks: dict[str, int] = {}
    for row in process_rows(phone, process.machine.processes):
        time = process_time(phone, row, phone.clock.uptime_ns)
        name = user_name(row.uid).replace("_", "") if row.uid >= 10_000 else str(row.uid)
        ticks[name] = ticks.get(name, 0) + time.user_ticks + time.system_ticks
    total = sum(ticks.values()) or 1
    return [
        (name, count / total) for name, count in sorted(ticks.items(), key=lambda item: -item[1]) if count
    ]


def _added(milliseconds: int) -> str:
    """``+1h2m3s4ms``, as ``TimeUtils.formatDuration``."""
    return "+" + _duration(milliseconds).replace(" ", "") if milliseconds else "0"


def dump_process_stats(process: Process, words: list[str]) -> int:
    """The memory of each process over the last 24 and 3 hours, or ``--hours N``, as ``ProcessStats``."""
    hours = words[words.index("--hours") + 1 :][:1] if "--hours" in words else ["24", "3"]
    for number, shown in enumerate(hours):
        process.out("\n" * bool(number) + f"AGGREGATED OVER LAST {shown} HOURS:\n")
        _dump_aggregated(process)
    return 0


def _dump_aggregated(process: Process) -> None:
    phone = process.machine.phone
    rows = process_rows(phone, process.machine.processes)
    totals: dict[str, float] = {}
    for row in rows:
        if not row.package and row.name not in ("system_server", "com.android.systemui", "com.android.phone"):
            continue
        memory = process_memory(phone, row)
        pss, rss = memory.pss / 1024, memory.rss / 1024
        kind = "Top" if row.adjustment == 0 else "Persistent" if row.adjustment < 0 else "(Cached)"
        totals[_NAMES[kind]] = totals.get(_NAMES[kind], 0) + pss
        name = row.package or ("system" if row.name == "system_server" else row.name)
        shown = "/".join("-".join([f"{size:.0f}MB"] * 3) for size in (pss, pss, rss)) + " over 1"
        user = user_name(row.uid).replace("_", "") if row.uid >= 10_000 else row.uid
        process.out(
            f"  * {name} / {user} / v{phone.profile.sdk}:\n"
            f"           TOTAL: 100% ({shown})\n{kind:>16}: 100% ({shown})\n"
        )
    native = sum(process_memory(phone, row).pss for row in rows if not row.package) / 1024
    _dump_totals(process, {"Kernel ": _KERNEL_MB, "Native ": native, **totals})


def _dump_totals(process: Process, memory: dict[str, float]) -> None:
    """Run time, memory by kind in MB, and since when it was counted, as ``dumpTotalsLocked``."""
    clock = process.machine.phone.clock
    run = _added(clock.uptime_ns // 1_000_000)
    process.out(f"\nRun time Stats:\n  SOn /Norm: {run} (running)\n      TOTAL: {run}\n\nMemory usage:\n")
    for name, size in memory.items():
        process.line(f"  {name}: {size:.0f}MB (1 samples)")
    start = clock.now - dt.timedelta(seconds=clock.uptime_ns / 1e9)
    process.out(
        f"  TOTAL  : {sum(memory.values()):.0f}MB\n\nPSS collection stats:\n"
        "  Internal Single: 0x over 0\n  Internal All Procs (Memory Change): 0x over 0\n"
        "  Internal All Procs (Polling): 0x over 0\n  External: 0x over 0\n  External Slow: 0x over 0\n\n"
        f"          Start time: {_time(start)}\n        Total uptime: {run}\n"
        f"  Total elapsed time: {run} (partial) libart.so\n"
    )
