"""``appops`` and ``cmd appops``: allow or deny single operations of apps."""

from __future__ import annotations

from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, Service, installed, without_user
from collector.virtual.system.permissions import MODES

_WORDS = """
COARSE_LOCATION FINE_LOCATION GPS VIBRATE READ_CONTACTS WRITE_CONTACTS READ_CALL_LOG WRITE_CALL_LOG
READ_CALENDAR WRITE_CALENDAR WIFI_SCAN POST_NOTIFICATION NEIGHBORING_CELLS CALL_PHONE READ_SMS WRITE_SMS
RECEIVE_SMS RECEIVE_EMERGECY_SMS RECEIVE_MMS RECEIVE_WAP_PUSH SEND_SMS READ_ICC_SMS WRITE_ICC_SMS
WRITE_SETTINGS SYSTEM_ALERT_WINDOW ACCESS_NOTIFICATIONS CAMERA RECORD_AUDIO PLAY_AUDIO READ_CLIPBOARD
WRITE_CLIPBOARD TAKE_MEDIA_BUTTONS TAKE_AUDIO_FOCUS AUDIO_MASTER_VOLUME AUDIO_VOICE_VOLUME
AUDIO_RING_VOLUME AUDIO_MEDIA_VOLUME AUDIO_ALARM_VOLUME AUDIO_NOTIFICATION_VOLUME AUDIO_BLUETOOTH_VOLUME
WAKE_LOCK MONITOR_LOCATION MONITOR_HIGH_POWER_LOCATION GET_USAGE_STATS MUTE_MICROPHONE TOAST_WINDOW
PROJECT_MEDIA ACTIVATE_VPN WRITE_WALLPAPER ASSIST_STRUCTURE ASSIST_SCREENSHOT READ_PHONE_STATE
ADD_VOICEMAIL USE_SIP PROCESS_OUTGOING_CALLS USE_FINGERPRINT BODY_SENSORS READ_CELL_BROADCASTS
MOCK_LOCATION READ_EXTERNAL_STORAGE WRITE_EXTERNAL_STORAGE TURN_SCREEN_ON GET_ACCOUNTS RUN_IN_BACKGROUND
AUDIO_ACCESSIBILITY_VOLUME READ_PHONE_NUMBERS REQUEST_INSTALL_PACKAGES PICTURE_IN_PICTURE
INSTANT_APP_START_FOREGROUND ANSWER_PHONE_CALLS RUN_ANY_IN_BACKGROUND CHANGE_WIFI_STATE
REQUEST_DELETE_PACKAGES BIND_ACCESSIBILITY_SERVICE ACCEPT_HANDOVER MANAGE_IPSEC_TUNNELS START_FOREGROUND
BLUETOOTH_SCAN USE_BIOMETRIC ACTIVITY_RECOGNITION SMS_FINANCIAL_TRANSACTIONS READ_MEDIA_AUDIO
WRITE_MEDIA_AUDIO READ_MEDIA_VIDEO WRITE_MEDIA_VIDEO READ_MEDIA_IMAGES WRITE_MEDIA_IMAGES LEGACY_STORAGE
ACCESS_ACCESSIBILITY READ_DEVICE_IDENTIFIERS ACCESS_MEDIA_LOCATION QUERY_ALL_PACKAGES
MANAGE_EXTERNAL_STORAGE INTERACT_ACROSS_PROFILES ACTIVATE_PLATFORM_VPN LOADER_USAGE_STATS
AUTO_REVOKE_PERMISSIONS_IF_UNUSED AUTO_REVOKE_MANAGED_BY_INSTALLER NO_ISOLATED_STORAGE
PHONE_CALL_MICROPHONE PHONE_CALL_CAMERA RECORD_AUDIO_HOTWORD MANAGE_ONGOING_CALLS MANAGE_CREDENTIALS
USE_ICC_AUTH_WITH_DEVICE_IDENTIFIER RECORD_AUDIO_OUTPUT SCHEDULE_EXACT_ALARM FINE_LOCATION_SOURCE
COARSE_LOCATION_SOURCE MANAGE_MEDIA BLUETOOTH_CONNECT UWB_RANGING ACTIVITY_RECOGNITION_SOURCE
BLUETOOTH_ADVERTISE RECORD_INCOMING_PHONE_AUDIO NEARBY_WIFI_DEVICES ESTABLISH_VPN_SERVICE
ESTABLISH_VPN_MANAGER ACCESS_RESTRICTED_SETTINGS RECEIVE_AMBIENT_TRIGGER_AUDIO
RECEIVE_EXPLICIT_USER_INTERACTION_AUDIO RUN_USER_INITIATED_JOBS READ_MEDIA_VISUAL_USER_SELECTED
READ_WRITE_HEALTH_DATA FOREGROUND_SERVICE_SPECIAL_USE USE_FULL_SCREEN_INTENT CAMERA_SANDBOXED
RECORD_AUDIO_SANDBOXED CREATE_ACCESSIBILITY_OVERLAY MEDIA_ROUTING_CONTROL EMERGENCY_LOCATION
"""
_NAMES = frozenset(_WORDS.split())
_OVERLAY = "SYSTEM_ALERT_WINDOW"
_UNUSUAL = frozenset(
    {_OVERLAY, "GET_USAGE_STATS", "WRITE_SETTINGS", "REQUEST_INSTALL_PACKAGES",
     "MANAGE_EXTERNAL_STORAGE", "SCHEDULE_EXACT_ALARM", "USE_FULL_SCREEN_INTENT"}
)  # fmt: skip
"""Operations whose initial mode is "default"."""
_REFUSED = frozenset({"MOCK_LOCATION", "PROJECT_MEDIA", "ACTIVATE_VPN", "ACTIVATE_PLATFORM_VPN"})
"""Operations that an app may not use until it is chosen for them; all others are allowed at first."""
appops = Service(
    "appops",
    "AppOps service (appops) commands:\n  help\n    Print this help text.\n"
    "  set [--user <USER_ID>] <PACKAGE | UID> <OP> <MODE>\n"
    "    Set the mode for a particular application and operation.\n"
    "  get [--user <USER_ID>] [--attribution <ATTRIBUTION_TAG>] <PACKAGE | UID> [<OP>]\n"
    "    Return the mode for a particular application and optional operation.\n"
    "  reset [--user <USER_ID>] [<PACKAGE>]\n"
    "    Reset the given application or all applications to default modes.\n",
)


@command("appops")
def appops_command(process: Process) -> int:
    """Run ``cmd appops`` under its older name."""
    return appops.run(process, process.arguments)


def _operation(process: Process, word: str) -> str | None:
    """The operation's name; for an unknown one, print Android's error and return None."""
    name = word.rpartition(":")[2].upper() if word.startswith("android:") else word
    if name in _NAMES:
        return name
    process.err(f"Error: Unknown operation string: {word}")
    return None


def _package(process: Process, words: list[str]) -> str | None:
    if not words:
        process.err("Error: Package not specified.")
        return None
    if not installed(process, words[0]):
        process.err(f"Error: No UID for {words[0]} in user 0")
        return None
    return words[0]


def _usual(operation: str) -> str:
    if operation in _REFUSED:
        return "deny" if operation == "MOCK_LOCATION" else "ignore"
    return "default" if operation in _UNUSUAL else "allow"


@appops.command("set")
def _set(process: Process, words: list[str]) -> int:
    rest = [word for word in without_user(words) if word != "--uid"]
    package = _package(process, rest)
    if package is None:
        return FAILED
    if len(rest) < 3:
        process.err(f"Error: {'Operation' if len(rest) < 2 else 'Mode'} not specified.")
        return FAILED
    operation = _operation(process, rest[1])
    if operation is None:
        return FAILED
    if rest[2] not in MODES:
        process.err(f"Error: Mode {rest[2]} is not valid")
        return FAILED
    if operation == _OVERLAY and "low-memory" in process.machine.phone.profile.quirks:
        return 0  # Android Go takes the mode of this operation, and does not keep it
    process.machine.phone.services.permissions.set_op(package, operation, rest[2])
    return 0


@appops.command("get")
def _get(process: Process, words: list[str]) -> int:
    rest = [word for word in without_user(words) if word != "--uid"]
    package = _package(process, rest)
    if package is None:
        return FAILED
    operation = _operation(process, rest[1]) if len(rest) > 1 else ""
    if operation is None:
        return FAILED
    modes = {
        name: mode
        for name, mode in process.machine.phone.services.permissions.ops(package).items()
        if operation in ("", name) and mode != _usual(name)
    }
    for name, mode in modes.items():
        process.line(f"{name}: {mode}")
    if not modes:
        process.line("No operations.")
        if operation:
            process.line(f"Default mode: {_usual(operation)}")
    return 0


@appops.command("reset")
def _reset(process: Process, words: list[str]) -> int:
    rest = without_user(words)
    if rest and not installed(process, rest[0]):
        process.err(f"Error: Unknown package: {rest[0]}")
        return FAILED
    process.machine.phone.services.permissions.reset_ops(rest[0] if rest else "")
    process.line(f"Reset all modes for: user 0, {f'package {rest[0]}' if rest else 'all packages'}")
    return 0


@appops.command("query-op")
def _query(process: Process, words: list[str]) -> int:
    """The packages with a mode for an operation; ``allow`` when no mode is named."""
    rest = without_user(words)
    if not rest:
        process.err("Error: Operation not specified.")
        return FAILED
    operation = _operation(process, rest[0])
    if operation is None:
        return FAILED
    wanted = rest[1] if rest[1:] else "allow"
    if wanted not in MODES:
        process.err(f"Error: Mode {wanted} is not valid")
        return FAILED
    phone, found = process.machine.phone, []
    for package in phone.packages:
        mode = phone.services.permissions.ops(package.package).get(operation)
        if mode == wanted:
            found.append(package.package)
    process.out("".join(f"{name}\n" for name in found) or "No operations.\n")
    return 0


@appops.command("write-settings")
@appops.command("read-settings")
def _store(process: Process, words: list[str]) -> int:
    del words
    writes = "write-settings" in process.arguments
    process.line("Current settings written." if writes else "Last settings read.")
    return 0


@appops.command("start")
@appops.command("stop")
def _use(process: Process, words: list[str]) -> int:
    """Note that an app begins or ends to use an operation."""
    rest = [word for word in without_user(words) if word != "--uid"]
    if _package(process, rest) is None:
        return FAILED
    if len(rest) < 2:
        process.err("Error: Operation not specified.")
        return FAILED
    return FAILED if _operation(process, rest[1]) is None else 0
