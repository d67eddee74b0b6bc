"""Runs are estimated within a factor of 1.5, on a simulated clock: learned from earlier episodes."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from collector.run.experiment.estimate import estimate, groups_of, measured_episodes
from collector.run.experiment.matrix import cells, in_run_order
from collector.run.experiment.model import Cell, Experiment
from collector.store.catalogue.catalogue_row import CatalogueRow
from tests.collector.run.experiment.scopes import KINDS, experiment_scope, read

TEXT = """\
tasks: [shop-2, todo-1]
agents: [golden, monkey]
conditions: [baseline, {id: low, anomaly: low_double, at: 3}]
modality: [screenshot+tree]
repeats: REPEATS
"""
SECONDS = {"golden": 1.2, "monkey": 4.0}
START_S, RESET_S, FAULTS = 5.0, 1.1, 0.15


class SimulatedRuns:
    """A project whose runs take the time of a clock that only they move on."""

    def __init__(self, seed: int) -> None:
        self._draw, self._now = random.Random(seed), 1_700_000_000.0
        self.rows: list[CatalogueRow] = []

    def find(self, query: str, limit: int) -> list[CatalogueRow]:
        """As the catalogue answers the two queries of an estimate."""
        return [row for row in self.rows if "agent:" not in query or f'"={row.agent}"' in query][:limit]

    def run(self, matrix: Iterable[Cell], phones: int) -> float:
        """Run cells on so many phones; the seconds that it took."""
        began = self._now
        free = [began + START_S] * phones
        for cell in matrix:
            is_fault = True
            while is_fault:
                is_fault = self._draw.random() < FAULTS
                seconds = SECONDS[cell.agent] * (2.5 if cell.condition == "low" else 1.0)
                seconds *= self._draw.uniform(0.6, 1.6)
                heapq.heapreplace(free, self._episode(cell, free[0] + RESET_S, seconds, is_fault))
        self._now = max(free) + 3600
        return max(free) - began

    def _episode(self, cell: Cell, at: float, seconds: float, is_fault: bool) -> float:
        condition = "" if cell.condition == "baseline" else cell.condition
        started = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
        self.rows.append(
            CatalogueRow(
                "", "", cell.task, "run", "", "finished", cell.agent, condition, started,
                round(seconds * 1000), 3, 0, "",
                outcome="" if is_fault else "success", infrastructure="offline" if is_fault else "",
            )
        )  # fmt: skip
        return at + seconds


def experiment_of(repeats: int) -> Experiment:
    return read(TEXT.replace("REPEATS", str(repeats))).experiment


@pytest.mark.parametrize("phones", [1, 2, 3])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_estimate_is_within_a_factor_of_one_and_a_half(phones: int, seed: int) -> None:
    world, tasks = SimulatedRuns(seed), experiment_scope().tasks
    world.run(in_run_order(list(cells(experiment_of(2), KINDS))), 2)
    for repeats, agents in ((1, ("golden", "monkey")), (3, ("golden",)), (8, ("golden", "monkey"))):
        experiment = experiment_of(repeats)
        left = [cell for cell in cells(experiment, KINDS) if cell.agent in agents]
        measured = measured_episodes(world, ["golden", "monkey"])  # type: ignore[arg-type]
        said = estimate(experiment, KINDS, tasks, phones, measured, groups_of(left)).seconds
        taken = world.run(in_run_order(left), phones)
        assert taken / 1.5 < said < taken * 1.5, (repeats, said, taken)
