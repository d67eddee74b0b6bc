"""What breaks files of a project as a whole: marks of a merge, keys and ids that stand there twice.

Everything else that a check would say of such a project may follow from them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from collector.located_yaml.codes import CODES
from collector.located_yaml.merge_marks import first_mark
from collector.located_yaml.source import YamlSource, read_source
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.files.findings import ERROR
from collector.store.files.layout import LINE_FILES, TASKS_FILE, TRAJECTORIES
from collector.store.project.project import Project

_KEY_TWICE = CODES["duplicate-key"].code
_FOLLOWING = ("task-unknown", "state-unknown")
"""Codes of findings in trajectories that may follow from a broken file of the project."""
_LARGEST = 4_000_000
"""Bytes of a file that is searched."""


def broken_files(project: Project, paths: Iterable[Path]) -> list[Finding]:
    """What breaks the given YAML and JSON files of a project, each with its line."""
    return [finding for path in paths for finding in _broken(project, path)]


def marked_trajectory(project: Project, folder: Path) -> list[Finding]:
    """The marks of a merge in the files of a trajectory that cannot be read."""
    paths = [path for path in folder.rglob("*.json*") if path.suffix == ".json" or path.name in LINE_FILES]
    texts = ((path, _text(path)) for path in sorted(paths))
    return [finding for path, text in texts for finding in _marks(project, path, text)]


def without_what_follows(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that do not follow from broken files: those about recordings themselves."""
    return (
        finding
        for finding in findings
        if finding.where.startswith(f"{TRAJECTORIES}/") and finding.code not in _FOLLOWING
    )


def _broken(project: Project, path: Path) -> Iterator[Finding]:
    text = _text(path)
    marks = _marks(project, path, text)
    yield from marks
    if marks or path.suffix.lower() == ".json":
        return
    name, source = project.paths.relative(path), read_source(text)
    yield from keys_twice(name, source)
    if name == TASKS_FILE:
        yield from _tasks_twice(source)


def keys_twice(name: str, source: YamlSource, lines: Container[int] | None = None) -> Iterator[Finding]:
    """The keys that stand twice in one mapping of a file, in some lines or in all."""
    for diagnostic in source.diagnostics:
        line = diagnostic.place.line
        if diagnostic.code == _KEY_TWICE and (lines is None or line in lines):
            yield Finding(diagnostic.code, ERROR, diagnostic.what, where=f"{name}:{line}")


def _marks(project: Project, path: Path, text: str) -> list[Finding]:
    """The first mark of a merge in a file."""
    mark = first_mark(text)
    if mark is None:
        return []
    where = f"{project.paths.relative(path)}:{mark.line}"
    return [Finding("conflict-marker", ERROR, mark.what, "", mark.to_do, where)]


def _tasks_twice(source: YamlSource) -> Iterator[Finding]:
    root = source.root
    tasks = root.get("tasks") if root is not None and root.kind == "mapping" else None
    seen: dict[str, int] = {}
    for entry in tasks.items if tasks is not None else ():
        name = entry.get("id") if entry.kind == "mapping" else None
        if name is None or name.kind != "scalar":
            continue
        first = seen.setdefault(name.text, name.place.line)
        if first != name.place.line:
            what = _("Task {id} is there twice; the first is in line {line}", id=name.text, line=first)
            to_do = _("Rename one of them, or delete it")
            yield Finding("task-twice", ERROR, what, "", to_do, f"{TASKS_FILE}:{name.place.line}")


def _text(path: Path) -> str:
    """The text of a file; empty when it cannot be read, which another finding says."""
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
