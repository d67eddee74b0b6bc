"""Filters over the steps of a review, and the index they ask, on the sample's interrupted runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.comparison.alignment.aligned import AlignedTrajectories, align_stored, side_by_side
from collector.comparison.steps.step_query import KEYS, StepQuery
from collector.comparison.steps.trajectory_index import TrajectoryIndex, build_index, index_of
from collector.model.verdicts.judgement import REACHED, STATE, TASK, WINDOW, Judgement, Subject
from collector.store.catalogue.query import QueryError
from collector.store.trajectory.reader import open_trajectory

TODO = Path(__file__).resolve().parents[4] / "assets/sample/trajectories/todo-04"
Review = tuple[AlignedTrajectories, list[TrajectoryIndex]]


@pytest.fixture(scope="module")
def review() -> Review:
    """Golden, baseline and a run under app_crash: slots 2 and 3 are of the run alone."""
    runs = [next(TODO.glob(f"quick__careful__todo-04__{name}s1__*")) for name in ("", "app-crash__")]
    stored = [open_trajectory(folder) for folder in (TODO / "todo-04-lin", *runs)]
    return align_stored(stored), [index_of(each) for each in stored]


def test_the_index_knows_of_each_step_what_the_files_say(review: Review) -> None:
    _aligned, (golden, baseline, interrupted) = review
    assert [step.number for step in interrupted.steps] == list(range(6))
    assert [step.action for step in interrupted.steps] == ["tap", "tap", "tap", "open_app", "tap", "complete"]
    assert [step.anomalies for step in interrupted.steps] == [()] * 2 + [("app_crash",)] * 4
    assert interrupted.steps[2].rules == ("at-step-3-app_crash-0",)
    assert interrupted.steps[1].reached == (("todo-04-2", "rules"), ("todo-04-2", "simulated"))
    assert interrupted.steps[1].latency_ms is not None
    assert golden.steps[1].latency_ms is None
    assert {item.verdict for item in baseline.verdicts if item.judge == "rules"} == {"success"}
    assert {item.verdict for item in baseline.verdicts if item.judge == "simulated"} == {"failure"}
    assert not baseline.interruptions
    assert [item.anomaly for item in interrupted.interruptions] == ["app_crash"]


@pytest.mark.parametrize(
    ("query", "slots"),
    [
        ("", {0, 1, 2, 3, 4, 5}),
        ("action:open_app", {3}),
        ("action:tap", {0, 1, 2, 4}),
        ("anomaly:app_crash", {2, 3, 4, 5}),
        ("anomaly:any action:tap", {2, 4}),
        ("-anomaly:any", {0, 1}),
        ("difference:anomaly", {2, 3}),
        ("-difference:any action:tap", {0, 1, 4}),
        ("difference:none", {0, 1, 4, 5}),
        ("gap:yes", {2, 3}),
        ("side:B", {0, 1, 4, 5}),
        ("side:c anomaly:none", {0, 1}),
        ("rule:at-step-3", {2, 3, 4, 5}),
        ("state:todo-04-2", {1}),
        ("state:reached", {1, 5}),
        ("state:missed", {1, 5}),
        ("state:missed side:b", {5}),
        ("verdict:success=rules", {5}),
        ("verdict:failure", {5}),
        ("judge:jo", {5}),
        ("step:>=5", {4, 5}),
        ("app:waymark.todo activity:MainActivity", {1, 4, 5}),
        ("app:launcher", {0, 2, 3}),
        ('text:"my tasks" step:2', {1}),
        ("-text:tasks", {0, 2, 3}),
        ("text:no-such-words", set()),
        ("latency:<100 step:1", {0}),
        ("problem:yes", set()),
    ],
)
def test_queries_choose_slots(review: Review, query: str, slots: set[int]) -> None:
    assert StepQuery(query).slots(*review) == slots


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("actoin:tap", "no search key actoin"),
        ("action:tapp", "action is never 'tapp'"),
        ("difference:lop", "Use one of: anomaly, loop"),
        ("step:three", "compared with a number"),
        ("side:E", "Use one of: a, b, c, d"),
        ("gap:maybe", "gap is never"),
    ],
)
def test_what_cannot_be_asked_is_said_with_what_can(query: str, sentence: str) -> None:
    with pytest.raises(QueryError) as refused:
        StepQuery(query)
    assert sentence in f"{refused.value} {refused.value.to_do}"


def test_all_keys_are_asked_before_trajectories_are_aligned(review: Review) -> None:
    aligned, indexes = review
    plain = side_by_side(aligned.stored)
    values = {"gap": "yes", "side": "a", "step": "1", "latency": ">0", "action": "any", "difference": "any"}
    for key in KEYS:
        assert StepQuery(f"{key}:{values.get(key, 'x')}").slots(plain, indexes) <= frozenset(range(6))
    assert StepQuery("difference:any").slots(plain, indexes) == frozenset()


def test_missed_states_are_where_another_side_reaches_them_and_windows_at_their_steps(review: Review) -> None:
    aligned, (golden, baseline, interrupted) = review
    said = [
        Judgement("jo", "person", "", Subject(TASK), "failure"),
        Judgement("jo", "person", "", Subject(STATE, "todo-04-2"), "missed"),
        Judgement("jo", "person", "", Subject(STATE, "nowhere"), "missed"),
        Judgement("vlm", "model", "1", Subject(WINDOW, "w", 1, 2), REACHED),
    ]
    judged = build_index(interrupted.trajectory, (), said)
    indexes = [golden, baseline, judged]
    assert StepQuery("state:missed side:c").slots(aligned, indexes) == {1, 5}
    assert StepQuery("state:nowhere").slots(aligned, indexes) == {5}
    assert StepQuery("verdict:failure=jo").slots(aligned, indexes) == {5}
    assert StepQuery("judge:vlm").slots(aligned, indexes) == {1, 2}
