"""Load all runs of a project as columns, from its catalogue."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from statistics import median

import numpy as np

from collector.judge.progress.levels import level_of_length
from collector.metrics.breakdowns.known_anomalies import AnomalyCategories, AnomalyRisks, KnownAnomalies
from collector.metrics.breakdowns.variation_factors import VariationFactors
from collector.metrics.episode_columns import RECORD, RECORDED, EpisodeColumns, TaskFacts
from collector.metrics.loaded_verdicts import read_verdicts
from collector.metrics.needed_states import needed_states
from collector.rules.evaluation.task_states import TaskStates
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project


def load_episodes(
    project: Project, query: str = "", judge: str = RECORDED, catalogue: Catalogue | None = None
) -> EpisodeColumns:
    """All runs of a project; those that fit ``query`` are selected, and ``judge`` says how each ended.

    ``catalogue`` is one that is open and up to date already. Raises QueryError for a query that cannot be
    understood, and StoreError.
    """
    with _opened(project, catalogue) as opened, opened.facts().snapshot():
        facts = opened.facts()
        keys, data = facts.episodes()
        episodes = np.frombuffer(data, RECORD)
        texts = facts.texts()
        tasks = task_facts(project, opened)
        verdicts = read_verdicts(facts, judge, np.array(keys, np.int64), episodes, texts, tasks)
        selected = np.ones(len(keys), bool)
        if query.strip():
            selected = np.isin(keys, opened.keys(query))
        changed = {part: np.isin(keys, own) for part, own in opened.staleness().keys_by_part().items()}
    anomalies = KnownAnomalies(project)
    return EpisodeColumns(
        episodes, texts, tasks, verdicts, keys=np.array(keys, np.int64), selected=selected,
        anomaly_categories=AnomalyCategories(anomalies), changed=changed,
        variation_factors=VariationFactors(project), anomaly_risks=AnomalyRisks(anomalies),
    )  # fmt: skip


def judges_of_project(project: Project, catalogue: Catalogue | None = None) -> tuple[str, ...]:
    """Everyone whose verdicts numbers can be counted by, the recorded outcomes first."""
    with _opened(project, catalogue) as opened:
        return (RECORDED, *opened.facts().judges())


def task_facts(project: Project, catalogue: Catalogue) -> dict[str, TaskFacts]:
    """What the definitions of the tasks and their golden trajectories add to the episodes."""
    states = project.states
    of_project = TaskStates(states.values(), project.tasks)
    golden = catalogue.golden_actions()
    facts = {}
    for task in project.tasks:
        own = golden.get(task.id, ())
        risks = {state.id: state.risk for state in of_project.of(task.id, task) if state.risk}
        followed = {state.id: frozenset(state.after) for state in of_project.of(task.id, task)}
        facts[task.id] = TaskFacts(
            task, needed_states(task, of_project, states), followed, float(median(own)) if own else None,
            level_of_length(min(own)) if own else "", risks,
        )  # fmt: skip
    return facts


@contextlib.contextmanager
def _opened(project: Project, catalogue: Catalogue | None) -> Iterator[Catalogue]:
    if catalogue is not None:
        yield catalogue
        return
    with Catalogue(project) as opened:
        opened.refresh()
        yield opened
