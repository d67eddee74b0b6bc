"""The window's numbers are those of the catalogue, by query, judge and kept values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector.metrics.episode_columns import EpisodeColumns
from collector.model.episode import Episode, Outcome
from collector.model.verdicts.judgement import MODEL
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from studio.bridge.jobs import JobRunner
from studio.bridge.metrics_numbers import EpisodeSelection, LoadedEpisodes, MetricsNumbers
from tests.helpers.run_files import says, write_run


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    write_run(created, "1", Episode(agent="a"), Outcome("success"), judgements=says("qwen", MODEL, "failure"))
    write_run(created, "2", Episode(agent="b"), Outcome("failure"))
    with Catalogue(created) as catalogue:
        catalogue.refresh()
    return created


def successes(table: EpisodeColumns) -> list[bool]:
    return (table.is_success & table.selected).tolist()


@pytest.fixture
def numbers(qtbot: Any) -> Iterator[MetricsNumbers]:
    runner = JobRunner()
    numbers = MetricsNumbers(runner, runner)
    yield numbers
    runner.close()
    runner.deleteLater()


def test_a_selection_loads_by_query_judge_and_kept_values(
    qtbot: Any, project: Project, numbers: MetricsNumbers
) -> None:
    wanted = [
        (EpisodeSelection(), [True, True], [True, False]),
        (EpisodeSelection("agent:b"), [False, True], [False, False]),
        (EpisodeSelection(judge="qwen"), [True, True], [False, False]),
        (EpisodeSelection(kept={"agent": frozenset({"a"})}), [True, False], [True, False]),
    ]
    for selection, selected, success in wanted:
        with qtbot.waitSignal(numbers.loaded) as loaded:
            numbers.load(project, selection)
        (answer,) = loaded.args
        assert isinstance(answer, LoadedEpisodes)
        assert answer.selected.selected.tolist() == selected
        assert successes(answer.selected) == success
    with qtbot.waitSignal(numbers.failed):
        numbers.load(project, EpisodeSelection("nothing:here"))
