"""AndroidWorld's checkpoints become runs: pixels, elements, answers and how they ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from collector.exchange.imports.importing import import_into
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.record_samples import android_world


def imported(folder: Path, **changed: Any) -> tuple[Any, set[str]]:
    source = folder / "s"
    source.mkdir()
    (source / "ShopBuy_0.pkl.gz").write_bytes(android_world(**changed))
    project = Project.create(folder / "p")
    result = import_into(project, source)
    assert result.format.id == "android-world"
    assert check_project(project) == []
    return open_trajectory(result.folders[0]), {finding.code for finding in result.findings}


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_an_episode_becomes_a_run_with_what_the_agent_said(tmp_path: Path, protocol: int) -> None:
    run, codes = imported(tmp_path, protocol=protocol)
    header = run.trajectory.header
    assert (header.kind, header.instruction, header.outcome.status) == ("run", "Buy it", "success")
    assert (header.episode.agent, header.episode.seed, header.episode.repeat) == ("m3a", 30, 0)
    assert header.outcome.claimed == "complete"
    first = run.steps[0]
    assert (first.description, first.agent.thought, first.state.package) == (
        "Tap 'Buy'",
        "it sells",
        "a.shop",
    )
    assert (first.state.size.width, first.state.size.height) == (40, 80)
    assert "class-refused" in codes


def test_a_run_that_ended_by_a_fault_counts_for_nothing(tmp_path: Path) -> None:
    fault = "Traceback\n  ...\nRuntimeError: Error calling LLM"
    run, _codes = imported(tmp_path, exception_info=fault, is_successful=float("nan"))
    outcome = run.trajectory.header.outcome
    assert (outcome.status, outcome.infrastructure) == ("", "RuntimeError: Error calling LLM")


def test_an_episode_without_data_keeps_its_task(tmp_path: Path) -> None:
    run, _codes = imported(tmp_path, episode_data=float("nan"))
    assert (run.steps, run.trajectory.header.instruction) == ((), "Buy it")


def test_an_element_by_number_needs_the_list_of_elements(tmp_path: Path) -> None:
    data = {"action_output": ['Reason: so\nAction: {"action_type": "click", "index": 3}']}
    run, codes = imported(tmp_path, episode_data=data)
    assert run.steps[0].action is None
    assert "action-unknown" in codes
