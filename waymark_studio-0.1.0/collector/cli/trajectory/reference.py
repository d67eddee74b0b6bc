"""What a reference to a trajectory names: an id or ``task/id`` in a project, or a path, of any project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from collector.host.user_folders import user_name
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.format_versions import PROJECT
from collector.store.files.layout import ProjectPaths, is_project, project_around
from collector.store.files.zip_path import is_zip
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.trajectory_lookup import find_trajectory

if TYPE_CHECKING:  # takes long to load, and `trajectory show` seldom needs it
    from collector.store.project.project import Project


def find(reference: str, folder: Path) -> Path:
    """The folder of a trajectory of the project in ``folder``, or of a path anywhere.

    A project is opened only to refuse it. Raises NotFound, UnsafePath or StoreError.
    """
    settings = ProjectPaths(folder).settings
    if is_project(folder) and not settings.is_symlink() and PROJECT.is_known(settings.read_bytes()):
        return find_trajectory(folder, reference)
    if Path(reference).is_dir() and not is_project(folder):
        return Path(reference)
    from collector.store.project.project import Project

    return Project.open(folder).find(reference)


def find_in_project(reference: str, folder: Path) -> tuple[Project, Path]:
    """A trajectory, and the project that it lies in. Raises UserError when it is in none."""
    from collector.store.project.project import Project

    place = find(reference, folder)
    around = project_around(place)
    if around is None:
        raise UserError(_("{path} is in no project", path=reference), "", _("Name a trajectory of a project"))
    return Project.open(around), place.parent.resolve() / place.name


def find_to_change(reference: str, folder: Path) -> Path:
    """Find a trajectory for a verb that changes it. Raises ReadOnly when its project may only be read."""
    place = find(reference, folder)
    around = project_around(place)
    if around is not None:
        from collector.store.project.project import Project

        Project.open(around).require_writable()
    return place


def find_to_read(reference: str, folder: Path, who: str = "") -> Path:
    """Find a trajectory that ``who`` reads, by default the user.

    Raises UserError when it is not shown: an operator does not see the other's golden trajectory before the
    own proposal is signed.
    """
    place = find(reference, folder)
    require_visible(place, who)
    return place


def find_or_zip(reference: str, folder: Path, who: str = "") -> Path:
    """Find a trajectory to read, or a zip file by its path: :func:`open_trajectory` reads both."""
    path = Path(reference)
    return path if is_zip(path) else find_to_read(reference, folder, who)


def require_visible(place: Path, who: str) -> None:
    """Raise UserError when a trajectory is not shown to an operator who works blind."""
    around = project_around(place)
    if around is None or not ProjectPaths(around).has_proposals(place.parent.name):
        return  # without loading what only a project with operators needs
    from collector.states.work_files.blindness import require_visible_golden
    from collector.store.project.project import Project

    require_visible_golden(Project.open(around), read_header(place), who or user_name())
