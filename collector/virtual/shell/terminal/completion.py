"""Complete the word at the caret of a command line: commands and paths, as mksh does."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from collector.virtual.shell import registry
from collector.virtual.shell.machine import Machine

_BREAKS = " \t\n|&;<>()"
_SPECIAL = re.compile(r"([\s\\\"'`$&|;<>()*?\[\]#~=!{}])")
_BEFORE_COMMAND = re.compile(r"(^|[|&;(`]|\$\(|\b(then|do|else|exec|command|time|nohup)\s)\s*$")
_OWN_WORDS = ("case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
              "then", "time", "until", "while")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Completion:
    """The word from ``start`` to the caret: what it becomes, and all that it could become."""

    start: int
    text: str
    candidates: tuple[str, ...] = ()


def complete_word(
    machine: Machine, directory: str, functions: Iterable[str], text: str, caret: int
) -> Completion:
    """Complete the word that ends at the caret."""
    start = _word_start(text[:caret])
    word = re.sub(r"\\(.)", r"\1", text[start:caret])
    is_command = "/" not in word and bool(_BEFORE_COMMAND.search(text[:start]))
    if is_command:
        # The programs include main classes of jars, which no command line starts by their names.
        programs = (name for name in machine.programs if "." not in name)
        names = {*registry.names(), *programs, *functions, *_OWN_WORDS}
        found = sorted(name for name in names if name.startswith(word))
        shown = tuple(found)
    else:
        found = _paths(machine, directory, word)
        shown = tuple(posixpath.basename(path.rstrip("/")) + "/" * path.endswith("/") for path in found)
    if not found:
        return Completion(start, text[start:caret])
    common = posixpath.commonprefix(found)
    escaped = _SPECIAL.sub(r"\\\1", common)
    if len(found) == 1 and not common.endswith("/"):
        escaped += " "
    return Completion(start, escaped if len(common) >= len(word) else text[start:caret], shown)


def _word_start(text: str) -> int:
    start = len(text)
    while start and (text[start - 1] not in _BREAKS or text[start - 2 : start - 1] == "\\"):
        start -= 1
    return start


def _paths(machine: Machine, directory: str, word: str) -> list[str]:
    """Paths that begin as the word; those of folders end with a slash."""
    folder, slash, name = word.rpartition("/")
    place = folder + slash if word.startswith("/") else f"{directory.rstrip('/')}/{folder}"
    try:
        entries = machine.files.list(place or "/")
    except OSError:
        return []
    found = []
    for entry_name, entry in entries:
        if entry_name.startswith(name) and (name or not entry_name.startswith(".")):
            is_folder = entry.is_directory or (
                entry.is_link and _is_folder(machine, f"{place.rstrip('/')}/{entry_name}")
            )
            found.append(f"{folder}{slash}{entry_name}" + "/" * is_folder)
    return found


def _is_folder(machine: Machine, path: str) -> bool:
    try:
        return machine.files.entry(path).is_directory
    except OSError:
        return False
