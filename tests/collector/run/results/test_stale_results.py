"""Results that other things made than those of now are found, and every query can ask for them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.model.resources import asset
from collector.run.results.stale_results import note_stale_results
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.trajectory.fingerprint import AGENT, RULES, TASK

OF_QUICK, OF_OTHERS, OF_ONE_TASK, OF_ONE_AGENT = 27, 32, 9, 9


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sample, without its pictures."""
    ignored = shutil.ignore_patterns(".cache", "*.png")
    return Path(shutil.copytree(asset("sample"), tmp_path / "sample", ignore=ignored))


@pytest.fixture
def catalogue(folder: Path) -> Iterator[Catalogue]:
    with Catalogue(Project.open(folder)) as opened:
        opened.refresh()
        yield opened


def noted(folder: Path, catalogue: Catalogue) -> Catalogue:
    note_stale_results(Project.open(folder), catalogue)
    return catalogue


def replace(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_results_are_stale_by_the_part_that_changed_and_current_again_with_it(
    folder: Path, catalogue: Catalogue
) -> None:
    experiment = folder / "experiments" / "quick.yaml"
    assert noted(folder, catalogue).count("stale:yes") == 0
    assert catalogue.count("kind:run stale:no") == OF_QUICK + OF_OTHERS
    text = experiment.read_text(encoding="utf-8")
    replace(experiment, "monkey]", "{id: monkey, kind: monkey, options: {stay: 3}}]")
    assert noted(folder, catalogue).count(f"stale:{AGENT}") == OF_ONE_AGENT
    assert {row.agent for row in catalogue.find("stale:yes")} == {"monkey"}
    task = Project.open(folder).task("todo-04")
    assert task is not None
    replace(folder / "tasks.yaml", task.instruction, f"{task.instruction} Please.")
    assert noted(folder, catalogue).count(f"stale:{TASK} task:todo-04") == OF_ONE_TASK
    both = catalogue.find(f"stale:{TASK} stale:{AGENT}")
    assert {row.stale for row in both} == {(AGENT, TASK)}
    experiment.write_text(text, encoding="utf-8")
    assert noted(folder, catalogue).count("stale:yes") == OF_ONE_TASK


def test_a_success_rule_makes_the_results_of_its_task_stale(folder: Path, catalogue: Catalogue) -> None:
    rule = "state: messenger-05-1}\n    - {type: action_was, action: "
    replace(folder / "rules" / "success.yaml", f"{rule}answer", f"{rule}complete")
    assert noted(folder, catalogue).count("stale:yes") == OF_ONE_TASK
    assert {(row.task, row.stale) for row in catalogue.find("stale:yes")} == {("messenger-05", (RULES,))}


def test_nobody_can_say_it_of_an_experiment_that_is_gone_or_of_files_that_cannot_be_read(
    folder: Path, catalogue: Catalogue
) -> None:
    experiment = folder / "experiments" / "quick.yaml"
    kept = experiment.read_bytes()
    experiment.unlink()
    assert noted(folder, catalogue).count("stale:unknown") == OF_QUICK
    assert catalogue.count("stale:yes") == 0
    assert catalogue.count("kind:run stale:no") == OF_QUICK + OF_OTHERS
    experiment.write_bytes(kept.replace(b"agents:", b"agnets:"))
    assert noted(folder, catalogue).count("stale:unknown") == OF_QUICK
    experiment.write_bytes(kept)
    assert noted(folder, catalogue).count("stale:unknown") == 0
