"""The person's own copy of the sample project: the one in ``assets`` is never written to."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import dataclass
from pathlib import Path

from collector.host import file_moves
from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.disk import Disk
from collector.store.files.layout import CACHE, HEADER, STEPS, TASKS_FILE, TRAJECTORIES, TRASH, is_project
from collector.store.files.lock import held_for_a_moment
from collector.store.project.version_control import write_git_files

_NAME = "sample"
_MOST_MISSING = 0.25
"""Share of the sample's trajectories that a person may have renamed, or deleted for good, in a whole copy."""


@dataclass(frozen=True, slots=True)
class SampleCopy:
    """The folder of the person's copy, and where what lay in its place was put; None where nothing did."""

    folder: Path
    put_aside: Path | None = None


def sample_copy_folder() -> Path:
    """Where the person's copy of the sample is, or will be."""
    return data_folder() / _NAME


def open_sample_copy() -> SampleCopy:
    """Find the person's copy of the sample project; create it when there is none, or only a part of one.

    Programs that ask at the same time wait for one copy. Waits for the disk: call it in a job. Raises
    UserError when the copy cannot be written.
    """
    target = sample_copy_folder()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with held_for_a_moment(target.with_name(f"{_NAME}.lock")):
            put_aside = _copy_to(target) if not _is_whole(target) else None
    except OSError as error:
        raise UserError(
            _("The sample project could not be copied"),
            _reason(error),
            _("Check that {folder} can be written to", folder=target.parent),
        ) from error
    return SampleCopy(target, put_aside)


def _is_whole(folder: Path) -> bool:
    """Whether a folder is a copy of the sample, and not the part of one that some interruption left."""
    if not is_project(folder) or not (folder / TASKS_FILE).is_file():
        return False
    rooms = (folder / TRAJECTORIES, folder / TRASH)
    places = asset("sample") / TRAJECTORIES
    wanted = [header.parent.relative_to(places) for header in places.glob(f"*/*/{HEADER}")]
    found = [place for place in wanted if any(_is_recording(room / place) for room in rooms)]
    return len(found) >= (1 - _MOST_MISSING) * len(wanted)


def _is_recording(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (HEADER, STEPS))


def _copy_to(target: Path) -> Path | None:
    """Copy the sample, and return where what lay there was put.

    The copy gets its name last, so that an interrupted one is never opened as a project.
    """
    partial = target.with_name(f"{_NAME}.new")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(asset("sample"), partial, ignore=shutil.ignore_patterns(".gitkeep", CACHE))
    _make_writable(partial)
    write_git_files(partial, Disk())
    put_aside = _free_name(target) if target.exists() else None
    if put_aside is not None:  # what is left of a project may be the person's own
        target.replace(put_aside)
    file_moves.replace(partial, target)
    return put_aside


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
