"""``cmd alarm``: the time zone of the phone; its clock is the system's to set."""

from __future__ import annotations

import zoneinfo

from collector.virtual.android_versions import ANDROID_10
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service, required

_SET_TIME = "setTime: Neither user 2000 nor current process has android.permission.SET_TIME."
alarm = Service(
    "alarm",
    "Alarm manager service (alarm) commands:\n  help\n    Print this help text.\n"
    "  set-time TIME\n    Set the system clock time to TIME where TIME is milliseconds\n"
    "    since the Epoch.\n"
    "  set-timezone TZ\n    Set the system timezone to TZ where TZ is an Olson id.\n",
    shell=ANDROID_10,
)


@alarm.command("set-time")
def _set_time(process: Process, words: list[str]) -> int:
    """Refused to a shell; a word that is no number is found first."""
    text = required(process, "set-time", words)
    if not text.lstrip("-").isdecimal():
        process.line(f'java.lang.NumberFormatException: For input string: "{text}"')
    else:
        process.line(f"java.lang.SecurityException: {_SET_TIME}")
    return FAILED


@alarm.command("set-timezone")
def _set_zone(process: Process, words: list[str]) -> int:
    """Set the property of the time zone; an unknown one is ignored, as on Android."""
    zone = required(process, "set-timezone", words)
    if zone in zoneinfo.available_timezones():
        process.machine.properties["persist.sys.timezone"] = zone
    return 0
