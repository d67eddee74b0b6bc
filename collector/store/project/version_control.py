"""Files that tell git how a project is kept and merged, and the driver that merges its YAML files."""

from __future__ import annotations

import shlex
from pathlib import Path

from collector.host.own_program import waymark_command
from collector.host.programs import find_program, run_program
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.disk import Disk
from collector.store.files.layout import (
    CACHE,
    LIBRARY_FILE,
    PROJECT_FILE,
    RULES_FOLDER,
    TASKS_FILE,
    TRAJECTORIES,
    TRASH,
)
from collector.store.files.lock import LOCK_NAME

DRIVER = "waymark"
_IGNORE = ".gitignore"
_ATTRIBUTES = ".gitattributes"
_IGNORED = (f"{CACHE}/", f"{TRASH}/", f"{TRAJECTORIES}/**/{LOCK_NAME}")
MERGED = (PROJECT_FILE, TASKS_FILE, f"{RULES_FOLDER}/*.yaml", LIBRARY_FILE)
"""Files, as git's patterns, that :mod:`file_merge` merges."""
_TIMEOUT_S = 10


def write_git_files(folder: Path, disk: Disk) -> None:
    """Write ``.gitignore`` and ``.gitattributes`` of a project, unless there are some."""
    attributes = (
        "# Files of recordings have digests: their line ends must stay as they are.",
        f"{TRAJECTORIES}/** -text",
        "# `waymark project merge --install` lets git merge these entry by entry.",
        *(f"{pattern} merge={DRIVER}" for pattern in MERGED),
    )
    for name, lines in ((_IGNORE, _IGNORED), (_ATTRIBUTES, attributes)):
        if not (folder / name).exists():
            disk.write(folder / name, "".join(f"{line}\n" for line in lines).encode())


def install_merge_driver(folder: Path) -> Path:
    """Let the git repository around a project merge with Waymark; returns the folder of the repository.

    Git's own files of the project are written, too, where they are missing. Raises UserError.
    """
    git = find_program("git")
    if git is None:
        raise UserError(_("Git is not installed"), "", _("Install it, and try again"))
    around = _run(git, folder, "rev-parse", "--show-toplevel")
    write_git_files(folder, Disk())
    words = " ".join(shlex.quote(str(word)) for word in waymark_command())
    _run(git, folder, "config", f"merge.{DRIVER}.name", "Waymark merges entry by entry")
    _run(
        git, folder, "config", f"merge.{DRIVER}.driver", f"{words} project merge --driver %O %A %B --path %P"
    )
    return Path(around.strip())


def _run(git: Path, folder: Path, *words: str) -> str:
    """The output of a git command in a folder. Raises UserError with what git says."""
    try:
        done = run_program([git, *words], seconds=_TIMEOUT_S, folder=folder.resolve())
    except OSError as error:
        raise UserError(_("Git cannot be run"), str(error)) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise UserError(
            _("Git refused"), said, _("Make a repository of {folder} with `git init`", folder=folder)
        )
    return done.stdout.decode(errors="replace")
