"""The grammar as a table: every key of a rule file, its type, its default and one sentence about it.

The reader, the linter, the schema, the reference page, completion and the forms all go by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from collector.model.i18n import N_
from collector.rules.grammar.model import CONDITIONS, INJECTION, STATE, SUCCESS

TEXT, TEXTS, WHOLE, SHARE, NUMBER, FLAG = "text", "texts", "whole", "share", "number", "flag"
SELECTOR, PATTERN, ATTRIBUTE, ACTIVITY, PACKAGE = "selector", "pattern", "attribute", "activity", "package"
ACTION, STATE_ID, IMAGE, REGION, METHOD = "action", "state_id", "image", "region", "method"
CONDITION_LIST, ACTIONS, MAPPING, TASK_ID, STATE_IDS, ANOMALY_ID = (
    "conditions", "actions", "mapping", "task_id", "state_ids", "anomaly_id",
)  # fmt: skip
TEXTUAL = frozenset(
    (
        TEXT,
        SELECTOR,
        PATTERN,
        ATTRIBUTE,
        ACTIVITY,
        PACKAGE,
        ACTION,
        STATE_ID,
        IMAGE,
        METHOD,
        TASK_ID,
        ANOMALY_ID,
    )
)
"""Kinds of value that are written as one text."""
GROUP_KEYS = ("all", "any", "not")
METHODS = ("template", "features")
BEFORE_TYPES = "min_step"
"""The key every condition may carry."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One key: its ``kind`` is one of the words above."""

    name: str
    kind: str
    doc: str
    required: bool = False
    default: Any = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionSpec:
    """One condition type.

    ``origin`` is who reads it: D-GARA's ``injection`` engine, its ``success`` validator, or only
    ``waymark``.
    """

    type: str
    doc: str
    fields: tuple[FieldSpec, ...]
    origin: str = "waymark"
    example: str = ""

    def field(self, name: str) -> FieldSpec | None:
        return next((one for one in self.fields if name == one.name or name in one.aliases), None)


_SELECTOR_DOC = N_("Which node: attr='value', several attributes, relations or XPath")
_ANY_CONDITION = FieldSpec(BEFORE_TYPES, WHOLE, N_("Holds only from this step on, counted from 1"), default=0)
_RAW: dict[str, tuple[str, str, str, tuple[tuple[str, str, str, tuple[str, ...]], ...]]] = {
    "semantic_element_exists": (
        N_("Enough of the keywords stand somewhere on the screen"), "injection",
        "{type: semantic_element_exists, keywords: [Drive, Nearby, Metro, Mine], threshold: 0.75}",
        (("keywords", TEXTS, N_("Words looked for in texts, ids and descriptions, in any case"), ()),
         ("match_threshold", SHARE, N_("Share of the keywords that must be there"), ("threshold",))),
    ),
    "element_exists": (
        N_("A node matches the selector"), "success",
        "{type: element_exists, selector: \"resource-id='com.example.shop:id/cart'\"}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()),),
    ),
    "element_not_exists": (
        N_("No node matches the selector"), "success",
        "{type: element_not_exists, selector: \"text='Sign in'\"}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()),),
    ),
    "element_property": (
        N_("A node that matches has an attribute of exactly this value"), "success",
        "{type: element_property, selector: \"text='Wi-Fi'\", attribute: checked, value: \"true\"}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()),
         ("attribute", ATTRIBUTE, N_("Name of the attribute, as the UI dump writes it"), ()),
         ("value", TEXT, N_("What its value must be"), ())),
    ),
    "element_property_contains": (
        N_("A node that matches has an attribute that contains this value"), "success",
        "{type: element_property_contains, selector: \"resource-id=tv.app:id/like_button\","
        " attribute: content-desc, value: Liked}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()),
         ("attribute", ATTRIBUTE, N_("Name of the attribute, as the UI dump writes it"), ()),
         ("value", TEXT, N_("What its value must contain"), ())),
    ),
    "element_text_equals": (
        N_("A node that matches has exactly this text"), "success",
        "{type: element_text_equals, selector: \"resource-id='com.example.shop:id/total'\", text: $14.90}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()), ("text", TEXT, N_("What its text must be"), ())),
    ),
    "element_text_contains": (
        N_("A node that matches has a text that contains this one"), "success",
        "{type: element_text_contains, selector: \"resource-id='com.example.shop:id/title'\", text: poster}",
        (("selector", SELECTOR, _SELECTOR_DOC, ()), ("text", TEXT, N_("What its text must contain"), ())),
    ),
    "text_matches": (
        N_("A regular expression is found in the text or description of a node"), "waymark",
        "{type: text_matches, pattern: '[0-9]+ results'}",
        (("pattern", PATTERN, N_("Regular expression, searched for anywhere in the text"), ()),
         ("selector", SELECTOR, N_("Only nodes that match it are read; all when left out"), ())),
    ),
    "current_activity_is": (
        N_("The activity in front has this name"), "injection",
        "{type: current_activity_is, value: .ResultsActivity}",
        (("value", ACTIVITY, N_("Name of the activity, short or in full"), ()),),
    ),
    "current_package_is": (
        N_("The app in front is this package"), "waymark",
        "{type: current_package_is, value: com.example.shop}",
        (("value", PACKAGE, N_("Name of the package"), ()),),
    ),
    "min_step": (
        N_("The step is this one or a later one"), "waymark", "{type: min_step, value: 3}",
        (("value", WHOLE, N_("Number of the step, counted from 1"), ()),),
    ),
    "action_was": (
        N_("The action that led here was of this kind"), "waymark",
        "{type: action_was, action: tap, selector: \"text='Buy'\"}",
        (("action", ACTION, N_("Kind of the action, as in tap or type; * = any"), ()),
         ("selector", SELECTOR, N_("What the touched node matches"), ()),
         ("text", TEXT, N_("What a typed text, an answer, a key or an opened package contains"), ())),
    ),
    "state_reached": (
        N_("An essential state was reached at this step or before it"), "waymark",
        "{type: state_reached, state: cart_open}",
        (("state", STATE_ID, N_("Id of the essential state"), ()),),
    ),
    "image_matches": (
        N_("A picture is seen on the screen"), "waymark",
        "{type: image_matches, image: rules/images/heart.png, threshold: 0.9}",
        (("image", IMAGE, N_("File of the picture, relative to the project"), ()),
         ("threshold", SHARE, N_("Least score that counts as seen"), ()),
         ("region", REGION, N_("Where to look: left, top, right, bottom in device pixels"), ()),
         ("method", METHOD, N_("template, or features for pictures that are turned or cut off"), ())),
    ),
}  # fmt: skip


def _condition_specs() -> Iterator[ConditionSpec]:
    for name, cls in CONDITIONS.items():
        doc, origin, example, keys = _RAW[name]
        known = {one.name: one for one in fields(cls)}
        specs = tuple(
            FieldSpec(
                key, kind, text, known[key].default is MISSING,
                None if known[key].default is MISSING else known[key].default, aliases,
            )
            for key, kind, text, aliases in keys
        )  # fmt: skip
        yield ConditionSpec(name, doc, (*specs, _ANY_CONDITION), origin, example)


CONDITION_SPECS: dict[str, ConditionSpec] = {spec.type: spec for spec in _condition_specs()}

ANY_OF = ConditionSpec(
    "any_of",
    N_("At least one of its conditions holds"),
    (
        FieldSpec("sub_conditions", CONDITION_LIST, N_("The conditions, one of which must hold"), True),
        _ANY_CONDITION,
    ),
    "success",
)


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """The keys of one kind of rule; ``root`` is the key its list stands under, empty for a mapping by id."""

    kind: str
    root: str
    fields: tuple[FieldSpec, ...] = field(default=())

    def field(self, name: str) -> FieldSpec | None:
        return next((one for one in self.fields if name == one.name or name in one.aliases), None)


_ID = FieldSpec("id", TEXT, N_("Name the rule is known by; unique in the project"), True)
_DESCRIPTION = FieldSpec("description", TEXT, N_("One sentence for people"), default="")
_CONDITIONS = FieldSpec("conditions", CONDITION_LIST, N_("When the rule holds"), True)

RULE_SPECS: dict[str, RuleSpec] = {
    INJECTION: RuleSpec(INJECTION, "rules", (
        _ID, _DESCRIPTION,
        FieldSpec("priority", WHOLE, N_("Which goes first when several hold: the lower one"), default=99),
        FieldSpec("once", FLAG, N_("Fires at most once in an episode"), default=True),
        _CONDITIONS,
        FieldSpec("actions", ACTIONS, N_("What happens when the rule fires"), True),
        FieldSpec("follow_up", MAPPING, N_("What follows each answer"), default=None),
    )),
    SUCCESS: RuleSpec(SUCCESS, "", (_DESCRIPTION, _CONDITIONS)),
    STATE: RuleSpec(STATE, "states", (
        _ID,
        FieldSpec("task", TASK_ID, N_("Task the state belongs to"), default=""),
        _DESCRIPTION,
        FieldSpec("after", STATE_IDS, N_("States that must be reached before this one"), default=()),
        FieldSpec("optional", FLAG, N_("The task can be done without it"), default=False),
        _CONDITIONS,
    )),
}  # fmt: skip

INJECTION_FIELDS = (
    FieldSpec("type", TEXT, N_("What is done; inject_interference is the only one"), True),
    FieldSpec("interference_id", ANOMALY_ID, N_("Anomaly of the library to inject"), True),
    FieldSpec("trigger_probability", SHARE, N_("How likely it is injected when the rule holds"), default=1.0),
    FieldSpec("follow_up", MAPPING, N_("What follows each answer"), default=None),
)
ACTION_TYPES = ("inject_interference",)
