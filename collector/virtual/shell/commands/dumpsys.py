"""``dumpsys``: the services tools ask about, in the shape they parse."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.dumpsys_activity import dump_activity
from collector.virtual.shell.commands.dumpsys_window import dump_window
from collector.virtual.shell.commands.packages import apk_path
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command

_DUMP_SECONDS = 0.05
_FULL, _CHARGING, _DISCHARGING = 5, 2, 3
_PHYSICAL_DISPLAY = 4619827259835644672
_INSTALLED = "2026-11-01 09:00:00"


@command("dumpsys")
def dumpsys(process: Process) -> int:
    """Describe one service, or list them with ``-l``."""
    words = [word for word in process.arguments if not word.startswith("-T")]
    if words[:1] == ["-t"]:
        words = words[2:]
    process.pretend(_DUMP_SECONDS)
    if not words or words[0] == "-l":
        process.line("Currently running services:")
        for name in sorted(_SERVICES):
            process.line(f"  {name}")
        return 0
    service = _SERVICES.get(words[0])
    if service is None:
        process.err(f"Can't find service: {words[0]}")
        return 0
    return service(process, words[1:])


def _battery(process: Process, words: list[str]) -> int:
    phone, machine = process.machine.phone, process.machine
    words = [word for word in words if word != "-f"]
    if words[:1] == ["reset"]:
        machine.battery_frozen = False
        phone.set_battery(level=phone.profile.battery.level, charging=phone.profile.battery.charging)
        return 0
    if words[:1] == ["unplug"]:
        machine.battery_frozen = True
        phone.set_battery(charging=False)
        return 0
    if words[:1] == ["set"] and len(words) == 3:
        return _set_battery(process, words[1], words[2])
    battery = phone.battery
    status = (
        _FULL
        if battery.charging and battery.level == 100
        else _CHARGING
        if battery.charging
        else _DISCHARGING
    )
    process.line("Current Battery Service state:")
    if machine.battery_frozen:
        process.line("  (UPDATES STOPPED -- use 'reset' to restart)")
    plugged = "true" if battery.charging else "false"
    process.out(
        f"  AC powered: {plugged}\n  USB powered: false\n  Wireless powered: false\n  Dock powered: false\n"
        "  Max charging current: 0\n  Max charging voltage: 0\n"
        f"  Charge counter: {battery.level * 45000}\n  status: {status}\n  health: 2\n  present: true\n"
        f"  level: {battery.level}\n  scale: 100\n  voltage: {3600 + battery.level * 6}\n  temperature: 250\n"
        "  technology: Li-ion\n"
    )
    return 0


def _set_battery(process: Process, key: str, value: str) -> int:
    phone = process.machine.phone
    if not value.lstrip("-").isdecimal():
        process.err(f"Bad value: {value}")
        return 0
    number = int(value)
    if key == "level":
        phone.set_battery(level=number)
    elif key in ("ac", "usb", "wireless", "dock"):
        phone.set_battery(charging=number != 0)
    elif key == "status":
        phone.set_battery(charging=number in (_CHARGING, _FULL))
    elif key not in ("present", "counter", "temp", "invalid", "health"):
        process.line(f"Unknown set option: {key}")
        return 0
    process.machine.battery_frozen = True
    return 0


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
        f"    InputMethodInfo: mId={current}\n"
        f"  mCurMethodId={current}\n  mCurFocusedWindowSoftInputMode=STATE_UNSPECIFIED|ADJUST_RESIZE\n"
        f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n"
        f"  mCurAttribute=EditorInfo{{fieldName={method.target or 'null'}}}\n"
        f"  mSystemReady=true mInteractive=true\n  mIsInputViewShown={shown}\n"
    )
    return 0


def dump_package(process: Process, words: list[str]) -> int:
    """What the package manager knows of one package, or of all."""
    wanted = [word for word in words if not word.startswith("-")]
    packages = [one for one in process.machine.phone.packages if not wanted or one.package in wanted]
    if not packages:
        process.line(f"Unable to find package: {wanted[0]}")
        return 0
    process.line("Packages:")
    for one in packages:
        name, folder = f"{one.uid:07x}", apk_path(one).rpartition("/")[0]
        flags = "SYSTEM HAS_CODE" if one.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
        process.out(
            f"  Package [{one.package}] ({one.uid:x}):\n    userId={one.uid}\n"
            f"    pkg=Package{{{name} {one.package}}}\n    codePath={folder}\n"
            f"    versionCode={one.version_code} minSdk=24 targetSdk={process.machine.phone.profile.sdk}\n"
            f"    versionName={one.version}\n    flags=[ {flags} ]\n    pkgFlags=[ {flags} ]\n"
            f"    signatures=PackageSignatures{{{name} version:3, signatures:[{one.uid:08x}], "
            "past signatures:[]}\n"
            f"    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
            "    requested permissions:\n"
        )
        process.out("".join(f"      {name}\n" for name in one.permissions))
        process.out("    runtime permissions:\n")
        process.out(
            "".join(f"      {name}: granted={str(name in one.granted).lower()}\n" for name in one.permissions)
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


def _power(process: Process, words: list[str]) -> int:
    del words
    battery, awake = process.machine.phone.battery, process.machine.phone.awake
    process.out(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
        f"  mIsPowered={'true' if battery.charging else 'false'}\n  mBatteryLevel={battery.level}\n"
        f"  mWakefulness={'Awake' if awake else 'Asleep'}\n  mWakefulnessChanging=false\n"
        "  mHoldingWakeLockSuspendBlocker=false\n"
        f"  mHoldingDisplaySuspendBlocker={'true' if awake else 'false'}\n"
        f"Display Power: state={'ON' if awake else 'OFF'}\n"
    )
    return 0


_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "SurfaceFlinger": _surface_flinger,
    "activity": dump_activity,
    "battery": _battery,
    "display": _display,
    "input_method": _input_method,
    "package": dump_package,
    "power": _power,
    "window": dump_window,
}
