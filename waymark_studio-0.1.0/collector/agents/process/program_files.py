"""The files of a program that its command names, and the modules beside them that its Python files import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from collector.agents.process.program_options import ProgramOptions
from collector.store.project.project import Project

_MOST = 500
"""Files of one program that are looked at."""
_LONGEST = 1_000_000
"""Bytes of a Python file whose imports are read."""


def program_files(options: ProgramOptions, project: Project | None) -> tuple[Path, ...]:
    """The files that decide how a program acts, sorted. Raises UserError when its folder cannot be used.

    Only files in the program's folder and below count: an interpreter, or what is installed, has its version.
    """
    folder = options.folder(project)
    found: dict[Path, None] = {}
    waiting = list(_named(options.command, folder))
    while waiting and len(found) < _MOST:
        path = waiting.pop()
        if path not in found:
            found[path] = None
            waiting += _imported(path, folder)
    return tuple(sorted(found))


def _named(command: tuple[str, ...], folder: Path) -> Iterator[Path]:
    for before, word in zip(("", *command), command, strict=False):
        path = folder / word
        if before == "-m":
            yield from _module(word.split("."), folder)
        elif _is_file(path) and path.resolve().is_relative_to(folder):
            yield path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a word that is too long for a name
        return False


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    """The modules in ``folder`` or beside ``path`` that a Python file imports."""
    if path.suffix != ".py":
        return
    try:
        if path.stat().st_size > _LONGEST:
            return
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return  # it is known by its contents; what it imports, nobody can say
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names, base = [alias.name for alias in node.names], path.parent
        elif isinstance(node, ast.ImportFrom):
            base = path.parents[max(0, min(node.level, len(path.parents)) - 1)]
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}".strip(".") for alias in node.names)]
        else:
            continue
        for name in filter(None, names):
            for place in dict.fromkeys((base, folder)):
                yield from _module(name.split("."), place)


def _module(parts: list[str], folder: Path) -> Iterator[Path]:
    """The files of a module below ``folder``: those of the packages around it, and its own."""
    place = folder
    for part in parts:
        if (file := place / f"{part}.py").is_file():
            yield file
            return
        place = place / part
        for name in ("__init__.py", "__main__.py"):
            if (place / name).is_file():
                yield place / name
