"""What comes back of a project that was exported and imported again, and what the export said of the rest."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from collector.exchange.exports.exporting import ExportResult, export_project
from collector.exchange.imports.importing import import_into
from collector.exchange.registry import formats
from collector.model.action import Action, LongPress, Swipe, Tap, Wait
from collector.model.trajectory import Step
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_TIMED = (Tap, LongPress, Swipe, Wait)


def pictures(project: Project, names: Iterable[str]) -> Counter[bytes]:
    """The screenshots of trajectories."""
    stored = [open_trajectory(project.folder / name) for name in names]
    return Counter(data for one in stored for step in one.steps if (data := one.screenshot(step)))


def actions_by_picture(project: Project, names: Iterable[str]) -> dict[bytes, list[tuple[str, Step]]]:
    """What was done on each screenshot, as trajectory and step."""
    found: dict[bytes, list[tuple[str, Step]]] = {}
    for name in names:
        stored = open_trajectory(project.folder / name)
        for step in stored.steps:
            found.setdefault(stored.screenshot(step) or b"", []).append((name, step))
    return found


def unsaid(first: Project, result: ExportResult, second: Project) -> list[str]:
    """The steps whose action came back as another one, of which the export says nothing.

    How long a touch lasts is a time, and times are lost or kept as a whole.
    """
    there = actions_by_picture(first, result.written.trajectories)
    back = actions_by_picture(second, map(second.paths.relative, second.trajectory_folders()))
    told = {(item.where, step) for item in result.findings for step in item.steps or ("",)
            if item.steps or item.code == "actions-lost"}  # fmt: skip
    return [
        f"{name} {step.index}: {step.action} {[other.action for _name, other in back.get(picture, ())]}"
        for picture, steps in there.items() if picture
        for name, step in steps
        if not any(timeless(step) == timeless(other) for _name, other in back.get(picture, ()))
        and not told & {(name, ""), (name, str(step.index)), (name, str(step.index + 1))}
    ]  # fmt: skip


def timeless(step: Step) -> Action | None:
    """The action of a step without how long it takes."""
    action = step.action
    return dataclasses.replace(action, duration_ms=0) if isinstance(action, _TIMED) else action


def there_and_back(project: Project, format_id: str, folder: Path) -> tuple[ExportResult, Project, bool]:
    """The export, what an import made of it, and whether nothing at all was lost."""
    chosen = formats().kinds[format_id]
    result = export_project(project, format_id, folder / f"out{chosen.ending}")
    back = Project.create(folder / "back")
    if not result.written.trajectories and not result.written.tasks:
        return result, back, False
    report = import_into(back, result.path, format_id)
    assert not [item.what for item in report.findings if item.code == "not-understood"]
    return result, Project.open(back.folder), not (result.losses or report.losses)
