"""The content provider of an app as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from collector.virtual.shell.providers.table import BadPathError, ContentTable, Matches, Row

if TYPE_CHECKING:
    from collector.virtual.shell.machine import Machine

_DELETE = "delete"
"""How an app is told to delete rows: their numbers come as JSON."""


class AppTable(ContentTable):
    """``AUTHORITY/PATH`` of an installed app."""

    def __init__(self, machine: Machine, authority: str, path: str) -> None:
        self._components, self._authority, self._path = machine.phone.services.components, authority, path

    def rows(self) -> list[Row]:
        rows = self._components.query(self._authority, self._path)
        if rows is None:
            address = f"content://{self._authority}/{self._path}"
            raise BadPathError(f"java.lang.IllegalArgumentException: Unknown URI {address}")
        return rows

    def delete(self, matches: Matches) -> None:
        gone = [number for number, row in enumerate(self.rows()) if matches(row)]
        self._components.call(self._authority, _DELETE, json.dumps(gone))

    def call(self, method: str, argument: str, extras: Mapping[str, str]) -> str:
        del extras
        return self._components.call(self._authority, method, argument) or "null"
