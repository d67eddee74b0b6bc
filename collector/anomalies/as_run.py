"""What a project would run on a phone, as it would run, for the person who decides whether it may."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.anomalies.errors import Unsuitable
from collector.anomalies.filling import fill, values_of
from collector.anomalies.follow_ups import commands_of
from collector.anomalies.model import Anomaly
from collector.anomalies.touched import Touched, touched
from collector.model.i18n import _
from collector.rules.grammar.model import Rule


@dataclass(frozen=True, slots=True)
class Group:
    """The commands of one anomaly, or those a rule lets follow, as they would run."""

    name: str
    """Id of the anomaly or the rule."""
    description: str
    commands: tuple[Touched, ...]
    of_rule: bool = False

    @property
    def title(self) -> str:
        return _("Rule {id}", id=self.name) if self.of_rule else self.name


@dataclass(frozen=True, slots=True)
class Runnable:
    """Anomalies with their commands, and rules with what they let follow an answer."""

    anomalies: Sequence[Anomaly]
    rules: Sequence[Rule] = ()

    @property
    def commands(self) -> list[str]:
        """All of them as their files write them, each once."""
        library = (command.text for anomaly in self.anomalies for command in anomaly.commands)
        return list(dict.fromkeys([*library, *(text for rule in self.rules for text in _following(rule))]))

    def as_run(self, wanted: Collection[str]) -> list[Group]:
        """Those of ``wanted``, by anomaly and rule; who has none of them is left out."""
        groups = [as_run(anomaly, wanted) for anomaly in self.anomalies]
        groups += [_group_of(rule, wanted) for rule in self.rules]
        return [group for group in groups if group.commands]


def as_run(
    anomaly: Anomaly, wanted: Collection[str], given: Mapping[str, object] | None = None, package: str = "",
    following: Iterable[str] = (),
) -> Group:  # fmt: skip
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
    return Group(anomaly.id, anomaly.description, tuple(touched(fill(text, values)) for text in seen))


def _group_of(rule: Rule, wanted: Collection[str]) -> Group:
    found = tuple(touched(text) for text in _following(rule) if text in wanted)
    return Group(rule.id, rule.description, found, of_rule=True)


def _following(rule: Rule) -> list[str]:
    return list(dict.fromkeys(text for action in rule.actions for text in commands_of(action.follow_up)))
