"""The lock around a change of what people say of trajectories: several programs may review one project."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from collector.store.files import access, lock
from collector.store.files.layout import ProjectPaths, is_project, project_around


@contextlib.contextmanager
def review_lock(path: Path) -> Iterator[None]:
    """Hold the lock of reviews of the project in, or around, ``path``; outside a project nothing is locked.

    Raises ReadOnly when this account may only read the project, and Locked. It is not to be held twice.
    """
    project = path if is_project(path) else project_around(path)
    if project is None:
        yield
        return
    if access.is_read_only(project):
        raise access.read_only_error(project.name)
    with lock.held_for_a_moment(ProjectPaths(project).review_lock):
        yield
