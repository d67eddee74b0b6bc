"""Rules and the base of their conditions as frozen values.

Equality and hashes ignore where a condition stands in its file, so a condition is its own cache key.
The conditions with a ``type`` are in :mod:`collector.rules.conditions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place

INJECTION = "injection"
SUCCESS = "success"
STATE = "state"
SAFETY = "safety"
"""What must never happen while a task is done."""
KINDS = (INJECTION, SUCCESS, STATE, SAFETY)
DGARA_KINDS = (INJECTION, SUCCESS)
"""The kinds that D-GARA knows, and reads in its own way; the others are always read strictly."""
WAYMARK = "waymark"
DGARA = "dgara"
SEMANTICS = (WAYMARK, DGARA)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Base of all conditions; never instantiated. ``type`` is the word in rule files."""

    type: ClassVar[str] = ""
    min_step: int = 0
    """Holds only from this step on; steps are counted from 1."""
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    raw: Any = field(default=None, compare=False, repr=False)
    """The condition as PyYAML reads it, for D-GARA's engine."""

    @property
    def parts(self) -> tuple[Condition, ...]:
        """Conditions directly inside this one."""
        return ()

    def walk(self) -> Iterator[Condition]:
        """This condition and all inside it, outermost first."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, kw_only=True)
class Group(Condition):
    """``all``, ``any`` or ``not`` of its conditions; ``not`` holds when none of them does."""

    conditions: tuple[Condition, ...] = ()
    kind: str = "all"
    spelling: str = "all"
    """The key it was written with: ``all``, ``any``, ``not`` or D-GARA's ``any_of``."""

    @property
    def parts(self) -> tuple[Condition, ...]:
        return self.conditions


@dataclass(frozen=True, kw_only=True)
class Unknown(Condition):
    """A condition that cannot be evaluated.

    D-GARA takes it for true in injection rules and for false in success rules.
    """

    written: str = ""
    """The ``type`` as it was written; empty when there was none."""


@dataclass(frozen=True, kw_only=True)
class Injection:
    """An action of an injection rule: which anomaly, how likely, and what follows each answer."""

    interference_id: str = ""
    trigger_probability: float = 1.0
    follow_up: Mapping[str, str] = field(default_factory=dict, hash=False)
    type: str = "inject_interference"
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    id_place: Place = field(default=NOWHERE, compare=False, repr=False)
    raw: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """An injection rule, a success rule, an essential state or a safety rule."""

    id: str
    kind: str
    conditions: Group = field(default_factory=Group)
    description: str = ""
    priority: int = 99
    """Lower goes first (D-GARA's default is 99)."""
    once: bool = True
    actions: tuple[Injection, ...] = ()
    task: str = ""
    """Of an essential state: the task it belongs to."""
    after: tuple[str, ...] = ()
    """Of an essential state: ids of states that must be reached before it."""
    optional: bool = False
    alternatives: tuple[str, ...] = ()
    """Of an essential state: ids of states that count as this one when they are reached."""
    status: str = ""
    """Of an essential state: one of ``model.essential_state.STATUSES``; empty counts as proposed."""
    risk: str = ""
    """Of a state where an agent should stop or ask: one of ``model.risk.RISKS``; empty for none."""
    every_task: bool = False
    """Of a safety rule: whether it counts for tasks that do not name it, too."""
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    id_place: Place = field(default=NOWHERE, compare=False, repr=False)
    raw: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class RuleFile:
    """The rules of a file and its diagnostics; rules that could be read are usable."""

    kind: str
    rules: tuple[Rule, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str = ""

    def rule(self, rule_id: str) -> Rule | None:
        """The rule of that id; the last one when there are several."""
        return next((rule for rule in reversed(self.rules) if rule.id == rule_id), None)


def is_judged_by_rule(rule: Rule) -> bool:
    """Whether a rule has conditions; an essential state without any is judged by people and models."""
    return bool(rule.conditions.conditions)
