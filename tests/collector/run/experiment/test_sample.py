"""The experiments of the sample project, and the finished run that is shipped with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from collector.agents.registry import agent_kinds
from collector.anomalies.model import CATEGORIES, NATIVE
from collector.model.resources import asset
from collector.model.trajectory import GOLDEN
from collector.model.verdicts.judgement import SUCCESS
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import RecordingChoice
from collector.run.cycle.conditions import ConditionRuns
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.files import check_experiment
from collector.run.experiment.matrix import cells
from collector.run.experiment.scope import ExperimentScope, scope_of
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.run.runner.run_plan import make_plan
from collector.run.runner.stored_episodes import StoredEpisode
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

LARGEST = 6 * 1024 * 1024


@pytest.fixture(scope="module")
def sample() -> Project:
    return Project.open(asset("sample"))


@pytest.fixture(scope="module")
def scope(sample: Project) -> ExperimentScope:
    full = scope_of(sample, agent_kinds().kinds)
    assert full.golden_counts() is full.golden_counts(), "read once for all experiments of a project"
    golden = Counter(path.parent.name for path in sample.paths.trajectories.glob("*/*-lin"))
    return ExperimentScope(
        full.kinds, True, full.tasks, full.anomalies, full.rules, full.semantics, lambda: golden
    )


def finished_runs(sample: Project) -> list[StoredTrajectory]:
    """The runs of the small experiment."""
    stored = sample.open_trajectories()
    return [
        run for run in stored if run.header.episode is not None and run.header.episode.experiment == "quick"
    ]


def test_the_experiment_meets_every_category_with_dialogs_and_changes_of_the_phone(
    sample: Project, scope: ExperimentScope
) -> None:
    checked = check_experiment(sample.paths.experiment("robustness"), scope)
    assert checked.diagnostics == ()
    experiment = checked.require()
    injected = {planned.anomaly for condition in experiment.conditions for planned in condition.injections}
    assert len(experiment.tasks) >= 12
    assert len(injected) >= 8
    assert {scope.anomalies[name].category for name in injected} == set(CATEGORIES)
    assert {scope.anomalies[name].kind == NATIVE for name in injected} == {True, False}
    assert [entry.kind for entry in experiment.agents] == ["golden", "careful", "monkey"]
    assert len(experiment.seeds) == 2
    assert sum(not scope.tasks[name].human_validation for name in experiment.tasks) >= 11


def test_the_small_experiment_is_finished_and_nothing_changed_since(
    sample: Project, scope: ExperimentScope
) -> None:
    checked = check_experiment(sample.paths.experiment("quick"), scope)
    assert checked.diagnostics == ()
    experiment, runs = checked.require(), finished_runs(sample)
    wanted = {(cell.key, cell.seed, cell.repeat): cell for cell in cells(experiment, scope.kinds)}
    episodes = {(run.header.episode.cell, run.header.episode.seed, run.header.episode.repeat): run
                for run in runs if run.header.episode is not None}  # fmt: skip
    assert episodes.keys() == wanted.keys()
    for run in episodes.values():
        assert run.header.outcome is not None
        assert run.header.outcome.status
        assert not run.header.outcome.infrastructure
    size = sum(path.stat().st_size for run in runs for path in Path(run.folder).rglob("*") if path.is_file())
    assert size < LARGEST
    now = current_fingerprints(EpisodeProject.load(sample.folder), experiment, wanted.values())
    stored = [StoredEpisode(run.folder, wanted[key].id, run.header) for key, run in episodes.items()]
    plan = make_plan(tuple(wanted.values()), now, stored)
    assert len(plan.finished) == len(wanted)
    assert (plan.stale, plan.unknown) == ({}, ()), "run the sample's experiment anew: make sample-run"


def test_the_finished_run_separates_plain_from_careful_replay(sample: Project) -> None:
    done: Counter[tuple[str, bool]] = Counter()
    for run in finished_runs(sample):
        episode, outcome = run.header.episode, run.header.outcome
        if episode is not None and outcome is not None and outcome.status == SUCCESS:
            done[episode.agent, episode.condition == ""] += 1
    assert (done["golden", True], done["careful", True]) == (3, 3)
    assert (done["golden", False], done["monkey", True] + done["monkey", False]) == (0, 0)
    assert done["careful", False] >= 4


def test_rules_of_every_category_fire_in_the_recordings_of_their_experiment(
    sample: Project, scope: ExperimentScope
) -> None:
    checked = check_experiment(sample.paths.experiment("rule-driven"), scope)
    assert checked.diagnostics == ()
    experiment, rules = checked.require(), scope.injection_rules
    folders = [path for task in experiment.tasks for path in sample.trajectory_folders(task)]
    goldens = tuple(path for path in folders if open_trajectory(path).header.kind == GOLDEN)
    corpus = ProjectRules(sample).corpus(list(scope.rules), choice=RecordingChoice(goldens))
    fired: dict[int, set[str]] = {}
    for condition in experiment.conditions:
        limit = condition.limit if condition.rules is not None else 0
        fired[limit] = set()
        for number, recording in enumerate(corpus.trajectories):
            task = scope.tasks[recording.task_id]
            runs = ConditionRuns.of(condition, task, scope.rules, semantics=experiment.semantics, seed=1).runs
            for view in (corpus.view(position) for position in corpus.positions_of(number)):
                for run in runs:
                    run.step(view)
            injected = [rule for run in runs for _step, rule in run.fired]
            assert len(injected) <= limit
            fired[limit] |= {*injected}
    assert not fired[0]
    assert fired[1] < fired[2]
    assert fired[2] == rules.keys()
    anomalies = {action.interference_id for rule in rules.values() for action in rule.actions}
    assert {scope.anomalies[name].category for name in anomalies} == set(CATEGORIES)
