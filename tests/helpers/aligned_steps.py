"""Trajectories side by side, made up for tests: their steps lie at given slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from collector.comparison.alignment.aligned import AlignedTrajectories
from collector.comparison.alignment.differences import (
    DifferenceKind,
    ReviewedTrajectory,
    TrajectoryDifference,
)
from collector.comparison.alignment.trajectory_alignment import TrajectoryAlignment
from collector.model.episode import AgentTurn
from collector.model.trajectory import Step
from collector.store.trajectory.interruptions import Interruption
from tests.helpers.sample_steps import sample_steps

GAP = None
SLOTS = (
    (0, 0, 0), (1, 1, 1), (2, 2, 2), (GAP, GAP, 3), (GAP, GAP, 4),
    (3, 3, 5), (4, GAP, 6), (5, 4, 7), (6, 5, 8), (7, 6, GAP),
)  # fmt: skip
"""Three trajectories: the third has two steps more in slots 3 and 4, the second left one out in slot 6."""
INTERRUPTION = Interruption(
    "i", "battery_low", injected_ms=9000, slot=3, steps=(3, 4), gone_ms=18_000, answer="deny", answered_by=4
)
DIFFERENCES: tuple[tuple[TrajectoryDifference, ...], ...] = (
    (),
    (TrajectoryDifference(DifferenceKind.LEFT_OUT, 1, 6, 6, "1 step of the reference is left out"),),
    (
        TrajectoryDifference(DifferenceKind.ANOMALY, 2, 3, 4, "2 steps under the anomaly battery_low"),
        TrajectoryDifference(DifferenceKind.ENDED, 2, 9, 9, "It ends"),
    ),
)


def agent_steps(count: int) -> list[Step]:
    """Steps of an agent that has a thought for every second one."""
    return [replace(step, agent=_turn(step.index)) for step in sample_steps()[:count]]


def _turn(index: int) -> AgentTurn:
    return AgentTurn(f"Thought {index // 2}", timings_ms={"think": 100 * (index + 1)})


def aligned_of(
    slots: Sequence[tuple[int | None, ...]], steps: Sequence[Sequence[Step]],
    differences: tuple[tuple[TrajectoryDifference, ...], ...] = (),
    interruptions: Sequence[Sequence[Interruption]] = (),
) -> AlignedTrajectories:  # fmt: skip
    """Trajectories whose alignment is given."""
    none: tuple[Interruption, ...] = ()
    reviewed = [
        ReviewedTrajectory(each, (), tuple(interruptions[side]) if interruptions else none)
        for side, each in enumerate(steps)
    ]
    alignment = TrajectoryAlignment(tuple(slots), (1.0,) * len(slots))
    empty = tuple(() for _each in steps)
    return AlignedTrajectories((), tuple(reviewed), alignment, differences or empty, empty)


def three_aligned() -> AlignedTrajectories:
    """A golden trajectory, a baseline and an interrupted one, at :data:`SLOTS`."""
    steps = [sample_steps()[:8], agent_steps(7), agent_steps(9)]
    return aligned_of(SLOTS, steps, DIFFERENCES, ((), (), (INTERRUPTION,)))
