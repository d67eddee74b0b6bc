"""The current record: its line and its fields, each made from the other when it is needed."""

from __future__ import annotations

import re

from collector.virtual.shell.awk.expressions import compiled


class Record:
    """``$0`` and its fields."""

    def __init__(self) -> None:
        self._line: str | None = ""
        self._fields: list[str] = []

    def set_line(self, line: str, separator: str) -> None:
        """Begin a record."""
        self._line = line
        self._fields = self.split(line, separator)

    @staticmethod
    def split(line: str, separator: str, *, is_regex: bool = False) -> list[str]:
        """The fields of a line."""
        if not line:
            return []
        if separator == " " and not is_regex:
            return line.strip(" \t\n").split() if line.isascii() else re.findall(r"[^ \t\n]+", line)
        if not separator:
            return list(line)
        if len(separator) == 1 and not is_regex:
            return re.split(r"[\t\n]" if separator == "\t\n" else re.escape(separator), line)
        fields, at = [], 0
        for match in compiled(separator).finditer(line):
            if match.end() > match.start():
                fields.append(line[at : match.start()])
                at = match.end()
        return [*fields, line[at:]]

    def line(self, output: str) -> str:
        """The whole record, joined by ``output`` after a field changed."""
        if self._line is None:
            self._line = output.join(self._fields)
        return self._line

    def count(self) -> int:
        """``NF``."""
        return len(self._fields)

    def set_count(self, count: int) -> None:
        """Set ``NF``: drop fields or add empty ones."""
        count = max(0, count)
        self._fields = (self._fields + [""] * (count - len(self._fields)))[:count]
        self._line = None

    def field(self, place: int, output: str) -> str:
        """A field from 1, or the record for 0; empty beyond the last."""
        if not place:
            return self.line(output)
        return self._fields[place - 1] if place <= len(self._fields) else ""

    def set_field(self, place: int, value: str, separator: str) -> None:
        """Change a field or the record."""
        if not place:
            self.set_line(value, separator)
            return
        if place > len(self._fields):
            self.set_count(place)
        self._fields[place - 1] = value
        self._line = None
