"""Copies of the sample projects: the person's own, and new projects. ``assets`` is never written to."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.host import file_moves
from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.disk import Disk
from collector.store.files.layout import (
    HEADER,
    PROJECT_FILE,
    STEPS,
    TASKS_FILE,
    TRAJECTORIES,
    TRASH,
    is_project,
)
from collector.store.files.lock import held_for_a_moment
from collector.store.project.new_project_folder import require_new
from collector.store.project.project import Project
from collector.store.project.sample_part import cut_down, left_out
from collector.store.project.samples import SAMPLES, WHOLE, SampleProject
from collector.store.project.version_control import write_git_files

_MOST_MISSING = 0.25
"""Share of the sample's trajectories that a person may have renamed, or deleted for good, in a whole copy."""


@dataclass(frozen=True, slots=True)
class SampleCopy:
    """The folder of the person's copy, and where what lay in its place was put; None where nothing did."""

    folder: Path
    put_aside: Path | None = None


def sample_copy_folder(sample: SampleProject = WHOLE) -> Path:
    """Where the person's copy of a sample is, or will be."""
    return data_folder() / ("sample" if sample.is_whole else f"sample-{sample.id}")


def sample_in(folder: Path) -> SampleProject | None:
    """The sample whose copy is the person's own in ``folder``; None for any other folder."""
    return next((sample for sample in SAMPLES.values() if sample_copy_folder(sample) == folder), None)


def open_sample_copy(sample: SampleProject = WHOLE) -> SampleCopy:
    """Find the person's copy of a sample project; create it when there is none, or only a part of one.

    Programs that ask at the same time wait for one copy. Waits for the disk: call it in a job. Raises
    UserError when the copy cannot be written.
    """
    target = sample_copy_folder(sample)
    with _said(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        with held_for_a_moment(target.with_name(f"{target.name}.lock")):
            put_aside = _copy_to(target, sample) if not _is_whole(target, sample) else None
    return SampleCopy(target, put_aside)


def create_from_sample(folder: Path, sample: SampleProject, name: str = "") -> Project:
    """Make a project from a sample in ``folder``, which must be new or empty. Raises UserError."""
    require_new(folder)
    target = folder.resolve()
    with _said(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            _write_copy(partial / target.name, sample, name or target.name)
            _move_in(partial / target.name, target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return Project.open(folder)


def _move_in(copy: Path, target: Path) -> None:
    """Move a copy to its place; into a folder that is there, the file that makes it a project goes last."""
    if not target.exists():
        file_moves.rename(copy, target)
        return
    for entry in sorted(copy.iterdir(), key=lambda path: path.name == PROJECT_FILE):
        file_moves.rename(entry, target / entry.name)


@contextlib.contextmanager
def _said(parent: Path) -> Iterator[None]:
    """Raise a UserError for what the disk refuses below ``parent``."""
    try:
        yield
    except OSError as error:
        raise UserError(
            _("The sample project could not be copied"),
            _reason(error),
            _("Check that {folder} can be written to", folder=parent),
        ) from error


def _is_whole(folder: Path, sample: SampleProject) -> bool:
    """Whether a folder is a copy of the sample, and not the part of one that some interruption left."""
    if not is_project(folder) or not (folder / TASKS_FILE).is_file():
        return False
    rooms = (folder / TRAJECTORIES, folder / TRASH)
    places = asset("sample") / TRAJECTORIES
    wanted = [header.parent.relative_to(places) for header in places.glob(f"*/*/{HEADER}")
              if sample.is_whole or header.parent.parent.name in sample.tasks]  # fmt: skip
    found = [place for place in wanted if any(_is_recording(room / place) for room in rooms)]
    return len(found) >= (1 - _MOST_MISSING) * len(wanted)


def _is_recording(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (HEADER, STEPS))


def _copy_to(target: Path, sample: SampleProject) -> Path | None:
    """Copy a sample, and return where what lay there was put.

    The copy gets its name last, so that an interrupted one is never opened as a project.
    """
    partial = target.with_name(f"{target.name}.new")
    shutil.rmtree(partial, ignore_errors=True)
    _write_copy(partial, sample)
    put_aside = _free_name(target) if target.exists() else None
    if put_aside is not None:  # what is left of a project may be the person's own
        target.replace(put_aside)
    file_moves.replace(partial, target)
    return put_aside


def _write_copy(folder: Path, sample: SampleProject, name: str = "") -> None:
    """Write the files of a sample to ``folder``, which is new; ``name`` is that of the project."""
    source = asset("sample")
    shutil.copytree(source, folder, ignore=left_out(sample, source))
    _make_writable(folder)
    write_git_files(folder, Disk())
    if not sample.is_whole:
        cut_down(folder, sample)
    name = name or ("" if sample.is_whole else sample.id)
    if name:
        Project.open(folder).set(name=name)


def _free_name(target: Path) -> Path:
    names = (target.with_name(f"{target.name}-{number}") for number in itertools.count(1))
    return next(path for path in names if not path.exists())


def _reason(error: OSError) -> str:
    """Why a copy failed, in words: shutil gathers the errors of all files in a list."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list) and error.args[0]:
        return str(error.args[0][0][-1])
    return str(error)


def _make_writable(folder: Path) -> None:
    """Make a copy of installed assets writable; they are often read-only."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
