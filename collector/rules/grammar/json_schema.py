"""The grammar as JSON Schema 2020-12, so that any editor can complete and check rule files."""

from __future__ import annotations

from typing import Any

import yaml

from collector.model.action import ACTIONS
from collector.model.i18n import _
from collector.rules.grammar import specs
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import INJECTION, KINDS
from collector.rules.grammar.specs import (
    ACTION_TYPES,
    ANY_OF,
    GROUP_KEYS,
    INJECTION_FIELDS,
    RULE_SPECS,
    ConditionSpec,
    FieldSpec,
    RuleSpec,
)
from collector.rules.grammar.value_reader import ANY_ACTION

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
_SCALAR = ["string", "number", "boolean"]
"""A text may be written without quotes, so YAML may read it as a number or a boolean."""
_LIST = {"$ref": "#/$defs/conditions"}
_ONE_OR_LIST: Schema = {"anyOf": [{"$ref": "#/$defs/condition"}, _LIST]}


def schema_of(kind: str = "") -> Schema:
    """The schema of one kind of rule file; of any of them when ``kind`` is empty."""
    kinds = (kind,) if kind else KINDS
    files = [_file(RULE_SPECS[kind]) for kind in kinds]
    top: Schema = files[0] if len(files) == 1 else {"anyOf": files}
    return {
        "$schema": DIALECT,
        "$id": f"https://waymark.studio/schema/{kind or 'rules'}.json",
        "title": _("Waymark rules"),
        **top,
        "$defs": {
            **{f"{kind}-rule": _rule(RULE_SPECS[kind]) for kind in kinds},
            "action": _action(),
            "group": _group(),
            "condition": _condition(),
            "conditions": {"type": "array", "items": {"$ref": "#/$defs/condition"}},
            **{name: _typed(spec) for name, spec in condition_specs().items()},
            ANY_OF.type: _typed(ANY_OF),
        },
    }


def _file(spec: RuleSpec) -> Schema:
    rule = {"$ref": f"#/$defs/{spec.kind}-rule"}
    if not spec.root:
        return {"type": ["object", "null"], "additionalProperties": rule}
    listed: Schema = {"type": ["array", "null"], "items": rule}
    whole: Schema = {
        "type": "object", "required": [spec.root], "properties": {spec.root: listed},
        "additionalProperties": False,
    }  # fmt: skip
    return {"anyOf": [whole, listed]} if spec.kind == INJECTION else whole


def _rule(spec: RuleSpec) -> Schema:
    return _object(spec.fields, {"conditions": {"anyOf": [_LIST, {"$ref": "#/$defs/condition"}]}})


def _action() -> Schema:
    return _object(INJECTION_FIELDS, {"type": {"enum": list(ACTION_TYPES)}})


def _condition() -> Schema:
    """One branch for each type, so that an editor reports only what is wrong with that type."""
    names = [*condition_specs(), ANY_OF.type]
    branches: list[Schema] = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {"$ref": f"#/$defs/{name}"},
        }
        for name in names
    ]
    untyped: Schema = {"if": {"required": ["type"]}, "else": {"$ref": "#/$defs/group"}}
    kinds: Schema = {"enum": names, "description": _("Kind of the condition")}
    return {"type": "object", "properties": {"type": kinds}, "allOf": [*branches, untyped]}


def _group() -> Schema:
    docs = {
        "all": _("Every one of them holds"),
        "any": _("At least one of them holds"),
        "not": _("None of them holds"),
    }
    before = ANY_OF.field(specs.MIN_STEP)
    properties: Schema = {key: {**_ONE_OR_LIST, "description": docs[key]} for key in GROUP_KEYS}
    if before is not None:
        properties[before.name] = _field(before)
    some = [{"required": [key]} for key in GROUP_KEYS]
    return {"type": "object", "properties": properties, "anyOf": some, "additionalProperties": False}


def _typed(spec: ConditionSpec) -> Schema:
    schema = _object(spec.fields, {"type": {"const": spec.type}}, ("type",))
    schema["description"] = _(spec.doc)
    if spec.example:
        schema["examples"] = [yaml.safe_load(spec.example)]
    return schema


def _object(specs: tuple[FieldSpec, ...], given: Schema, required: tuple[str, ...] = ()) -> Schema:
    properties = {name: dict(value) for name, value in given.items()}
    for spec in specs:
        schema = {**(properties.get(spec.name) or _field(spec)), "description": _(spec.doc)}
        properties[spec.name] = schema
        for alias in spec.aliases:
            properties[alias] = {**schema, "description": _("As {key}", key=spec.name)}
    needed = [*required, *(spec.name for spec in specs if spec.required)]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _field(spec: FieldSpec) -> Schema:
    schema: Schema = {**_value(spec.kind), "description": _(spec.doc)}
    if spec.default is not None and spec.default != () and not spec.required:
        schema["default"] = spec.default
    return schema


def _value(kind: str) -> Schema:
    text: Schema = {"type": _SCALAR}
    shapes: dict[str, Schema] = {
        specs.TEXTS: {"type": "array", "items": text},
        specs.STATE_IDS: {"type": "array", "items": text},
        specs.WHOLE: {"type": "integer"},
        specs.SHARE: {"type": "number", "minimum": 0, "maximum": 1},
        specs.NUMBER: {"type": "number"},
        specs.FLAG: {"type": "boolean"},
        specs.REGION: {"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4},
        **{kind: {"enum": list(words)} for kind, words in specs.WORDS.items()},
        specs.ACTION: {"enum": [*ACTIONS, ANY_ACTION]},
        specs.CONDITION_LIST: _LIST,
        specs.ACTIONS: {"type": "array", "items": {"$ref": "#/$defs/action"}},
        specs.MAPPING: {"type": ["object", "null"], "additionalProperties": text},
    }
    return dict(shapes.get(kind, text))
