"""Delete an experiment of a project, which nobody may be running then."""

from __future__ import annotations

from pathlib import Path

from collector.run.control.runner_file import RunnerFile
from collector.run.experiment.files import not_there
from collector.store.project.project import Project


def delete_experiment(project: Project, name: str) -> Path:
    """Delete the file of an experiment; its runs stay. Raises ExperimentError, or RunnerActive."""
    project.require_writable()
    path = project.paths.experiment(name)
    if not path.is_file():
        raise not_there(project, name)
    held = RunnerFile.hold(project.paths, path.stem)
    try:
        path.unlink()
    finally:
        held.release()
    return path
