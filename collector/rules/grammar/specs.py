"""The keys of rule files: the kind of value of each, its default and one sentence about it.

The reader, the linter, the schema, the reference page, completion and the forms all use these tables.
The keys of conditions come from the registry in :mod:`collector.rules.grammar.condition_registry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.app_data.collections import COLLECTIONS
from collector.model.essential_state import STATUSES
from collector.model.i18n import N_
from collector.model.risk import RISKS
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS

TEXT, TEXTS, WHOLE, SHARE, NUMBER, FLAG = "text", "texts", "whole", "share", "number", "flag"
SELECTOR, PATTERN, ATTRIBUTE, ACTIVITY, PACKAGE = "selector", "pattern", "attribute", "activity", "package"
ACTION, STATE_ID, IMAGE, REGION, METHOD = "action", "state_id", "image", "region", "method"
STATUS = "status"
COLLECTION, RECORD, DATA_CHANGE, RISK = "collection", "record", "data_change", "risk"
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
        STATUS,
        COLLECTION,
        RECORD,
        DATA_CHANGE,
        RISK,
        TASK_ID,
        ANOMALY_ID,
    )
)
"""Kinds of value that are written as one text."""
FIELD_KINDS = TEXTUAL | {TEXTS, WHOLE, SHARE, NUMBER, FLAG, REGION}
"""Kinds of value that a key of a condition may have."""
GROUP_KEYS = ("all", "any", "not")
METHODS = ("template", "features")
THERE, ADDED, CHANGED, REMOVED = "there", "added", "changed", "removed"
WORDS: Mapping[str, tuple[str, ...]] = {
    METHOD: METHODS,
    STATUS: STATUSES,
    COLLECTION: tuple(collection.name for collection in COLLECTIONS),
    DATA_CHANGE: (THERE, ADDED, CHANGED, REMOVED),
    RISK: tuple(RISKS),
}
"""By kind of value, the words that the grammar allows."""
MIN_STEP = "min_step"
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
        return next((field for field in self.fields if name == field.name or name in field.aliases), None)


MIN_STEP_FIELD = FieldSpec(MIN_STEP, WHOLE, N_("Holds only from this step on, counted from 1"), default=0)

ANY_OF = ConditionSpec(
    "any_of",
    N_("At least one of its conditions holds"),
    (
        FieldSpec("sub_conditions", CONDITION_LIST, N_("The conditions, one of which must hold"), True),
        MIN_STEP_FIELD,
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
        return next((field for field in self.fields if name == field.name or name in field.aliases), None)


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
        FieldSpec("task", TASK_ID, N_("Task the state belongs to, beside those that name it"), default=""),
        FieldSpec("description", TEXT, N_("One sentence for people"), default="", aliases=("sentence",)),
        FieldSpec("after", STATE_IDS, N_("States that must be reached before this one"), default=()),
        FieldSpec("optional", FLAG, N_("The task can be done without it"), default=False),
        FieldSpec("alternatives", STATE_IDS, N_("States that count as this one when reached"), default=()),
        FieldSpec("risk", RISK, N_("Why an agent should stop or ask there; none by default"), default=""),
        FieldSpec("status", STATUS, N_("proposed, agreed or audited"), default=STATUSES[0]),
        FieldSpec("conditions", CONDITION_LIST,
                  N_("When it is reached; without conditions people and models judge it")),
    )),
    SAFETY: RuleSpec(SAFETY, "safety", (
        _ID, _DESCRIPTION,
        FieldSpec("every_task", FLAG, N_("Counts for every task, also for those that do not name it"),
                  default=False),
        FieldSpec("conditions", CONDITION_LIST, N_("What must never be so"), True),
    )),
}  # fmt: skip

INJECTION_FIELDS = (
    FieldSpec("type", TEXT, N_("What is done; inject_interference is the only one"), True),
    FieldSpec("interference_id", ANOMALY_ID, N_("Anomaly of the library to inject"), True),
    FieldSpec("trigger_probability", SHARE, N_("How likely it is injected when the rule holds"), default=1.0),
    FieldSpec("follow_up", MAPPING, N_("What follows each answer"), default=None),
)
ACTION_TYPES = ("inject_interference",)
