"""Preview the commands of a project as they would run, for the person who decides on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.anomalies.errors import Unsuitable
from collector.anomalies.follow_ups import commands_of
from collector.anomalies.model import Anomaly
from collector.anomalies.placeholders import fill, values_of
from collector.anomalies.trust.command_effects import CommandEffects, command_effects
from collector.model.i18n import _
from collector.rules.grammar.model import Rule


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """The commands of one anomaly, or of the follow-ups of a rule, as they would run."""

    name: str
    """Id of the anomaly or the rule."""
    description: str
    commands: tuple[CommandEffects, ...]
    of_rule: bool = False

    @property
    def title(self) -> str:
        return _("Rule {id}", id=self.name) if self.of_rule else self.name


@dataclass(frozen=True, slots=True)
class CommandSet:
    """Anomalies with their commands, and rules with their follow-ups."""

    anomalies: Sequence[Anomaly]
    rules: Sequence[Rule] = ()

    @property
    def commands(self) -> list[str]:
        """Every command as its file writes it, each once."""
        library = (command.text for anomaly in self.anomalies for command in anomaly.commands)
        return list(dict.fromkeys([*library, *(text for rule in self.rules for text in _following(rule))]))

    def preview(self, wanted: Collection[str]) -> list[CommandGroup]:
        """Those of ``wanted``, by anomaly and rule; who has none of them is left out."""
        groups = [preview_commands(anomaly, wanted) for anomaly in self.anomalies]
        groups += [_group_of(rule, wanted) for rule in self.rules]
        return [group for group in groups if group.commands]


def preview_commands(
    anomaly: Anomaly, wanted: Collection[str], given: Mapping[str, object] | None = None, package: str = "",
    following: Iterable[str] = (),
) -> CommandGroup:  # fmt: skip
    """Those of ``wanted``, as their file writes them, with the anomaly's values in place.

    What is only known on the phone, and the app while no ``package`` is named, stays a name in braces.
    ``following`` are the commands a rule lets follow this anomaly.
    """
    try:
        values = values_of(anomaly, given, package)
    except Unsuitable:
        values = values_of(anomaly)
    listed = (*(command.text for command in anomaly.commands), *following)
    seen = dict.fromkeys(text for text in listed if text in wanted)
    return CommandGroup(
        anomaly.id, anomaly.description, tuple(command_effects(fill(text, values)) for text in seen)
    )


def _group_of(rule: Rule, wanted: Collection[str]) -> CommandGroup:
    effects = tuple(command_effects(text) for text in _following(rule) if text in wanted)
    return CommandGroup(rule.id, rule.description, effects, of_rule=True)


def _following(rule: Rule) -> list[str]:
    return list(dict.fromkeys(text for action in rule.actions for text in commands_of(action.follow_up)))
