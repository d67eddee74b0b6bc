"""``waymark device list``, ``connect`` and ``doctor``: list, connect and diagnose phones."""

from __future__ import annotations

import click

from collector.cli.finding_output import doctor_finding_as_dict
from collector.cli.output import json_option, print_json, print_table
from collector.cli.verb_groups import device
from collector.device.device_lease import owners_by_serial
from collector.device.health.doctor import diagnose, state_words
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.address import parse_address
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.text.one_line import one_line

_WIDEST = 400


def _address(text: str) -> str:
    try:
        return parse_address(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="ADDRESS") from None


def _print_finding(finding: Finding) -> None:
    """Print a finding in a line, with its reason and remedy indented below."""
    words = {"ok": _("ok"), "notice": _("notice"), "problem": _("problem")}
    head = f"{words[finding.severity]}: "
    serial = f"{finding.where}: " if finding.where else ""
    click.echo(one_line(f"{head}{serial}{finding.what}", _WIDEST))
    for line in (finding.why, finding.to_do):
        if line:
            click.echo(f"    {one_line(line, _WIDEST)}")


@device.command("list")
@json_option
def list_devices(as_json: bool) -> None:
    """List the phones adb knows, each with its state and the program that uses it."""
    server = AdbServer()
    server.ensure()
    devices = server.devices()
    owners = owners_by_serial(AdbDevice(listed.serial, server) for listed in devices if listed.is_ready)
    in_use = {serial: owner.words for serial, owner in owners.items()}
    rows = [
        (listed.serial, listed.state, state_words(listed.state), in_use.get(listed.serial, ""))
        for listed in devices
    ]
    if as_json:
        print_json([dict(zip(("serial", "state", "words", "in_use_by"), row, strict=True)) for row in rows])
        return
    if not rows:
        click.echo(_("No phone is connected. Plug one in, connect to one, or run: waymark device virtual"))
        return
    print_table(
        (_("Serial"), _("State"), _("In use by")),
        [(serial, *words) for serial, _state, *words in rows],
        last=_WIDEST,
    )


@device.command()
@click.argument("address")
@json_option
def connect(address: str, as_json: bool) -> None:
    """Connect to a phone at HOST:PORT; without a port, at 5555."""
    address = _address(address)
    AdbServer().connect(address)
    if as_json:
        print_json({"connected": address})
    else:
        click.echo(_("connected to {address}", address=address))


@device.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say what is wrong with adb and each phone, and how to fix it."""
    findings = diagnose()
    if as_json:
        print_json([doctor_finding_as_dict(finding) for finding in findings])
    else:
        for finding in findings:
            _print_finding(finding)
    return int(any(finding.severity == "problem" for finding in findings))
