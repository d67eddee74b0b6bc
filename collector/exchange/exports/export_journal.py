"""What an export has written whole, kept beside it, so that an interrupted one goes on from there.

The journal is a file of JSON lines. A line names what a trajectory is about to make, or says that everything
made so far is whole. After an interruption, what was made behind the last whole point is removed.

What is made of all trajectories at once, such as a packed file, waits beside the export, in files that grow
with the trajectories, and is made of them in the end.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

_MAKES, _NAMES, _SIZES, _FINDINGS = "makes", "names", "sizes", "findings"
_WRITTEN, _MORE = "written", "more"
_WORK = "work"
"""The folder of the files that no reader of the export sees."""


@dataclass(frozen=True, slots=True)
class NotedFinding:
    """A call of :meth:`~collector.exchange.exchange_log.ExchangeLog.add` for a trajectory."""

    where: str
    code: str
    text: str
    step: str | None
    severity: str


class ExportJournal:
    """Of one export, whose files are at or below ``root``. One thread at a time."""

    def __init__(self, path: Path, root: Path) -> None:
        """Open the journal, and go on after the last whole point of an earlier one. Raises OSError."""
        self._path, self._root = path, root
        self._sizes: dict[str, int] = {}
        """Files that grow with the trajectories, relative to the root, and how long they are."""
        self._done = array("Q")
        """Digests of the names of the trajectories that are whole, sorted."""
        self._has_kept = False
        self._restore()
        self._file = path.open("ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()

    @property
    def has_any(self) -> bool:
        """Whether some trajectory is whole."""
        return self._has_kept

    def has(self, name: str) -> bool:
        """Whether an interrupted export wrote this trajectory whole."""
        digest = _digest(name)
        at = bisect_left(self._done, digest)
        return at < len(self._done) and self._done[at] == digest

    def entries(self) -> Iterator[tuple[list[str], int, list[NotedFinding]]]:
        """What was said of the trajectories that are whole, as :meth:`keep` got it."""
        for line in self._lines():
            if _NAMES in line:
                yield line[_WRITTEN], line[_MORE], [NotedFinding(*values) for values in line[_FINDINGS]]

    def beside(self, path: Path, name: str) -> Path:
        """A file for the work on ``path`` that is no part of it; it grows by :meth:`append`."""
        folder = self._root / _WORK / self._name(path)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def makes(self, path: Path) -> None:
        """Say that a file or folder is about to be made for a trajectory."""
        self._write({_MAKES: self._name(path)})

    def append(self, path: Path, data: bytes) -> None:
        """Add to a file that grows with the trajectories."""
        name = self._name(path)
        if name not in self._sizes:
            self.makes(path)
        with path.open("ab") as file:
            file.write(data)
            self._sizes[name] = file.tell()

    def keep(
        self, names: Sequence[str], written: Sequence[str], more: int, findings: Sequence[NotedFinding]
    ) -> None:
        """Say that everything made so far is whole, with the trajectories ``names``.

        The report names those in ``written``, which are names in the project, and counts ``more``.
        """
        said = [(note.where, note.code, note.text, note.step, note.severity) for note in findings]
        self._write({_NAMES: list(names), _SIZES: self._sizes, _WRITTEN: list(written), _MORE: more,
                     _FINDINGS: said})  # fmt: skip
        self._has_kept = True

    def _name(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The lines up to the first that is not whole."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            for raw in file:
                try:
                    line = json.loads(raw) if raw.endswith(b"\n") else None
                except ValueError:
                    line = None
                if not isinstance(line, dict):
                    return
                yield line

    def _restore(self) -> None:
        """Bring the files to the last whole point: cut those that grew, remove what was made behind it.

        Where one that grew is gone, nothing is whole.
        """
        made: list[str] = []
        for line in self._lines():
            if _MAKES in line:
                made.append(line[_MAKES])
            else:
                self._has_kept = True
                made.clear()
                self._sizes = line[_SIZES]
                self._done.extend(map(_digest, line[_NAMES]))
        self._done = array("Q", sorted(self._done))
        for name in made:
            if name not in self._sizes and (place := self._place(name)) is not None:
                remove(place)
        for name, size in self._sizes.items():
            place = self._place(name)
            if place is None:
                continue
            if not place.is_file() or place.stat().st_size < size:
                self._has_kept = False
                return
            with place.open("r+b") as file:
                file.truncate(size)

    def _place(self, name: str) -> Path | None:
        """Where a name of the journal is; None for one that leads out of the export: it was forged."""
        path = self._root / name
        parents = [folder for folder in path.parents if folder.is_relative_to(self._root)]
        is_inside = bool(parents) and ".." not in path.parts
        return path if is_inside and not any(place.is_symlink() for place in (path, *parents)) else None


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there and can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "big")
