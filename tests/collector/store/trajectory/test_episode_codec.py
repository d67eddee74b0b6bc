"""Episodes, outcomes and agents' turns survive their files, and wrong values are named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.action import Action, Invalid, Key, Tap, Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.usage import Usage
from collector.store.files.format_versions import TRAJECTORY
from collector.store.trajectory.codec import (
    dump_line,
    header_from_document,
    header_to_document,
    is_plain_step,
    step_from_line,
    step_to_line,
)
from tests.helpers.steps import step

TEXT = st.text(max_size=12)
COUNT = st.none() | st.integers(0, 2**40)
EXTRA = st.dictionaries(st.just("later"), TEXT, max_size=1)
USAGES = st.builds(Usage, COUNT, COUNT, st.none() | st.floats(0, 1e6), st.sampled_from(["", "USD"]), COUNT)
EPISODES = st.builds(
    Episode,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    TEXT,
    COUNT,
    TEXT,
    TEXT,
    COUNT,
    COUNT,
    COUNT,
    TEXT,
    TEXT,
    TEXT,
    EXTRA,
)
OUTCOMES = st.builds(
    Outcome, st.sampled_from(["", "success", "failure", "uncompleted"]), TEXT, TEXT, st.booleans(), TEXT,
    USAGES, st.booleans(), EXTRA,
)  # fmt: skip
ACTIONS = st.sampled_from([None, Tap(1, 2), Type("é", 1), Key("back"), Invalid("{", "malformed", "Not JSON")])
TURNS = st.builds(
    AgentTurn, TEXT, TEXT, ACTIONS, USAGES, st.dictionaries(TEXT, st.integers(0, 10**6), max_size=2), EXTRA
)


@given(EPISODES, OUTCOMES)
def test_a_header_returns_its_episode_and_outcome(episode: Episode, outcome: Outcome) -> None:
    header = TrajectoryHeader("id", "task", RUN, episode=episode, outcome=outcome)
    document = json.loads(dump_line(TRAJECTORY.stamp(header_to_document(header))))
    assert header_from_document(TRAJECTORY.upgrade(document, "trajectory.json")) == header


@given(TURNS, ACTIONS)
def test_a_step_returns_what_the_agent_said(turn: AgentTurn, action: Action | None) -> None:
    taken = step(0, action, agent=turn)
    line = json.loads(dump_line(step_to_line(taken)))
    assert is_plain_step(line)
    read = step_from_line(line)
    assert (read.agent, read.action) == (turn, taken.action)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("episode", 7),
        ("episode", {"seed": "x"}),
        ("outcome", {"status": "fine"}),
        ("outcome", {"tokens": 3}),
        ("outcome", {"cost": "much"}),
    ],
)
def test_a_header_with_a_wrong_value_is_refused(key: str, value: object) -> None:
    document = {**header_to_document(TrajectoryHeader("id", "task")), key: value}
    with pytest.raises(ValueError, match=r"."):
        header_from_document(document)


@pytest.mark.parametrize("turn", [3, {"predicted": {"kind": "fly"}}, {"timings_ms": {"think": "x"}}])
def test_a_step_with_a_wrong_turn_is_refused(turn: object) -> None:
    line = {**step_to_line(step(0)), "agent": turn}
    assert not is_plain_step(line)
    with pytest.raises(ValueError, match=r"."):
        step_from_line(line)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ({"kind": "run", "agent": "x", "condition": "", "seed": None}, {"episode": {"agent": "x"}}),
        ({"kind": "run", "agent": "", "condition": "", "seed": 3}, {"episode": {"seed": 3}}),
        ({"kind": "golden", "agent": "", "condition": "", "seed": 3}, {"device": {"a": 1, "seed": 3}}),
        ({"kind": "golden", "agent": "", "condition": "", "seed": None}, {"device": {"a": 1}}),
        ({"kind": "golden"}, {"device": {"a": 1}}),
    ],
)
def test_version_1_of_a_header_is_upgraded(stored: dict[str, object], expected: dict[str, object]) -> None:
    document = {"format": "waymark-trajectory", "version": 1, "device": {"a": 1}, **stored}
    upgraded = TRAJECTORY.upgrade(document, "trajectory.json")
    assert not {"agent", "condition", "seed"} & set(upgraded)
    assert {key: upgraded.get(key) for key in expected} == expected
