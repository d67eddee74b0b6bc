"""``dumpsys`` of what the phone keeps: accounts, settings, volumes, crashes, fingerprints, sensors, modes."""

from __future__ import annotations

import json

from collector.virtual.shell.commands.dumpsys.window.records import truth
from collector.virtual.shell.disk import mount_of
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.inventory import system_packages

_NAMESPACES = ("global", "secure", "system")
_NIGHT = {"1": "no", "2": "yes", "0": "auto"}
_SENSORS = (
    ("Goldfish 3-axis Accelerometer", "android.sensor.accelerometer", 1),
    ("Goldfish 3-axis Gyroscope", "android.sensor.gyroscope", 4),
    ("Goldfish 3-axis Magnetic field sensor", "android.sensor.magnetic_field", 2),
    ("Goldfish Orientation sensor", "android.sensor.orientation", 3),
    ("Goldfish Ambient Temperature sensor", "android.sensor.ambient_temperature", 13),
    ("Goldfish Proximity sensor", "android.sensor.proximity", 8),
    ("Goldfish Light sensor", "android.sensor.light", 5),
    ("Goldfish Pressure sensor", "android.sensor.pressure", 6),
    ("Goldfish Humidity sensor", "android.sensor.relative_humidity", 12),
)


def dump_account(process: Process, words: list[str]) -> int:
    """The accounts of each user: there are none."""
    del words
    for user in process.machine.users:
        process.out(
            f"User {user.info}:\n  Accounts: 0\n  \n"
            "  AccountId, Action_Type, timestamp, UID, TableName, Key\n  Accounts History\n  \n"
            "  Active Sessions: 0\n  \n  RegisteredServicesCache: 0 services\n  \n  Account visibility:\n  \n"
        )
    return 0


def dump_settings(process: Process, words: list[str]) -> int:
    """Every setting, as the provider keeps it."""
    del words
    for namespace in _NAMESPACES:
        process.line(f"{namespace.upper()} SETTINGS (user 0)\nversion: 226")
        for number, (key, value) in enumerate(process.machine.phone.settings.list(namespace).items(), 1):
            process.line(
                f"_id:{number} name:{key} pkg:android value:{value} default:{value} defaultSystemSet:true"
            )
        process.line()
    return 0


def dump_mount(process: Process, words: list[str]) -> int:
    """The volumes of the storage."""
    del words
    size = mount_of(process.machine.files, "/data").total
    process.out(
        "Disks:\n\nVolumes:\n  VolumeInfo{private}:\n"
        "    type=PRIVATE diskId=null partGuid=null mountFlags=0 mountUserId=-10000 state=MOUNTED \n"
        "    fsType=null fsUuid=null fsLabel=null \n    path=/data internalPath=null \n"
        "  VolumeInfo{emulated;0}:\n"
        "    type=EMULATED diskId=null partGuid=null mountFlags=PRIMARY|VISIBLE_FOR_WRITE mountUserId=0 "
        "state=MOUNTED \n    fsType=null fsUuid=null fsLabel=null \n"
        "    path=/storage/emulated internalPath=/data/media \n\nRecords:\n\nPrimary storage UUID: null\n\n"
        f"Internal storage total size: {size * 1024} ({size // 1024} MiB)\n\nLocal unlocked users: [0]\n"
        "System unlocked users: [0]\n\nisAutomotive:false\n"
    )
    return 0


def dump_dropbox(process: Process, words: list[str]) -> int:
    """The reports of apps that crashed; ``--print`` with their text, a word for those of one tag."""
    ends = [end for end in process.machine.phone.services.processes.exits if end.cause == "crash"]
    tags = [word for word in words if not word.startswith("-")]
    system = {package.package for package in process.machine.phone.packages if package.system}
    shown = []
    for end in reversed(ends):
        tag = "system_app_crash" if end.package in system else "data_app_crash"
        if not tags or tag in tags:
            shown.append((tag, end))
    process.line(
        f"Drop box contents: {len(shown)} entries\nMax entries: 1000\nLow priority rate limit period: 2000 ms"
    )
    process.line("Low priority tags: {data_app_wtf, keymaster, system_server_wtf, system_app_strictmode}")
    for tag, end in shown:
        text = f"Process: {end.package}\nPID: {end.pid}\nFlags: 0x38a8be46\nPackage: {end.package} v1 (1.0)\n"
        process.line(f"\n{'=' * 40}" if "--print" in words or "-p" in words else "")
        process.line(f"{end.at:%Y-%m-%d %H:%M:%S} {tag} (text, {len(text)} bytes)")
        process.line(
            text if "--print" in words or "-p" in words else "    " + text.replace("\n", "/").rstrip("/")
        )
    return 0


def dump_fingerprint(process: Process, words: list[str]) -> int:
    """Nobody's finger is enrolled."""
    del words
    counts = dict.fromkeys(
        ("count", "accept", "reject", "acquire", "lockout", "permanentLockout", "acceptCrypto",
         "rejectCrypto", "acquireCrypto"), 0
    )  # fmt: skip
    report = {"service": "Fingerprint Manager", "prints": [{"id": 0, **counts}]}
    process.line(json.dumps(report, separators=(",", ":")))
    return 0


def dump_sensors(process: Process, words: list[str]) -> int:
    """The sensors, in the order of the emulator's."""
    del words
    process.line(f"Captured at: {process.machine.phone.clock.now:%H:%M:%S}.000")
    process.line(
        f"Sensor Device:\nTotal {len(_SENSORS)} h/w sensors, {len(_SENSORS)} running 0 disabled clients:"
    )
    process.line("Sensor List:")
    for number, (name, kind, code) in enumerate(_SENSORS, 1):
        process.line(
            f"{number:#010x}) {name:<42} | The Android Open Source Project | ver: 1 | type: {kind}({code}) | "
            "perm: n/a | flags: 0x00000000"
        )
    process.line(
        "Fusion States:\nActive sensors:\nSocket Buffer size = 39 events\nWakeLock "
        "Status: not held \nMode : NORMAL"
    )
    return 0


def dump_ui_mode(process: Process, words: list[str]) -> int:
    """Whether the screens are dark."""
    del words
    phone = process.machine.phone
    mode = phone.settings.get("secure", "ui_night_mode") or "1"
    process.out(
        "Current UI Mode Service state:\n  mDockState=0 mLastBroadcastState=0\n"
        f"  mNightMode={mode} ({_NIGHT.get(mode, 'custom')}) mOverrideOn/Off=false/false "
        "mNightModeLocked=false\n"
        f"  mCarModeEnabled=false (carModeApps=) mWaitForDeviceInactive=false\n"
        f"  mComputedNightMode={truth(phone.dark)} "
        f"customStart={phone.settings.get('secure', 'dark_theme_custom_start_time') or '22:00'}\n"
        f"  mCurUiMode={'0x21' if phone.dark else '0x11'} mSetUiMode={'0x21' if phone.dark else '0x11'}\n"
        "  mHoldingConfiguration=false mSystemReady=true\n"
    )
    return 0


def dump_web_view(process: Process, words: list[str]) -> int:
    """The package that shows pages inside of apps."""
    del words
    known = system_packages(process.machine.phone.profile.sdk).get("com.android.webview")
    if known is None:
        process.line("Current WebView Update Service state\n  Current WebView package is null")
        return 0
    info = next((row for row in process.machine.phone.packages if row.package == known.package), None)
    version = info.version if info is not None else "1"
    process.out(
        "Current WebView Update Service state\n  Current WebView package (name, "
        f"version): ({known.package}, {version})\n"
        "  Minimum targetSdkVersion: 33\n  Minimum WebView version code: 1\n  Number of relros started: 2\n"
        "  Number of relros finished: 2\n  WebView package dirty: false\n  Any WebView "
        "package installed: true\n"
    )
    return 0
