"""``dumpsys``: the services tools ask about, in the shape they parse."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.dumpsys_activity import dump_activity
from collector.virtual.shell.commands.dumpsys_energy import (
    dump_battery,
    dump_power,
    dump_storage,
    dump_thermal,
)
from collector.virtual.shell.commands.dumpsys_network import dump_connectivity, dump_wifi
from collector.virtual.shell.commands.dumpsys_package import dump_package
from collector.virtual.shell.commands.dumpsys_posted import dump_appops, dump_notifications
from collector.virtual.shell.commands.dumpsys_window import dump_window
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import ANDROID_10
from collector.virtual.system.input_methods import METHODS

_DUMP_SECONDS = 0.05
_PHYSICAL_DISPLAY = 4619827259835644672


@command("dumpsys")
def dumpsys(process: Process) -> int:
    """Describe one service, or list them with ``-l``."""
    words = [word for word in process.arguments if not word.startswith("-T")]
    if words[:1] == ["-t"]:
        words = words[2:]
    process.simulate_duration(_DUMP_SECONDS)
    if not words or words[0] == "-l":
        process.line("Currently running services:")
        for name in sorted(_SERVICES):
            process.line(f"  {name}")
        return 0
    service = _SERVICES.get(words[0])
    missing = words[0] == "thermalservice" and process.machine.phone.profile.sdk < ANDROID_10
    if service is None or missing:
        process.err(f"Can't find service: {words[0]}")
        return 0
    return service(process, words[1:])


def _display(process: Process, words: list[str]) -> int:
    del words
    phone = process.machine.phone
    size, natural, turn = phone.size, phone.natural_size, phone.rotation
    process.out(
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mOnlyCode=false\n  mSafeMode=false\n  mPendingTraversal=false\n  mViewports=["
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{_PHYSICAL_DISPLAY}', "
        f"physicalPort=0, orientation={turn}, logicalFrame=Rect(0, 0 - {size.width}, {size.height}), "
        f"physicalFrame=Rect(0, 0 - {size.width}, {size.height}), deviceWidth={natural.width}, "
        f"deviceHeight={natural.height}}}]\n"
        "\nDisplay Devices: size=1\n"
        f'  DisplayDeviceInfo{{"Built-in Screen": uniqueId="local:{_PHYSICAL_DISPLAY}", '
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
    current = phone.settings.get("secure", "default_input_method") or "null"
    shown = "true" if method.shown else "false"
    process.out(
        "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n"
        + "".join(f"    InputMethodInfo: mId={method.id}\n" for method in METHODS)
        + f"  mCurMethodId={current}\n  mCurFocusedWindowSoftInputMode=STATE_UNSPECIFIED|ADJUST_RESIZE\n"
        f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n"
        f"  mCurAttribute=EditorInfo{{fieldName={method.target or 'null'}}}\n"
        f"  mSystemReady=true mInteractive=true\n  mIsInputViewShown={shown}\n"
    )
    return 0


def _input(process: Process, words: list[str]) -> int:
    """The input service, where older tools read the screen's orientation."""
    del words
    phone = process.machine.phone
    size, turn = phone.size, phone.rotation
    process.out(
        "INPUT MANAGER (dumpsys input)\n\nInput Reader State:\n  Device 1: waymark-touch\n"
        "    Touch Input Mapper (mode - DIRECT):\n"
        f"      Viewport INTERNAL: displayId=0, uniqueId=local:{_PHYSICAL_DISPLAY}, port=0, "
        f"orientation={turn}, logicalFrame=[0, 0, {size.width}, {size.height}]\n"
        f"      SurfaceWidth: {size.width}px\n      SurfaceHeight: {size.height}px\n"
        f"      SurfaceOrientation: {turn}\n"
    )
    return 0


def _surface_flinger(process: Process, words: list[str]) -> int:
    phone = process.machine.phone
    if "--display-id" in words:
        process.line(f'Display {_PHYSICAL_DISPLAY} (HWC display 0): port=0 pnpId=WMK displayName="Built-in"')
    elif "--list" in words:
        for title, _kind, _package, _frame in phone.windows():
            process.line(f"{title}#0")
    else:
        process.line(f"SurfaceFlinger global state:\n  display size {phone.size}")
    return 0


_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "SurfaceFlinger": _surface_flinger,
    "activity": dump_activity,
    "appops": dump_appops,
    "battery": dump_battery,
    "connectivity": dump_connectivity,
    "devicestoragemonitor": dump_storage,
    "display": _display,
    "input": _input,
    "input_method": _input_method,
    "notification": dump_notifications,
    "package": dump_package,
    "power": dump_power,
    "thermalservice": dump_thermal,
    "wifi": dump_wifi,
    "window": dump_window,
}
