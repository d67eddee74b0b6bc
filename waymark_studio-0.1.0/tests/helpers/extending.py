"""The examples of ``docs/extending.md``, by recipe, ready to be run."""

from __future__ import annotations

import re
import sys
import tomllib
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.scripts import ROOT

PAGE = ROOT / "docs" / "extending.md"
_BLOCK = re.compile(r"^```(python|toml|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Recipe:
    """One section of the page: its ``files`` by path, and its ``entry_points`` by group."""

    files: dict[str, str]
    entry_points: dict[str, dict[str, str]]


def recipe(title: str) -> Recipe:
    """The examples under the heading ``title``."""
    section = PAGE.read_text("utf-8").split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    files: dict[str, str] = {}
    entry_points: dict[str, dict[str, str]] = {}
    for language, text in _BLOCK.findall(section):
        if language == "toml":
            for group, entries in tomllib.loads(text)["project"]["entry-points"].items():
                entry_points.setdefault(group, {}).update(entries)
        else:
            first, body = text.split("\n", 1)
            files[first.removeprefix("# ")] = body
    return Recipe(files, entry_points)


@contextmanager
def installed(written: Recipe, folder: Path) -> Iterator[None]:
    """Install the files of a recipe as a package: importable, with its entry points."""
    packages = {path.split("/")[0] for path in written.files}
    for path, text in written.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    info = folder / "recipe-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: recipe\nVersion: 1.0\n", "utf-8")
    lines = [
        line
        for group, entries in written.entry_points.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] in packages]:
            del sys.modules[name]


def as_module(name: str, text: str) -> types.ModuleType:
    """Run ``text`` as the module ``name``; the caller removes it from ``sys.modules``."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, f"docs/extending.md:{name}", "exec"), module.__dict__)
    return module
