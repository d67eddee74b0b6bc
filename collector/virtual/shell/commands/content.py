"""``content``: the provider of the settings, as rows of names and values."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.system.settings import NAMESPACES

_URI = re.compile(r"content://([\w.]+)(?:/(\w+))?(?:/([\w.]+))?")
_WHERE = re.compile(r"\s*name\s*=\s*(?:'([^']*)'|\"([^\"]*)\")\s*")
_USAGE = (
    "usage: adb shell content [subcommand] [options]\n\n"
    "usage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]\n"
    "  <BINDING> binds a typed value to a column and is formatted:\n"
    "  <COLUMN_NAME>:<TYPE>:<COLUMN_VALUE> where:\n"
    "usage: adb shell content update --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content delete --uri <URI> [--user <USER_ID>] --bind <BINDING> [--where <WHERE>]\n"
    "usage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] "
    "[--where <WHERE>]\n"
)


@command("content")
def content(process: Process) -> int:
    """``query|insert|update|delete --uri content://settings/NAMESPACE``."""
    words = process.arguments
    run = _ACTIONS.get(words[0]) if words else None
    if run is None:
        process.err(_error(f"Unsupported operation: {words[0]}") + _USAGE if words else _USAGE)
        return 0 if not words else 1
    options, bound = _options(words[1:])
    match = _URI.fullmatch(options.get("--uri", ""))
    if match is None:
        process.err(_error("Content provider URI not specified. Did you specify --uri argument?") + _USAGE)
        return 1
    if match[1] != "settings":
        reason = f"java.lang.IllegalStateException: Could not find provider: {match[1]}"
        raise CommandError(f"Error while accessing provider:{match[1]}\n{reason}", 1)
    if match[2] not in NAMESPACES:
        reason = f"java.lang.IllegalArgumentException: Bad root path: {match[2]}"
        raise CommandError(f"Error while accessing provider:settings\n{reason}", 1)
    clause = _WHERE.fullmatch(options.get("--where", ""))
    key = match[3] or bound.get("name") or (clause and (clause[1] or clause[2])) or ""
    return run(process, match[2], key, bound.get("value"), options.get("--projection", ""))


def _error(reason: str) -> str:
    return f"[ERROR] {reason}\n\n"


def _options(words: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Options by name, and the values bound to columns."""
    options: dict[str, str] = {}
    bound: dict[str, str] = {}
    for name, value in pairwise(words):
        if name == "--bind":
            column, _kind, text = (*value.split(":", 2), "", "")[:3]
            bound[column] = text
        elif name.startswith("--"):
            options[name] = value
    return options, bound


def _query(process: Process, namespace: str, key: str, value: str | None, projection: str) -> int:
    del value
    rows = [
        {"_id": str(number), "name": name, "value": text, "is_preserved_in_restore": "NULL"}
        for number, (name, text) in enumerate(process.machine.phone.settings.list(namespace).items(), 1)
        if key in ("", name)
    ]
    columns = projection.split(":") if projection else ["_id", "name", "value", "is_preserved_in_restore"]
    for number, row in enumerate(rows):
        cells = ", ".join(f"{column}={row[column]}" for column in columns if column in row)
        process.line(f"Row: {number} {cells}")
    if not rows:
        process.line("No result found.")
    return 0


def _put(process: Process, namespace: str, key: str, value: str | None, projection: str) -> int:
    del projection
    if key and value is not None:
        process.machine.phone.settings.put(namespace, key, value)
    return 0


def _update(process: Process, namespace: str, key: str, value: str | None, projection: str) -> int:
    """Change an existing key; a missing one is not created."""
    if process.machine.phone.settings.get(namespace, key) is None:
        return 0
    return _put(process, namespace, key, value, projection)


def _delete(process: Process, namespace: str, key: str, value: str | None, projection: str) -> int:
    del value, projection
    process.machine.phone.settings.delete(namespace, key)
    return 0


_ACTIONS: dict[str, Callable[[Process, str, str, str | None, str], int]] = {
    "delete": _delete,
    "insert": _put,
    "query": _query,
    "update": _update,
}
