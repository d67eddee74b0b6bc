"""``cmd notification`` and ``cmd statusbar``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_7, ANDROID_9, ANDROID_10, ANDROID_11, ANDROID_12
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
    "  set_dnd [on|none (same as on)|priority|alarms|all|off (same as all)]\n  list\n",
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
