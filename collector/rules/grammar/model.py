"""Conditions and rules as values, field for field what the grammar writes.

Equality and hashes leave out where a condition stands, so a condition is its own cache key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place
from collector.model.geometry import Rect

INJECTION = "injection"
SUCCESS = "success"
STATE = "state"
KINDS = (INJECTION, SUCCESS, STATE)
WAYMARK = "waymark"
DGARA = "dgara"
SEMANTICS = (WAYMARK, DGARA)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Base of all conditions; never made itself. ``type`` is the word the grammar uses."""

    type: ClassVar[str] = ""
    min_step: int = 0
    """Holds only from this step on; steps are counted from 1."""
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    raw: Any = field(default=None, compare=False, repr=False)
    """The condition as PyYAML reads it: what D-GARA's engine is given."""

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
class SemanticElementExists(Condition):
    """Enough of the keywords stand somewhere on the screen."""

    type: ClassVar[str] = "semantic_element_exists"
    keywords: tuple[str, ...]
    match_threshold: float = 1.0
    """Share of the keywords, 0 to 1, that must be there."""


@dataclass(frozen=True, kw_only=True)
class CurrentActivityIs(Condition):
    """The activity in front has this name."""

    type: ClassVar[str] = "current_activity_is"
    value: str


@dataclass(frozen=True, kw_only=True)
class CurrentPackageIs(Condition):
    """The app in front is this package."""

    type: ClassVar[str] = "current_package_is"
    value: str


@dataclass(frozen=True, kw_only=True)
class ElementExists(Condition):
    """A node matches the selector."""

    type: ClassVar[str] = "element_exists"
    selector: str


@dataclass(frozen=True, kw_only=True)
class ElementNotExists(Condition):
    """No node matches the selector."""

    type: ClassVar[str] = "element_not_exists"
    selector: str


@dataclass(frozen=True, kw_only=True)
class ElementProperty(Condition):
    """A node that matches the selector has an attribute of exactly this value."""

    type: ClassVar[str] = "element_property"
    selector: str
    attribute: str
    value: str


@dataclass(frozen=True, kw_only=True)
class ElementPropertyContains(ElementProperty):
    """A node that matches the selector has an attribute that contains this value."""

    type: ClassVar[str] = "element_property_contains"


@dataclass(frozen=True, kw_only=True)
class ElementTextEquals(Condition):
    """A node that matches the selector has exactly this text."""

    type: ClassVar[str] = "element_text_equals"
    selector: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ElementTextContains(ElementTextEquals):
    """A node that matches the selector has a text that contains this one."""

    type: ClassVar[str] = "element_text_contains"


@dataclass(frozen=True, kw_only=True)
class TextMatches(Condition):
    """A regular expression is found in the text or description of a node."""

    type: ClassVar[str] = "text_matches"
    pattern: str
    selector: str = ""
    """Only nodes that match it are read; empty = all."""


@dataclass(frozen=True, kw_only=True)
class MinStep(Condition):
    """The step is this one or a later one; steps are counted from 1."""

    type: ClassVar[str] = "min_step"
    value: int


@dataclass(frozen=True, kw_only=True)
class ActionWas(Condition):
    """The action that led to this state was of this kind, on such a node, with such words."""

    type: ClassVar[str] = "action_was"
    action: str
    selector: str = ""
    """What the touched node matches, in the state it was touched in."""
    text: str = ""
    """What a typed text, an answer, a key or an opened package contains."""


@dataclass(frozen=True, kw_only=True)
class StateReached(Condition):
    """An essential state was reached at this step or before it."""

    type: ClassVar[str] = "state_reached"
    state: str


@dataclass(frozen=True, kw_only=True)
class ImageMatches(Condition):
    """A picture is seen on the screen."""

    type: ClassVar[str] = "image_matches"
    image: str
    """File of the picture, relative to the rule file's project."""
    threshold: float = 0.85
    """Least score, 0 to 1, that counts as seen."""
    region: Rect | None = None
    """Where to look, in device pixels; None = the whole screen."""
    method: str = "template"
    """``template`` (scale-tolerant correlation) or ``features`` (SIFT, also turned or cut off)."""


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


CONDITIONS: dict[str, type[Condition]] = {
    cls.type: cls
    for cls in (
        SemanticElementExists,
        ElementExists,
        ElementNotExists,
        ElementProperty,
        ElementPropertyContains,
        ElementTextEquals,
        ElementTextContains,
        TextMatches,
        CurrentActivityIs,
        CurrentPackageIs,
        MinStep,
        ActionWas,
        StateReached,
        ImageMatches,
    )
}
"""Every condition with a ``type``, in the order menus show them; groups are :class:`Group`."""


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
    """An injection rule, a success rule or an essential state."""

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
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    id_place: Place = field(default=NOWHERE, compare=False, repr=False)
    raw: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class RuleFile:
    """What a file holds, and what was wrong with it; what could be read is usable whatever the rest."""

    kind: str
    rules: tuple[Rule, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str = ""

    def rule(self, rule_id: str) -> Rule | None:
        """The rule of that id; the last one when there are several."""
        return next((rule for rule in reversed(self.rules) if rule.id == rule_id), None)
