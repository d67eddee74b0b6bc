"""The fingerprints that episodes of an experiment would have if they began now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.model import Cell, Experiment


def current_fingerprints(
    project: EpisodeProject, experiment: Experiment, cells: Iterable[Cell]
) -> Mapping[str, Mapping[str, str]]:
    """The digest of each part, by ``Cell.key``; a cell whose task the project no longer has is left out."""
    files = AgentFiles(project.project)
    tasks = {task.id: task for task in project.project.tasks}
    fingerprints: dict[str, Mapping[str, str]] = {}
    for cell in cells:
        if cell.key not in fingerprints and (task := tasks.get(cell.task)) is not None:
            of_agent = files.digests(experiment.agent(cell.agent), cell.task)
            plan = EpisodePlan.of(experiment, cell, task, of_agent)
            fingerprints[cell.key] = project.fingerprint(plan, task)
    return fingerprints
