"""Carry out a reset on a phone, and say what was done."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import PurePosixPath

from collector.device.apps.app_control import clear_app
from collector.device.boot import wait_until_booted
from collector.device.errors import CommandFailed
from collector.device.identity import read_identity
from collector.device.protocols import Cancel, Device
from collector.device.transport.emulator_console import is_emulator, run_console_command
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_APP, RESET_PHONE
from collector.model.variation.phone_variation import PhoneVariation
from collector.reset.reset_record import ResetPlan, ResetRecord

CLEAN_SNAPSHOT = "waymark-clean"
"""The snapshot of an emulator as it was when it had booted; Waymark saves it in each copy that it starts."""
_TIMEOUT = 60.0
_HOME = "input keyevent KEYCODE_HOME"
_STATES = PurePosixPath("/data/local/tmp/waymark-states.json")
_VARIATION = PurePosixPath("/data/local/tmp/waymark-variation.json")


def reset_phone(device: Device, plan: ResetPlan, cancel: Cancel | None = None) -> ResetRecord:
    """Carry out ``plan``, whose commands are trusted, and show the home screen.

    Blocks for seconds. Raises UserError with what failed; commands before a failed one have run.
    """
    if plan.kind == RESET_PHONE and is_emulator(device) and not read_identity(device, cancel).is_virtual:
        _reset_emulator(device, plan.setup, cancel)
    elif plan.kind == RESET_PHONE:
        _reset_virtual(device, plan.setup, cancel)
    elif plan.kind == RESET_APP:
        if not clear_app(device, plan.package, cancel):
            raise UserError(
                _("The data of {package} was not deleted", package=plan.package),
                _("the phone has no such app, or does not allow it"),
                _("Check the package of the task"),
            )
        device.shell(_HOME, cancel=cancel)
    else:
        if plan.snapshot:
            load_snapshot(device, plan.snapshot, cancel)
            device.shell(_HOME, cancel=cancel)
        for command in plan.commands:
            _run(device, command, cancel)
    return ResetRecord(plan, dt.datetime.now(dt.UTC).isoformat(timespec="seconds"))


def load_snapshot(device: Device, name: str, cancel: Cancel | None = None) -> None:
    """Bring an emulator back to a snapshot, and wait until it answers again. Raises DeviceError."""
    run_console_command(device, ["avd", "snapshot", "load", name], timeout=_TIMEOUT)
    wait_until_booted(device, _TIMEOUT, cancel)


def _reset_emulator(device: Device, setup: PhoneSetup, cancel: Cancel | None) -> None:
    is_plain = setup.variation == PhoneVariation()
    if replace(setup, seed=None, variation=None if is_plain else setup.variation):
        raise UserError(
            _("The emulator was not reset"),
            _("language, screen and app states of an emulator are those of its image"),
            _("Set them up once in the image, or use virtual phones"),
        )
    try:
        load_snapshot(device, CLEAN_SNAPSHOT, cancel)
    except CommandFailed as error:
        raise UserError(
            _("The emulator was not reset"),
            error.why or error.what,
            _("Let Waymark start it, with: waymark device emulator start"),
        ) from error
    device.shell(_HOME, cancel=cancel)


def _reset_virtual(device: Device, setup: PhoneSetup, cancel: Cancel | None) -> None:
    is_plain = setup.variation == PhoneVariation()
    in_words = replace(setup, states={}, variation=setup.variation if is_plain else None)
    words = ["cmd", "waymark", "reset", *in_words.words()]
    # As files: adb takes no command line as long as a state or a variation may be.
    if setup.variation is not None and not is_plain:
        device.push(setup.variation.text.encode(), _VARIATION)
        words += ["--variation-file", str(_VARIATION)]
    if setup.states:
        device.push(json.dumps(dict(setup.states)).encode(), _STATES)
        words += ["--states", str(_STATES)]
    result = device.shell(words, timeout=_TIMEOUT, cancel=cancel)
    output = result.text + result.error_text
    if not result.ok and output.startswith("Error: "):
        why = output.removeprefix("Error: ").strip()
        raise CommandFailed(_("The virtual phone was not reset"), why[:200])
    if not result.ok or "Can't find service" in output:
        raise UserError(
            _("This phone cannot be reset as a whole"),
            _("only a virtual phone can"),
            _("Reset the app's data, or let the project load a snapshot"),
        )


def _run(device: Device, command: str, cancel: Cancel | None) -> None:
    result = device.shell(command, timeout=_TIMEOUT, cancel=cancel)
    if not result.ok:
        output = (result.error_text or result.text).strip().splitlines()
        raise CommandFailed(
            _("A command of the project's reset failed: {command}", command=command),
            output[-1][:200] if output else _("it ended with status {status}", status=result.status),
        )
