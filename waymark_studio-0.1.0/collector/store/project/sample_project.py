"""The person's own copy of the sample project: the one in ``assets`` is never written to."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.layout import CACHE, is_project
from collector.store.files.lock import held_for_a_moment

_NAME = "sample"


def open_sample_copy() -> Path:
    """Return the folder of the person's copy of the sample project; create it when there is none.

    Programs that ask at the same time wait for one copy. Waits for the disk: call it in a job. Raises
    UserError when the copy cannot be written.
    """
    target = data_folder() / _NAME
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with held_for_a_moment(target.with_name(f"{_NAME}.lock")):
            if not is_project(target):
                _copy_to(target)
    except OSError as error:
        raise UserError(
            _("The sample project could not be copied"),
            _reason(error),
            _("Check that {folder} can be written to", folder=target.parent),
        ) from error
    return target


def _copy_to(target: Path) -> None:
    """Copy the sample. It gets its name last, so that an interrupted copy is never opened as a project."""
    partial = target.with_name(f"{_NAME}.new")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(asset("sample"), partial, ignore=shutil.ignore_patterns(".gitkeep", CACHE))
    _make_writable(partial)
    if target.exists():  # what is left of a project may be the person's own
        target.replace(_free_name(target))
    partial.replace(target)


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
