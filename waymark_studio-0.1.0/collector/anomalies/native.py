"""Make a native change: run its shell commands on the phone, check it, and wait until it is gone."""

from __future__ import annotations

import re
import shlex
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from collector.anomalies import grammar
from collector.anomalies.errors import ChangeNotApplied, Unsuitable
from collector.anomalies.journal import UndoCheck
from collector.anomalies.model import Anomaly, ChangeCheck, NativeCommands, ShellCommand
from collector.anomalies.placeholders import PACKAGE, fill, fill_pattern, named_in
from collector.device.errors import CommandFailed
from collector.device.protocols import Cancel, Device
from collector.device.transport.emulator_console import run_console_command
from collector.model.i18n import _

SETTLE_S = 5.0
"""Longest wait until a change is made or gone: a radio takes a while to switch."""
_LOOK_EVERY_S = 0.2
TIMEOUT_S = 15.0
"""Seconds that the commands of an injection and of its follow-up may take."""
_SEVERAL = re.compile(r"[;&|\n]")


@dataclass(frozen=True, slots=True)
class NativeChangePlan:
    """A change ready to be made, with every command filled in."""

    anomaly: str
    apply: tuple[tuple[str, str], ...]
    """Each command as its file writes it, and as it runs."""
    undo: tuple[tuple[str, str], ...]
    checks: tuple[UndoCheck, ...]
    lasting: tuple[UndoCheck, ...]
    """Those of ``checks`` that find the change as long as it lasts."""
    remembered: tuple[tuple[str, str], ...]


def commands_for(anomaly: Anomaly, sdk: int, android: str) -> NativeCommands:
    """The commands for this version of Android. Raises Unsuitable when there are none."""
    version = version_of(sdk, android)
    commands = anomaly.commands_for(version) if version in anomaly.versions else None
    if commands is None:
        known = ", ".join(str(native.versions) for native in anomaly.native)
        raise Unsuitable(
            _("{id} cannot be made on Android {version}", id=anomaly.id, version=version),
            _("its commands are for Android {known}", known=known or _("none")),
        )
    return commands


def plan_change(
    device: Device, anomaly: Anomaly, native: NativeCommands, values: Mapping[str, str],
    before: Mapping[str, str], cancel: Cancel | None = None,
) -> NativeChangePlan:  # fmt: skip
    """Read the values to remember and fill in every command. Raises Unsuitable when a value is missing.

    ``before`` holds what earlier changes that still last remembered, by :func:`_key`: it is what the phone
    was like before them. A value the change itself is made or checked with, as a process id, is read anew.
    """
    needed = {name for command in (*native.apply, *native.undo) for name in named_in(command.text)}
    if PACKAGE in needed:
        _require_app(device, anomaly, values.get(PACKAGE, ""), cancel)
    filled = dict(values)
    remembered = []
    now = _needed_now(native)
    for name, read in native.remember.items():
        command = fill(read.command.text, filled)
        key = _key(command, read.pattern)
        is_known = key in before and name not in now
        text = before[key] if is_known else _read(device, command, read.pattern, cancel)
        if name in now and not text:
            raise Unsuitable(
                _("{id} cannot be made on this phone", id=anomaly.id),
                _("{command} prints nothing", command=command),
                _("Open the app first") if PACKAGE in named_in(read.command.text) else "",
            )
        filled[name] = text
        remembered.append((key, text))
    checks = tuple(_filled_check(check, filled) for check in native.verify)
    lasting = tuple(_filled_check(check, filled) for check in native.verify if not check.once)
    return NativeChangePlan(
        anomaly.id, _filled(native.apply, filled), _filled(native.undo or anomaly.undo, filled), checks,
        lasting, tuple(remembered),
    )  # fmt: skip


def reading_commands(native: NativeCommands, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The commands that only read, as written and as far as they can be filled in before the change."""
    remember = (value.command for value in native.remember.values())
    return _filled((*remember, *(check.command for check in native.verify)), values)


def is_single(command: str) -> bool:
    """Whether this is one command only: of several, the first may have run before another was refused."""
    return _SEVERAL.search(command) is None


def _needed_now(native: NativeCommands) -> set[str]:
    """The names that the change and its checks use."""
    texts = [command.text for command in native.apply]
    texts += [text for check in native.verify for text in (check.command.text, check.expect)]
    return {name for text in texts for name in named_in(text)}


def _key(command: str, pattern: str) -> str:
    """The key of a remembered value: several values may be read from one command."""
    return f"{command} => {pattern}" if pattern else command


def _require_app(device: Device, anomaly: Anomaly, package: str, cancel: Cancel | None) -> None:
    if not package:
        what = _("{id} needs the package of an app", id=anomaly.id)
        raise Unsuitable(what, "", _("Name the app it is to meet"))
    if "package:" not in device.shell(["pm", "path", package], timeout=TIMEOUT_S, cancel=cancel).text:
        raise Unsuitable(
            _("{id} cannot be made on this phone", id=anomaly.id),
            _("it has no app {name}", name=package),
            _("Install it, or name another app"),
        )


def run(device: Device, command: str, cancel: Cancel | None = None) -> str:
    """Run a filled command, on the console when it begins with ``emu``, and return what it printed.

    Raises CommandFailed when the phone refuses it.
    """
    if command.startswith(grammar.CONSOLE):
        return run_console_command(device, _console_words(command))
    result = device.shell(command, timeout=TIMEOUT_S, cancel=cancel)
    if not result.ok:
        what = _("The phone refused: {command}", command=command)
        raise CommandFailed(what, result.error_text or result.text)
    return result.text.strip()


def holds(device: Device, checks: tuple[UndoCheck, ...], cancel: Cancel | None = None) -> bool:
    """Whether every check finds what it expects."""
    return all(_matches(device, check, cancel) for check in checks)


def wait_applied(device: Device, checks: tuple[UndoCheck, ...], cancel: Cancel | None = None) -> None:
    """Wait until every check finds what it expects.

    Raises ChangeNotApplied after :data:`SETTLE_S`.
    """
    end = time.monotonic() + SETTLE_S
    for check in checks:
        while not _matches(device, check, cancel):
            if time.monotonic() > end:
                raise ChangeNotApplied(
                    _("The phone took the commands, and nothing changed"),
                    _("{command} does not show it", command=check.command),
                    _("Some makers forbid it; see what the phone itself allows"),
                )
            _pause(cancel)


def wait_gone(device: Device, checks: tuple[UndoCheck, ...], cancel: Cancel | None = None) -> str:
    """Wait until a check fails: the change is gone. Return a sentence when it stays, or an empty text."""
    end = time.monotonic() + SETTLE_S
    while checks and holds(device, checks, cancel):
        if time.monotonic() > end:
            return _("{command} still shows the change", command=checks[0].command)
        _pause(cancel)
    return ""


def _pause(cancel: Cancel | None) -> None:
    (cancel or threading.Event()).wait(_LOOK_EVERY_S)


def _matches(device: Device, check: UndoCheck, cancel: Cancel | None) -> bool:
    return re.search(check.expect, _output(device, check.command, cancel), re.MULTILINE) is not None


def _output(device: Device, command: str, cancel: Cancel | None) -> str:
    """What a command prints, whatever its exit status: ``pidof`` fails when it finds nothing."""
    if command.startswith(grammar.CONSOLE):
        return run_console_command(device, _console_words(command))
    return device.shell(command, timeout=TIMEOUT_S, cancel=cancel).text.strip()


def _console_words(command: str) -> list[str]:
    """The words for the console. Raises CommandFailed for a quote that does not end."""
    try:
        return shlex.split(command)[1:]
    except ValueError as error:
        raise CommandFailed(_("The console cannot read: {command}", command=command), str(error)) from None


def _read(device: Device, command: str, pattern: str, cancel: Cancel | None) -> str:
    return picked(_output(device, command, cancel), pattern)


def picked(printed: str, pattern: str) -> str:
    """The first group of ``pattern`` in what a command printed, or all of it without a pattern."""
    text = printed.strip()
    if not pattern:
        return text
    match = re.search(pattern, text)
    return match[1].strip() if match and match[1] else ""


def _filled_check(check: ChangeCheck, values: Mapping[str, str]) -> UndoCheck:
    return UndoCheck(fill(check.command.text, values), fill_pattern(check.expect, values).pattern)


def _filled(commands: tuple[ShellCommand, ...], values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((command.text, fill(command.text, values)) for command in commands)


def version_of(sdk: int, android: str) -> int:
    """The major version; from the API level when the name is no number, as for previews."""
    head = android.partition(".")[0]
    return int(head) if head.isdecimal() else max(0, sdk - 20)
