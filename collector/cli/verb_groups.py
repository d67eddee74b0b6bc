"""The verb groups of ``waymark``, each imported when it is called: ``waymark --version`` imports none."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging

import click

from collector.cli.output import say
from collector.model.i18n import _

PLUGINS = "waymark.verbs"
"""Entry points of packages that add verbs; each names a function that is given the :class:`LazyGroup`."""
VERB_GROUPS = {
    "anomaly": ("anomaly", "anomaly_fire", "anomaly_rehearse", "anomaly_solvable"),
    "device": ("device", "device_list"),
    "project": ("project", "project_trust"),
    "rules": ("rules", "rules_try", "rules_follow"),
    "trajectory": ("trajectory", "trajectory_replay"),
}
"""Group -> modules of this package. The first defines the group, the others add verbs to it."""
_log = logging.getLogger(__name__)


class LazyGroup(click.Group):
    """A group whose built-in groups are imported, and whose plug-ins are loaded, when a verb is asked for."""

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
            modules = [importlib.import_module(f"collector.cli.{name}") for name in VERB_GROUPS[cmd_name]]
            group: click.Group = getattr(modules[0], cmd_name)
            for verb in additions.get(cmd_name, ()):
                group.add_command(verb)
            self.add_command(group)
        return super().get_command(ctx, cmd_name)

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
