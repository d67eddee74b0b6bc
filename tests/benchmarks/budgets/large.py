"""Large projects and long trajectories: verbs as fresh processes, and edits, by their processor time.

Processor time, for a bar must hold on a machine that others load; on a quiet one a verb takes little longer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from collector.judge.votes.project_votes import read_votes
from collector.model.task import Task
from collector.model.trajectory import FINISHED, TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks.check import check_project
from collector.store.files import layout
from collector.store.files.format_versions import TRAJECTORY
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.writer import TrajectoryWriter
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.large_sample import large_sample
from tests.helpers.steps import png, step, xml

TRAJECTORIES = 100_000
STEPS = 10_000
_TASKS = 500
_STEPS_EACH = 4
_ROUNDS = 5
_CHECKED = 300
_VERBS = {
    "waymark task list": (("project", "list", "{project}"), 1_000),
    "waymark trajectory list": (("trajectory", "list", "--project", "{project}"), 1_000),
    "waymark trajectory show ID": (("trajectory", "show", "{id}", "--project", "{project}"), 300),
}


def rows() -> Iterator[Row]:
    """The index first: the lists find what it wrote."""
    with tempfile.TemporaryDirectory() as name:
        # Bytecode is kept, as in an installation, whatever the variables of the caller say.
        cache = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{name}/bytecode"}
        environment = os.environ | cache
        folder = large_project(Path(name) / "large", TRAJECTORIES)
        of_all = f"of {TRAJECTORIES:,} trajectories"
        _processor_ms(environment, "project", "list", "--help")
        spent = [_processor_ms(environment, "project", "index", str(folder))]
        yield Row(f"waymark project index {of_all}, CPU", spent, Budget("max", 40_000))
        for verb, (arguments, limit) in _VERBS.items():
            words = [word.format(project=folder, id=_id(TRAJECTORIES // 2)) for word in arguments]
            samples = [_processor_ms(environment, *words) for _round in range(_ROUNDS + 1)][1:]
            yield Row(f"{verb} {of_all}, CPU", samples, Budget("median", limit))
    with tempfile.TemporaryDirectory() as name:
        yield from _checks(Path(name) / "many")
    with tempfile.TemporaryDirectory() as name:
        yield from _edits(Path(name))


def large_project(folder: Path, count: int) -> Path:
    """A project of ``count`` trajectories of four steps, with the files a list looks at."""
    project = Project.create(folder)
    project.save_tasks([Task(f"t{number:03}", f"Buy poster {number}") for number in range(_TASKS)])
    lines = (codec.step_to_line(step(number)) for number in range(_STEPS_EACH))
    steps = b"".join(codec.dump_line({"seq": at + 1, **line, "index": at}) for at, line in enumerate(lines))
    for number in range(count):
        task = f"t{number % _TASKS:03}"
        place = project.paths.trajectories_of(task) / _id(number)
        place.mkdir(parents=True)
        header = TrajectoryHeader(_id(number), task, status=FINISHED, started=f"2026-{number:09}")
        document = TRAJECTORY.stamp(codec.header_to_document(header))
        (place / layout.HEADER).write_text(json.dumps(document))
        (place / layout.STEPS).write_bytes(steps)
    return folder


def _id(number: int) -> str:
    return f"20260101-{number:06}"


def _processor_ms(environment: dict[str, str], *arguments: str) -> float:
    """Processor time of a verb in a process of its own, imports included."""
    command = [sys.executable, "-m", "collector.cli.main", *arguments]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=nowhere, stderr=nowhere)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}")
    return (used.ru_utime + used.ru_stime) * 1000


def _checks(folder: Path) -> Iterator[Row]:
    """Check a project, and compare its judges, in this process alone."""
    project = Project.open(large_sample(folder, _CHECKED))
    count = len(list(project.trajectory_folders()))
    checked = [spent(lambda: check_project(project)) / count for _round in range(_ROUNDS)]
    yield Row("check a trajectory of the sample, CPU", checked, Budget("median", 2.5))
    with Catalogue(project) as catalogue:
        catalogue.refresh()
    voted = [spent(lambda: read_votes(project)) / count for _round in range(_ROUNDS)]
    yield Row("read the votes on a trajectory of the sample, CPU", voted, Budget("median", 0.1))


def _edits(folder: Path) -> Iterator[Row]:
    writer = TrajectoryWriter.create(folder, TrajectoryHeader("long", "t"))
    line = codec.step_to_line(writer.append(step(0), png(), xml()))
    writer.close()
    lines = ({"seq": index + 1, **line, "index": index} for index in range(STEPS))
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    for number in range(1, STEPS):
        for suffix in ("png", "xml"):
            (writer.folder / layout.STATES / f"{number:04}.{suffix}").touch()
    # Files of no step are set aside when it is opened first; what is measured is every later opening.
    TrajectoryWriter.open(writer.folder).close()
    opened = [spent(lambda: TrajectoryWriter.open(writer.folder).close()) for _round in range(_ROUNDS)]
    yield Row(f"open a trajectory of {STEPS:,} steps for writing, CPU", opened, Budget("median", 1_500))
    with TrajectoryWriter.open(writer.folder) as writer:
        deleted, undone = [], []
        for index in range(_ROUNDS):
            deleted.append(spent(lambda index=index: writer.delete(index * 100)))  # type: ignore[misc]
            undone.append(spent(writer.undo))
        yield Row(f"delete one of {STEPS:,} steps, CPU", deleted, Budget("median", 200))
        yield Row(f"undo that among {STEPS:,} steps, CPU", undone, Budget("median", 200))


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of processor time that ``work`` takes."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
