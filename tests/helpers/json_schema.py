"""Validate the subset of JSON Schema 2020-12 that our schemas use; any other keyword is an error."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
_NOTES = {"$schema", "$id", "$defs", "title", "description", "default", "examples"}
_KNOWN = _NOTES | {
    "$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "minimum", "maximum", "anyOf", "allOf", "if", "then", "else", "not", "pattern", "uniqueItems",
    "dependentRequired", "minProperties",
}  # fmt: skip


def fits(value: Any, schema: dict[str, Any] | bool, root: dict[str, Any] | None = None) -> bool:
    """Whether ``value`` is valid. Raises AssertionError for an unsupported keyword."""
    if isinstance(schema, bool):
        return schema
    root = root if root is not None else schema
    assert schema.keys() <= _KNOWN, schema.keys() - _KNOWN
    if "$ref" in schema and not fits(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root):
        return False
    if "type" in schema and not _is_one(value, schema["type"]):
        return False
    if ("enum" in schema and value not in schema["enum"]) or ("const" in schema and value != schema["const"]):
        return False
    if "anyOf" in schema and not any(fits(value, subschema, root) for subschema in schema["anyOf"]):
        return False
    if not all(fits(value, subschema, root) for subschema in schema.get("allOf", ())):
        return False
    if "not" in schema and fits(value, schema["not"], root):
        return False
    if "if" in schema:
        branch = schema.get("then" if fits(value, schema["if"], root) else "else", {})
        if not fits(value, branch, root):
            return False
    return _inside(value, schema, root)


def _is_one(value: Any, types: str | list[str]) -> bool:
    names = [types] if isinstance(types, str) else types
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names)


def _inside(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        if len(value) < schema.get("minProperties", 0):
            return False
        needed = [*schema.get("required", ())]
        for name, others in schema.get("dependentRequired", {}).items():
            needed += others if name in value else []
        if not all(name in value for name in needed):
            return False
        return all(
            fits(member, properties[key], root)
            if key in properties
            else rest is True or (rest and fits(member, rest, root))
            for key, member in value.items()
        )
    if isinstance(value, list):
        count = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        if schema.get("uniqueItems") and any(item in value[:at] for at, item in enumerate(value)):
            return False
        return count and all(fits(element, schema.get("items", {}), root) for element in value)
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True
