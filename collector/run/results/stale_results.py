"""Find the stored results of a project that other things made than those of now, and note them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from collector.agents.registry import agent_kinds
from collector.model.errors import UserError
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.files import check_experiment
from collector.run.experiment.matrix import cells
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.staleness_columns import StoredCell
from collector.store.project.project import Project
from collector.store.trajectory.fingerprint import UNKNOWN, changed_parts


def note_stale_results(project: Project, catalogue: Catalogue) -> None:
    """Compare what made each run with what would make it now; ``stale:`` and the rows of lists say it.

    ``catalogue`` is up to date. A run whose experiment, cell or fingerprint is not there any more, or whose
    project cannot be read at the moment, is one of which nobody can say. Raises StoreError.
    """
    staleness = catalogue.staleness()
    stored = staleness.cells()
    if stored:
        wanted = {cell.experiment for cell in stored if cell.fingerprint}
        now = dict(_fingerprints_now(project, wanted))
        staleness.note((cell, _changed(cell, now.get(cell.experiment, {}))) for cell in stored)


def _changed(stored: StoredCell, now: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    current = now.get(stored.cell)
    return changed_parts(stored.fingerprint, current) if stored.fingerprint and current else (UNKNOWN,)


def _fingerprints_now(
    project: Project, experiments: set[str]
) -> Iterator[tuple[str, Mapping[str, Mapping[str, str]]]]:
    """Name of each experiment that can be read, and the fingerprints of its cells."""
    try:
        loaded = EpisodeProject.load(project.folder)
        scope = scope_of(loaded.project, agent_kinds().kinds)
    except UserError:  # a damaged file, which the check of the project names
        return
    for name in experiments:
        try:
            yield name, _of_experiment(loaded, name, scope)
        except UserError:
            continue


def _of_experiment(
    loaded: EpisodeProject, name: str, scope: ExperimentScope
) -> Mapping[str, Mapping[str, str]]:
    path = loaded.project.paths.experiment(name)
    if not path.is_file():
        return {}
    experiment = check_experiment(path, scope).require()
    return current_fingerprints(loaded, experiment, cells(experiment, scope.kinds))
