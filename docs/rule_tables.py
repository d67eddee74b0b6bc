"""Tables of the rule reference, from the grammar and the codes of the linter; and the published schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import tables

from collector.agents.registry import BUILT_IN, agent_kind
from collector.located_yaml.codes import CODES, CodeSpec
from collector.model.app_data.collections import COLLECTIONS, FREE
from collector.project_health.health import HEALTH_CODES
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.json_schema import schema_of
from collector.rules.grammar.model import INJECTION, KINDS, SAFETY, STATE, SUCCESS
from collector.rules.grammar.specs import ANY_OF, INJECTION_FIELDS, RULE_SPECS, FieldSpec
from collector.run.experiment import keys as experiment_tables
from collector.run.experiment.json_schema import experiment_schema
from collector.run.experiment.keys import KEYS, KeySpec
from collector.task_library.built_in_tasks import built_in_tasks as library_tasks
from collector.variations import keys as variation_tables
from collector.variations.registry import Variations

SCHEMAS = tables.ROOT / "docs" / "schema"
READ_BY = {
    "injection": "D-GARA's rule engine and Waymark",
    "success": "D-GARA's success validator and Waymark",
    "waymark": "Waymark alone",
}
KIND_TITLES = {
    INJECTION: "Injection rules",
    SUCCESS: "Success rules",
    STATE: "Essential states",
    SAFETY: "Safety rules",
}
VALUES = {
    "texts": "list of texts",
    "whole": "whole number",
    "share": "number from 0 to 1",
    "flag": "true or false",
    "region": "four whole numbers",
    "conditions": "list of conditions",
    "actions": "list of actions",
    "mapping": "mapping of answers",
    "state_ids": "list of ids",
    "state_id": "id of a state",
    "task_id": "id of a task",
    "anomaly_id": "id of an anomaly",
    "pattern": "regular expression",
    "record": "fields of a record",
}
EXPERIMENT_TITLES = {
    experiment_tables.EXPERIMENT: "The file",
    experiment_tables.SELECTION: "Tasks by a query",
    experiment_tables.AGENT: "An agent",
    experiment_tables.CONDITION: "A condition",
    experiment_tables.INJECTION: "One of several anomalies",
    experiment_tables.VARIATION_CHOICE: "A choice of variations",
    experiment_tables.SEED_RANGE: "A number of seeds",
    experiment_tables.PHONE: "Phones",
}
VARIATION_TITLES = {
    variation_tables.FILE: "The file",
    variation_tables.APPEARANCE: "The appearance of an app, or of all",
    variation_tables.CONTENT: "The content of an app, or of all",
    variation_tables.POP_UP: "A pop-up",
    variation_tables.BUTTON: "A button of a pop-up",
    variation_tables.NOISE: "The noise of an app, or of all",
    variation_tables.ORDER: "An order to the agent",
}
EXPERIMENT_VALUES = {
    "whole": "whole number",
    "words": "word or list of words",
    "flag": "true or false",
    "tasks": "`all`, list of ids, or a mapping",
    "agents": "list of kinds and mappings",
    "conditions": "list of words and mappings",
    "injections": "list of ids and mappings",
    "rules": "`all`, or list of ids",
    "variations": "word, list of words, or a mapping",
    "lists": "list of lists of words",
    "seeds": "list of whole numbers, or a mapping",
    "phones": "mapping",
    "size": "size",
}


def conditions() -> str:
    """A section for each condition type: what it says, who reads it, its keys, an example."""
    parts = []
    for spec in (*condition_specs().values(), ANY_OF):
        parts += [f"### {spec.type}", f"{spec.doc}. Read by {READ_BY[spec.origin]}.", _keys(spec.fields)]
        if spec.example:
            parts.append(f"```yaml\n{spec.example}\n```")
    return "\n\n".join(parts)


def keys() -> str:
    """The keys of each kind of rule, and of the actions of an injection rule."""
    parts = []
    for kind, spec in RULE_SPECS.items():
        parts += [f"### {KIND_TITLES[kind]}", _keys(spec.fields)]
    return "\n\n".join([*parts, "### Actions of an injection rule", _keys(INJECTION_FIELDS)])


def codes() -> str:
    """Every diagnostic of the linter."""
    return _code_table(spec for spec in CODES.values() if spec.name not in HEALTH_CODES.values())


def health_codes() -> str:
    """Every finding of ``waymark project health``."""
    return _code_table(CODES[name] for name in HEALTH_CODES.values())


def _code_table(specs: Iterable[CodeSpec]) -> str:
    rows = [(f"`{spec.code}`", f"`{spec.name}`", spec.severity, spec.doc) for spec in specs]
    return tables.table(("Code", "Name", "Weight", "What is found"), rows)


def schemas() -> Iterator[tuple[Path, str]]:
    """The files under ``docs/schema`` and what belongs in them."""
    for kind in ("", *KINDS):
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
        yield SCHEMAS / f"{kind or 'rules'}.schema.json", text
    schema = experiment_schema({kind: agent_kind(kind) for kind in BUILT_IN})
    yield SCHEMAS / "experiment.schema.json", json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def experiment_keys() -> str:
    """The keys of each mapping of an experiment."""
    parts = []
    for within, title in EXPERIMENT_TITLES.items():
        rows = [(f"`{key.name}`", _experiment_value(key), key.doc) for key in KEYS[within]]
        parts += [f"### {title}", tables.table(("Key", "Value", "Meaning"), rows)]
    return "\n\n".join(parts)


def variation_keys() -> str:
    """The keys of each mapping of a variation."""
    parts = []
    for within, title in VARIATION_TITLES.items():
        rows = [(f"`{key.name}`", _variation_value(key), key.doc) for key in variation_tables.KEYS[within]]
        parts += [f"### {title}", tables.table(("Key", "Value", "Meaning"), rows)]
    return "\n\n".join(parts)


def data_collections() -> str:
    """The collections of records that apps keep, with their fields."""
    parts = []
    for collection in COLLECTIONS:
        rows = [
            (f"`{field.name}`", field.type, _default_text(field.default), field.doc)
            for field in collection.fields
        ]
        named = f"People name a record by its `{collection.key}`."
        head = ("Field", "Type", "When nothing is entered", "Meaning")
        parts += [f"### `{collection.name}`", f"{collection.doc}. {named}", tables.table(head, rows)]
    return "\n\n".join(parts)


def _default_text(default: object) -> str:
    if default is FREE:
        return "any"
    if isinstance(default, bool):
        return "true" if default else "false"
    return str(default) if isinstance(default, int) else "empty"


def _variation_value(key: variation_tables.FileKey) -> str:
    words = [key.kind]
    if key.choices:
        words.append(", ".join(f"`{choice}`" for choice in key.choices))
    if key.kind == variation_tables.NUMBER:
        words.append(f"{key.lowest:g} to {key.highest:g}")
    if key.required:
        words.append("required")
    return "; ".join(words)


def built_in_variations() -> str:
    """The variations of the studio."""
    known = Variations()
    rows = [
        (f"`{name}`", ", ".join(known.factors(name)) or "-", file.text.description)
        for name in known.names
        if (file := known.file(name)) is not None
    ]
    return tables.table(("Name", "Changes", "Description"), rows)


def built_in_tasks() -> str:
    """The tasks of the studio."""
    rows = [(f"`{task.id}`", task.level, task.instruction) for task in library_tasks()]
    return tables.table(("Task", "Level", "What it asks for"), rows)


def _experiment_value(key: KeySpec) -> str:
    """What a value of an experiment is, with its range or choices, its default, or that it is needed."""
    words = [EXPERIMENT_VALUES.get(key.kind, key.kind)]
    if key.choices:
        words.append(", ".join(f"`{choice}`" for choice in key.choices))
    elif key.kind == experiment_tables.WHOLE:
        words.append(f"{key.lowest} to {key.highest}" if key.highest < 2**40 else f"from {key.lowest}")
    if key.required:
        words.append("required")
    elif key.default is not None:
        shown = ", ".join(map(str, key.default)) if isinstance(key.default, tuple) else key.default
        words.append(f"default `{str(shown).lower() if isinstance(shown, bool) else shown}`")
    return "; ".join(words)


def _keys(specs: Iterable[FieldSpec]) -> str:
    rows = [(_names(spec), VALUES.get(spec.kind, spec.kind), _default(spec), spec.doc) for spec in specs]
    return tables.table(("Key", "Value", "Default", "Meaning"), rows)


def _names(spec: FieldSpec) -> str:
    return ", ".join(f"`{name}`" for name in (spec.name, *spec.aliases))


def _default(spec: FieldSpec) -> str:
    if spec.required:
        return "required"
    if spec.default is None or spec.default == () or spec.default == "":
        return ""
    return f"`{str(spec.default).lower() if isinstance(spec.default, bool) else spec.default}`"
