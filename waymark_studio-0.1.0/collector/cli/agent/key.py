"""``waymark agent key``: keep the keys of endpoints in the keyring of the system."""

from __future__ import annotations

import os
import sys

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import agent
from collector.endpoint.key_source import OPENAI_VARIABLE, PREFIX
from collector.endpoint.key_store import KeyStore, check_name
from collector.model.errors import UserError
from collector.model.i18n import _

_LONGEST = 10_000


@agent.group()
def key() -> None:
    """Keep the keys of model endpoints in the keyring of the system, never in a file."""


@key.command(name="set")
@click.argument("name")
@json_option
def set_key(name: str, as_json: bool) -> None:
    """Keep the key NAME, which is read without an echo, or from standard input.

    An agent gets it with the option `key: NAME`.
    """
    check_name(name)
    if sys.stdin.isatty():
        value = click.prompt(_("Key"), hide_input=True, err=True, default="", show_default=False)
    else:
        value = sys.stdin.readline(_LONGEST)
    value = value.strip()
    if not value or not value.isascii() or not value.isprintable():
        raise UserError(
            _("The key was not kept"), _("it is empty, or holds a character that no key has"),
            _("Copy it again, without quotation marks"),
        )  # fmt: skip
    KeyStore().set(name, value)
    _print_name(name, _("The key {name} is in the keyring", name=name), as_json)


@key.command(name="remove")
@click.argument("name")
@json_option
def remove_key(name: str, as_json: bool) -> None:
    """Delete the key NAME from the keyring."""
    if not KeyStore().remove(name):
        raise UserError(
            _("The keyring has no key {name}", name=name), "", _("`waymark agent key list` shows them")
        )
    _print_name(name, _("The key {name} was deleted", name=name), as_json)


@key.command(name="list")
@json_option
def list_keys(as_json: bool) -> None:
    """List the names of the keys in the keyring and in the environment, never the keys."""
    stored = [(name, "keyring") for name in KeyStore().names()]
    variables = sorted(name for name in os.environ if name.startswith(PREFIX) or name == OPENAI_VARIABLE)
    listed = [*stored, *((name, "environment") for name in variables)]
    if as_json:
        print_json({"keys": [{"name": name, "where": where} for name, where in listed]})
    elif listed:
        places = {"keyring": _("keyring"), "environment": _("environment")}
        print_table((_("Key"), _("Where")), [(name, places[where]) for name, where in listed])
    else:
        say(_("There are no keys. Keep one with `waymark agent key set NAME`"))


def _print_name(name: str, sentence: str, as_json: bool) -> None:
    if as_json:
        print_json({"name": name})
    else:
        say(sentence)
