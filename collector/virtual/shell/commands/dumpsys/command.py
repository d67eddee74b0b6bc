"""``dumpsys``: the services tools ask about, in the shape they parse."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.dumpsys.activity import dump_activity
from collector.virtual.shell.commands.dumpsys.alarms import dump_alarm
from collector.virtual.shell.commands.dumpsys.cpuinfo import dump_cpuinfo
from collector.virtual.shell.commands.dumpsys.energy import (
    dump_battery,
    dump_storage,
    dump_thermal,
)
from collector.virtual.shell.commands.dumpsys.gfxinfo import dump_gfxinfo, print_latency
from collector.virtual.shell.commands.dumpsys.input_state import PHYSICAL_DISPLAY, dump_input
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
from collector.virtual.shell.commands.dumpsys.usage import (
    dump_battery_stats,
    dump_process_stats,
    dump_usage,
)
from collector.virtual.shell.commands.dumpsys.window import dump_window
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


def _display(process: Process, words: list[str]) -> int:
    del words
    phone = process.machine.phone
    size, natural, turn = phone.size, phone.natural_size, phone.rotation
    process.out(
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mOnlyCode=false\n  mSafeMode=false\n  mPendingTraversal=false\n  mViewports=["
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{PHYSICAL_DISPLAY}', "
        f"physicalPort=0, orientation={turn}, logicalFrame=Rect(0, 0 - {size.width}, {size.height}), "
        f"physicalFrame=Rect(0, 0 - {size.width}, {size.height}), deviceWidth={natural.width}, "
        f"deviceHeight={natural.height}}}]\n"
        "\nDisplay Devices: size=1\n"
        f'  DisplayDeviceInfo{{"Built-in Screen": uniqueId="local:{PHYSICAL_DISPLAY}", '
        f"{phone.profile.size.width} x {phone.profile.size.height}, modeId 1, renderFrameRate 60.0, "
        f"density {phone.profile.density}, state ON, type INTERNAL}}\n"
        "\nLogical Displays: size=1\n  Display 0:\n    mDisplayId=0\n"
        '    mBaseDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0, '
        f"real {natural.width} x {natural.height}, "
        f"rotation {turn}, density {phone.density}, state ON}}\n"
        f"    mCurrentOrientation={turn}\n"
    )
    return 0


def _input_method(process: Process, words: list[str]) -> int:
    del words
    phone = process.machine.phone
    method = phone.input_method
    manager = phone.services.input_methods
    shown = "true" if method.shown else "false"
    process.out(
        "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n"
        + "".join(f"    InputMethodInfo: mId={method.id}\n" for method in manager.installed)
        + f"  mCurMethodId={manager.current or 'null'}\n"
        "  mCurFocusedWindowSoftInputMode=STATE_UNSPECIFIED|ADJUST_RESIZE\n"
        f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n"
        f"  mCurAttribute=EditorInfo{{fieldName={method.target or 'null'}}}\n"
        f"  mSystemReady=true mInteractive=true\n  mIsInputViewShown={shown}\n"
    )
    return 0


def _surface_flinger(process: Process, words: list[str]) -> int:
    phone = process.machine.phone
    if "--display-id" in words:
        process.line(f'Display {PHYSICAL_DISPLAY} (HWC display 0): port=0 pnpId=WMK displayName="Built-in"')
    elif "--latency" in words:
        print_latency(process, words[words.index("--latency") + 1 :])
    elif "--latency-clear" in words:
        for package in phone.packages:
            phone.services.graphics.reset(package.package)
    elif "--list" in words:
        for title, _kind, _package, _frame in phone.windows():
            process.line(f"{title}#0")
    else:
        process.out(
            "Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=0]\n\n"
            f"Display {PHYSICAL_DISPLAY} (active) HWC layers:\n"
            + "".join(f"  {title}#0\n" for title, _kind, _package, _frame in phone.windows())
            + f"\nSurfaceFlinger global state:\n  display size {phone.size}\n"
            "GLES: Waymark, Waymark Software Renderer, OpenGL ES 3.0\n"
            "  refresh-rate              : 60.000000 Hz\n"
            f"  x-dpi                     : {phone.profile.density}.000000\n"
            f"  y-dpi                     : {phone.profile.density}.000000\n"
        )
    return 0


_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "SurfaceFlinger": _surface_flinger,
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
    "display": _display,
    "gfxinfo": dump_gfxinfo,
    "input": dump_input,
    "input_method": _input_method,
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
