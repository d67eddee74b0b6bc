"""``waymark device list``, ``connect`` and ``doctor``: which phones there are, and what ails them."""

from __future__ import annotations

from dataclasses import asdict

import click

from collector.cli.device import device
from collector.cli.output import json_option, print_json, print_table
from collector.device.doctor import diagnose, state_words
from collector.device.server import AdbServer
from collector.model.words import _


def register(command: click.Group) -> None:
    """The verbs joined the group as this module was read; the group itself is put on by its own."""
    assert "device" in command.commands


@device.command("list")
@json_option
def list_devices(as_json: bool) -> None:
    """List the phones adb knows, each with its state."""
    server = AdbServer()
    server.ensure()
    rows = [(one.serial, one.state, state_words(one.state)) for one in server.devices()]
    if as_json:
        print_json([dict(zip(("serial", "state", "words"), row, strict=True)) for row in rows])
        return
    print_table((_("Serial"), _("State")), [(serial, words) for serial, _state, words in rows])


@device.command()
@click.argument("address")
@json_option
def connect(address: str, as_json: bool) -> None:
    """Connect to a phone at HOST:PORT."""
    AdbServer().connect(address)
    if as_json:
        print_json({"connected": address})
    else:
        click.echo(_("connected to {address}", address=address))


@device.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say what is wrong with adb and each phone, and how to mend it."""
    findings = diagnose()
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        rows = [(one.severity, one.serial, one.what, one.to_do) for one in findings]
        print_table((_("Result"), _("Serial"), _("What"), _("What to do")), rows)
    return int(any(finding.severity == "problem" for finding in findings))
