"""Tasks with parameters: what is drawn by a seed, and where the values go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.errors import UserError
from collector.model.expected_answer import ExpectedAnswer
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.task_parameter import Parameter, read_parameter_lines
from collector.model.trajectory import TrajectoryHeader
from collector.model.user_reply import TaskReply
from collector.project_check.task_findings import task_findings
from collector.store.project.project import Project
from collector.store.tasks.task_file import task_from_mapping, task_values
from collector.store.tasks.task_values import bound, bound_by_seed, kept_values, recorded_values, values_of

ENTRY = {
    "id": "add",
    "instruction": "Add {title}, due on {day}, for {who}",
    "rewordings": {"casual": ["{title} by {day} for {who}"]},
    "parameters": {
        "title": ["Milk", "Bread", "Eggs"],
        "day": {"date": ["2026-12-01", "2026-12-24"], "format": "%e %B"},
        "who": {"phone": "contacts.contacts.name"},
        "code": {"number": [10, 99]},
        "name": {"words": 2},
    },
    "expected_answer": {"rule": "number", "text": "{code}"},
    "target": {"add": {"todo.tasks": {"title": "{title}", "due": "{day.iso}"}}},
    "replies": [{"question": "which {name}", "answer": "{title} on {day}"}],
}
TASK = task_from_mapping(ENTRY)
PINNED = {
    "title": "Milk",
    "day": "18 December",
    "day.iso": "2026-12-18",
    "who": "Hugo Martin",
    "code": "70",
    "name": "tomato engine",
}


def test_an_entry_is_read_and_written_as_it_was() -> None:
    assert TASK.extra == {}
    assert task_from_mapping(task_values(TASK)) == TASK
    assert task_values(TASK)["parameters"] == ENTRY["parameters"]
    assert TASK.target is not None
    assert dict(TASK.target.source) == ENTRY["target"]
    lines = [parameter.line for parameter in TASK.parameters]
    assert lines == [
        "title: Milk | Bread | Eggs", "day: 2026-12-01 to 2026-12-24 as %e %B",
        "who: phone contacts.contacts.name", "code: 10 to 99", "name: 2 words",
    ]  # fmt: skip
    assert read_parameter_lines(lines) == TASK.parameters


@pytest.mark.parametrize(
    "written",
    [
        "x",
        {},
        {"a": None},
        {"a": {"words": "2"}},
        {"a": {"date": ["2026-01-01"]}},
        {"a": {"words": 1, "b": 2}},
    ],
)
def test_other_values_stay_as_they_are_and_mean_nothing(written: object) -> None:
    task = task_from_mapping({"id": "t", "parameters": written})
    assert (task.parameters, task.extra) == ((), {"parameters": written})


def test_a_seed_draws_the_same_values_everywhere_and_seeds_differ() -> None:
    # Once and for all: results of an experiment are compared with those of last year.
    assert values_of(TASK, 7) == PINNED
    drawn = [values_of(TASK, seed) for seed in range(60)]
    assert {values["title"] for values in drawn} == {"Milk", "Bread", "Eggs"}
    assert len({values["day.iso"] for values in drawn}) > 15
    assert all("2026-12-01" <= values["day.iso"] <= "2026-12-24" for values in drawn)
    assert all(values["day"] == f"{int(values['day.iso'][-2:])} December" for values in drawn)
    assert all(10 <= int(values["code"]) <= 99 for values in drawn)
    assert "Ana Costa" in {values["who"] for values in drawn}
    assert all(len(values["name"].split()) == 2 for values in drawn)
    # A parameter that is added leaves the values of the others as they are.
    assert values_of(replace(TASK, parameters=TASK.parameters[:1]), 7)["title"] == PINNED["title"]


def test_the_values_go_wherever_they_are_named() -> None:
    values = values_of(TASK, 7)
    given = bound(TASK, values)
    title, day, who = values["title"], values["day"], values["who"]
    assert given.instruction == f"Add {title}, due on {day}, for {who}"
    assert given.rewordings == {"casual": (f"{title} by {day} for {who}",)}
    assert given.expected_answer == ExpectedAnswer((values["code"],), "number")
    assert given.target is not None
    (part,) = given.target.parts
    assert dict(part.values) == {"title": title, "due": values["day.iso"]}
    assert given.replies == (TaskReply(f"which {values['name']}", f"{title} on {day}"),)
    # With its values it is the same for every seed.
    assert bound_by_seed(given, 99) == given
    assert bound_by_seed(Task("t", "Say {hello}"), 1).instruction == "Say {hello}"


def test_a_trajectory_has_the_values_it_keeps_else_those_of_its_seed() -> None:
    kept = TrajectoryHeader("x", "add", extra=kept_values({"title": "Tea"}))
    assert recorded_values(kept, TASK) == {"title": "Tea"}
    assert recorded_values(TrajectoryHeader("x", "add"), TASK) == values_of(TASK, DEFAULT_SEED)
    assert recorded_values(kept, Task("add", "Add")) == {}


def test_what_cannot_be_drawn_is_said(tmp_path) -> None:
    wrong = (
        ("title", Parameter("title", options=("it's",)), "quotation mark"),
        ("n", Parameter("n", "number", first="5", last="1"), "5 is after 1"),
        ("n", Parameter("n", "date", first="x", last="y"), "no two dates"),
        ("n", Parameter("n", "words", count=0), "1 to 20 words"),
        ("n", Parameter("n", "phone", source="contacts.nobody.name"), "no new phone holds"),
    )
    project = Project.create(tmp_path / "p")
    for name, parameter, says in wrong:
        project.save_tasks([Task("t", f"Do {{{name}}}", parameters=(parameter,))])
        (finding,) = [found for found in task_findings(project) if found.code == "task-parameter"]
        assert says in finding.what
    with pytest.raises(UserError, match="Task t has no value for n"):
        values_of(Task("t", "", parameters=(wrong[2][1],)), 1)
    named = Parameter("title", options=("Milk",))
    project.save_tasks([Task("t", "Add {titel}", parameters=(named,))])
    texts = [found.what for found in task_findings(project) if found.code == "task-parameter"]
    assert len(texts) == 2
    assert "{titel}" in texts[0]
    assert "which 'Add {titel}' does not say" in texts[1]
