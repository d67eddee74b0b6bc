"""Read an experiment and what is known about it, for the window; no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.agents.kinds import AgentKind
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.seeds import DEFAULT_SEED
from collector.run.experiment.estimate import Estimate, Measured
from collector.run.experiment.model import Cell, Experiment
from collector.run.experiment.reader import ExperimentFile
from collector.run.experiment.scope import ExperimentScope
from collector.run.progress import CellProgress
from collector.store.project.project import Project

_MOST_CELLS = 100_000
"""A larger matrix is counted, and not listed."""


@dataclass(frozen=True, slots=True)
class ExperimentScene:
    """What a project has for its experiments. Made anew when the project changes."""

    scope: ExperimentScope
    measured: Measured
    """What earlier episodes of all agents took."""
    problems: tuple[str, ...] = ()
    """A sentence for each kind of agents that could not be loaded."""
    offline: Measured = field(default_factory=dict)
    """As ``measured``, of episodes that were asked golden steps."""

    @property
    def kinds(self) -> Mapping[str, AgentKind]:
        """The kinds of agents by id."""
        return self.scope.kinds


@dataclass(frozen=True, slots=True)
class LoadedExperiment:
    """An experiment of the project as its text says it now."""

    name: str
    path: Path
    file: ExperimentFile
    """Its text, and what of it could be read."""
    cells: tuple[Cell, ...]
    """Its matrix; empty when it is too large to be listed."""
    diagnostics: tuple[Diagnostic, ...]
    estimate: Estimate
    scene: ExperimentScene
    earlier: tuple[CellProgress, ...] = ()
    """What the project's trajectories say of the cells."""
    has_output: bool = False
    """Whether a window started a runner of it, whose output is there to be read."""

    @property
    def experiment(self) -> Experiment:
        """What could be read; with :attr:`errors` it cannot be run."""
        return self.file.experiment

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """What keeps it from being run."""
        return tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)

    @property
    def can_run(self) -> bool:
        """Whether a runner can be started with it."""
        return not self.errors and self.estimate.episodes > 0


def read_scene(project: Project) -> ExperimentScene:
    """Read what the project and the installed packages have for experiments. Raises StoreError."""
    from collector.agents.registry import agent_kinds
    from collector.run.experiment.estimate import measured_episodes
    from collector.run.experiment.scope import scope_of
    from collector.store.catalogue.catalogue import Catalogue

    loaded = agent_kinds()
    scope = scope_of(project, loaded.kinds)
    with Catalogue(project) as catalogue:
        golden = catalogue.golden_counts()
        agents = {
            row.agent for row in catalogue.find("kind:run experiment:any infrastructure:no") if row.agent
        }
        measured = measured_episodes(catalogue, sorted(agents))
        offline = measured_episodes(catalogue, sorted(agents), offline=True)
    scope = replace(scope, golden_counts=lambda: golden)
    return ExperimentScene(scope, measured, loaded.problems, offline)


def starter_text(project: Project) -> str:
    """The text of a new experiment: the golden agent on the tasks that have a golden trajectory.

    Without any it is the monkey on all tasks. Raises StoreError.
    """
    from collector.run.experiment.template import new_text
    from collector.store.catalogue.catalogue import Catalogue

    with Catalogue(project) as catalogue:
        catalogue.refresh()
        has_golden = any(catalogue.golden_counts().values())
    agents, where = (["golden"], "golden:>0") if has_golden else (["monkey"], "")
    return new_text("all", where, agents, ["baseline"], [DEFAULT_SEED])


def read_stored_cells(project: Project, experiment: str) -> tuple[CellProgress, ...]:
    """What the trajectories of the project say of an experiment now. Raises StoreError."""
    from collector.run.results.stale_results import note_stale_results
    from collector.run.stored_cells import stored_cells
    from collector.store.catalogue.catalogue import Catalogue

    with Catalogue(project) as catalogue:
        catalogue.refresh()
        note_stale_results(project, catalogue)
        return tuple(stored_cells(catalogue, experiment))


def read_text_of_experiment(
    name: str, path: Path, text: str, scene: ExperimentScene, earlier: tuple[CellProgress, ...] = (),
    *, has_output: bool = False,
) -> LoadedExperiment:  # fmt: skip
    """Read the text of an experiment against its project. Never raises for what the text says."""
    from collector.run.experiment.estimate import estimate
    from collector.run.experiment.lint import lint
    from collector.run.experiment.matrix import cell_count, cells
    from collector.run.experiment.reader import read_experiment

    scope = scene.scope
    file = read_experiment(text, scope, name, path.name)
    experiment = file.experiment
    is_listed = cell_count(experiment, scope.kinds) <= _MOST_CELLS
    return LoadedExperiment(
        name,
        path,
        file,
        tuple(cells(experiment, scope.kinds)) if is_listed else (),
        lint(file, scope),
        estimate(
            experiment,
            scope.kinds,
            scope.tasks,
            measured=scene.measured if experiment.offline is None else scene.offline,
        ),
        scene,
        earlier,
        has_output,
    )
