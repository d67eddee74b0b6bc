"""``dumpsys`` of services that tools ask for one value: volumes, calls, alarms, storage, users."""

from __future__ import annotations

from collector.virtual.shell.disk import mount_of
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.volumes import STREAMS, volume

_CALL_STATES = {"incoming": 1, "active": 2}


def dump_audio(process: Process, words: list[str]) -> int:
    """The volume of each stream."""
    del words
    process.line("\nStream volumes (device: index)")
    for number, stream in STREAMS.items():
        index = volume(process.machine.phone.settings, number)
        process.out(
            f"- {stream.name}:\n   Muted: {'true' if index == 0 and number != 0 else 'false'}\n"
            f"   Muted Internally: false\n   Min: {stream.lowest}\n   Max: {stream.highest}\n"
            f"   streamVolume:{index}\n   Current: 2 (speaker): {index}, 40000000 (default): {index}\n"
            "   Devices: speaker(2)\n"
        )
    mode = process.machine.phone.settings.get("global", "mode_ringer") or "2"
    names = {"0": "SILENT", "1": "VIBRATE", "2": "NORMAL"}
    process.line(f"\nRinger mode: \n- mode (internal) = {names.get(mode, 'NORMAL')}")
    process.line(f"- mode (external) = {names.get(mode, 'NORMAL')}")
    return 0


def dump_telephony(process: Process, words: list[str]) -> int:
    """The state of calls: 0 idle, 1 ringing, 2 off the hook."""
    del words
    services = process.machine.phone.services
    calls = services.telephony.calls
    state = max((_CALL_STATES[how] for how in calls.values()), default=0)
    number = next((number for number, how in calls.items() if how == "incoming"), "")
    on = not services.radios.airplane
    process.out(
        "last known state:\n  Phone Id=0\n"
        f"    mCallState={state}\n    mRingingCallState={int(state == 1)}\n"
        f"    mForegroundCallState={int(state == 2)}\n    mCallIncomingNumber={number}\n"
        f"    mServiceState={{mVoiceRegState={0 if on else 3}({'IN_SERVICE' if on else 'POWER_OFF'}), "
        f"mDataRegState={0 if on else 3}({'IN_SERVICE' if on else 'POWER_OFF'})}}\n"
        f"    mDataConnectionState={2 if on and services.radios.data else 0}\n    mDataActivity=0\n"
    )
    return 0


def dump_diskstats(process: Process, words: list[str]) -> int:
    """Free storage of data and system."""
    del words
    files = process.machine.files
    process.line("Latency: 1ms [512B Data Write]\nRecent Disk Write Speed (kB/s) = 48211")
    for name, path in (("Data", "/data"), ("Cache", "/data"), ("System", "/system")):
        mount = mount_of(files, path)
        process.line(
            f"{name}-Free: {mount.free}K / {mount.total}K total = {100 * mount.free // mount.total}% free"
        )
    process.line("File-based Encryption: true")
    return 0


def dump_accessibility(process: Process, words: list[str]) -> int:
    """The accessibility services that are on; a uiautomator connection is none."""
    del words
    settings = process.machine.phone.settings
    enabled = (settings.get("secure", "enabled_accessibility_services") or "").strip(":")
    process.out(
        "ACCESSIBILITY MANAGER (dumpsys accessibility)\n\ncurrentUserId=0\nUser state[\n"
        f"     attributes:{{id=0, touchExplorationEnabled=false, serviceHandlesDoubleTap=false, "
        f"installedServiceCount=0}}\n     Bound services:{{}}\n     Enabled services:{{{enabled}}}\n"
        "     Binding services:{}\n     Crashed services:{}]\n"
    )
    return 0


def dump_media_session(process: Process, words: list[str]) -> int:
    """No app of this phone plays."""
    del words
    process.line(
        "MEDIA SESSION SERVICE (dumpsys media_session)\n\n0 sessions listeners.\n"
        "Global priority session is null\nUser Records:\nRecord for full_user=0\n"
        "  Sessions Stack - have 0 sessions:"
    )
    return 0


def dump_device_idle(process: Process, words: list[str]) -> int:
    """Whether the phone sleeps deeply: never while somebody asks; ``whitelist`` frees apps from it."""
    if words[:1] == ["whitelist"]:
        return _battery_whitelist(process, words[1:])
    awake = "true" if process.machine.phone.awake else "false"
    locked = str(process.machine.phone.services.lock_screen.showing).lower()
    process.line(f"  mScreenOn={awake}\n  mScreenLocked={locked}\n  mState=ACTIVE\n  mLightState=ACTIVE")
    return 0


def _battery_whitelist(process: Process, words: list[str]) -> int:
    """The apps that battery saving leaves alone; ``+PACKAGE`` adds and ``-PACKAGE`` removes."""
    phone = process.machine.phone
    uids = phone.services.packages.uids
    free = phone.services.power.unrestricted
    for word in words:
        package = word[1:]
        if word[:1] not in ("+", "-"):
            process.line(f"Package must be prefixed with + or -: {word}")
            return 0
        if word[0] == "-" and package in free:
            free.remove(package)
            process.line(f"Removed: {package}")
        elif word[0] == "+" and package in uids:
            free.add(package)
            process.line(f"Added: {package}")
        elif word[0] == "+":
            process.line(f"Unknown package: {package}")
    for package in sorted(free) if not words else ():
        process.line(f"user,{package},{uids.get(package, 0)}")
    return 0


def dump_user(process: Process, words: list[str]) -> int:
    """The users of the phone."""
    del words
    process.line("Current user: 0\nUsers:")
    for user in process.machine.users:
        state = "-1" if user.number else "RUNNING_UNLOCKED"
        primary = str(not user.number).lower()
        process.out(f"  {user.info} serialNo={user.number} isPrimary={primary}\n    State: {state}\n")
    return 0
