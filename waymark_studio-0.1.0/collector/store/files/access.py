"""Whether a project can be changed, and where the cache of one goes that cannot."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from collector.host.user_folders import state_folder
from collector.model.i18n import _
from collector.store.files.errors import ReadOnly
from collector.store.files.layout import PROJECT_FILE, TASKS_FILE, TRAJECTORIES


def is_read_only(folder: Path) -> bool:
    """Whether the system or the medium lets this account only read the project in ``folder``."""
    places = (folder, folder / PROJECT_FILE, folder / TASKS_FILE, folder / TRAJECTORIES)
    return any(place.exists() and not os.access(place, os.W_OK) for place in places)


def cache_outside(folder: Path) -> Path:
    """A folder of this person for the cache of a project that is read-only."""
    digest = hashlib.sha256(str(folder.resolve()).encode(errors="surrogateescape")).hexdigest()
    return state_folder() / "read-only" / digest[:16]


def read_only_error(name: str) -> ReadOnly:
    """The error for a change of a project that can only be read."""
    return ReadOnly(
        _("The project {name} is read-only", name=name),
        _("this account may not write in its folder"),
        _("Change the permissions of the folder, or copy it and open the copy"),
    )
