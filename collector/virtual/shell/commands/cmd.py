"""``cmd``: system services by name, the phone's own ``waymark`` among them."""

from __future__ import annotations

from collections.abc import Callable

import yaml

from collector.adb.keys import key_code
from collector.model.touch import TouchAction
from collector.virtual.shell.commands import faults, packages
from collector.virtual.shell.commands.getevent import BUTTONS
from collector.virtual.shell.interpreter import Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_NIGHT = {"yes": "2", "no": "1", "auto": "0"}
_MAX_STATE = 4 * 1024 * 1024


@command("cmd")
def cmd(process: Process) -> int:
    """``cmd SERVICE ARGUMENTS``; ``-w`` waits for the service, which is always there."""
    words = [word for number, word in enumerate(process.arguments) if word != "-w" or number]
    if words[:1] == ["-l"]:
        process.line("Currently running services:")
        for name in sorted([*_SERVICES, *_COMMANDS]):
            process.line(f"  {name}")
        return 0
    if not words:
        raise CommandError("cmd: No service specified; use -l to list all running services", 20)
    if words[0] in _COMMANDS:
        return process.shell.execute(
            [_COMMANDS[words[0]], *words[1:]], _streams(process), process.environment
        )
    service = _SERVICES.get(words[0])
    if service is None:
        raise CommandError(f"cmd: Can't find service: {words[0]}", 20)
    return service(process, words[1:])


def _streams(process: Process) -> Streams:
    return Streams(process.stdin, process.stdout, process.stderr)


def _usage(service: str, words: list[str]) -> CommandError:
    return CommandError(f"Unknown command: {words[0]}" if words else f"{service}: no command", 255)


def _night(process: Process, words: list[str]) -> int:
    settings = process.machine.phone.settings
    if words[:1] != ["night"]:
        raise _usage("uimode", words)
    if len(words) > 1:
        if words[1] not in _NIGHT:
            raise CommandError(f"Error: mode must be 'yes', 'no', or 'auto', not {words[1]}", 255)
        settings.put("secure", "ui_night_mode", _NIGHT[words[1]])
    names = {value: name for name, value in _NIGHT.items()}
    process.line(f"Night mode: {names.get(settings.get('secure', 'ui_night_mode') or '1', 'no')}")
    return 0


def _notification(process: Process, words: list[str]) -> int:
    if words[:1] != ["post"]:
        raise _usage("notification", words)
    rest, title = list(words[1:]), ""
    operands: list[str] = []
    while rest:
        word = rest.pop(0)
        if word in ("-t", "--title") and rest:
            title = rest.pop(0)
        elif word in ("-i", "-I", "-S", "-c", "--icon", "--style") and rest:
            rest.pop(0)
        elif not word.startswith("-"):
            operands.append(word)
    if len(operands) < 2:
        raise CommandError("Error: tag and text expected", 255)
    process.machine.phone.notify("com.android.shell", title or operands[0], " ".join(operands[1:]))
    process.line(f"posting:\n  Notification(channel=shellcmd title={title or operands[0]})")
    return 0


def _status_bar(process: Process, words: list[str]) -> int:
    shown = {"expand-notifications": True, "expand-settings": True, "collapse": False}
    if not words or words[0] not in shown:
        raise _usage("statusbar", words)
    process.machine.phone.expand_shade(shown[words[0]])
    return 0


def _switch(
    namespace: str, key: str, on: tuple[str, ...], off: tuple[str, ...]
) -> Callable[[Process, list[str]], int]:
    def switch(process: Process, words: list[str]) -> int:
        text = " ".join(words)
        if text in on or text in off:
            process.machine.phone.settings.put(namespace, key, "1" if text in on else "0")
            return 0
        raise _usage(key, words)

    return switch


def _connectivity(process: Process, words: list[str]) -> int:
    settings = process.machine.phone.settings
    if words[:1] != ["airplane-mode"]:
        raise _usage("connectivity", words)
    if len(words) == 1:
        process.line("enabled" if settings.get("global", "airplane_mode_on") == "1" else "disabled")
    elif words[1] in ("enable", "disable"):
        settings.put("global", "airplane_mode_on", "1" if words[1] == "enable" else "0")
    else:
        raise _usage("connectivity", words)
    return 0


def _battery(process: Process, words: list[str]) -> int:
    return process.shell.execute(["dumpsys", "battery", *words], _streams(process), process.environment)


def _waymark(process: Process, words: list[str]) -> int:
    """``state get|set|reset APP``: an app's whole state as YAML; ``set`` reads it from stdin.

    ``finger down|move|up|cancel X Y [POINTER]``: a hand on the glass, which ``getevent`` sees.
    ``button back|home|...``: a hand on one of the phone's own keys, which it sees as well.
    ``fault list|set|clear``: what goes wrong on purpose.
    """
    phone = process.machine.phone
    if words[:1] == ["finger"]:
        return _finger(process, words[1:])
    if words[:1] == ["button"]:
        return _button(process, words[1:])
    if words[:1] == ["fault"]:
        return faults.run(process, words[1:])
    if words == ["state", "list"]:
        for name in phone.app_names:
            process.line(name)
        return 0
    if len(words) < 3 or words[0] != "state" or words[1] not in ("get", "set", "reset"):
        raise CommandError("usage: cmd waymark state get|set|reset APP, cmd waymark state list", 255)
    verb, name = words[1], words[2]
    try:
        if verb == "get":
            process.out(yaml.safe_dump(phone.app_state(name), allow_unicode=True, sort_keys=False))
        elif verb == "reset":
            phone.reset_app_state(name)
        else:
            phone.set_app_state(name, _state(process, words[3:]))
    except (KeyError, ValueError, TypeError) as error:
        raise CommandError(f"Error: {error.args[0] if error.args else error}", 1) from None
    return 0


def _finger(process: Process, words: list[str]) -> int:
    actions = {one.name.lower(): one for one in TouchAction}
    if len(words) not in (3, 4) or words[0] not in actions or not all(one.isdecimal() for one in words[1:]):
        raise CommandError("usage: cmd waymark finger down|move|up|cancel X Y [POINTER]", 255)
    x, y, pointer = (*map(int, words[1:]), 0)[:3]
    process.machine.phone.touch(actions[words[0]], pointer, x, y, by_hand=True)
    return 0


def _button(process: Process, words: list[str]) -> int:
    if len(words) != 1 or words[0] not in BUTTONS:
        raise CommandError(f"usage: cmd waymark button {'|'.join(BUTTONS)}", 255)
    process.machine.phone.press_button(key_code(words[0].upper()))
    return 0


def _state(process: Process, words: list[str]) -> dict[str, object]:
    """From stdin, or from the file that is named."""
    data = process.machine.files.read(process.path(words[0])) if words else process.input()
    if len(data) > _MAX_STATE:
        raise CommandError("Error: the state is too large", 1)
    try:
        plain = yaml.safe_load(data)
    except yaml.YAMLError as error:
        raise CommandError(f"Error: not YAML: {error}", 1) from None
    if not isinstance(plain, dict):
        raise CommandError("Error: a state is a mapping of names to values", 1)
    return plain


# Services that are commands of their own under another name.
_COMMANDS = {
    "activity": "am",
    "input": "input",
    "window": "wm",
    "settings": "settings",
    "input_method": "ime",
}

_SERVICES: dict[str, Callable[[Process, list[str]], int]] = {
    "battery": _battery,
    "bluetooth_manager": _switch("global", "bluetooth_on", ("enable",), ("disable",)),
    "connectivity": _connectivity,
    "notification": _notification,
    "package": packages.run,
    "phone": _switch("global", "mobile_data", ("data enable",), ("data disable",)),
    "power": _switch("global", "low_power", ("set-mode 1",), ("set-mode 0",)),
    "statusbar": _status_bar,
    "uimode": _night,
    "waymark": _waymark,
    "wifi": _switch("global", "wifi_on", ("set-wifi-enabled enabled",), ("set-wifi-enabled disabled",)),
}
