"""``dumpsys``: the services tools ask about, in the shape they parse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.virtual.shell.commands.dumpsys.activity.command import dump_activity
from collector.virtual.shell.commands.dumpsys.alarms import dump_alarm
from collector.virtual.shell.commands.dumpsys.connections import (
    dump_bluetooth,
    dump_netstats,
    dump_telecom,
    dump_usb,
)
from collector.virtual.shell.commands.dumpsys.cpuinfo import dump_cpuinfo
from collector.virtual.shell.commands.dumpsys.display import dump_display
from collector.virtual.shell.commands.dumpsys.energy import (
    dump_battery,
    dump_storage,
    dump_thermal,
)
from collector.virtual.shell.commands.dumpsys.gfxinfo import dump_gfxinfo
from collector.virtual.shell.commands.dumpsys.input_method import dump_input_method
from collector.virtual.shell.commands.dumpsys.input_state import dump_input
from collector.virtual.shell.commands.dumpsys.kept import (
    dump_account,
    dump_dropbox,
    dump_fingerprint,
    dump_mount,
    dump_sensors,
    dump_settings,
    dump_ui_mode,
    dump_web_view,
)
from collector.virtual.shell.commands.dumpsys.meminfo import dump_meminfo
from collector.virtual.shell.commands.dumpsys.network import dump_connectivity, dump_location, dump_wifi
from collector.virtual.shell.commands.dumpsys.others import (
    dump_accessibility,
    dump_audio,
    dump_device_idle,
    dump_diskstats,
    dump_media_session,
    dump_telephony,
    dump_user,
)
from collector.virtual.shell.commands.dumpsys.package import dump_package
from collector.virtual.shell.commands.dumpsys.policies import (
    dump_device_policy,
    dump_jobs,
    dump_nothing,
    dump_roles,
    dump_status_bar,
    dump_trust,
)
from collector.virtual.shell.commands.dumpsys.posted import dump_appops, dump_notifications
from collector.virtual.shell.commands.dumpsys.power import dump_power
from collector.virtual.shell.commands.dumpsys.surface_flinger import dump_surface_flinger
from collector.virtual.shell.commands.dumpsys.usage import (
    dump_battery_stats,
    dump_process_stats,
    dump_usage,
)
from collector.virtual.shell.commands.dumpsys.window.command import dump_window
from collector.virtual.shell.pipes import Collector
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.system.phone_state.inventory import system_services
from collector.virtual.system.phone_state.state import SYSTEM_PID

_DUMP_SECONDS = 0.05


_LINE = "-" * 79
_HELP = """usage: dumpsys
         To dump all services.
or:
       dumpsys [-t TIMEOUT] [--priority LEVEL] [--clients] [--dump] [--pid] [--thread] [--help | -l | --skip SERVICES | SERVICE [ARGS]]
         --help: shows this help
         -l: only list services, do not dump them
         -t TIMEOUT_SEC: TIMEOUT to use in seconds instead of default 10 seconds
         -T TIMEOUT_MS: TIMEOUT to use in milliseconds instead of default 10 seconds
         --clients: dump client PIDs instead of usual dump
         --dump: ask the service to dump itself (this is the default)
         --pid: dump PID instead of usual dump
         --proto: filter services that support dumping data in proto format. Dumps
               will be in proto format.
         --priority LEVEL: filter services based on specified priority
               LEVEL must be one of CRITICAL | HIGH | NORMAL
         --skip SERVICES: dumps all services but SERVICES (comma-separated list)
         --thread: dump thread usage instead of usual dump
         SERVICE [ARGS]: dumps only service SERVICE, optionally passing ARGS to it
"""  # noqa: E501 - as the program has it


@command("dumpsys")
def dumpsys(process: Process) -> int:
    """Describe one service, all of them, or list them with ``-l``."""
    words, flags, skipped = _read(process.arguments)
    process.simulate_duration(_DUMP_SECONDS)
    if "--help" in flags:
        process.err(_HELP.rstrip("\n"))
        return 0
    names = sorted(_dumped(process))
    if not words:
        process.line("Currently running services:")
        for name in names:
            process.line(f"  {name}{' (skipped)' if name in skipped else ''}")
        if "-l" not in flags:
            for name in names:
                if name not in skipped:
                    _dump_with_heading(process, name, ["-a"])
        return 0
    if words[0] not in names:
        process.err(f"Can't find service: {words[0]}")
        return 0
    if "--pid" in flags:
        process.line(f"Service host process PID: {_HOSTS.get(words[0], SYSTEM_PID)}")
        return 0
    return _dump_together(process, words[0], words[1:])


def _dump_together(process: Process, name: str, words: list[str]) -> int:
    """Print the whole dump of a service: each of its lines alone would be a packet to the computer."""
    printed = Collector()
    try:
        return _SERVICES.get(name, dump_nothing)(replace(process, stdout=printed), words)
    finally:
        if printed.data:
            process.stdout.write(bytes(printed.data))


def _read(arguments: list[str]) -> tuple[list[str], set[str], set[str]]:
    """The service with its words, the switches before it, and the services that ``--skip`` names."""
    rest, flags, skipped = list(arguments), set(), set()
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        flags.add(word)
        if word == "--skip" and rest:
            skipped = set(rest.pop(0).split(","))
        elif word in ("-t", "-T", "--priority") and rest:
            rest.pop(0)
    return rest, flags, skipped


def _dump_with_heading(process: Process, name: str, words: list[str]) -> None:
    process.line(f"{_LINE}\nDUMP OF SERVICE {name}:")
    _SERVICES.get(name, dump_nothing)(process, words if name in _TAKES_ALL else [])
    ended = f"{process.machine.phone.clock.now:%Y-%m-%d %H:%M:%S}"
    process.line(f"--------- 0.001s was the duration of dumpsys {name}, ending at: {ended}")


def _dumped(process: Process) -> set[str]:
    """The services of this phone's Android version."""
    return set(system_services(process.machine.phone.profile.sdk))


_HOSTS = {"SurfaceFlinger": 420, "phone": 1750, "telephony.registry": SYSTEM_PID}
"""Processes of services that are not in the system's own."""
_TAKES_ALL = ("activity", "window")
"""Services that print more when all are dumped."""
_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "SurfaceFlinger": dump_surface_flinger,
    "accessibility": dump_accessibility,
    "account": dump_account,
    "activity": dump_activity,
    "alarm": dump_alarm,
    "appops": dump_appops,
    "audio": dump_audio,
    "battery": dump_battery,
    "bluetooth_manager": dump_bluetooth,
    "batterystats": dump_battery_stats,
    "connectivity": dump_connectivity,
    "cpuinfo": dump_cpuinfo,
    "device_policy": dump_device_policy,
    "deviceidle": dump_device_idle,
    "devicestoragemonitor": dump_storage,
    "diskstats": dump_diskstats,
    "display": dump_display,
    "dropbox": dump_dropbox,
    "fingerprint": dump_fingerprint,
    "gfxinfo": dump_gfxinfo,
    "input": dump_input,
    "input_method": dump_input_method,
    "jobscheduler": dump_jobs,
    "location": dump_location,
    "media_session": dump_media_session,
    "meminfo": dump_meminfo,
    "mount": dump_mount,
    "netstats": dump_netstats,
    "notification": dump_notifications,
    "package": dump_package,
    "power": dump_power,
    "procstats": dump_process_stats,
    "role": dump_roles,
    "sensorservice": dump_sensors,
    "settings": dump_settings,
    "statusbar": dump_status_bar,
    "telecom": dump_telecom,
    "telephony.registry": dump_telephony,
    "thermalservice": dump_thermal,
    "trust": dump_trust,
    "uimode": dump_ui_mode,
    "usagestats": dump_usage,
    "usb": dump_usb,
    "user": dump_user,
    "webviewupdate": dump_web_view,
    "wifi": dump_wifi,
    "window": dump_window,
}
