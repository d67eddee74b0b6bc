"""Tables of the rule reference, from the grammar and the codes of the linter; and the published schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import tables

from collector.located_yaml.codes import CODES
from collector.rules.grammar.condition_types import condition_specs
from collector.rules.grammar.json_schema import schema_of
from collector.rules.grammar.model import INJECTION, KINDS, STATE, SUCCESS
from collector.rules.grammar.specs import ANY_OF, INJECTION_FIELDS, RULE_SPECS, FieldSpec

SCHEMAS = tables.ROOT / "docs" / "schema"
READ_BY = {
    "injection": "D-GARA's rule engine and Waymark",
    "success": "D-GARA's success validator and Waymark",
    "waymark": "Waymark alone",
}
KIND_TITLES = {INJECTION: "Injection rules", SUCCESS: "Success rules", STATE: "Essential states"}
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
    rows = [(f"`{spec.code}`", f"`{spec.name}`", spec.severity, spec.doc) for spec in CODES.values()]
    return tables.table(("Code", "Name", "Weight", "What is found"), rows)


def schemas() -> Iterator[tuple[Path, str]]:
    """The files under ``docs/schema`` and what belongs in them."""
    for kind in ("", *KINDS):
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
        yield SCHEMAS / f"{kind or 'rules'}.schema.json", text


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
