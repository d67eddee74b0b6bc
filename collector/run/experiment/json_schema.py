"""The format of experiments as JSON Schema 2020-12, for editors; made from the tables of keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collector.agents.kinds import AgentKind
from collector.asking.model_user import MODEL_USER
from collector.model.i18n import _
from collector.model.phone.phone_setup import LOCALE_PATTERN
from collector.model.task import GOAL_STYLE_PATTERN, OWN_WORDS
from collector.model.user_reply import WHO_ANSWERS
from collector.plugins.options import PluginOption
from collector.run.experiment import keys
from collector.run.experiment.keys import KEYS, KeySpec
from collector.variations.names import NAME_PATTERN

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
_SCALAR = ["string", "number", "boolean"]
"""A text may be written without quotes, so YAML may read it as a number or a boolean."""
_TYPES: Mapping[type, Schema] = {
    str: {"type": _SCALAR},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    dict: {"type": "object"},
}


def experiment_schema(kinds: Mapping[str, AgentKind]) -> Schema:
    """The schema of experiments with agents of these kinds."""
    return {
        "$schema": DIALECT,
        "$id": "https://waymark.studio/schema/experiment.json",
        "title": _("Waymark experiment"),
        **_mapping(keys.EXPERIMENT),
        "$defs": {
            keys.AGENT: _agent(kinds),
            keys.CONDITION: {"anyOf": [_word(), _condition()]},
            keys.INJECTION: {"anyOf": [_word(), _mapping(keys.INJECTION)]},
        },
    }


def _mapping(within: str) -> Schema:
    properties = {spec.name: _key(spec) for spec in KEYS[within]}
    required = [spec.name for spec in KEYS[within] if spec.required]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _condition() -> Schema:
    """A condition injects one anomaly, several, or by rules; some keys belong to one of them."""
    schema = _mapping(keys.CONDITION)
    apart = [["anomaly", "anomalies"], ["anomaly", "rules"], ["anomalies", "rules"]]
    return {
        **schema,
        "dependentRequired": {"at": ["anomaly"], "limit": ["rules"]},
        "allOf": [
            *({"not": {"required": pair}} for pair in apart),
            {
                "if": {"required": ["buttons"]},
                "then": {"anyOf": [{"required": [key]} for key in ("anomaly", "anomalies", "rules")]},
            },
        ],
    }


def _agent(kinds: Mapping[str, AgentKind]) -> Schema:
    """The id of a kind, or a mapping with the options of its kind."""
    own = _mapping(keys.AGENT)
    named = {"description": _("Kind of agent"), "enum": list(kinds)} if kinds else _word()
    own["properties"]["kind"] = named
    branches = [
        {
            "if": {"properties": {"kind": {"const": kind.id}}, "required": ["kind"]},
            "then": {
                "properties": {
                    **dict.fromkeys(own["properties"], True),
                    **{option.name: _option(option) for option in kind.options},
                    "options": _options(kind),
                },
                "additionalProperties": False,
                "allOf": [_given(option.name) for option in kind.options if option.required],
            },
        }
        for kind in kinds.values()
    ]
    mapping = {**own, "additionalProperties": True, "allOf": branches}
    return {"anyOf": [named, mapping]}


def _given(name: str) -> Schema:
    """An option that is needed, beside the kind or under options."""
    inside = {"required": ["options"], "properties": {"options": {"required": [name]}}}
    return {"anyOf": [{"required": [name]}, inside]}


def _options(kind: AgentKind) -> Schema:
    properties = {option.name: _option(option) for option in kind.options}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _option(option: PluginOption) -> Schema:
    schema = dict(_TYPES.get(option.type, {}))
    if option.choices:
        offered: Schema = {"enum": list(option.choices)}
        schema = {"type": "array", "items": offered} if option.type is list else offered
    elif "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        schema["type"] = [*types, "null"]
    if option.description:
        schema["description"] = _(option.description)
    if option.default is not None:
        schema["default"] = option.default
    return schema


def _key(spec: KeySpec) -> Schema:
    schema = {**_value(spec), "description": _(spec.doc)}
    if spec.default is not None:
        default = spec.default
        schema["default"] = list(default) if isinstance(default, tuple) else default
    return schema


def _value(spec: KeySpec) -> Schema:
    seed: Schema = {"type": "integer", "minimum": 0, "maximum": keys.LARGEST_SEED}
    shapes: dict[str, Callable[[], Schema]] = {
        keys.WHOLE: lambda: {"type": "integer", "minimum": spec.lowest, "maximum": spec.highest},
        keys.FLAG: lambda: {"type": "boolean"},
        keys.MAPPING: lambda: {"type": "object"},
        keys.WORD: lambda: {"enum": list(spec.choices)} if spec.choices else _word(),
        keys.TEXT: lambda: {"enum": list(spec.choices)} if spec.choices else {"type": _SCALAR},
        keys.WORDS: lambda: _one_or_list(_item(spec), unique=True),
        keys.TASKS: lambda: {"anyOf": [_one_or_list(_word(), unique=True), _mapping(keys.SELECTION)]},
        keys.AGENTS: lambda: _one_or_list({"$ref": f"#/$defs/{keys.AGENT}"}),
        keys.CONDITIONS: lambda: _one_or_list({"$ref": f"#/$defs/{keys.CONDITION}"}),
        keys.INJECTIONS: lambda: _one_or_list({"$ref": f"#/$defs/{keys.INJECTION}"}),
        keys.RULES: lambda: _one_or_list(_word(), unique=True),
        keys.SEEDS: lambda: {"anyOf": [_list(seed, unique=True), _mapping(keys.SEED_RANGE)]},
        keys.PHONES: lambda: _mapping(keys.PHONE),
        keys.ANSWERING: _user,
        keys.VARIATIONS: lambda: {"anyOf": [_one_or_list(_item(spec), unique=True), _variation_choice()]},
        keys.STARTS: lambda: {"anyOf": [_one_or_list(_item(spec), unique=True), _mapping(keys.START_CHOICE)]},
        keys.GOLDENS: lambda: _one_or_list(_word(), unique=True),
        keys.LISTS: lambda: _list(_list(_item(spec), unique=True)),
        keys.SIZE: lambda: {"type": "string", "pattern": r"^\s*\d+\s*[x×]\s*\d+\s*$"},
    }
    return shapes[spec.kind]()


def _user() -> Schema:
    """A word, or a mapping; beside ``who`` may stand the options of a model."""
    beside = {option.name: _option(option) for option in MODEL_USER.options}
    schema = _mapping(keys.USER)
    schema["properties"] = {**beside, **schema["properties"]}
    return {"anyOf": [{"enum": list(WHO_ANSWERS)}, schema]}


def _variation_choice() -> Schema:
    return {
        **_mapping(keys.VARIATION_CHOICE),
        "minProperties": 1,
        "dependentRequired": {"seed": ["sample"]},
    }


def _item(spec: KeySpec) -> Schema:
    """What an item of a list of words can be."""
    if spec.choices:
        return {"enum": list(spec.choices)}
    if spec.name in ("variations", "names", "one_at_a_time", "crossed"):
        # A project has variations of its own, so any name fits.
        name = f"{NAME_PATTERN}(@{NAME_PATTERN})?"
        return {"type": "string", "pattern": rf"^{name}(\+{name})*$"}
    if spec.name == "goal_styles":
        return {"type": "string", "pattern": f"^(?!{OWN_WORDS}:){GOAL_STYLE_PATTERN}$"}
    if spec.name == "starts":
        return {"type": "string", "pattern": r"^\S.*@[1-9]\d*$"}
    if spec.name == "languages":
        return {"type": "string", "pattern": f"^({keys.DEFAULT_WORD}|{LOCALE_PATTERN})$"}
    return _word()


def _word() -> Schema:
    return {"type": _SCALAR, "pattern": r"\S"}


def _list(item: Schema, *, unique: bool = False) -> Schema:
    return {"type": "array", "items": item, "minItems": 1, "uniqueItems": unique}


def _one_or_list(item: Schema, *, unique: bool = False) -> Schema:
    return {"anyOf": [item, _list(item, unique=unique)]}
