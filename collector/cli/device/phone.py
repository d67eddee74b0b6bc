"""The phone a verb uses, and the questions it asks on the terminal before commands run there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import click

from collector.anomalies.errors import DangerousCommandDenied
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.trust.command_effects import CommandEffects
from collector.anomalies.trust.command_preview import CommandGroup, CommandSet
from collector.anomalies.trust.command_trust import CommandTrust
from collector.cli.output import say
from collector.cli.shared_options import ANYWAY
from collector.device.device_choice import choose_device
from collector.device.device_lease import DeviceLease, lease_device
from collector.device.errors import DeviceTaken
from collector.device.transport.adb_device import AdbDevice
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.text.one_line import one_line


@contextmanager
def leased_phone(serial: str, activity: str) -> Iterator[AdbDevice]:
    """Choose the phone of :func:`device_option`, and keep other programs from it meanwhile.

    ``activity`` is a constant of :mod:`collector.device.device_lease`; empty to look at the phone
    only, which needs no lease. Raises DeviceError, as DeviceTaken when another program uses the phone.
    """
    context = click.get_current_context()
    device = choose_device(serial)
    if not activity:
        yield device
        return
    with leased(device, context.command_path, activity, anyway=context.meta[ANYWAY]):
        yield device


def leased(device: AdbDevice, program: str, activity: str, *, anyway: bool) -> DeviceLease:
    """Lease a phone to the verb ``program``; the refusal says that there is ``--anyway``."""
    try:
        return lease_device(device, program, activity, anyway=anyway)
    except DeviceTaken as error:
        error.to_do = _("Wait until that is done, or close it there, or use the phone anyway with --anyway")
        raise


@contextmanager
def injecting(
    device: AdbDevice, trust: CommandTrust | None = None, *, dangerous: bool = False
) -> Iterator[InjectionSession]:
    """Open a phone for injections; what is left on it stays in the undo journal.

    A person on the terminal is asked about dangerous commands unless ``dangerous`` allows them.
    """
    ask = (lambda _effects: True) if dangerous else _ask_dangerous
    session = InjectionSession(device, trust, ask=ask)
    try:
        yield session
    finally:
        session.close(restore=False)


def subscribe_events(session: InjectionSession, listener: Callable[[AnomalyEvent], None]) -> None:
    """Call ``listener`` with each transition of an injection."""
    session.injector.events.subscribe(listener)


def require_trust(trust: CommandTrust, commands: CommandSet, *, yes: bool) -> None:
    """Show the commands that are not trusted yet and ask; ``yes`` is the answer given beforehand.

    Raises click.Abort when the person says no.
    """
    untrusted = trust.untrusted(commands.commands)
    if not untrusted:
        return
    print_groups(commands.preview(untrusted), err=True)
    if not yes and not confirm(_("Trust these commands, and let them run on phones?")):
        raise click.Abort
    trust.trust(untrusted)


def print_groups(groups: Iterable[CommandGroup], *, err: bool = False) -> None:
    """The commands of each anomaly and rule under its id."""
    for group in groups:
        say(f"{group.title}: {group.description}" if group.description else group.title, err=err)
        for effects in group.commands:
            _print_command(effects, err=err)


def _print_command(effects: CommandEffects, *, err: bool) -> None:
    """Print a command as it would run, with what it touches below it."""
    say("  " + one_line(effects.command, 400), err=err)
    lists = (
        (_("packages"), effects.packages), (_("settings"), effects.settings), (_("pages"), effects.pages),
        (_("services"), effects.services),
    )  # fmt: skip
    for name, values in lists:
        if values:
            say(f"      {name}: {', '.join(values)}", err=err)
    if effects.danger:
        say("      " + _("dangerous: {what}", what=effects.danger), err=err)


def say_pending(count: int) -> None:
    """Print how many changes stay on the phone, and how to undo them."""
    stays = ngettext("{count} change stays on the phone", "{count} changes stay on the phone", count)
    say(stays + ". " + _("Undo it with: waymark anomaly undo --all"))


def _ask_dangerous(effects: CommandEffects) -> bool:
    _print_command(effects, err=True)
    try:
        return confirm(_("Run it all the same, this once?"), "--allow-dangerous")
    except UserError as error:
        # An answer as any other: what follows, or the next run, is not held up by it.
        raise DangerousCommandDenied(error.what, error.why, error.to_do) from None


def confirm(question: str, option: str = "--yes") -> bool:
    """Ask a person on the terminal; raises UserError where there is nobody to ask.

    ``option`` of the verb answers the question beforehand.
    """
    if not sys.stdin.isatty():
        raise UserError(
            _("A person has to allow this command"),
            _("there is no terminal to ask on"),
            _("Use {option} after you looked at it", option=option),
        )
    return click.confirm(question, default=False, err=True)
