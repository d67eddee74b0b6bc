"""``dumpsys alarm``: the alarms of the clock that are on, and when the next one rings."""

from __future__ import annotations

import datetime as dt

from collector.virtual.shell.process import Process

_CLOCK = "com.android.deskclock"
_WEEK = 7


def dump_alarm(process: Process, words: list[str]) -> int:
    """The phone's time, the pending alarms in their order, and the next alarm clock."""
    del words
    clock = process.machine.phone.clock
    now, elapsed = clock.now, clock.uptime_ns // 1_000_000
    pending = _pending(process, now)
    process.out(
        f"Current Alarm Manager state:\n  nowRTC={_epoch(now)}={_text(now)} nowELAPSED={elapsed}\n\n"
        f"  {len(pending)} pending alarms: \n"
    )
    for number, at in enumerate(pending):
        wait = round((at - now).total_seconds() * 1000)
        process.out(
            f"    RTC_WAKEUP #{len(pending) - number}: Alarm{{{number + 0xA1A0:x} type 0 "
            f"origWhen {_epoch(at)} whenElapsed {elapsed + wait} {_CLOCK}}}\n"
            f"      tag=*walarm*:{_CLOCK}/.alarms.AlarmActivity\n"
            f"      type=RTC_WAKEUP origWhen={_text(at)} window=0 repeatInterval=0 count=0 flags=0x3\n"
            f"      Alarm clock:\n        triggerTime={_text(at)}\n"
        )
    process.line("\n  Next alarm clock information: ")
    if pending:
        first = pending[0]
        ahead = _duration(round((first - now).total_seconds() * 1000))
        seconds = f"{first:%Y-%m-%d %H:%M:%S}"
        process.line(f"    user:0 pendingSend:false time:{_epoch(first)} = {seconds} = {ahead}")
    process.line("  Pending user blocked background alarms: ")
    return 0


def _pending(process: Process, now: dt.datetime) -> list[dt.datetime]:
    """When each alarm that is on rings next, the first one first."""
    phone = process.machine.phone
    if "clock" not in phone.app_names:
        return []
    alarms = (alarm for alarm in phone.app_state("clock")["alarms"] if alarm["enabled"])
    return sorted(_next(now, alarm["hour"], alarm["minute"], alarm["days"]) for alarm in alarms)


def _next(now: dt.datetime, hour: int, minute: int, days: list[int]) -> dt.datetime:
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    moments = (at + dt.timedelta(days=later) for later in range(_WEEK + 1))
    return next(moment for moment in moments if moment > now and (not days or moment.weekday() in days))


def _epoch(moment: dt.datetime) -> int:
    return int(moment.replace(tzinfo=dt.UTC).timestamp() * 1000)


def _text(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}"


def _duration(milliseconds: int) -> str:
    """``+18h40m59s0ms``, as ``TimeUtils.formatDuration``."""
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours // 24, "d"), (hours % 24, "h"), (minutes, "m"), (seconds, "s"))
    first = next((number for number, (value, _unit) in enumerate(parts) if value), len(parts))
    return "+" + "".join(f"{value}{unit}" for value, unit in parts[first:]) + f"{rest}ms"
