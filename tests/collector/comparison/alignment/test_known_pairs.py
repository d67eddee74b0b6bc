"""Trajectories changed in a known way are aligned so; the sample's runs diverge at their injection."""

from __future__ import annotations

import itertools

import pytest

from collector.comparison.alignment.aligned import align_stored
from collector.comparison.alignment.differences import DifferenceKind
from collector.model.cancellation import Cancelled, cancellable
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.known_pairs import GOLDENS, HARD, PICTURES, PLAIN, SAMPLE, errors_of_kind

INTERRUPTED = sorted(
    path.parent.relative_to(SAMPLE).as_posix()
    for path in SAMPLE.glob("*/*/trajectory.json")
    if "battery-low" in path.parent.name or "app-crash" in path.parent.name
)


@pytest.mark.parametrize("kind", PLAIN)
def test_plain_changes_are_aligned_exactly(kind: str) -> None:
    assert set(errors_of_kind(kind, GOLDENS[1:4], 2)) == {0}


@pytest.mark.parametrize("kind", [*HARD, *PICTURES])
def test_hard_changes_are_aligned_at_most_one_step_off(kind: str) -> None:
    errors = errors_of_kind(kind, GOLDENS[1:4], 2)
    assert max(errors) <= 1
    assert sum(errors) < len(errors) / 5


@pytest.mark.parametrize("golden", GOLDENS[:4])
def test_a_trajectory_has_no_difference_from_itself(golden: str) -> None:
    aligned = align_stored([open_trajectory(SAMPLE / golden)] * 4)
    assert aligned.slots == tuple((step,) * 4 for step in range(len(aligned.stored[0].steps)))
    assert set(aligned.alignment.similarity) == {1.0}
    assert aligned.differences == ((),) * 4


@pytest.mark.parametrize("run", INTERRUPTED)
def test_runs_diverge_from_their_baseline_at_the_injection(run: str) -> None:
    task, name = run.split("/")
    agent = name.split("__")[1]
    (baseline,) = (SAMPLE / task).glob(f"quick__{agent}__{task}__s1__r0__*")
    aligned = align_stored([open_trajectory(folder) for folder in (baseline, SAMPLE / run)])
    (interruption,) = aligned.reviewed[1].interruptions
    first = aligned.differences[1][0]
    assert first.kind is DifferenceKind.ANOMALY
    assert interruption.anomaly in first.reason
    assert aligned.slots[first.first][1] == interruption.slot
    (recovery,) = aligned.recoveries[1]
    assert recovery.injected == first.first
    # A careful agent finds its way back, a golden replay does not.
    if agent != "monkey":
        assert (recovery.back is not None) == (agent == "careful")


def test_an_alignment_ends_between_two_screens_once_it_is_cancelled() -> None:
    golden = next(path.parent for path in SAMPLE.glob("*/*/trajectory.json"))
    asked = itertools.count(1)
    with pytest.raises(Cancelled), cancellable(lambda: next(asked) >= 5):
        align_stored([open_trajectory(golden)] * 4)
    assert next(asked) == 6
