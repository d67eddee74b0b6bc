"""Some of the built-in and of the longer tasks are proved, each under one variation or several at once."""

from __future__ import annotations

import pytest

from collector.agents.agent import TREE
from collector.environment.phone_environment import PhoneEnvironment
from collector.oracle.proving import TaskProver
from collector.task_library.built_in_tasks import tasks_named
from collector.task_library.generator import GenerationOptions, generated_tasks

PROVED = {
    "maps-save-pool": "german", "todo-finish-expenses": "mandarin+dark_theme",
    "calendar-cancel-concert": "mirrored", "code-delete-script": "crowded", "shop-save-cat": "consent",
    "messenger-mute-club": "compact", "todo-add-batteries": "empty",
    "shop-fill-mugs": "misleading_descriptions",
    "code-add-file": "landscape+crowded",
}  # fmt: skip
HARD_TO_REACH = {
    "calendar-move-haircut": "landscape+large_text+crowded",
    "maps-save-pool": "landscape+crowded+missing_elements",
    "messenger-mute-club": "landscape+crowded+noisy", "calendar-invite-fatima": "landscape+misleading+noisy",
}  # fmt: skip
"""Far down a list, behind noise, or moved by it to where there is no room."""
ANOTHER_SEED = ("maps-remove-bistro", "missing_elements+adversarial_descriptions", 21)
"""The button to remove it is missing at first, and those beside it have its name."""
LONG = ("long-213b81cb", "long-ba21a886", "long-62ccfe34")
"""Of two, four and three parts; in the second a message goes away in the middle of a tap."""


@pytest.fixture(scope="module")
def prover():
    environment = PhoneEnvironment(observes=TREE)
    yield TaskProver(environment)
    environment.close()


@pytest.mark.parametrize(("name", "variation"), PROVED.items(), ids=PROVED)
def test_a_built_in_task_is_proved(prover, name, variation):
    (task,) = tasks_named({name})
    proof = prover.prove(task, variation, seed=2)
    assert proof.problem == ""
    assert 0 < proof.length < task.max_steps


@pytest.mark.parametrize(("name", "variation"), HARD_TO_REACH.items(), ids=HARD_TO_REACH)
def test_what_is_hard_to_reach_is_reached_within_the_steps_of_the_task(prover, name, variation):
    (task,) = tasks_named({name})
    assert prover.prove(task, variation).problem == ""


def test_what_noise_hides_is_not_taken_for_its_neighbour(prover):
    name, variation, seed = ANOTHER_SEED
    (task,) = tasks_named({name})
    assert prover.prove(task, variation, seed).problem == ""


@pytest.mark.parametrize("name", LONG)
def test_a_longer_task_is_proved(prover, name):
    task = next(task for task in generated_tasks(GenerationOptions()) if task.id == name)
    proof = prover.prove(task)
    assert proof.problem == ""
    assert 0 < proof.length < task.max_steps
