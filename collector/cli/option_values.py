"""Options with names and values: ``-o`` for an agent, a judge or a format, ``--set`` for parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from collector.cli.output import say
from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.options import PluginOption, type_name
from collector.plugins.typed_options import typed_value

plugin_options = click.option(
    "--option", "-o", "given", multiple=True, metavar="NAME=VALUE",
    help="An option of it, a value that is no text as YAML, a list as words too; repeatable.",
)  # fmt: skip

set_option = click.option(
    "--set", "given", metavar="NAME=VALUE", multiple=True, help="Value of a parameter; repeatable."
)
"""``--set``, which :func:`set_values` reads."""


def read_option_values(declared: Sequence[PluginOption], given: Sequence[str]) -> dict[str, Any]:
    """The options with their values read, as :func:`typed_value` does. Raises click.BadParameter."""
    known = {option.name: option for option in declared}
    options: dict[str, Any] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise click.BadParameter(_("write it as NAME=VALUE"), param_hint="--option")
        option = known.get(name)
        try:
            if option is None:
                options[name] = safe_load(
                    value, name
                )  # whoever makes the agent or judge says that it is unknown
            else:
                options[name] = "" if option.type is str and not value else typed_value(option, value)
        except (YamlError, UserError) as error:
            raise click.BadParameter(str(error), param_hint="--option") from None
    return options


def option_facts(option: PluginOption) -> str:
    """Type, choices and default of an option in words."""
    facts = [type_name(option)]
    if option.choices:
        facts.append(_("one of: {choices}", choices=", ".join(option.choices)))
    if option.required:
        facts.append(_("required"))
    elif option.default not in (None, "", [], {}):
        facts.append(_("{value} by default", value=_as_typed(option.default)))
    return "; ".join(facts)


def say_options(options: Iterable[PluginOption]) -> None:
    """Print all that is declared of options, a paragraph for each."""
    for option in options:
        title = f": {option.shown_title}" if option.title else ""
        say(f"\n{option.name}{title}  ({option_facts(option)})")
        if option.description:
            say("    " + _(option.description))


def _as_typed(default: Any) -> str:
    """A default as it is typed after ``NAME=``."""
    if isinstance(default, bool):
        return str(default).lower()
    return " ".join(map(str, default)) if isinstance(default, (list, tuple)) else str(default)


def set_values(given: Iterable[str]) -> dict[str, str]:
    """The values of ``--set`` by their names. Raises click.BadParameter for a text that is no pair."""
    pairs = [text.partition("=") for text in given]
    for name, equals, _value in pairs:
        if not name or not equals:
            raise click.BadParameter(_("write it as NAME=VALUE"), param_hint="--set")
    return {name: value for name, _equals, value in pairs}
