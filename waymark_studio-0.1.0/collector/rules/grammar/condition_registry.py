"""The registry of condition types and what the grammar needs to know of each.

A condition type has one descriptor, a ``ConditionType`` of :mod:`collector.rules.conditions.condition_type`.
Each room of :mod:`collector.rules` adds the members it needs: this one the keys, ``evaluation`` the
proof and the explanation, ``backtest`` the columns. The registry loads the built-in types and those of
installed packages on first use.
"""

from __future__ import annotations

import importlib
import threading
from abc import ABC, abstractmethod
from dataclasses import MISSING, fields
from functools import cached_property
from typing import Any, Generic, TypeVar

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import (
    ANY_OF,
    FIELD_KINDS,
    GROUP_KEYS,
    MIN_STEP_FIELD,
    ConditionSpec,
    FieldSpec,
)

ENTRY_POINTS = "waymark.condition_types"
"""Entry point group of packages with more condition types; each entry names a ``ConditionType`` class."""
_LOADER = "collector.rules.conditions.loading"
"""The module that registers all types. It stands above this room, so only its name is known here."""
_KEY = "waymark.key"
_ORIGINS = ("injection", "success", "waymark")
C = TypeVar("C", bound=Condition)


def key(kind: str, doc: str, *aliases: str) -> dict[str, FieldSpec]:
    """Return the metadata of a dataclass field that is a key of a condition.

    ``kind`` is one of the kinds of :mod:`collector.rules.grammar.specs`, ``doc`` one sentence, ``aliases``
    are other spellings of the key.
    """
    return {_KEY: FieldSpec("", kind, doc, aliases=aliases)}


class ConditionGrammar(ABC, Generic[C]):
    """How conditions of one type are written."""

    origin = "waymark"
    """Who reads it: D-GARA's ``injection`` engine, its ``success`` validator, or only ``waymark``."""

    @property
    @abstractmethod
    def condition(self) -> type[C]:
        """The frozen dataclass of such a condition; its fields carry :func:`key` as their metadata."""

    @property
    @abstractmethod
    def doc(self) -> str:
        """One sentence without a full stop, marked for translation with ``N_``."""

    @property
    @abstractmethod
    def example(self) -> str:
        """One condition in YAML, in flow style."""

    @cached_property
    def spec(self) -> ConditionSpec:
        """The type's entry in the grammar."""
        own = tuple(_spec(field) for field in fields(self.condition) if _KEY in field.metadata)
        return ConditionSpec(
            self.condition.type, self.doc, (*own, MIN_STEP_FIELD), self.origin, self.example
        )  # fmt: skip


def _spec(field: Any) -> FieldSpec:
    written: FieldSpec = field.metadata[_KEY]
    required = field.default is MISSING
    default = None if required else field.default
    return FieldSpec(field.name, written.kind, written.doc, required, default, written.aliases)


class ConditionRegistry:
    """Condition types by name and by class, in the order menus show them."""

    def __init__(self) -> None:
        self._by_class: dict[type[Condition], ConditionGrammar[Any]] = {}
        self.by_name: dict[str, ConditionGrammar[Any]] = {}
        self.specs: dict[str, ConditionSpec] = {}
        self.problems: list[UserError] = []
        """Why types of installed packages were left out."""

    def register(self, condition_type: ConditionGrammar[Any]) -> None:
        """Add a type. Raises RuleError when it is incomplete or its name is taken."""
        name = condition_type.condition.type
        if not name or name in self.by_name or name in (*GROUP_KEYS, ANY_OF.type):
            raise RuleError(_("The name of the condition type {name} is taken or empty", name=repr(name)))
        _check(condition_type)
        self.by_name[name] = condition_type
        self._by_class[condition_type.condition] = condition_type
        self.specs[name] = condition_type.spec

    def type_of(self, condition: Condition) -> ConditionGrammar[Any] | None:
        """The type of a condition; None for groups and conditions that could not be read."""
        return self._by_class.get(type(condition))


def _check(condition_type: ConditionGrammar[Any]) -> None:
    name = condition_type.condition.type
    keys = {spec.name for spec in condition_type.spec.fields}
    unknown = [spec.name for spec in condition_type.spec.fields if spec.kind not in FIELD_KINDS]
    lacking = [
        field.name
        for field in fields(condition_type.condition)
        if field.name not in keys and field.name not in Condition.__dataclass_fields__
    ]
    if unknown or lacking:
        what = _("Keys of the condition type {name} have no kind of value", name=name)
        raise RuleError(what, ", ".join((*unknown, *lacking)))
    if condition_type.origin not in _ORIGINS:
        raise RuleError(_("The condition type {name} has no known origin", name=name), condition_type.origin)


_lock = threading.RLock()
_loaded: ConditionRegistry | None = None


def condition_types() -> ConditionRegistry:
    """All condition types: the built-in ones and those of installed packages, loaded at the first call."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                registry = ConditionRegistry()
                importlib.import_module(_LOADER).load_into(registry)
                _loaded = registry
    return _loaded


def condition_specs() -> dict[str, ConditionSpec]:
    """The grammar of every condition type by its name, in the order menus show them."""
    return condition_types().specs


def forget_condition_types() -> None:
    """Load the types anew at the next call, after packages were installed or removed."""
    global _loaded
    _loaded = None
