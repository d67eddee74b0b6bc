"""``waymark run`` says what it will do before it begins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from collector.cli.run.report import say_plan
from collector.run.experiment.estimate import Estimate
from collector.run.experiment.model import Experiment
from collector.run.runner.run_plan import RunPlan


def test_stale_cells_are_named_and_of_many_the_first_ten(capsys: pytest.CaptureFixture[str]) -> None:
    stale = {f"shop-{number} / golden": ("agent", "task") for number in range(12)}
    finished = cast("Any", dict.fromkeys(stale, SimpleNamespace()))
    plan = RunPlan((), finished, stale)
    say_plan(Experiment("pilot", (), ()), plan, Estimate(0, 0, 1, 0.0, 0.0, ()))
    said = capsys.readouterr().out
    assert "12 finished episodes are stale. Since then changed: the agent (12), the task (12)" in said
    assert said.count("  shop-") == 10
    assert "  shop-9 / golden: the agent, the task\n" in said
    assert "  and 2 more: waymark run pilot --dry-run --json lists all of them as stale\n" in said
