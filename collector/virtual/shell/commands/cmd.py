"""``cmd``: system services by name, with the phone's own service ``waymark``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import yaml

from collector.adb.keys import key_code
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.phone.touch import TouchAction
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.android_versions import ANDROID_7
from collector.virtual.recorded.recorded_phone import knows_app_data, practice_report, show_first_screen
from collector.virtual.shell.commands import faults
from collector.virtual.shell.commands.events.getevent import BUTTONS
from collector.virtual.shell.commands.packages import packages
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services import (
    alarm,
    appearance,
    appops,
    energy,
    media,
    network,
    notification,
    overlay,
    wifi,
)
from collector.virtual.shell.services.console import emu
from collector.virtual.shell.services.service import Service
from collector.virtual.system.phone_state.inventory import system_services

_MAX_STATE = 4 * 1024 * 1024


@command("cmd")
def cmd(process: Process) -> int:
    """``cmd SERVICE ARGUMENTS``; ``-w`` waits for the service, which is always available.

    Android before 7 has no such program; the phone's own ``waymark`` service answers there too.
    """
    words = [word for number, word in enumerate(process.arguments) if word != "-w" or number]
    old = process.machine.phone.profile.sdk < ANDROID_7
    if old and words[:1] != ["waymark"]:
        raise CommandError(f"/system/bin/sh: cmd: {process.machine.not_found}", 127)
    if words[:1] == ["-l"]:
        process.line("Currently running services:")
        for name in service_names(process):
            process.line(f"  {name}")
        return 0
    if not words:
        raise CommandError("cmd: No service specified; use -l to list all running services", 20)
    if words[0] in _COMMANDS:
        return process.shell.execute([_COMMANDS[words[0]], *words[1:]], process.streams, process.environment)
    if words[0] in _OWN:
        return _OWN[words[0]](process, words[1:])
    service = _SERVICES.get(words[0])
    if service is not None:
        return service.run(process, words[1:])
    if words[0] not in system_services(process.machine.phone.profile.sdk):
        raise CommandError(f"cmd: Can't find service: {words[0]}", 20)
    # What a service without commands answers.
    process.err("No shell command implementation.")
    return 0


def service_names(process: Process) -> list[str]:
    """Every service of this phone's Android version, sorted."""
    sdk = process.machine.phone.profile.sdk
    named = [name for name, service in _SERVICES.items() if sdk >= service.since]
    return sorted({*named, *_OWN, *_COMMANDS, *system_services(sdk)})


def _waymark(process: Process, words: list[str]) -> int:
    """Run a command of the phone's own service.

    ``state get|set|reset APP``: an app's whole state as YAML; ``set`` reads it from stdin. ``finger
    down|move|up|cancel X Y [POINTER]``: a touch on the panel, which ``getevent`` reports. ``button
    back|home|...``: a press of a hardware key, also reported. ``fault list|set|clear``: simulated
    faults. ``emu gsm|sms|power|network|rotate|avd``: commands of an emulator's console. ``reset``: the
    phone becomes as new, without its connections being cut; the options of a PhoneSetup (``--seed N`` ...)
    and ``--states FILE`` and ``--variation-file FILE`` make another phone of it. ``data [--unless SHA256]``:
    a line with the SHA-256 of what apps keep for the person, and the JSON itself unless that is its sum.
    ``practice``: as JSON, how far the recordings were followed that the phone plays.
    """
    commands: dict[str, Callable[[Process, list[str]], int]] = {
        "finger": _finger, "button": _button, "fault": faults.run, "emu": emu, "reset": _reset,
        "data": _data, "state": _app_state, "practice": _practice,
    }  # fmt: skip
    run = commands.get(words[0]) if words else None
    return run(process, words[1:]) if run is not None else _app_state(process, [])


def _data(process: Process, words: list[str]) -> int:
    if not knows_app_data(process.machine.phone):
        raise CommandError("Error: it was not recorded what apps keep", 1)
    text, digest = process.machine.phone.app_data()
    process.line(digest)
    if words != ["--unless", digest]:
        process.line(text)
    return 0


def _practice(process: Process, words: list[str]) -> int:
    report = practice_report(process.machine.phone)
    if report is None:
        raise CommandError("Error: this phone plays no recordings", 1)
    if words == ["start"]:
        show_first_screen(process.machine.phone)
    else:
        process.line(json.dumps(report))
    return 0


def _app_state(process: Process, words: list[str]) -> int:
    phone = process.machine.phone
    if words == ["list"]:
        for name in phone.app_names:
            process.line(name)
        return 0
    if len(words) < 2 or words[0] not in ("get", "set", "reset"):
        raise CommandError("usage: cmd waymark state get|set|reset APP, cmd waymark state list", 255)
    verb, name = words[0], words[1]
    try:
        if verb == "get":
            process.out(yaml.safe_dump(phone.app_state(name), allow_unicode=True, sort_keys=False))
        elif verb == "reset":
            phone.reset_app_state(name)
        else:
            phone.set_app_state(name, _state(process, words[2:]))
    except (KeyError, ValueError, TypeError) as error:
        raise CommandError(f"Error: {error.args[0] if error.args else error}", 1) from None
    return 0


def _reset(process: Process, words: list[str]) -> int:
    try:
        states, words = _file_option(words, "--states")
        variation, words = _file_option(words, "--variation-file")
        setup = PhoneSetup.parse(words, process.machine.find_variation)
        if states is not None:
            setup = replace(setup, states=dict(_state(process, [states])))  # type: ignore[arg-type]
        if variation is not None:
            text = process.machine.files.read(process.path(variation)).decode("utf-8", "replace")
            setup = replace(setup, variation=PhoneVariation.parse(text))
        process.machine.reset(setup)
    except (KeyError, ValueError, TypeError) as error:
        raise CommandError(f"Error: {error.args[0] if error.args else error}", 1) from None
    return 0


def _file_option(words: list[str], option: str) -> tuple[str | None, list[str]]:
    """The file that an option names, None without the option, and the other words."""
    if option not in words:
        return None, words
    at = words.index(option)
    if at + 1 == len(words):
        raise CommandError(f"Error: {option} has no value", 1)
    return words[at + 1], words[:at] + words[at + 2 :]


def _finger(process: Process, words: list[str]) -> int:
    actions = {action.name.lower(): action for action in TouchAction}
    if len(words) not in (3, 4) or words[0] not in actions or not all(word.isdecimal() for word in words[1:]):
        raise CommandError("usage: cmd waymark finger down|move|up|cancel X Y [POINTER]", 255)
    x, y, pointer = (*map(int, words[1:]), 0)[:3]
    process.machine.phone.touch(actions[words[0]], pointer, x, y, on_panel=True)
    return 0


def _button(process: Process, words: list[str]) -> int:
    if len(words) != 1 or words[0] not in BUTTONS:
        raise CommandError(f"usage: cmd waymark button {'|'.join(BUTTONS)}", 255)
    process.machine.phone.press_button(key_code(words[0].upper()))
    return 0


def _state(process: Process, words: list[str]) -> dict[str, object]:
    """Read or write an app's state, from stdin or a named file."""
    data = process.machine.files.read(process.path(words[0])) if words else process.input()
    if len(data) > _MAX_STATE:
        raise CommandError("Error: the state is too large", 1)
    try:
        plain = yaml.safe_load(data)  # size bounded by _MAX_STATE
    except yaml.YAMLError as error:
        raise CommandError(f"Error: not YAML: {error}", 1) from None
    if not isinstance(plain, dict):
        raise CommandError("Error: a state is a mapping of names to values", 1)
    return plain


# Services that are also commands under another name.
_COMMANDS = {
    "activity": "am",
    "input": "input",
    "window": "wm",
    "settings": "settings",
    "input_method": "ime",
    "lock_settings": "locksettings",
}

_OWN: dict[str, Callable[[Process, list[str]], int]] = {
    "package": packages.run,
    "waymark": _waymark,
}

_SERVICES: dict[str, Service] = {
    command.name: command
    for command in (
        appops.appops,
        alarm.alarm,
        media.audio,
        appearance.clipboard,
        appearance.locale,
        appearance.location,
        appearance.storage,
        appearance.uimode,
        energy.battery,
        energy.power,
        energy.thermal,
        media.media_session,
        network.bluetooth,
        network.connectivity,
        network.phone,
        wifi.wifi,
        notification.notification,
        notification.status_bar,
        overlay.overlay,
    )
}
