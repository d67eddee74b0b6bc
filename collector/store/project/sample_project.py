"""The person's own copy of the sample project: the one in ``assets`` is never written to."""

from __future__ import annotations

import shutil
from pathlib import Path

from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.layout import CACHE, is_project

_NAME = "sample"


def open_sample_copy() -> Path:
    """Return the folder of the person's copy of the sample project; create it when there is none.

    Waits for the disk: call it in a job. Raises UserError when the copy cannot be written.
    """
    target = data_folder() / _NAME
    if is_project(target):
        return target
    partial = target.with_name(f"{_NAME}.new")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        partial.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(asset("sample"), partial, ignore=shutil.ignore_patterns(".gitkeep", CACHE))
        _make_writable(partial)
        # Renamed last, so that an interrupted copy is never opened as a project.
        partial.replace(target)
    except OSError as error:
        raise UserError(
            _("The sample project could not be copied"),
            str(error),
            _("Check that {folder} can be written to", folder=partial.parent),
        ) from error
    return target


def _make_writable(folder: Path) -> None:
    """Make a copy of installed assets writable; they are often read-only."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
