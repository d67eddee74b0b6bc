"""Cut a copy of the whole sample project down to one of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from collector.model.task import Task
from collector.store.files.disk import Disk
from collector.store.files.layout import CACHE, ProjectPaths
from collector.store.project.samples import SampleProject
from collector.store.tasks.state_file import States, read_states
from collector.store.tasks.task_file import read_tasks

_OF_TASKS = ("trajectories", "proposals", "audits", "definitions")
"""Folders with a file or a folder for each task."""
_NEVER = (".gitkeep", CACHE)
_EXPERIMENTS, _SCRIPTS = "experiments", "scripts"
_ABOVE = r"^(?P<above>(?:[ ]*(?:#[^\n]*)?\n)*)"
_ENTRY = re.compile(_ABOVE + r"[ ]*- id: *(?P<id>\S+)", re.MULTILINE)
_KEY = re.compile(_ABOVE + r"(?P<id>[\w-]+):$", re.MULTILINE)


def left_out(sample: SampleProject, source: Path) -> Callable[[str, list[str]], set[str]]:
    """What :func:`shutil.copytree` leaves out of ``source``, so that no file is copied in vain."""
    texts = [(source / _EXPERIMENTS / f"{name}.yaml").read_text("utf-8") for name in sample.experiments]

    def is_kept(folder: str, name: str) -> bool:
        if sample.is_whole or name in _NEVER:
            return name not in _NEVER
        if folder in _OF_TASKS:
            return Path(name).stem in sample.tasks
        if folder == _EXPERIMENTS:
            return Path(name).stem in sample.experiments
        return folder != _SCRIPTS or any(f"{_SCRIPTS}/{name}" in text for text in texts)

    def ignored(folder: str, names: list[str]) -> set[str]:
        place = Path(folder).relative_to(source).as_posix()
        return {name for name in names if not is_kept(place, name)}

    return ignored


def cut_down(folder: Path, sample: SampleProject) -> None:
    """Remove the tasks that are not in ``sample`` from a copied project, with their rules and states."""
    paths = ProjectPaths(folder)
    tasks = [task for task in read_tasks(paths.tasks).tasks if task.id in sample.tasks]
    states = set(_named(tasks, read_states(paths.rule_file("state"))))
    _cut(paths.tasks, _ENTRY, sample.tasks)
    _cut(paths.rule_file("state"), _ENTRY, states)
    _cut(paths.rule_file("success"), _KEY, {task.rule_key for task in tasks})
    _cut(paths.rule_file("injection"), _ENTRY, {rule for task in tasks for rule in task.target_rule_ids})
    _cut(paths.rule_file("safety"), _ENTRY, {rule for task in tasks for rule in task.forbidden})
    for place in folder.iterdir():
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _named(tasks: Collection[Task], states: States) -> Iterator[str]:
    """Ids of the states that tasks name, and of those that these name."""
    for task in tasks:
        for state_id in task.essential_states:
            yield from (state_id, *states[state_id].after, *states[state_id].alternatives)


def _cut(path: Path, begin: re.Pattern[str], kept: Collection[str]) -> None:
    """Leave the entries of a file whose ids are ``kept``; without any, remove the file.

    A comment directly above an entry goes with it. One below a blank line is a heading: it stays above the
    entries that are left below it.
    """
    head, entries = _pieces(path.read_text("utf-8"), begin)
    parts: list[str] = []
    heading = ""
    for entry_id, above, text in entries:
        if above.startswith("\n") or not parts:
            heading = above
        if entry_id in kept:
            parts.append((above if above.strip() else heading) + text)
            heading = ""
    if parts:
        Disk().write(path, (head + "".join(parts)).encode())
    else:
        path.unlink()


def _pieces(text: str, begin: re.Pattern[str]) -> tuple[str, list[tuple[str, str, str]]]:
    """The head of a file, and of each entry its id, the comment above it and its lines."""
    starts = list(begin.finditer(text))
    ends = [*(match.start("above") for match in starts[1:]), len(text)]
    entries = [
        (match["id"], match["above"], text[match.end("above") : end])
        for match, end in zip(starts, ends, strict=True)
    ]
    head = text[: starts[0].start("above")]
    if not head:  # what stands above the first entry is about the file
        head, entries[0] = entries[0][1], (entries[0][0], "", entries[0][2])
    return head, entries
