"""What the path of a ``waymark judge`` verb names: a project, or one trajectory of one."""

from __future__ import annotations

from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.layout import is_project, is_trajectory, project_around


def judged_path(path: Path) -> tuple[Path, Path | None]:
    """The folder of the project, and of the trajectory if ``path`` names one. Raises UserError."""
    around = path if is_project(path) else project_around(path)
    if around is None:
        raise UserError(
            _("{path} is neither a project nor a trajectory of one", path=path),
            "",
            _("Name the folder of a project, or of a trajectory in it"),
        )
    return around, path if is_trajectory(path) else None
