"""Write a trajectory of a source into a project: its exact files, described steps, whole or not at all."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, PASSWORD_KEPT, ExchangeLog
from collector.exchange.imports.import_redaction import ImportRedaction
from collector.exchange.source import action_offset
from collector.exchange.source.checks import (
    SourceScreenshot,
    compare_sizes,
    convert_tree,
    read_picture,
    read_tree,
)
from collector.exchange.source.mending import mend_task, mend_trajectory
from collector.exchange.source.model import SourceStep, SourceTrajectory, in_sentences
from collector.exchange.source.states import SourceStates, with_project_ids
from collector.hierarchy.captions import caption, click_target
from collector.hierarchy.selector_ranking import rank_selectors
from collector.host import file_moves
from collector.model.action import Action
from collector.model.episode import Episode
from collector.model.essential_state import EssentialState
from collector.model.geometry import Size
from collector.model.message import _
from collector.model.task import Task
from collector.model.trajectory import IMPORTED, RUN, State, Step, Target, TrajectoryHeader
from collector.model.tree import Tree
from collector.model.verdicts.judgement import Judgement
from collector.store.checks.typed_passwords import typed_password
from collector.store.files.disk import UnflushedDisk
from collector.store.files.errors import StoreError
from collector.store.files.layout import ORIGINALS
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.tasks.task_file import check_task
from collector.store.tasks.task_upgrade import StateNamer
from collector.store.trajectory.achieved_states import (
    ACHIEVED_STATES,
    mark_values,
    marks_of,
    state_names,
    with_state_ids,
)
from collector.store.trajectory.codec import IMPORTED_AT
from collector.store.trajectory.header_file import now
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter

SOURCE_DIGEST = "source_digest"
_SELECTORS_KEPT = 5
_StateKey = tuple[Path | None, Path | None, Callable[[], Tree] | None]


class TaskImport:
    """The project's tasks and those an import adds. They are written once, at its end."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._base = project.tasks
        self._tasks = {task.id: task for task in project.tasks}
        self._namer = StateNamer(project.states, (), are_sentences=True)
        self._with_conditions: dict[str, tuple[EssentialState, ...]] = {}
        """Id of each new task -> the states that its source gives with conditions."""
        self.new: list[str] = []

    def add(self, task: Task, source: str, log: ExchangeLog, states: SourceStates | None = None) -> Task:
        """The project's task for an imported one: an equal one it has, or a new one under a free id.

        ``source`` names a task whose id says nothing. A source describes essential states in sentences; those
        of a new task become states of the project, and so do ``states`` with their conditions.
        """
        task = mend_task(task, source, log)
        task_id, number = task.id, 1
        while (known := self._tasks.get(task_id)) and known.instruction.strip() != task.instruction.strip():
            number += 1
            task_id = f"{task.id}-{number}"
        if known:
            return known
        if task_id != task.id:
            text = _("The project has another task {id}; this one is {new} now", id=task.id, new=task_id)
            log.add("task-renamed", text, severity=NOTE)
        named = self._namer.ids_of(task_id, task.essential_states)
        if states is not None and states.states:
            placed = with_project_ids(states, task_id, self.states)
            self._with_conditions[task_id] = placed.states
            named = (*named, *placed.named)
        task = dataclasses.replace(task, id=task_id, essential_states=named)
        self._tasks[task_id] = task
        self.new.append(task_id)
        return task

    def save(self, log: ExchangeLog) -> None:
        """Write the new tasks and their states; a task that could not be read again is left out."""
        if not self.new:
            return
        try:
            self._save()
        except StoreError:
            if not self._leave_out_unreadable(log):
                raise
            self._save()

    def _save(self) -> None:
        named = {state_id for task_id in self.new for state_id in self._tasks[task_id].essential_states}
        states = [StateChange(None, state) for state in self._namer.new if state.id in named]
        for task_id in self.new:
            states += (StateChange(None, state) for state in self._with_conditions.get(task_id, ()))
        self._project.save_tasks(tuple(self._tasks.values()), self._base, states)

    def in_sentences(self, task: Task) -> Task:
        """A task of the project as a source has it: with the sentences of its essential states."""
        return in_sentences(task, self.states)

    @property
    def states(self) -> Mapping[str, EssentialState]:
        """The states of the project by id, with those of the new tasks."""
        added = (state for states in self._with_conditions.values() for state in states)
        return {**self._namer.states, **{state.id: state for state in added}}

    def _leave_out_unreadable(self, log: ExchangeLog) -> bool:
        left_out = []
        for task_id in self.new:
            try:
                check_task(self._tasks[task_id])
            except StoreError as error:
                left_out.append(task_id)
                log.add("task-left-out", _("A task was left out: {why}", why=error.what), step=task_id)
        for task_id in left_out:
            self.new.remove(task_id)
            del self._tasks[task_id]
        return bool(left_out)


def write_trajectory(
    project: Project, tasks: TaskImport, source: SourceTrajectory, importer: str, log: ExchangeLog
) -> Path | None:
    """Write one trajectory. Returns its folder, or None when it was imported before or has no steps.

    It is built in the cache and moved into place whole, so an interrupted import leaves nothing unfinished.
    """
    importer = source.format or importer
    mend_trajectory(source, log)
    if not source.steps and not _says_how_it_ended(source):
        _leave_out_empty(tasks, source, log)
        return None
    task = tasks.add(source.task, source.name, log, source.states)
    header = _header(source, task, importer)
    header, folder = _free_place(project, header, log)
    if folder.exists():
        log.add("imported-before", _("It was imported before and was left as it is"), severity=NOTE)
        for step in source.steps:
            log.use(step.screenshot, step.tree)
        return None
    staging = project.paths.import_folder
    shutil.rmtree(staging, ignore_errors=True)
    rules, disk = ImportRedaction(project, task.id, source), UnflushedDisk()
    header = rules.header(header)
    with TrajectoryWriter.create(
        staging, header, disk=disk, imported=True, stores_once=bool(rules)
    ) as writer:
        if rules:
            _write_hidden_steps(writer, source, importer, log, rules)
        else:
            _write_steps(writer, source, importer, log)
            _keep_originals(writer.folder, source.steps, log)
        for event in source.events:
            writer.event(event.kind, event.t_ms, **rules.event(event.kind, event.data))
        names = state_names(task, tasks.states)
        if source.annotations:
            said = rules.annotations(_annotations(source, names))
            write_annotations(writer.folder, IMPORTED, said, disk)
        add_judgements(writer.folder, rules.judgements(_with_state_ids(source, names)), disk)
        duration = max((step.t_ms for step in writer.steps), default=0)
        writer.update_header(duration_ms=duration, status=IMPORTED)
    disk.flush_all()
    folder.parent.mkdir(parents=True, exist_ok=True)
    file_moves.replace(writer.folder, folder)
    shutil.rmtree(staging, ignore_errors=True)
    return folder


def _with_state_ids(source: SourceTrajectory, names: Mapping[str, str]) -> list[Judgement]:
    """The judgements of ``source``, which say the sentences of states, with the ids of these."""
    return [
        dataclasses.replace(
            judgement,
            subject=dataclasses.replace(
                judgement.subject, state=names.get(judgement.subject.state, judgement.subject.state)
            ),
        )
        for judgement in source.judgements
    ]


def _free_place(
    project: Project, header: TrajectoryHeader, log: ExchangeLog
) -> tuple[TrajectoryHeader, Path]:
    """Where a trajectory goes: where the same source went before, otherwise to a free folder.

    What another trajectory of this import went to is not free: two that look the same are two.
    """
    first, number = header.id, 1
    while True:
        folder = project.paths.trajectories_of(header.task_id) / folder_name(header.id)
        is_other = f"{folder.parent.name}/{folder.name}" in log.places
        if not is_other and (not folder.exists() or _is_same(folder, header)):
            log.places.add(f"{folder.parent.name}/{folder.name}")
            return header, folder
        number += 1
        header = dataclasses.replace(header, id=f"{first}-{number}")


def _is_same(folder: Path, header: TrajectoryHeader) -> bool:
    return bool(read_header(folder).extra.get(SOURCE_DIGEST) == header.extra[SOURCE_DIGEST])


def _annotations(source: SourceTrajectory, names: Mapping[str, str]) -> dict[str, Any]:
    """The annotations of a source, whose marks say the sentences of states, with the ids of these."""
    if ACHIEVED_STATES not in source.annotations:
        return source.annotations
    marks = marks_of(source.annotations)
    described = [dataclasses.replace(mark, state="", sentence=mark.name) for mark in marks]
    return {
        **source.annotations,
        ACHIEVED_STATES: [mark_values(mark) for mark in with_state_ids(described, names)],
    }


def _source_digest(source: SourceTrajectory) -> str:
    """A digest of the source: the names and sizes of its files, and its actions."""
    digest = hashlib.sha256()
    for step in source.steps:
        for path in (step.screenshot, step.tree):
            if path is not None:
                digest.update(f"{path.name}\0{path.stat().st_size}\0".encode(errors="replace"))
        digest.update(repr(step.action).encode(errors="replace"))
    return digest.hexdigest()


def _header(source: SourceTrajectory, task: Task, importer: str) -> TrajectoryHeader:
    clean = re.sub(r"\s+", "-", source.name.strip())
    return TrajectoryHeader(
        id=folder_name(f"{importer}-{clean}"),
        task_id=task.id,
        kind=source.kind,
        who=source.who or IMPORTED,
        instruction=task.instruction,
        started=source.started,
        episode=source.episode or (Episode() if source.kind == RUN else None),
        outcome=source.outcome,
        device=source.device,
        apps=source.apps,
        note=source.note,
        installed=source.installed,
        software=source.software,
        extra={
            **source.extra,
            "imported_from": importer,
            IMPORTED_AT: now(),
            "source_name": source.name,
            SOURCE_DIGEST: _source_digest(source),
        },
    )


def _write_hidden_steps(
    writer: TrajectoryWriter,
    source: SourceTrajectory,
    importer: str,
    log: ExchangeLog,
    rules: ImportRedaction,
) -> None:
    """Write the steps without what the redaction rules of the project hide. No originals are kept."""
    has_trees = any(step.tree for step in source.steps)
    trees: list[Tree | None] = []
    last: Action | None = None
    for number, step in enumerate(source.steps, start=1):
        log.use(step.screenshot, step.tree)
        picture = read_picture(step.screenshot, log, step.name) if step.screenshot else None
        data, tree = _tree(step, log)
        if picture and tree:
            compare_sizes(picture.size, tree, log, step.name)
        screen = rules.masked(step, picture, data, tree, number, last)
        ready = _step(step, picture, screen.tree, importer, wants_tree=has_trees)
        hidden = screen.step(ready, rules.words)
        _note_password(hidden, screen.tree, step.name, log)
        writer.append(hidden, screen.picture.data if screen.picture else None, screen.data)
        trees.append(screen.tree)
        last = step.action
    _report_source(source.steps, trees, log)
    rules.report(writer.steps, log)


def _write_steps(writer: TrajectoryWriter, source: SourceTrajectory, importer: str, log: ExchangeLog) -> None:
    trees: list[Tree | None] = []
    has_trees = any(step.tree for step in source.steps)
    written: dict[_StateKey, tuple[SourceScreenshot | None, Tree | None, State]] = {}
    for step in source.steps:
        key = (step.screenshot, step.tree, step.convert)
        if any(key[:2]) and key in written:  # the same files again: the steps share them
            picture, tree, state = written[key]
            ready = _step(step, picture, tree, importer, wants_tree=has_trees)
            shared = dataclasses.replace(
                ready.state, screenshot=state.screenshot, tree=state.tree, sha256=state.sha256
            )
            _note_password(ready, tree, step.name, log)
            writer.append(dataclasses.replace(ready, state=shared))
            trees.append(tree)
            continue
        log.use(step.screenshot, step.tree)
        picture = read_picture(step.screenshot, log, step.name) if step.screenshot else None
        data, tree = _tree(step, log)
        if picture and tree:
            compare_sizes(picture.size, tree, log, step.name)
        ready = _step(step, picture, tree, importer, wants_tree=has_trees)
        _note_password(ready, tree, step.name, log)
        stored = writer.append(ready, picture.data if picture else None, data)
        if picture is not None:
            picture = dataclasses.replace(picture, data=b"")
        written[key] = picture, tree, stored.state
        trees.append(tree)
    _report_source(source.steps, trees, log)


def _report_source(steps: list[SourceStep], trees: list[Tree | None], log: ExchangeLog) -> None:
    """Say what the steps of a source lack, and whether its actions seem to belong to other states."""
    _report_missing(steps, log)
    if all(step.t_ms is None for step in steps):
        log.add("no-times", _("The source has no times: the steps are in order only"), severity=NOTE)
    points = [step.action.point if step.action else None for step in steps]
    measured = action_offset.measure(points, trees)
    if measured.is_late:
        log.add(
            "actions-late",
            _(
                "The actions seem to be filed one state late: {before} of {taps} taps hit something "
                "touchable in the state before theirs, {here} in their own",
                before=measured.before,
                taps=measured.taps,
                here=measured.here,
            ),
        )


def _note_password(step: Step, tree: Tree | None, name: str, log: ExchangeLog) -> None:
    if typed_password(step, tree):
        log.add(
            PASSWORD_KEPT,
            _("A typed password is in plain text; `waymark project check` says how to redact it"),
            step=name,
            severity=NOTE,
        )


def _tree(step: SourceStep, log: ExchangeLog) -> tuple[bytes | None, Tree | None]:
    if step.tree is None:
        return None, None
    if step.convert:
        return convert_tree(step.convert, log, step.name)
    return read_tree(step.tree, log, step.name)


def _keep_originals(folder: Path, steps: list[SourceStep], log: ExchangeLog) -> None:
    """Copy the files that trees were converted from beside the steps, unchanged."""
    originals = sorted({step.tree for step in steps if step.convert and step.tree})
    if not originals:
        return
    (folder / ORIGINALS).mkdir()
    for path in originals:
        shutil.copyfile(path, folder / ORIGINALS / path.name)
    log.add(
        "trees-converted",
        _(
            "The trees were converted to uiautomator's form; what that has no word for is only in the files "
            "they were made from, which are kept in the folder {name}",
            name=ORIGINALS,
        ),
        severity=NOTE,
    )


def _says_how_it_ended(source: SourceTrajectory) -> bool:
    """Whether the source says how the run ended; it is then kept even without steps."""
    outcome = source.outcome
    return outcome is not None and bool(outcome.status or outcome.infrastructure)


def _leave_out_empty(tasks: TaskImport, source: SourceTrajectory, log: ExchangeLog) -> None:
    """Report a trajectory without steps; its task is kept when the source says what it is."""
    if source.task.instruction in ("", source.task.id, source.name):
        log.add("no-steps", _("A trajectory was left out, because it has no steps"))
    else:
        tasks.add(source.task, source.name, log, source.states)
        log.add("no-steps", _("A trajectory was left out, because it has no steps; its task was kept"))


def _report_missing(steps: list[SourceStep], log: ExchangeLog) -> None:
    if not any(step.tree for step in steps):
        log.add("no-trees", _("The source has no trees: steps cannot be inspected or judged by rules"))
    if not any(step.screenshot for step in steps):
        log.add("no-screenshots", _("The source has no screenshots"))
    for step in steps:
        if step.screenshot is None and step.tree is None:
            log.add("no-state", _("An action has neither screenshot nor tree"), step=step.name)
        elif step.screenshot is None and any(step.screenshot for step in steps):
            log.add("no-screenshot", _("A tree has no screenshot"), step=step.name)
        elif step.tree is None and any(step.tree for step in steps):
            log.add("no-tree", _("A screenshot has no tree"), step=step.name)


def _step(
    source: SourceStep,
    picture: SourceScreenshot | None,
    tree: Tree | None,
    importer: str,
    *,
    wants_tree: bool,
) -> Step:
    """The step of a source. The report says that a source has no trees at all, its states do not."""
    target, problem = source.target, ""
    package = source.package
    if tree is not None and not package:
        package = next((node.package for node in tree if node.package), "")
    if target is None and source.action and source.action.point and tree:
        node = click_target(tree, source.action.point)
        if node:
            ranked = rank_selectors(tree, node)[:_SELECTORS_KEPT]
            target = Target(
                node.path, node.bounds, tuple(selector.text for selector in ranked), dict(node.attributes)
            )
    if picture is None:
        problem = _("The source has no usable screenshot of this state")
    elif tree is None and wants_tree:
        problem = _("The source has no readable tree of this state")
    state = State(
        package=package,
        activity=source.activity,
        size=picture.size if picture else Size(0, 0),
        rotation=tree.rotation if tree else 0,
        source={"frame": IMPORTED, "tree": f"converted from {importer}" if source.convert else IMPORTED},
        problem=problem,
        apps={} if source.has_apps else None,
    )
    return Step(
        index=0,
        t_ms=source.t_ms or 0,
        wall_time=source.wall_time,
        state=state,
        action=source.action,
        target=target,
        description=source.description or (caption(source.action, tree) if source.action else ""),
        note=source.note,
        intention=source.intention,
        agent=source.agent,
        extra={"source_step": source.name, **_original_name(source), **source.extra},
    )


def _original_name(source: SourceStep) -> dict[str, str]:
    return {"source_tree": source.tree.name} if source.convert and source.tree else {}
