"""A project in a folder of its own; an input takes the place of one of its files, and everything is read."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from collector.agents.registry import agent_kinds
from collector.agents.script_reader import read_script_file
from collector.anomalies.check import check_library
from collector.anomalies.reader import read_library
from collector.exchange.exchange_reports import read_reports
from collector.model.errors import UserError
from collector.model_judges.judge_files import judge_files
from collector.model_judges.methods.rubric import read_rubric
from collector.project_check.project_check import check_every_file
from collector.review.queue_files import read_queues
from collector.review.trajectory_reviews import read_reviews
from collector.rules.grammar.rule_files import read_rule_text, read_text
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.lint.rule_linter import RuleLinter
from collector.run.experiment.files import check_experiment
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.states.work_files.state_work import StateWork
from collector.store.catalogue.catalogue_reader import read_entry
from collector.store.checks.check import check_trajectory
from collector.store.files.errors import StoreError
from collector.store.project.project import Project
from collector.store.project.trajectory_moves import finish_moves
from collector.store.tasks.state_file import read_states
from collector.store.tasks.task_file import edited_file, read_tasks
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.reviews.labels import read_all_labels
from collector.variations.reader import read_variation
from studio.settings.store import Settings
from tests.fuzz.limits import ROOT

GOLDEN = ROOT / "tests" / "golden" / "project-2"
"""Small, and of our own; nothing writes to it."""
_TRAJECTORY = "trajectories/shop-1/20260412-093000-0001"
_RUN = "trajectories/shop-1/20260601-100000-run1"


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="waymark-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _project() -> Path:
    """The project without trajectories: reading them again would take most of the time."""
    place = _folder() / "project"
    shutil.copytree(GOLDEN, place, ignore=shutil.ignore_patterns("trajectories"))
    return place


@cache
def _trajectory(inside: str) -> Path:
    return Path(shutil.copytree(GOLDEN / inside, _folder() / inside))


def project_file(name: str) -> Callable[[bytes], None]:
    """Read the file ``name`` of a project, in which it holds the input, as those do who need it alone."""

    def read(data: bytes) -> None:
        path = _project() / name
        with _holding(path, data):
            _READERS[name](_opened(), path)

    return read


def whole_project(data: bytes) -> None:
    """Check a project in which the file that the first line names holds the lines after it."""
    name, _line_break, text = data.partition(b"\n")
    place = name.decode("utf-8", "replace")
    if place in _READERS:
        with _holding(_project() / place, text):
            check_every_file(Project.open(_project(), allow_damage=True))


@cache
def _opened() -> Project:
    return Project.open(_project())


@cache
def _scope() -> ExperimentScope:
    return scope_of(_opened(), agent_kinds().kinds)


def _settings(project: Project, _path: Path) -> None:
    opened = Project.open(project.folder)
    opened.set_reasons(opened.reasons)
    assert opened.reset is not None


def _tasks(_project: Project, path: Path) -> None:
    tasks = read_tasks(path).tasks
    edited_file(path.read_bytes(), [replace(task, instruction="Do it") for task in tasks])


def _states(_project: Project, path: Path) -> None:
    read_states(path)
    RuleLinter([read_rule_text(path)]).diagnostics()


def _state_work(project: Project, _path: Path) -> None:
    work = StateWork(project)
    list(work.everything())
    work.of_task("shop-1")


_READERS: dict[str, Callable[[Project, Path], object]] = {
    "project.yaml": _settings,
    "tasks.yaml": _tasks,
    "rules/states.yaml": _states,
    "rules/injection.yaml": lambda _project, path: RuleLinter([read_rule_text(path)]).diagnostics(),
    "rules/success.yaml": lambda _project, path: RuleLinter([read_rule_text(path)]).diagnostics(),
    "anomalies/library.yaml": lambda _project, path: check_library(read_library(read_text(path))),
    "experiments/battery.yaml": lambda _project, path: check_experiment(path, _scope()).require(),
    "queues/uncompleted.yaml": lambda project, _path: read_queues(project.paths),
    "proposals/shop-1/ann.yaml": _state_work,
    "definitions/shop-1.yaml": _state_work,
    "audits/shop-1/cleo.yaml": _state_work,
    "judges/a.yaml": lambda project, _path: judge_files(project),
    "judges/rubrics/shop-1.yaml": lambda project, path: read_rubric(project, path.stem),
    "variations/a.yaml": lambda _project, path: read_variation(read_text(path)),
    "imports/20260101-100000-dgara.json": lambda project, _path: read_reports(project),
    ".trash/moves.json": lambda project, _path: finish_moves(project),
}
"""Files of a project, and those who need one of them alone. They raise UserError."""


@contextlib.contextmanager
def _holding(path: Path, data: bytes) -> Iterator[None]:
    """While it is entered, the file holds ``data``."""
    before = path.read_bytes() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    try:
        yield
    finally:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(before)


def trajectory_file(name: str, *, run: bool = False) -> Callable[[bytes], None]:
    """Read all of a trajectory in which the file ``name`` holds the input, and repair a copy of it."""

    def read(data: bytes) -> None:
        folder = _trajectory(_RUN if run else _TRAJECTORY)
        with _holding(folder / name, data):
            check_trajectory(folder, decodes=False)
            read_entry(str(folder))
            _read_trajectory(folder)
            _repair(folder)

    return read


def _read_trajectory(folder: Path) -> None:
    read_reviews(folder)
    read_all_labels(folder)
    stored = open_trajectory(folder)
    for part in (stored.events, stored.interruptions, stored.annotations, stored.judgements):
        part()
    for step in stored.steps:
        for blob in (stored.screenshot, stored.tree):
            try:
                blob(step)
            except StoreError:
                continue
        stored.app_data(step.state)


def _repair(folder: Path) -> None:
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.png", "*.xml"))
    try:
        recover(copy)
    finally:
        shutil.rmtree(copy)


def zipped_trajectory(data: bytes) -> None:
    """Open a trajectory in a zip file."""
    path = _folder() / "trajectory.zip"
    path.write_bytes(data)
    stored = open_trajectory(path)
    for part in (stored.events, stored.interruptions, stored.annotations, stored.judgements):
        part()
    for step in stored.steps:
        stored.screenshot(step)
        stored.tree(step)


def settings(data: bytes) -> None:
    """The settings of the window."""
    path = _folder() / "settings.yaml"
    path.write_bytes(data)
    Settings(path)


def texts(data: bytes) -> None:
    """The readers of rules, libraries, variations and scripts, which take a text that somebody types."""
    text = data.decode("utf-8", "surrogateescape")
    for read in (read_rules, read_library, read_variation):
        read(text, "a.yaml")
    try:
        read_script_file(text, "a.yaml")
    except UserError:
        return
