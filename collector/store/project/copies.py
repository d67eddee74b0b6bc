"""Bring in what somebody did in a copy of a project: recordings, what people said, and entries of files.

Nothing of the project is lost: what both have and differs stays as the project has it, and is named.
"""

from __future__ import annotations

import filecmp
import secrets
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from collector.model.i18n import _, ngettext
from collector.model.variation.phone_variation import VARIATIONS
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import NotFound, StoreError, write_error
from collector.store.files.layout import (
    ANNOTATIONS,
    AUDITS,
    DEFINITIONS,
    EXPERIMENTS,
    JUDGEMENTS,
    JUDGES,
    LIBRARY_FILE,
    PROPOSALS,
    REDACTION_FILE,
    REVIEW_QUEUES,
    RUBRICS,
    RULE_IMAGES,
    RULES_FOLDER,
    TASKS_FILE,
    is_project,
    is_trajectory,
)
from collector.store.files.links import refuse_links_outside
from collector.store.files.lock import LOCK_NAME
from collector.store.project.file_merge import merge_file
from collector.store.project.project import Project

_ENTRIES = (TASKS_FILE, LIBRARY_FILE, f"{RULES_FOLDER}/*.yaml")
"""Files of which missing entries and missing keys of entries are taken; values that are there stay."""
_WHOLE = (
    REDACTION_FILE,
    f"{RULE_IMAGES}/*",
    f"{EXPERIMENTS}/*.yaml",
    f"{JUDGES}/*.yaml",
    f"{JUDGES}/*.prompt",
    f"{RUBRICS}/*.yaml",
    f"{REVIEW_QUEUES}/*.yaml",
    f"{VARIATIONS}/*.yaml",
    f"{PROPOSALS}/*/*.yaml",
    f"{DEFINITIONS}/*.yaml",
    f"{AUDITS}/*/*.yaml",
)
"""Files that are taken whole when they are missing."""
_OF_PEOPLE = (ANNOTATIONS, JUDGEMENTS)
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class BroughtIn:
    """What was taken from a copy, as names in the project, and what was not because both have it."""

    trajectories: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """Files that were missing: of people, experiments and their agents, variations, queues, images."""
    merged: list[str] = field(default_factory=list)
    """Files that got entries of the copy."""
    kept: list[str] = field(default_factory=list)
    """Files and entries (``tasks.yaml: shop-14``) that differ: they are as the project had them."""


def brought_in_text(brought: BroughtIn) -> str:
    """How much was taken, in a sentence."""
    count = len(brought.trajectories)
    recordings = ngettext("{count} trajectory", "{count} trajectories", count)
    files = ngettext("{count} file", "{count} files", len(brought.files) + len(brought.merged))
    return _("Brought in: {trajectories}, {files}", trajectories=recordings, files=files)


def bring_in(
    project: Project, copy: Path, progress: Progress = lambda _done, _total: None, *,
    named: Callable[[Project], Iterable[Path]] = lambda _copy: (),
) -> BroughtIn:  # fmt: skip
    """Take what a copy of a project has and the project has not.

    ``progress`` is called with how many trajectories were looked at, and how many there are. ``named`` lists
    files of the copy that its experiments name, which are taken, too, when they are missing. Raises
    StoreError for a folder that is no project, or is this one, and when something cannot be read or written.
    """
    project.require_writable()
    if not is_project(copy):
        raise NotFound(
            _("There is no project in {folder}", folder=copy), "", _("Choose the folder of a copied project")
        )
    if copy.resolve() == project.folder.resolve():
        raise StoreError(_("This is the project itself"), "", _("Choose the folder of a copy"))
    other = Project.open(copy)
    refuse_links_outside(copy, other.paths.entries())
    result = BroughtIn()
    try:
        for pattern in _ENTRIES:
            for path in sorted(copy.glob(pattern)):
                _merge(project, path, path.relative_to(copy).as_posix(), result)
        for pattern in _WHOLE:
            for path in sorted(copy.glob(pattern)):
                _take(project.folder / path.relative_to(copy), path, project, result)
        for path in named(other):
            _take(project.folder / path.relative_to(other.folder), path, project, result)
        folders = list(other.trajectory_folders())
        for number, folder in enumerate(folders):
            progress(number, len(folders))
            _bring_trajectory(project, folder, copy, result)
        progress(len(folders), len(folders))
    except OSError as error:
        raise write_error(project.folder, error) from error
    project.reload()
    return result


def _merge(project: Project, theirs: Path, name: str, result: BroughtIn) -> None:
    """Add the entries that a file of the copy has and the project's has not."""
    ours = project.folder / name
    if not ours.exists():
        _take(ours, theirs, project, result)
        return
    own, other = yaml_files.read_text(ours, name), yaml_files.read_text(theirs, name)
    # Without a common ancestor an entry that is missing here may be new there: it is taken.
    merged = merge_file("", own, other, name)
    if merged.text != own:
        Disk().write(ours, merged.text.encode())
        result.merged.append(name)
    result.kept += (f"{name}: {each.rule_id}" for each in merged.conflicts if each.rule_id and each.theirs)


def _take(place: Path, source: Path, project: Project, result: BroughtIn) -> None:
    """Copy a file that is missing; one that differs stays and is named."""
    if source.is_symlink() or not source.is_file():
        return
    name = project.paths.relative(place)
    if not place.exists():
        _copy(source, place, project, shutil.copyfile)
        result.files.append(name)
    elif not filecmp.cmp(place, source, shallow=False):
        result.kept.append(name)


def _bring_trajectory(project: Project, source: Path, copy: Path, result: BroughtIn) -> None:
    place = project.folder / source.relative_to(copy)
    if is_trajectory(place):
        for folder in _OF_PEOPLE:
            for path in sorted((source / folder).glob("*")):
                _take(place / folder / path.name, path, project, result)
        return
    _copy(source, place, project, partial(shutil.copytree, ignore=_left_out))
    result.trajectories.append(project.paths.relative(place))


def _copy(source: Path, place: Path, project: Project, copy: Callable[[Path, Path], object]) -> None:
    """Copy beside the project's files, then put in place: what is there is whole."""
    staging = project.paths.import_folder / f"copy-{secrets.token_hex(4)}"
    disk = Disk()
    try:
        disk.make_folder(staging.parent)
        copy(source, staging)
        disk.make_folder(place.parent)
        disk.move(staging, place)
    finally:
        if staging.is_dir():
            shutil.rmtree(staging, ignore_errors=True)
        else:
            staging.unlink(missing_ok=True)


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Links, which could lead out of the copy, and the locks of those who write there."""
    return {name for name in names if name == LOCK_NAME or Path(folder, name).is_symlink()}
