"""``dumpsys``: the services tools ask about, in the shape they parse."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.dumpsys.activity.command import dump_activity
from collector.virtual.shell.commands.dumpsys.alarms import dump_alarm
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
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.system.phone_state.inventory import system_services

_DUMP_SECONDS = 0.05


@command("dumpsys")
def dumpsys(process: Process) -> int:
    """Describe one service, or list them with ``-l``."""
    words = [word for word in process.arguments if not word.startswith("-T")]
    if words[:1] == ["-t"]:
        words = words[2:]
    process.simulate_duration(_DUMP_SECONDS)
    if not words or words[0] == "-l":
        process.line("Currently running services:")
        for name in sorted(_dumped(process)):
            process.line(f"  {name}")
        return 0
    if words[0] not in _dumped(process):
        process.err(f"Can't find service: {words[0]}")
        return 0
    return _SERVICES.get(words[0], dump_nothing)(process, words[1:])


def _dumped(process: Process) -> set[str]:
    """The services of this phone's Android version."""
    return set(system_services(process.machine.phone.profile.sdk))


_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "SurfaceFlinger": dump_surface_flinger,
    "accessibility": dump_accessibility,
    "activity": dump_activity,
    "alarm": dump_alarm,
    "appops": dump_appops,
    "audio": dump_audio,
    "battery": dump_battery,
    "batterystats": dump_battery_stats,
    "connectivity": dump_connectivity,
    "cpuinfo": dump_cpuinfo,
    "device_policy": dump_device_policy,
    "deviceidle": dump_device_idle,
    "devicestoragemonitor": dump_storage,
    "diskstats": dump_diskstats,
    "display": dump_display,
    "gfxinfo": dump_gfxinfo,
    "input": dump_input,
    "input_method": dump_input_method,
    "jobscheduler": dump_jobs,
    "location": dump_location,
    "media_session": dump_media_session,
    "meminfo": dump_meminfo,
    "notification": dump_notifications,
    "package": dump_package,
    "power": dump_power,
    "procstats": dump_process_stats,
    "role": dump_roles,
    "statusbar": dump_status_bar,
    "telephony.registry": dump_telephony,
    "thermalservice": dump_thermal,
    "trust": dump_trust,
    "usagestats": dump_usage,
    "user": dump_user,
    "wifi": dump_wifi,
    "window": dump_window,
}
