"""``waymark agent host``: which hosts the agents of projects may ask, and which keys go to each."""

from __future__ import annotations

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import agent
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.endpoint.http_address import read_address
from collector.endpoint.key_source import KeySource
from collector.endpoint.key_store import check_name
from collector.model.errors import UserError
from collector.model.i18n import _


@agent.group()
def host() -> None:
    """List, allow and forget the hosts that agents of projects may send screens and keys to."""


@host.command(name="list")
@json_option
def list_hosts(as_json: bool) -> None:
    """List the hosts that were allowed, with the keys that may go to each."""
    hosts = AllowedHosts().hosts()
    if as_json:
        print_json({"hosts": [{"host": origin, "keys": list(keys)} for origin, keys in hosts.items()]})
    elif hosts:
        rows = [(origin, ", ".join(keys)) for origin, keys in hosts.items()]
        print_table((_("Host"), _("Keys")), rows)
    else:
        say(_("No host is allowed. A run asks before anything is sent"))


@host.command()
@click.argument("address")
@click.option("--key", "keys", multiple=True, metavar="NAME", help="A key that may go there; repeatable.")
@click.option("--key-env", "variables", multiple=True, metavar="NAME",
              help="An environment variable whose value may go there; repeatable.")  # fmt: skip
@json_option
def allow(address: str, keys: tuple[str, ...], variables: tuple[str, ...], as_json: bool) -> None:
    """Let agents of every project send what the phone shows to the host of ADDRESS.

    Keys that were allowed for it before stay allowed.
    """
    for name in keys:
        check_name(name)
    sources = [*(KeySource(name) for name in keys), *(KeySource("", name) for name in variables)]
    origin = read_address(address).origin
    secrets = tuple(label for source in sources for label in source.labels)
    transfer = Transfer(origin, secrets)
    AllowedHosts().allow([transfer])
    if as_json:
        print_json({"host": origin, "keys": list(secrets)})
        return
    for sentence in transfer.sentences():
        say(_("Allowed: {what}", what=sentence))


@host.command()
@click.argument("address")
@json_option
def forget(address: str, as_json: bool) -> None:
    """Let no agent of a project send anything to the host of ADDRESS any more."""
    origin = read_address(address).origin
    if not AllowedHosts().forget(origin):
        raise UserError(
            _("The host {host} is not allowed", host=origin), "", _("`waymark agent host list` shows them")
        )
    if as_json:
        print_json({"host": origin})
    else:
        say(_("Nothing is sent to {host} any more", host=origin))
