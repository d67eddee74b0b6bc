"""The files of a program that its command names, whether they are there, and what its Python files import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from collector.agents.kinds import NotInstalledHere
from collector.agents.process.program_options import PYTHON, ProgramOptions
from collector.host.programs import find_program
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project

_MOST = 200
"""Files of one program that are looked at."""
_LONGEST = 200_000
"""Bytes of a Python file in which imports are searched."""
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<dots>\.{0,9})(?P<module>[\w.]{0,200})[ \t]+import[ \t]+"
    rb"(?P<names>\([^)]{0,2000}\)|[^\n#;(]{1,2000})|import[ \t]+(?P<modules>[^\n#;]{1,2000}))",
    re.MULTILINE,
)
_NAME = re.compile(r"[\w.]+")
_INTERPRETER = re.compile(
    r"python[\d.]*w?|py|node|deno|bun|bash|sh|zsh|ruby|perl|java|lua|php|rscript|julia|uv"
)
_SCRIPTS = (
    ".py", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".sh", ".rb", ".pl", ".jar", ".lua", ".php", ".r", ".jl",
)  # fmt: skip
_NO_FILE = ("-c", "-e", "-m", "--eval")
"""Options of interpreters after which no file follows."""


def program_files(options: ProgramOptions, project: Project | None) -> tuple[Path, ...]:
    """The files that decide how a program acts, sorted. Raises UserError when its folder cannot be used.

    Only files in the program's folder and below count, also where links lead: an interpreter, or what is
    installed, has its version. The project may be a stranger's and its program not trusted yet, so imports
    are searched as text: Python's own parser can be made to end the process.
    """
    folder = options.folder(project)
    found: dict[Path, None] = {}
    waiting = list(_named(options.command, folder))
    while waiting and len(found) < _MOST:
        path = waiting.pop()
        if path not in found and path.resolve().is_relative_to(folder):
            found[path] = None
            waiting += _imported(path, folder)
    return tuple(sorted(found))


def require_program(options: ProgramOptions, project: Project | None) -> None:
    """Raise UserError for a program file that is not there, NotInstalledHere for an unknown program."""
    folder, program = options.folder(project), options.command[0]
    what = _("The agent's program {command} cannot be started", command=options.text)
    named = program if "/" in program or os.sep in program else _script_of(options.command)
    if named and not _is_file(folder / named):
        why = _(
            "there is no file {file} in {folder}", file=named, folder=options.cwd or _("the project's folder")
        )
        raise UserError(what, why, _("Correct `command`, or `cwd`, in which it is looked for"))
    if program != PYTHON and named != program and find_program(program) is None:
        why = _("{program} is not installed, or not in PATH", program=program)
        to_do = _("Install it, or write its whole path; only `--executor ray` can do without it here")
        raise NotInstalledHere(what, why, to_do)


def _script_of(command: tuple[str, ...]) -> str:
    """The file that an interpreter runs; empty when that cannot be told from its words."""
    if not _INTERPRETER.fullmatch(Path(command[0]).stem.lower()) and command[0] != PYTHON:
        return ""
    for word in command[1:]:
        if word in _NO_FILE:
            return ""
        if not word.startswith("-") and Path(word).suffix.lower() in _SCRIPTS:
            return word
    return ""


def _named(command: tuple[str, ...], folder: Path) -> Iterator[Path]:
    for before, word in zip(("", *command), command, strict=False):
        if before == "-m":
            yield from _module(word.split("."), folder)
        elif _is_file(folder / word):
            yield folder / word


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a word that is too long for a name, or holds a zero byte
        return False


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    """The modules in ``folder`` or beside ``path`` that a Python file imports."""
    if path.suffix != ".py":
        return
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST)
    except OSError:
        return
    for match in _IMPORT.finditer(text):
        module, listed = _words(match["module"]), _words(match["names"] or match["modules"])
        prefix = ".".join(module)
        names = [*module, *(f"{prefix}.{name}".strip(".") for name in listed)]
        base = path.parents[min(max(0, len(match["dots"] or b"") - 1), len(path.parents) - 1)]
        for name in dict.fromkeys(names):
            for place in dict.fromkeys((base, folder)):
                yield from _module(name.split("."), place)


def _words(text: bytes | None) -> list[str]:
    return _NAME.findall((text or b"").decode("utf-8", "replace"))


def _module(parts: list[str], folder: Path) -> Iterator[Path]:
    """The files of a module below ``folder``: those of the packages around it, and its own."""
    place = folder
    for part in parts:
        if _is_file(file := place / f"{part}.py"):
            yield file
            return
        place = place / part
        for name in ("__init__.py", "__main__.py"):
            if _is_file(place / name):
                yield place / name
