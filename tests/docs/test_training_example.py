"""The toy model of docs/examples learns from an export of the sample project."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.model.resources import asset
from collector.store.project.project import Project
from tests.helpers.scripts import script

toy = script("docs/examples/training", "toy_model")


def test_a_step_makes_the_loss_smaller(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = Project.open(Path(shutil.copytree(asset("sample"), tmp_path / "sample")))
    choice = ExportChoice(Selection(tasks=("todo-05",), kinds=("golden",)))
    export_project(project, "llama-factory", tmp_path / "out", choice)
    losses, model, known, kept = toy.train(tmp_path / "out", 20)
    assert losses[1] < losses[0]
    assert losses[-1] < 0.8 * losses[0]
    assert model.right(known) > 1 / len(model.choices)
    assert any(answer.startswith("tap ") for answer in known.answers)
    assert np.isnan(model.right(kept))
    assert toy.main([str(tmp_path / "out"), "--steps", "2"]) == 0
    assert "loss before step 1" in capsys.readouterr().out
