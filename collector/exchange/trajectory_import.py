"""Putting what a reader found into a project: exact bytes, described steps, whole or not at all."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shutil
from pathlib import Path

from collector.exchange import alignment
from collector.exchange.import_log import NOTE, ImportLog
from collector.exchange.source_checks import (
    SourceScreenshot,
    compare_sizes,
    convert_tree,
    read_picture,
    read_tree,
)
from collector.exchange.source_model import SourceStep, SourceTrajectory
from collector.hierarchy.captions import caption, click_target
from collector.hierarchy.selector_ranking import rank_selectors
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import State, Step, Target, TrajectoryHeader
from collector.model.tree import Tree
from collector.store.annotations import write_annotations
from collector.store.layout import ORIGINALS
from collector.store.names import folder_name
from collector.store.project import Project
from collector.store.reader import read_header
from collector.store.writer import TrajectoryWriter

IMPORTED = "imported"
SOURCE_DIGEST = "source_digest"
_SELECTORS_KEPT = 5


class TaskImport:
    """The project's tasks and those an import adds; written once, for editing YAML takes its time."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._tasks = {task.id: task for task in project.tasks}
        self.new: list[str] = []

    def enter(self, task: Task, report: ImportLog) -> Task:
        """The project's task for an imported one: the same, or added, under a free id."""
        wanted, number = task.id, 1
        while (known := self._tasks.get(wanted)) and known.instruction.strip() != task.instruction.strip():
            number += 1
            wanted = f"{task.id}-{number}"
        if known:
            return known
        if wanted != task.id:
            text = _("The project has another task {id}; this one is {new} now", id=task.id, new=wanted)
            report.add("task-renamed", text, severity=NOTE)
        task = dataclasses.replace(task, id=wanted)
        self._tasks[wanted] = task
        self.new.append(wanted)
        return task

    def save(self) -> None:
        """Put the new tasks into ``tasks.yaml``."""
        if self.new:
            self._project.save_tasks(tuple(self._tasks.values()))


def write_trajectory(
    project: Project, book: TaskImport, found: SourceTrajectory, importer: str, report: ImportLog
) -> Path | None:
    """Write one found trajectory; returns its folder, or None when it was imported before.

    It is built aside and moved into place whole, so that an interrupted import leaves nothing half.
    """
    report.where = found.name
    task = book.enter(found.task, report)
    header = _header(found, task, importer)
    header, folder = _free_place(project, header)
    if folder.exists():
        report.add("imported-before", _("It was imported before and was left as it is"), severity=NOTE)
        for step in found.steps:
            report.use(step.screenshot, step.tree)
        return None
    aside = project.paths.import_folder
    shutil.rmtree(aside, ignore_errors=True)
    with TrajectoryWriter.create(aside, header) as writer:
        _write_steps(writer, found, importer, report)
        _keep_originals(writer.folder, found.steps, report)
        for event in found.events:
            writer.event(event.kind, event.t_ms, **event.data)
        if found.annotations:
            write_annotations(writer.folder, IMPORTED, found.annotations)
        duration = max((step.t_ms for step in writer.steps), default=0)
        writer.update_header(duration_ms=duration, status=IMPORTED)
    folder.parent.mkdir(parents=True, exist_ok=True)
    writer.folder.replace(folder)
    shutil.rmtree(aside, ignore_errors=True)
    return folder


def _free_place(project: Project, header: TrajectoryHeader) -> tuple[TrajectoryHeader, Path]:
    """Where a trajectory goes: where the same source went before, else a place nothing else has."""
    first, number = header.id, 1
    while True:
        folder = project.paths.trajectories_of(header.task_id) / folder_name(header.id)
        if not folder.exists() or read_header(folder).extra.get(SOURCE_DIGEST) == header.extra[SOURCE_DIGEST]:
            return header, folder
        number += 1
        header = dataclasses.replace(header, id=f"{first}-{number}")


def _source_digest(found: SourceTrajectory) -> str:
    """What tells one source from another of the same name: its files by name and size, and its actions."""
    seen = hashlib.sha256()
    for step in found.steps:
        for path in (step.screenshot, step.tree):
            if path is not None:
                seen.update(f"{path.name}\0{path.stat().st_size}\0".encode(errors="replace"))
        seen.update(repr(step.action).encode(errors="replace"))
    return seen.hexdigest()


def _header(found: SourceTrajectory, task: Task, importer: str) -> TrajectoryHeader:
    clean = re.sub(r"\s+", "-", found.name.strip())
    return TrajectoryHeader(
        id=folder_name(f"{importer}-{clean}"),
        task_id=task.id,
        kind=found.kind,
        who=IMPORTED,
        instruction=found.task.instruction,
        agent=found.agent,
        condition=found.condition,
        device=found.device,
        extra={
            **found.extra,
            "imported_from": importer,
            "source_name": found.name,
            SOURCE_DIGEST: _source_digest(found),
        },
    )


def _write_steps(writer: TrajectoryWriter, found: SourceTrajectory, importer: str, report: ImportLog) -> None:
    trees: list[Tree | None] = []
    for step in found.steps:
        report.use(step.screenshot, step.tree)
        picture = read_picture(step.screenshot, report, step.name) if step.screenshot else None
        data, tree = _tree(step, report)
        if picture and tree:
            compare_sizes(picture.size, tree, report, step.name)
        ready = _step(step, picture, tree, importer)
        writer.append(ready, picture.data if picture else None, data)
        trees.append(tree)
    _report_missing(found.steps, report)
    if all(step.t_ms is None for step in found.steps):
        report.add("no-times", _("The source has no times: the steps are in order only"), severity=NOTE)
    points = [step.action.point if step.action else None for step in found.steps]
    measured = alignment.measure(points, trees)
    if measured.is_late:
        report.add(
            "actions-late",
            _(
                "The actions seem to be filed one state late: {before} of {taps} taps hit something "
                "touchable in the state before theirs, {here} in their own",
                before=measured.before,
                taps=measured.taps,
                here=measured.here,
            ),
        )


def _tree(step: SourceStep, report: ImportLog) -> tuple[bytes | None, Tree | None]:
    if step.tree is None:
        return None, None
    if step.convert:
        return convert_tree(step.convert, report, step.name)
    return read_tree(step.tree, report, step.name)


def _keep_originals(folder: Path, steps: list[SourceStep], report: ImportLog) -> None:
    """Put what trees were converted from beside the steps, byte for byte."""
    originals = sorted({step.tree for step in steps if step.convert and step.tree})
    if not originals:
        return
    (folder / ORIGINALS).mkdir()
    for path in originals:
        shutil.copyfile(path, folder / ORIGINALS / path.name)
    report.add(
        "trees-converted",
        _(
            "The trees were converted to uiautomator's form; what that has no word for is only in the files "
            "they were made from, which are kept in the folder {name}",
            name=ORIGINALS,
        ),
        severity=NOTE,
    )


def _report_missing(steps: list[SourceStep], report: ImportLog) -> None:
    if not any(step.tree for step in steps):
        report.add("no-trees", _("The source has no trees: steps cannot be inspected or judged by rules"))
    if not any(step.screenshot for step in steps):
        report.add("no-screenshots", _("The source has no screenshots"))
    for step in steps:
        if step.screenshot is None and step.tree is None:
            report.add("no-state", _("An action has neither screenshot nor tree"), step=step.name)
        elif step.screenshot is None and any(step.screenshot for step in steps):
            report.add("no-screenshot", _("A tree has no screenshot"), step=step.name)
        elif step.tree is None and any(step.tree for step in steps):
            report.add("no-tree", _("A screenshot has no tree"), step=step.name)


def _step(found: SourceStep, picture: SourceScreenshot | None, tree: Tree | None, importer: str) -> Step:
    target, problem = None, ""
    package = found.package
    if tree is not None and not package:
        package = next((node.package for node in tree if node.package), "")
    if found.action and found.action.point and tree:
        node = click_target(tree, found.action.point)
        if node:
            ranked = rank_selectors(tree, node)[:_SELECTORS_KEPT]
            target = Target(node.path, node.bounds, tuple(one.text for one in ranked), dict(node.attributes))
    if picture is None:
        problem = _("The source has no usable screenshot of this state")
    elif tree is None:
        problem = _("The source has no readable tree of this state")
    state = State(
        package=package,
        activity=found.activity,
        size=picture.size if picture else Size(0, 0),
        rotation=tree.rotation if tree else 0,
        source={"frame": IMPORTED, "tree": f"converted from {importer}" if found.convert else IMPORTED},
        problem=problem,
    )
    return Step(
        index=0,
        t_ms=found.t_ms or 0,
        wall_time=found.wall_time,
        state=state,
        action=found.action,
        target=target,
        description=caption(found.action, tree) if found.action else "",
        intention=found.intention,
        extra={"source_step": found.name, **_original_name(found), **found.extra},
    )


def _original_name(found: SourceStep) -> dict[str, str]:
    return {"source_tree": found.tree.name} if found.convert and found.tree else {}
