"""The code editor's whole state, as YAML shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from collector.virtual.ui.content import load, localized


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A saved file; ``path`` is like ``src/main.py``."""

    path: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class CodeEdit:
    """A change of a text: what was removed at a place, and what was inserted there."""

    start: int
    removed: str
    inserted: str


class TreeRow(NamedTuple):
    """A visible file or folder of the tree."""

    path: str
    depth: int
    is_folder: bool


@dataclass(frozen=True, slots=True)
class CodeState:
    """Files and folders, tabs and what is not saved, find and replace."""

    locale: str = "en-US"
    files: tuple[CodeFile, ...] = ()
    folders: tuple[str, ...] = ()
    """Paths of all folders, also of empty ones."""
    open_folders: tuple[str, ...] = ()
    """The folders whose content the tree shows."""
    tabs: tuple[str, ...] = ()
    active: str = ""
    """The path of the tab in front; empty without a tab."""
    edits: Mapping[str, str] = field(default_factory=dict)
    """The texts that are not saved, by path."""
    done: Mapping[str, tuple[CodeEdit, ...]] = field(default_factory=dict)
    """The changes of each file that can be taken back, oldest first."""
    undone: Mapping[str, tuple[CodeEdit, ...]] = field(default_factory=dict)
    """The changes that were taken back and can be made again, the next one last."""
    finding: bool = False
    replacing: bool = False
    find: str = ""
    replacement: str = ""
    match_case: bool = False
    match: int = 0
    """The chosen match in the active file."""
    sheet: str = ""
    """The open sheet or dialog: menu, item, new_file, new_folder, rename, delete, close or none."""
    target: str = ""
    """The path that the sheet is about; for a new file or folder the folder around it."""
    name: str = ""
    """The name typed in a dialog."""
    error: str = ""
    """What is wrong with the name: a word of the app's texts, or empty."""
    deleted_files: tuple[CodeFile, ...] = ()
    """What was deleted last, for undo."""
    deleted_folders: tuple[str, ...] = ()

    def saved_text(self, path: str) -> str | None:
        """The saved text of a file; None when there is no such file."""
        return next((file.text for file in self.files if file.path == path), None)

    def text(self, path: str) -> str:
        """The text of a file as its tab shows it."""
        return self.edits[path] if path in self.edits else self.saved_text(path) or ""

    def exists(self, path: str) -> bool:
        return path in self.folders or any(file.path == path for file in self.files)

    @property
    def matches(self) -> tuple[tuple[int, int], ...]:
        """The places (start, end) of the search text in the active file."""
        if not self.finding or not self.active:
            return ()
        return found_in(self.text(self.active), self.find, self.match_case)

    def rows(self) -> tuple[TreeRow, ...]:
        """The rows of the tree from top to bottom, folders before files."""
        return tuple(self._below("", 0))

    def _below(self, folder: str, depth: int) -> Iterator[TreeRow]:
        for path in sorted((path for path in self.folders if parent(path) == folder), key=str.casefold):
            yield TreeRow(path, depth, True)
            if path in self.open_folders:
                yield from self._below(path, depth + 1)
        files = (file.path for file in self.files if parent(file.path) == folder)
        for path in sorted(files, key=str.casefold):
            yield TreeRow(path, depth, False)


def parent(path: str) -> str:
    """The folder of a path; empty at the top."""
    return path.rpartition("/")[0]


def base(path: str) -> str:
    """The name at the end of a path."""
    return path.rpartition("/")[2]


def joined(folder: str, name: str) -> str:
    """The path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(folder + "/")


def found_in(text: str, words: str, match_case: bool) -> tuple[tuple[int, int], ...]:
    """The places (start, end) of ``words`` in ``text``, from top to bottom, none over another."""
    if not words:
        return ()
    pattern = re.compile(re.escape(words), 0 if match_case else re.IGNORECASE)
    return tuple(match.span() for match in pattern.finditer(text))


def fresh(seed: int, locale: str) -> CodeState:
    """The state of a newly installed app; the seed decides the numbers in the files."""
    content = load("code")
    numbers = {
        name: str(Random(f"{seed} {name}").randint(low, high))
        for name, (low, high) in content["numbers"].items()
    }
    files = []
    for row in content["files"]:
        text = row["text"] if isinstance(row["text"], str) else localized(row["text"], locale)
        for name, number in numbers.items():
            text = text.replace(f"<{name}>", number)
        files.append(CodeFile(row["path"], text))
    return CodeState(
        locale=locale,
        files=tuple(files),
        folders=tuple(content["folders"]),
        open_folders=tuple(content["open"]),
    )
