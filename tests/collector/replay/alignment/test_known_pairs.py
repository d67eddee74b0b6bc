"""Trajectories changed in a known way are aligned so; the sample's runs diverge at their injection."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from collector.replay.alignment.alignment import align_trajectories
from collector.replay.alignment.differences import DifferenceKind, ReviewedTrajectory, TrajectoryComparison
from collector.replay.alignment.step_signature import StepSignature, signature_of, tokens_of
from collector.store.reader import open_trajectory

SAMPLE = Path(__file__).resolve().parents[4] / "assets/sample/trajectories"
GOLDENS = (
    "shop-14/shop-14-lin",
    "shop-13/shop-13-sara",
    "todo-04/todo-04-lin",
    "settings-03/settings-03-sara",
)
RUNS = sorted(
    path for task in ("todo-04", "settings-03", "messenger-05") for path in (SAMPLE / task).glob("quick__*")
)
Truth = list[int | None]


@cache
def trajectory(folder: Path) -> ReviewedTrajectory:
    stored = open_trajectory(folder)
    signatures = [signature_of(step, tokens_of(stored.tree(step))) for step in stored.steps]
    return ReviewedTrajectory(stored.steps, signatures, stored.interruptions())


@cache
def popups() -> list[StepSignature]:
    """The steps of the sample's runs that were taken under a dialog."""
    runs = [trajectory(path) for path in RUNS if "__careful__" in path.name and "battery-low" in path.name]
    return [run.signatures[step] for run in runs for item in run.interruptions for step in item.steps]


def other_language(signature: StepSignature) -> StepSignature:
    def word(text: str) -> str:
        return f"x{sum(map(ord, text)) * 7919 % 99_991}"

    target = signature.target
    if target is not None:
        named = {
            name: word(value) if name in ("text", "content-desc") and value else value
            for name, value in target.attributes.items()
        }
        target = replace(target, attributes=named)
    return replace(signature, texts=frozenset(map(word, signature.texts)), target=target)


def with_popup(steps: Sequence[StepSignature], dice: random.Random) -> tuple[list[StepSignature], Truth]:
    at, count = dice.randrange(1, len(steps)), dice.randint(1, 3)
    met = [dice.choice(popups()) for _popup in range(count)]
    return [*steps[:at], *met, *steps[at:]], [*range(at), *[None] * count, *range(at, len(steps))]


def looped(steps: Sequence[StepSignature], dice: random.Random) -> tuple[list[StepSignature], Truth]:
    at = dice.randrange(1, len(steps) - 1)
    back = dice.randint(1, min(4, at))
    again = list(steps[at - back : at])
    return [*steps[:at], *again, *steps[at:]], [*range(at), *[None] * back, *range(at, len(steps))]


def stuck(steps: Sequence[StepSignature], dice: random.Random) -> tuple[list[StepSignature], Truth]:
    at = dice.randrange(1, len(steps) - 1)
    return [*steps[: at + 1], *[steps[at]] * 4, *steps[at + 1 :]], [
        *range(at + 1), *[None] * 4, *range(at + 1, len(steps)),
    ]  # fmt: skip


def left_out(steps: Sequence[StepSignature], dice: random.Random) -> tuple[list[StepSignature], Truth]:
    at = dice.randrange(len(steps) - 1)
    return [*steps[:at], *steps[at + 1 :]], [*range(at), *range(at + 1, len(steps))]


def translated(steps: Sequence[StepSignature], dice: random.Random) -> tuple[list[StepSignature], Truth]:
    changed, truth = with_popup(steps, dice)
    return [other_language(step) for step in changed], truth


def with_other_content(
    steps: Sequence[StepSignature], dice: random.Random
) -> tuple[list[StepSignature], Truth]:
    """Lists are scrolled and shuffled: half of the texts are others."""
    changed = [replace(step, texts=frozenset(t for t in step.texts if dice.random() < 0.5)) for step in steps]
    return changed, list(range(len(steps)))


Change = Callable[[Sequence[StepSignature], random.Random], tuple[list[StepSignature], Truth]]


@pytest.mark.parametrize(
    ("change", "most"),
    [(with_popup, 0), (left_out, 0), (stuck, 0), (with_other_content, 0), (translated, 0), (looped, 1)],
)
@pytest.mark.parametrize("golden", GOLDENS)
def test_changed_trajectories_are_aligned_as_they_were_changed(
    golden: str, change: Change, most: int
) -> None:
    steps = trajectory(SAMPLE / golden).signatures
    for seed in range(6):
        changed, truth = change(steps, random.Random(seed))
        alignment = align_trajectories([steps, changed])
        found = {slot[1]: slot[0] for slot in alignment.slots if slot[1] is not None}
        errors = [
            abs(mine - wanted) if mine is not None and wanted is not None else int(mine is not wanted)
            for mine, wanted in ((found[step], truth[step]) for step in range(len(changed)))
        ]
        assert max(errors) <= most, (seed, errors)


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_trajectory_has_no_difference_from_itself(golden: str) -> None:
    whole = trajectory(SAMPLE / golden)
    alignment = align_trajectories([whole.signatures] * 4)
    assert alignment.slots == tuple((step,) * 4 for step in range(len(whole.steps)))
    assert set(alignment.likeness) == {1.0}
    assert TrajectoryComparison(alignment, [whole] * 4, 3).differences() == ()


@pytest.mark.parametrize(
    "run", [path for path in RUNS if "__s1" in path.name and "__monkey__" not in path.name]
)
def test_runs_diverge_from_their_baseline_at_the_injection(run: Path) -> None:
    agent, task = run.name.split("__")[1:3]
    (baseline,) = run.parent.glob(f"quick__{agent}__{task}__s1__*")
    both = [trajectory(baseline), trajectory(run)]
    alignment = align_trajectories([each.signatures for each in both])
    comparison = TrajectoryComparison(alignment, both, 1)
    found = comparison.differences()
    if run == baseline:
        assert not found
        return
    (interruption,) = both[1].interruptions
    assert found[0].kind is DifferenceKind.ANOMALY
    assert alignment.slots[found[0].first][1] == interruption.slot
    (recovery,) = comparison.recoveries()
    assert recovery.injected == found[0].first
    # A careful agent finds its way back, a golden replay does not.
    assert (recovery.back is not None) == (agent == "careful")
