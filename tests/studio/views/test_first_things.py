"""What is to be done first in each workspace, by what there is already."""

from __future__ import annotations

import pytest

from studio.views.first_things import (
    NEEDS,
    PHONE,
    PROJECT,
    RECORDING,
    TASK,
    PresentThings,
    first_need,
)

NOTHING = PresentThings()
NO_PHONE = PresentThings(has_project=True, can_change=True)
NO_TASK = PresentThings(has_project=True, can_change=True, has_phone=True)
NO_RECORDING = PresentThings(has_project=True, can_change=True, has_phone=True, task="shop-1")
RECORDED = PresentThings(has_project=True, can_change=True, task="shop-1", has_trajectories=True)
IMPORTED = PresentThings(has_project=True, can_change=True, has_trajectories=True)
READ_ONLY = PresentThings(has_project=True)

ON_RECORDINGS = {
    NOTHING: PROJECT, NO_PHONE: PHONE, NO_TASK: TASK, NO_RECORDING: RECORDING,
    RECORDED: None, IMPORTED: None, READ_ONLY: None,
}  # fmt: skip
ON_TASKS = {
    NOTHING: PROJECT, NO_PHONE: TASK, NO_TASK: TASK, NO_RECORDING: None,
    RECORDED: None, IMPORTED: None, READ_ONLY: None,
}  # fmt: skip
TABLE = {
    "rules": ON_RECORDINGS, "states": ON_RECORDINGS, "review": ON_RECORDINGS,
    "run": ON_TASKS, "metrics": ON_TASKS,
}  # fmt: skip


@pytest.mark.parametrize("workspace", sorted(NEEDS))
def test_one_thing_comes_first(workspace):
    said = {facts: first_need(workspace, facts) for facts in TABLE[workspace]}
    assert said == TABLE[workspace]
