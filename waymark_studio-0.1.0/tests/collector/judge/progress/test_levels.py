"""Levels by length, at the limits that A3 prints."""

from __future__ import annotations

import pytest

from collector.judge.progress.levels import length_of, level_of_length, measured_level
from collector.model.action import Answer, Complete, Invalid, Tap
from tests.helpers.steps import step


@pytest.mark.parametrize(
    ("actions", "level"),
    [(0, "easy"), (6, "easy"), (7, "medium"), (11, "medium"), (12, "hard"), (90, "hard")],
)
def test_a3_limits(actions: int, level: str) -> None:
    assert level_of_length(actions) == level


def test_the_shortest_golden_counts_and_signals_do_not() -> None:
    assert (measured_level([12, 6]), measured_level([])) == ("easy", "")
    steps = [step(0, Tap(1, 2)), step(1, Answer("42")), step(2, Complete()), step(3, Invalid("?"))]
    assert length_of(steps) == 1
