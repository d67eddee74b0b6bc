"""``cmd notification`` and ``cmd statusbar``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_7, ANDROID_9, ANDROID_10, ANDROID_11, ANDROID_12
from collector.virtual.shell.commands.dumpsys.policies import STATUS_ICONS
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service, required, thrown
from collector.virtual.system.windows.notice import Notice

_SHELL = "com.android.shell"
_POST_USAGE = (
    "usage: cmd notification post [flags] <tag> <text>\n\nflags:\n  -h|--help\n  -v|--verbose\n"
    "  -t|--title <text>\n  -i|--icon <iconspec>\n  -I|--large-icon <iconspec>\n"
    "  -S|--style <style> [styleargs]\n  -c|--content-intent <intentspec>\n"
)
_ZEN = {"on": "2", "none": "2", "priority": "1", "alarms": "3", "all": "0", "off": "0"}
notification = Service(
    "notification",
    "usage: cmd notification SUBCMD [args]\n\nSUBCMDs:\n  post [--help | flags] TAG TEXT\n"
    "  set_dnd [on|none (same as on)|priority|alarms|all|off (same as all)]\n  list\n"
    "  allow_listener COMPONENT [user_id (current user if not specified)]\n"
    "  disallow_listener COMPONENT [user_id (current user if not specified)]\n"
    "  allow_assistant COMPONENT [user_id (current user if not specified)]\n"
    "  remove_assistant COMPONENT [user_id (current user if not specified)]\n"
    "  allow_dnd PACKAGE [user_id (current user if not specified)]\n"
    "  disallow_dnd PACKAGE [user_id (current user if not specified)]\n",
    shell=ANDROID_9,
)
status_bar = Service(
    "statusbar",
    "Status bar commands:\n  help\n    Print this help text.\n\n"
    "  expand-notifications\n    Open the notifications panel.\n\n"
    "  expand-settings\n    Open the notifications panel and expand quick settings if present.\n\n"
    "  collapse\n    Collapse the notifications and settings panel.\n",
    shell=ANDROID_7,
)


@notification.command("post", ANDROID_10)
def _post(process: Process, words: list[str]) -> int:
    if words and words[0] in ("-h", "--help"):
        process.out(_POST_USAGE)
        return 0
    title, text, operands = _read(process, list(words))
    if len(operands) < 2:
        process.out(_POST_USAGE)
        return FAILED
    # Android 10 uses other numbers.
    number = 2020 if process.machine.phone.profile.sdk >= ANDROID_11 else 1138
    shown = text or " ".join(operands[1:])
    process.machine.phone.services.notices.post(Notice(_SHELL, title, shown, operands[0], number))
    process.out(
        "posting:\n  Notification(channel=shellcmd shortcut=null contentView=null vibrate=null sound=null "
        "defaults=0x0 flags=0x0 color=0x00000000 vis=PRIVATE)\n"
    )
    return 0


def _read(process: Process, rest: list[str]) -> tuple[str, str, list[str]]:
    """The title, the text of the style (else empty), and the tag with the text."""
    title, styled = "", ""
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word in ("-t", "--title"):
            title = required(process, "post", rest, word)
        elif word in ("-i", "--icon", "-I", "--large-icon"):
            required(process, "post", rest, word)
        elif word in ("-S", "--style"):
            styled = _style(process, required(process, "post", rest, word), rest)
        elif word in ("-c", "--content-intent"):
            _content(process, rest)
        elif word not in ("-v", "--verbose"):
            raise thrown(process, "post", f"java.lang.IllegalArgumentException: unknown flag: {word}")
    return title, styled, rest


def _style(process: Process, style: str, rest: list[str]) -> str:
    """The text that a style's own arguments give."""
    lines = []
    while rest and rest[0] in ("--line", "--message", "--conversation", "--picture", "--bigtext"):
        word = rest.pop(0)
        value = required(process, "post", rest, word)
        if word in ("--line", "--message"):
            lines.append(value.replace(":", ": ", 1) if word == "--message" else value)
    if style not in ("bigtext", "bigpicture", "inbox", "messaging", "media"):
        reason = f"java.lang.IllegalArgumentException: unrecognized notification style: {style}"
        raise thrown(process, "post", reason)
    return "\n".join(lines)


def _content(process: Process, rest: list[str]) -> None:
    """Parse ``-c activity|broadcast|service`` and the intent's options."""
    required(process, "post", rest, "-c")
    while rest and rest[0].startswith("-"):
        required(process, "post", rest)
        required(process, "post", rest)


@notification.command("set_dnd")
def _set_dnd(process: Process, words: list[str]) -> int:
    mode = required(process, "set_dnd", words)
    if mode not in _ZEN:
        raise thrown(process, "set_dnd", "java.lang.IllegalArgumentException: Unknown interruption filter: 0")
    process.machine.phone.settings.put("global", "zen_mode", _ZEN[mode])
    return 0


def _listeners(process: Process, words: list[str], key: str, kind: str, *, add: bool) -> int:
    """Add a component to, or take it from, the setting that lists those that read notifications."""
    name = required(process, process.arguments[1] if process.arguments[1:] else kind, words)
    if "/" not in name:
        process.err(f"Invalid {kind} - must be a ComponentName")
        return FAILED
    store = process.machine.phone.settings
    package, _, activity = name.partition("/")
    full = f"{package}/{package}{activity}" if activity.startswith(".") else name
    listed = [entry for entry in (store.get("secure", key) or "").split(":") if entry not in ("", full)]
    store.put("secure", key, ":".join([*listed, full] if add else listed))
    return 0


@notification.command("allow_listener")
def _allow_listener(process: Process, words: list[str]) -> int:
    return _listeners(process, words, "enabled_notification_listeners", "listener", add=True)


@notification.command("disallow_listener")
def _disallow_listener(process: Process, words: list[str]) -> int:
    return _listeners(process, words, "enabled_notification_listeners", "listener", add=False)


@notification.command("allow_assistant", ANDROID_9)
def _allow_assistant(process: Process, words: list[str]) -> int:
    return _listeners(process, words, "enabled_notification_assistant", "assistant", add=True)


@notification.command("remove_assistant", ANDROID_9)
@notification.command("disallow_assistant", ANDROID_9)
def _disallow_assistant(process: Process, words: list[str]) -> int:
    return _listeners(process, words, "enabled_notification_assistant", "assistant", add=False)


@notification.command("allow_dnd")
@notification.command("disallow_dnd")
def _policy(process: Process, words: list[str]) -> int:
    """Let a package change "do not disturb", or no longer."""
    verb = next((word for word in process.arguments if word.endswith("allow_dnd")), "allow_dnd")
    package, key = required(process, verb, words), "enabled_notification_policy_access_packages"
    store = process.machine.phone.settings
    listed = [entry for entry in (store.get("secure", key) or "").split(":") if entry not in ("", package)]
    store.put("secure", key, ":".join([*listed, package] if verb == "allow_dnd" else listed))
    return 0


@notification.command("list", ANDROID_12)
def _list(process: Process, words: list[str]) -> int:
    del words
    for key in process.machine.phone.services.notices.listed():
        process.line(key)
    return 0


@status_bar.command("expand-notifications")
@status_bar.command("expand-settings")
def _expand(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.expand_shade(True)
    return 0


@status_bar.command("collapse")
def _collapse(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.expand_shade(False)
    return 0


_TILES = "sysui_qs_tiles"
_USUAL_TILES = "internet,bt,flashlight,dnd,alarm,airplane,controls,wallet,rotation,battery,cast,screenrecord"


def _tile(process: Process, words: list[str]) -> tuple[str, list[str]]:
    """The name that the quick settings give to a tile of an app, and the tiles without it."""
    component = required(process, "tile", words)
    named = f"custom({component})"
    listed = process.machine.phone.settings.get("secure", _TILES) or _USUAL_TILES
    return named, [tile for tile in listed.split(",") if tile != named]


@status_bar.command("add-tile")
def _add_tile(process: Process, words: list[str]) -> int:
    named, tiles = _tile(process, words)
    process.machine.phone.settings.put("secure", _TILES, ",".join([named, *tiles]))
    return 0


@status_bar.command("remove-tile")
def _remove_tile(process: Process, words: list[str]) -> int:
    _named, tiles = _tile(process, words)
    process.machine.phone.settings.put("secure", _TILES, ",".join(tiles))
    return 0


@status_bar.command("click-tile")
def _click_tile(process: Process, words: list[str]) -> int:
    """No app of this phone has a tile."""
    _tile(process, words)
    return 0


@status_bar.command("check-support")
def _check_support(process: Process, words: list[str]) -> int:
    del words
    process.line("true")
    return 0


@status_bar.command("get-status-icons", ANDROID_9)
def _status_icons(process: Process, words: list[str]) -> int:
    del words
    for name in STATUS_ICONS:
        process.line(name)
    return 0


@status_bar.command("tracing", ANDROID_12)
def _tracing(process: Process, words: list[str]) -> int:
    """A phone that people can buy records nothing of its bar."""
    del words
    process.err("Error: Tracing is not supported on user builds.")
    return FAILED
