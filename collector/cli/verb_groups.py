"""The verb groups of ``waymark``: one is imported when it is called, not for ``--version`` or ``--help``."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
from typing import NamedTuple

import click

from collector.cli.output import say
from collector.model.i18n import _

PLUGINS = "waymark.verbs"
"""Entry points of packages that add verbs; each names a function that is given the :class:`LazyGroup`."""


class VerbGroup(NamedTuple):
    """A built-in group: its help, and the modules of this package that add its verbs."""

    summary: str
    modules: tuple[str, ...]


VERB_GROUPS = {
    "anomaly": VerbGroup(
        "List, show, check and inject anomalies.",
        ("anomaly", "anomaly_fire", "anomaly_rehearse", "anomaly_solvable"),
    ),
    "device": VerbGroup(
        "List and diagnose phones, and run a virtual one.",
        ("device", "device_list"),
    ),
    "project": VerbGroup(
        "Create, check, import into and export projects.",
        ("project", "project_trust"),
    ),
    "rules": VerbGroup(
        "Check rules, and try them on recordings.",
        ("rules", "rules_try", "rules_follow"),
    ),
    "trajectory": VerbGroup(
        "List, show, verify, redact and replay trajectories.",
        ("trajectory", "trajectory_replay"),
    ),
}
"""The module that is named like its group defines it, with :func:`verb_group`."""
_log = logging.getLogger(__name__)


def verb_group(name: str) -> click.Group:
    """Return a new built-in group, without its verbs."""
    return click.Group(name, help=VERB_GROUPS[name].summary)


class LazyGroup(click.Group):
    """Imports the built-in groups, and loads the plug-ins, when a verb is asked for."""

    _additions: dict[str, list[click.Command]] | None = None

    def add_to(self, group: str, verb: click.Command) -> None:
        """Add a verb to one of the built-in groups, without importing it."""
        assert self._additions is not None
        self._additions.setdefault(group, []).append(verb)

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._load_plugins()
        return sorted({*VERB_GROUPS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        additions = self._load_plugins()
        if cmd_name in VERB_GROUPS and cmd_name not in self.commands:
            modules = [
                importlib.import_module(f"collector.cli.{name}") for name in VERB_GROUPS[cmd_name].modules
            ]
            group: click.Group = getattr(modules[0], cmd_name)
            for verb in additions.get(cmd_name, ()):
                group.add_command(verb)
            self.add_command(group)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands; the help of built-in groups comes from the table, not from imports."""
        names = self.list_commands(ctx)
        width = formatter.width - 6 - max(map(len, names))
        listed = {
            name: verb_group(name) if name in VERB_GROUPS else super(LazyGroup, self).get_command(ctx, name)
            for name in names
        }
        rows = [
            (name, command.get_short_help_str(width))
            for name, command in listed.items()
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _load_plugins(self) -> dict[str, list[click.Command]]:
        """Load the plug-ins once. One that fails is left out with a sentence; the other verbs stay."""
        if self._additions is None:
            self._additions = {}
            for plugin in importlib.metadata.entry_points(group=PLUGINS):
                try:
                    plugin.load()(self)
                except Exception as error:  # noqa: BLE001 - a plug-in may raise anything as it is imported
                    _log.warning("the plug-in %s was left out", plugin.value, exc_info=True)
                    say(_("The plug-in {name} was left out: {why}", name=plugin.name, why=error), err=True)
        return self._additions
