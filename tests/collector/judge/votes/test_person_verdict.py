"""The verdict on a task that follows from a person's labels of its essential states."""

from __future__ import annotations

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.votes.person_verdict import verdict_of_labels
from collector.model.action import Action, Complete
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import PERSON, Judgement, Subject
from tests.helpers.judged import states_of
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

STATES = states_of("- {id: a}\n- {id: b, alternatives: [c]}\n- {id: c}\n- {id: nice, optional: true}")
TASK = Task("t", "Do", essential_states=("a", "b", "c", "nice"))


@pytest.mark.parametrize(
    ("labels", "signal", "verdict", "reason"),
    [
        ({"a": True, "b": True}, Complete(), "success", "Every essential state was reached"),
        ({"a": True, "c": True}, None, "success", "Every essential state was reached"),
        ({"a": True, "b": False, "c": True}, Complete(), "success", "Every essential state was reached"),
        ({"a": False, "b": True, "nice": True}, Complete(), "failure", "Not reached: a"),
        ({"a": False, "b": True}, None, "uncompleted", "Not reached: a"),
        ({"b": True}, Complete(), "undecided", "Not labelled: a"),
        ({"a": True, "b": False, "c": False}, Complete(), "failure", "Not reached: b, c"),
    ],
)
def test_labels_give_a_verdict(
    labels: dict[str, bool], signal: Action | None, verdict: str, reason: str
) -> None:
    run = MemoryTrajectory("t", [RecordedScreen(b"<hierarchy/>", signal)], RUN)
    trajectory = JudgedTrajectory.of(run, [TASK], STATES)
    given = [
        Judgement("lin", PERSON, "", Subject("state", state), "reached" if is_reached else "missed")
        for state, is_reached in labels.items()
    ]
    said = verdict_of_labels(trajectory, "lin", given)
    assert (said.subject, said.verdict, said.reason) == (Subject(), verdict, reason)
