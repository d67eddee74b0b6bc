"""The variations that a verb knows: those of the studio, and of the project in its folder."""

from __future__ import annotations

from pathlib import Path

from collector.store.files.layout import is_project
from collector.variations.registry import Variations


def variations_in(folder: Path) -> Variations:
    """The variations of a project, or without one those of the studio.

    Raises UnsafePath for a project whose files lie behind a link out of it.
    """
    if not is_project(folder):
        return Variations()
    # Here, because it takes megabytes, which a phone without a project does not need.
    from collector.store.project.project import Project

    return Variations(Project.open(folder, allow_damage=True).folder)
