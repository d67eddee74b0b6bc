"""``content``: query and change the rows of content providers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from collector.virtual.shell.process import Process
from collector.virtual.shell.providers.table import BadPathError, ContentTable, Matches, Row
from collector.virtual.shell.providers.tables import open_table
from collector.virtual.shell.registry import command

_URI = re.compile(r"content://(?:\d+@)?([\w.]+)((?:/[^/?#]+)*)/?(?:\?.*)?")
_TERM = re.compile(
    r"\(?\s*([\w.]+)\s*(=|==|!=|<>|<=|>=|<|>|\blike\b|\bis not\b|\bis\b)\s*"
    r"('(?:[^']|'')*'|\"[^\"]*\"|-?[\w.+%]+)\s*\)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+and\s+(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*$)", re.IGNORECASE)
_WITH_VALUE = frozenset(
    {"--uri", "--user", "--bind", "--projection", "--where", "--sort", "--method", "--arg", "--extra"}
)
_USAGE = (
    "usage: adb shell content [subcommand] [options]\n\n"
    "usage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]\n"
    "  <BINDING> binds a typed value to a column and is formatted:\n"
    "  <COLUMN_NAME>:<TYPE>:<COLUMN_VALUE> where:\n"
    "usage: adb shell content update --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content delete --uri <URI> [--user <USER_ID>] --bind <BINDING> [--where <WHERE>]\n"
    "usage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] "
    "[--where <WHERE>] [--sort <SORT_ORDER>]\n"
    "usage: adb shell content call --uri <URI> --method <METHOD> [--arg <ARG>] [--extra <BINDING> ...]\n"
    "usage: adb shell content read --uri <URI> [--user <USER_ID>]\n"
    "usage: adb shell content gettype --uri <URI> [--user <USER_ID>]\n"
)

_STACK = (
    "\tat com.android.commands.content.Content$Command.execute(Content.java:496)\n"
    "\tat com.android.commands.content.Content.main(Content.java:713)"
)


class _UsageError(Exception):
    """Words that are no call; ``content`` says so on its output, and its status is 0 all the same."""


@dataclass(frozen=True, slots=True)
class _Request:
    """The options of one call."""

    values: dict[str, str] = field(default_factory=dict)
    bound: dict[str, str] = field(default_factory=dict)
    extras: dict[str, str] = field(default_factory=dict)


@command("content")
def content(process: Process) -> int:
    """``query|insert|update|delete|call|read|gettype --uri content://AUTHORITY/PATH``. Its status is 0."""
    words = process.arguments
    run = _ACTIONS.get(words[0]) if words else None
    try:
        if run is None:
            raise _UsageError(f"Unsupported operation: {words[0] if words else 'null'}")
        request = _read_options(words[1:])
        match = _URI.fullmatch(request.values.get("--uri", ""))
        if match is None:
            raise _UsageError("Content provider URI not specified. Did you specify --uri argument?")
    except _UsageError as error:
        process.line(f"{_USAGE}\n[ERROR] {error}")
        return 0
    authority = match[1]
    try:
        table = open_table(
            process.machine, authority, tuple(match[2].strip("/").split("/")) if match[2] else ()
        )
        if table is None:
            raise BadPathError(f"java.lang.IllegalStateException: Could not find provider: {authority}")
        run(process, table, request)
    except BadPathError as error:
        process.err(f"Error while accessing provider:{authority}\n{error}\n{_STACK}")
    return 0


def _read_options(words: list[str]) -> _Request:
    request, rest = _Request(), list(words)
    while rest:
        name = rest.pop(0)
        if name not in _WITH_VALUE:
            raise _UsageError(f"Unsupported argument: {name}")
        if not rest:
            raise _UsageError(f"No value for argument: {name}")
        value = rest.pop(0)
        if name in ("--bind", "--extra"):
            column, _kind, text = (*value.split(":", 2), "", "")[:3]
            (request.bound if name == "--bind" else request.extras)[column] = text
        else:
            request.values[name] = value
    return request


# ---- where and sort ---------------------------------------------------------------------------------


def _condition(text: str) -> Matches:
    """Read a WHERE of comparisons joined by AND; what SQLite takes beyond that is refused."""
    terms = []
    for part in _AND.split(text.strip()) if text.strip() else []:
        match = _TERM.fullmatch(part.strip())
        if match is None:
            raise BadPathError(
                f'android.database.sqlite.SQLiteException: near "{part.strip()}": syntax error '
                f"(code 1 SQLITE_ERROR): , while compiling: SELECT * WHERE ({text})"
            )
        terms.append((match[1], match[2].lower(), match[3]))

    def matches(row: Row) -> bool:
        return all(_holds(row, *term) for term in terms)

    return matches


def _holds(row: Row, column: str, operator: str, literal: str) -> bool:
    if column not in row:
        raise BadPathError(
            f"android.database.sqlite.SQLiteException: no such column: {column} (code 1 SQLITE_ERROR)"
        )
    value = row[column]
    if literal.lower() == "null":
        return (value is None) == (operator in ("is", "=", "=="))
    if value is None:
        return False
    wanted = literal[1:-1].replace("''", "'") if literal[0] in "'\"" else literal
    if operator == "like":
        pattern = re.escape(wanted).replace("%", ".*").replace("_", ".")
        return re.fullmatch(pattern, value, re.IGNORECASE | re.DOTALL) is not None
    left, right = _comparable(value), _comparable(wanted)
    if operator in ("=", "==", "is"):
        return left == right
    if operator in ("!=", "<>", "is not"):
        return left != right
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _comparable(text: str) -> tuple[int, float, str]:
    """Numbers sort before texts, as in SQLite."""
    try:
        return (0, float(text), "")
    except ValueError:
        return (1, 0.0, text)


def _sorted(rows: list[Row], order: str) -> list[Row]:
    for part in reversed(order.split(",") if order else []):
        column, _space, way = part.strip().partition(" ")
        rows = sorted(
            rows, key=lambda row: _comparable(row.get(column) or ""), reverse=way.strip().lower() == "desc"
        )
    return rows


# ---- verbs ------------------------------------------------------------------------------------------


def _query(process: Process, table: ContentTable, request: _Request) -> None:
    matches = _condition(request.values.get("--where", ""))
    rows = _sorted([row for row in table.rows() if matches(row)], request.values.get("--sort", ""))
    projection = request.values.get("--projection", "")
    for number, row in enumerate(rows):
        columns = projection.split(":") if projection else list(row)
        if unknown := [column for column in columns if column not in row]:
            raise BadPathError(f"java.lang.IllegalArgumentException: Invalid column {unknown[0]}")
        cells = ", ".join(f"{name}={'NULL' if row[name] is None else row[name]}" for name in columns)
        process.line(f"Row: {number} {cells}")
    if not rows:
        process.line("No result found.")


def _insert(process: Process, table: ContentTable, request: _Request) -> None:
    del process
    table.insert(request.bound)


def _update(process: Process, table: ContentTable, request: _Request) -> None:
    del process
    table.update(request.bound, _condition(request.values.get("--where", "")))


def _delete(process: Process, table: ContentTable, request: _Request) -> None:
    del process
    table.delete(_condition(request.values.get("--where", "")))


def _call(process: Process, table: ContentTable, request: _Request) -> None:
    values = request.values
    result = table.call(values.get("--method", ""), values.get("--arg", ""), request.extras)
    process.line(f"Result: {result}")


def _read(process: Process, table: ContentTable, request: _Request) -> None:
    """Print the file behind a row of media; no other provider of this phone has files."""
    path = next((row["_data"] for row in table.rows() if row.get("_data")), None)
    if path is None:
        uri = request.values["--uri"]
        raise BadPathError(f"java.io.FileNotFoundException: No files supported by provider at {uri}")
    process.stdout.write(process.machine.files.read(path))


def _type(process: Process, table: ContentTable, request: _Request) -> None:
    rows = table.rows()
    is_one = request.values["--uri"].rstrip("/").rpartition("/")[2].isdecimal()
    media = rows[0].get("mime_type") if is_one and rows else None
    process.line(f"Result: {media or 'vnd.android.cursor.' + ('item' if is_one else 'dir') + '/*'}")


_ACTIONS: dict[str, Callable[[Process, ContentTable, _Request], None]] = {
    "call": _call,
    "delete": _delete,
    "gettype": _type,
    "insert": _insert,
    "query": _query,
    "read": _read,
    "update": _update,
}
