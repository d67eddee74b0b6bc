"""Longer tasks: the same for the same seed, each another one, and no part disturbs another."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.app_data.target import OPEN_APP
from collector.model.errors import UserError
from collector.model.task import LEVELS, Task
from collector.targets.expected_data import expected_data
from collector.targets.reader import SUBTASKS, read_target
from collector.task_library.built_in_tasks import built_in_tasks, tasks_named
from collector.task_library.footprint import disturb_each_other, footprint
from collector.task_library.generator import GenerationOptions, generated_tasks
from collector.task_library.wording import clause
from tests.helpers.phone_data import data_of_new_phone


@pytest.fixture(scope="module")
def initial():
    return data_of_new_phone()


def parts_of(task: Task) -> tuple[Task, ...]:
    names = task.note.removeprefix("Parts: ").split(", ")
    known = {part.id: part for part in tasks_named(set(names))}
    return tuple(known[name] for name in names)


def end_of(initial, sources):
    """What the data are in the end, records in no order."""
    records = expected_data(initial, read_target({SUBTASKS: list(sources)})).records
    return {
        name: sorted(repr((sorted(item.record.items()), sorted(item.free))) for item in items)
        for name, items in records.items()
    }


def test_a_hundred_tasks_from_easy_to_hard() -> None:
    tasks = generated_tasks(GenerationOptions())
    assert len(tasks) == len({task.id for task in tasks}) == len({task.instruction for task in tasks}) == 100
    assert {len(parts_of(task)) for task in tasks} == {2, 3, 4, 5}
    assert all(len({part.package for part in parts_of(task)}) > 1 for task in tasks)
    assert min(sum(task.level == level for task in tasks) for level in LEVELS) >= 20
    assert {part.id for task in tasks for part in parts_of(task)} == {task.id for task in built_in_tasks()}


def test_an_instruction_says_every_part_in_the_order_of_the_target() -> None:
    for task in generated_tasks(GenerationOptions(40, seed=2)):
        text, parts = task.instruction.lower(), parts_of(task)
        places = [text.index(clause(part).lower()) for part in parts]
        assert places == sorted(places)
        assert task.target is not None
        assert task.target.source[SUBTASKS] == [part.target.source for part in parts if part.target]
        assert all(part.kind != OPEN_APP for part in task.target.parts[:-1])


def test_parts_come_to_the_same_in_every_order(initial) -> None:
    for task in generated_tasks(GenerationOptions(60, seed=3)):
        assert task.target is not None
        sources = task.target.source[SUBTASKS]
        end = end_of(initial, sources)
        orders = itertools.islice(itertools.permutations(sources), 24)
        assert all(end_of(initial, order) == end for order in orders)


def test_parts_about_one_record_or_one_cart_are_not_put_together() -> None:
    def of(source: dict) -> Task:
        return Task("a", "A", target=read_target(source))

    done, removed = (
        of({"done": {"content_id": "milk"}}),
        of({"removed": {"todo.tasks": {"content_id": "milk"}}}),
    )
    cart, order = (
        of({"add": {"shop.cart": {"product": "mug"}}}),
        of({"add": {"shop.orders": {"items": {"cat": 1}}}}),
    )
    saved, other = of({"saved": {"content_id": "museum"}}), of({"saved": {"content_id": "castle"}})
    tell, again = of({"sent": {"to": "ana", "text": "Hi"}}), of({"sent": {"to": "ana", "text": "Bye"}})
    disturbing = [(done, removed), (cart, order), (order, order), (saved, saved), (tell, again)]
    assert all(disturb_each_other(footprint(one), footprint(two)) for one, two in disturbing)
    together = [(done, cart), (saved, other), (order, of({"add": {"shop.saved": {"product": "mug"}}}))]
    assert not any(disturb_each_other(footprint(one), footprint(two)) for one, two in together)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    number=st.integers(1, 12),
    least=st.integers(2, 4),
    level=st.sampled_from(["", *LEVELS[1:]]),
)
def test_the_same_options_give_the_same_tasks_and_fewer_the_first_of_them(seed, number, least, level) -> None:
    options = GenerationOptions(number, seed, least, 5, ("todo", "maps", "shop", "code"), level)
    tasks = generated_tasks(options)
    assert generated_tasks(options) == tasks
    fewer = GenerationOptions(max(1, number // 2), seed, least, 5, options.apps, level)
    assert tasks[: fewer.number] == generated_tasks(fewer)
    assert len({frozenset(part.id for part in parts_of(task)) for task in tasks}) == number
    assert all(len(parts_of(task)) >= least and level in ("", task.level) for task in tasks)


def test_another_seed_gives_others_and_an_id_stands_for_its_parts() -> None:
    first, second = (generated_tasks(GenerationOptions(seed=seed)) for seed in (1, 2))
    assert [task.id for task in first] != [task.id for task in second]
    both = {task.id: task for task in first}
    assert all(both.get(task.id, task) == task for task in second)


def test_tasks_of_one_app_end_when_there_are_no_more() -> None:
    found = generated_tasks(GenerationOptions(26, apps=("messenger",)))
    assert {task.package for task in found} == {"com.waymark.messenger"}
    with pytest.raises(UserError, match="There are only 26 such tasks"):
        generated_tasks(GenerationOptions(27, apps=("messenger",)))
