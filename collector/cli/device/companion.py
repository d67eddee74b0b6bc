"""``waymark device companion``: the app that shows the dialogs of anomalies, on a real phone."""

from __future__ import annotations

import click

from collector.cli.device.phone import confirm, leased_phone
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option
from collector.cli.verb_groups import device
from collector.device.apps.companion_app import CompanionApp
from collector.device.device_lease import INSTALLATION
from collector.model.companion.contract import PERMISSION_WORDS
from collector.model.companion.status import ABILITIES, LIMITS, CompanionStatus
from collector.model.i18n import _

_yes = click.option("--yes", is_flag=True, help="Do not ask.")


@device.group()
def companion() -> None:
    """Install the app that shows the dialogs of anomalies, look at it, and remove it.

    Anomalies that change the phone itself need no app, and virtual phones have it.
    """


@companion.command("status")
@device_option
@json_option
def companion_status(serial: str, as_json: bool) -> None:
    """Print which version the phone has, and what the app may do there."""
    with leased_phone(serial, "") as phone:
        _print_status(CompanionApp(phone).status(), as_json=as_json)


@companion.command("install")
@device_option
@_yes
@json_option
def install_companion(serial: str, yes: bool, as_json: bool) -> None:
    """Install the app, or update it, after a list of what it can do and cannot."""
    if not yes:
        for sentence in (*ABILITIES, *LIMITS):
            say(f"- {_(sentence)}", err=True)
        if not confirm(_("Install the companion app?")):
            raise click.Abort
    with leased_phone(serial, INSTALLATION) as phone:
        _print_status(CompanionApp(phone).install(), as_json=as_json)


@companion.command("remove")
@device_option
@json_option
def remove_companion(serial: str, as_json: bool) -> None:
    """Uninstall the app, with its answers and permissions."""
    with leased_phone(serial, INSTALLATION) as phone:
        app = CompanionApp(phone)
        was_installed = app.status().is_installed
        if was_installed:
            app.remove()
    if as_json:
        print_json({"removed": was_installed})
    elif was_installed:
        say(_("The companion app is removed"))
    else:
        say(_("The companion app is not on this phone"))


@companion.command("allow")
@click.argument("permission", type=click.Choice(tuple(PERMISSION_WORDS)))
@click.option("--no", "denied", is_flag=True, help="Take the permission away.")
@device_option
@json_option
def allow_companion(permission: str, denied: bool, serial: str, as_json: bool) -> None:
    """Let the app draw over other apps (`overlay`), or show `notifications` and toasts."""
    with leased_phone(serial, INSTALLATION) as phone:
        status = CompanionApp(phone).allow(PERMISSION_WORDS[permission], allowed=not denied)
        _print_status(status, as_json=as_json)


def _print_status(status: CompanionStatus, *, as_json: bool) -> None:
    allowed = [name for name, permission in PERMISSION_WORDS.items() if permission in status.allowed]
    if as_json:
        print_json(
            {
                "installed": status.is_installed, "version": status.version, "contract": status.contract,
                "current": status.is_current, "allowed": allowed,
            }
        )  # fmt: skip
        return
    say(status.sentence)
    if status.is_ours:
        say(_("Allowed: {names}", names=", ".join(allowed) or _("nothing")))
