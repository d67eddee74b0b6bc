"""The keys of an app's configuration, and which of them nobody asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collector.exchange.openapps.composition import PLUS

_HIDDEN = ("database_path", "otp_url")
"""Where OpenApps keeps its files, and a server of its own: no content of an app."""
_LONGEST = 60
MOST_RECORDS = 5000
"""Records of an app that a phone keeps."""


class ReadKeys:
    """Values of a nested mapping by their path, such as ``style.colors.text``."""

    def __init__(
        self, values: Mapping[str, Any], usual: Mapping[str, Any] | None = None,
        own: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """What a file does not set itself counts as read: ``own`` are the keys of it, all without it. So do
        values as in ``usual``, which is the app as it is by default."""
        self._values, self._usual = _flat(values), _flat(usual or {})
        self._unchanged = {
            path for path, value in self._values.items() if value == self._usual.get(path, object)
        }  # fmt: skip
        written = None if own is None else {path.replace(PLUS, "") for path in _flat(own)}
        self._read = set(self._unchanged)
        self._read.update(path for path in self._values if written is not None and path not in written)
        self._lost: dict[str, list[str]] = {}

    def get(self, path: str) -> Any:
        """The value of a path, None without one. A mapping is only found by the paths of its values."""
        self._read.add(path)
        return self._values.get(path)

    def changed(self, path: str) -> Any:
        """The value of a path when it is another than usual; else None."""
        value = self.get(path)
        return None if value == self._usual.get(path) else value

    def usual(self, path: str) -> Any:
        """The usual value of a path."""
        return self._usual.get(path)

    def text(self, path: str) -> str:
        """The text of a path, without spaces around it; empty for anything else."""
        value = self.get(path)
        return value.strip() if isinstance(value, str) else ""

    def rows(self, path: str) -> list[Any]:
        """The list of a path, as many items as a phone keeps; empty for anything else."""
        value = self.get(path)
        rows = value if isinstance(value, list) else []
        if len(rows) > MOST_RECORDS:
            self.lose(path, f"{len(rows) - MOST_RECORDS:,} > {MOST_RECORDS:,}")
        return rows[:MOST_RECORDS]

    def mappings(self, path: str, *names: str, needed: Iterable[str] = ()) -> list[Mapping[str, Any]]:
        """The mappings of a list that have all ``needed`` keys. What is none, and keys that are not among
        ``names``, are lost."""
        found = []
        for row in self.rows(path):
            if isinstance(row, Mapping) and all(row.get(name) not in (None, "") for name in needed):
                found.append(row)
                for name in row.keys() - set(names):
                    self.lose(f"{path}.{name}", row[name])
            else:
                self.lose(path, row)
        return found

    def lose(self, path: str, value: object) -> None:
        """Note a value that has no counterpart, unless it is so by default; those of a path make one line."""
        list_path = path.partition("[")[0]
        if not self._unchanged.isdisjoint({list_path, list_path.rpartition(".")[0]}):
            return
        values = self._lost.setdefault(path, [])
        if value not in (None, "", [], {}) and str(value) not in values:
            values.append(str(value))

    def below(self, path: str, ending: str = "") -> dict[str, Any]:
        """The values below a path whose path ends so. They count as read; the key is the rest of the path."""
        found = {
            name: value for name, value in self._values.items()
            if name.startswith(f"{path}.") and name.endswith(ending)
        }  # fmt: skip
        self._read.update(found)
        return {name.removeprefix(f"{path}."): value for name, value in found.items()}

    def unread(self) -> Iterator[tuple[str, str]]:
        """The paths that nobody asked for, each with its value in short."""
        unread = {
            path: str(value) for path, value in self._values.items()
            if path not in self._read and path not in _HIDDEN and value not in (None, "", [], {})
        }  # fmt: skip
        lost = {path: ", ".join(values) for path, values in self._lost.items() if values}
        for path, text in {**unread, **lost}.items():
            shown = " ".join(text.split())
            yield path, shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


def _flat(values: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping) and value:
            flat.update(_flat(value, f"{path}."))
        else:
            flat[path] = value
    return flat
