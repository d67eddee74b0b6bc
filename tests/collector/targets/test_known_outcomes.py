"""Equal data are compared with a target once, and each moment has the outcome of its own data."""

from __future__ import annotations

import copy

import pytest

from collector.targets import known_outcomes
from collector.targets.known_outcomes import KnownOutcomes
from collector.targets.outcome import outcome_of
from collector.targets.reader import read_target

FIRST = {"todo.tasks": [{"title": "Buy milk", "done": False}]}
DONE = {"todo.tasks": [{"title": "Buy milk", "done": True}]}
TARGET = read_target({"change": {"todo.tasks": {"where": {"title": "Buy milk"}, "to": {"done": True}}}})


@pytest.fixture
def compared(monkeypatch) -> list[tuple[object, ...]]:
    """What was compared, and not known."""
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        known_outcomes,
        "outcome_of",
        lambda *given, front: calls.append(given) or outcome_of(*given, front=front),
    )
    return calls


def test_equal_data_are_compared_once_and_others_again(compared) -> None:
    known = KnownOutcomes(TARGET)
    moments = [(FIRST, FIRST, ""), (FIRST, DONE, ""), (FIRST, DONE, "todo"), (DONE, DONE, "")]
    for _time in range(3):
        rewards = [known.of(*copy.deepcopy(moment)).reward for moment in moments]
        assert rewards == [outcome_of(*moment[:2], TARGET, front=moment[2]).reward for moment in moments]
    assert len(compared) == len(moments)


def test_data_that_were_not_seen_for_long_are_forgotten(compared) -> None:
    known = KnownOutcomes(TARGET)
    moments = [{"todo.tasks": [{"title": f"{number}", "done": True}]} for number in range(100)]
    for moment in [*moments, moments[-1], moments[0]]:
        known.of(FIRST, moment, "")
    assert [given[1] for given in compared] == [*moments, moments[0]]
