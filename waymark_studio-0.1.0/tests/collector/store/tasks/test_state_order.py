"""New states stand in the order of the tasks, and headings keep the places of tasks without states."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange


def project_with(folder: Path, states: str, **named: tuple[str, ...]) -> Project:
    project = Project.create(folder)
    project.save_tasks([Task(task, "Do", essential_states=ids) for task, ids in named.items()])
    if states:
        project.paths.rule_file("state").parent.mkdir()
        project.paths.rule_file("state").write_text(states, "utf-8")
    return project


def put(project: Project, task_id: str, *ids: str) -> str:
    """Let a task name states, new ones among them; returns the file of the states."""
    known = project.states
    changes = [StateChange(None, EssentialState(name, f"S {name}")) for name in ids if name not in known]
    tasks = [
        Task(task.id, "Do", essential_states=ids) if task.id == task_id else task for task in project.tasks
    ]
    project.save_tasks(tasks, states=changes)
    return text_of(project)


def text_of(project: Project) -> str:
    return project.paths.rule_file("state").read_text("utf-8")


def order(text: str) -> list[str]:
    """What the file is about, line by line: ids of states and headings."""
    lines = [line.strip() for line in text.splitlines()]
    return [line.removeprefix("- id: ") for line in lines if line.startswith(("- id: ", "# "))]


def test_states_of_a_task_stand_together_and_tasks_in_their_order(tmp_path: Path) -> None:
    project = project_with(tmp_path / "p", "", a=(), b=(), c=())
    put(project, "c", "c-1")
    put(project, "a", "a-1")
    put(project, "b", "b-1", "b-2")
    put(project, "a", "a-1", "a-2")
    text = put(project, "c", "c-0", "c-1", "c-2")
    assert order(text) == ["a-1", "a-2", "b-1", "b-2", "c-0", "c-1", "c-2"]
    assert [state.id for state in project.states.values()] == order(text)
    assert Project.open(project.folder).states == project.states


@settings(max_examples=8, deadline=None)
@given(order_of=st.permutations(["a-1", "a-2", "b-1", "b-2", "c-1"]), has_headings=st.booleans())
def test_whatever_comes_first_the_file_is_in_the_order_of_the_tasks(
    tmp_path_factory: pytest.TempPathFactory, order_of: list[str], has_headings: bool
) -> None:
    project = project_with(tmp_path_factory.mktemp("p") / "p", "", a=(), b=(), c=())
    if has_headings:
        project.write_task_headings()
    named: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    for state_id in order_of:
        task = state_id[0]
        named[task] = sorted([*named[task], state_id])
        put(project, task, *named[task])
    assert list(project.states) == sorted(order_of)
    assert Project.open(project.folder).states == project.states


def test_headings_keep_the_place_of_each_task_without_states(tmp_path: Path) -> None:
    project = project_with(tmp_path / "p", "", a=(), b=(), c=())
    project.write_task_headings()
    assert text_of(project) == "states:\n  # a\n  # b\n  # c\n"
    assert project.states == {}
    assert order(put(project, "b", "b-1")) == ["# a", "# b", "b-1", "# c"]
    assert order(put(project, "a", "a-1")) == ["# a", "a-1", "# b", "b-1", "# c"]
    before = text_of(project)
    project.write_task_headings()
    assert text_of(project) == before


COMMENTED = """\
# Ours
states:
  # about the second
  - id: b-1   # kept
    description: B

  # the last
  - id: d-1
    description: D
# end
"""


def test_comments_stay_with_the_entries_they_are_about(tmp_path: Path) -> None:
    project = project_with(tmp_path / "p", COMMENTED, a=(), b=("b-1",), c=(), d=("d-1",))
    project.write_task_headings()
    assert order(text_of(project)) == [
        "# Ours", "# a", "# about the second", "b-1   # kept", "# c", "# the last", "d-1", "# end",
    ]  # fmt: skip
    put(project, "c", "c-1")
    text = put(project, "b", "b-0", "b-1")
    assert order(text) == [
        "# Ours", "# a", "b-0", "# about the second", "b-1   # kept", "# c", "c-1", "# the last", "d-1",
        "# end",
    ]  # fmt: skip
    assert text.endswith("# end\n")


@pytest.mark.parametrize(
    "states", ["states: []\n", "{states: [{id: b-1, description: B}]}\n", "states: # none\n", "states:"]
)
def test_a_file_of_another_shape_gets_its_states_all_the_same(tmp_path: Path, states: str) -> None:
    project = project_with(tmp_path / "p", states, a=(), b=())
    project.write_task_headings()
    put(project, "a", "a-1")
    assert project.states["a-1"].sentence == "S a-1"
    assert Project.open(project.folder).states == project.states


def test_lines_of_windows_stay_lines_of_windows(tmp_path: Path) -> None:
    project = project_with(tmp_path / "p", "", a=(), b=("b-1",))
    path = project.paths.rule_file("state")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"states:\r\n  - id: b-1\r\n    description: B\r\n")
    project.write_task_headings()
    assert path.read_bytes() == b"states:\r\n  # a\r\n  - id: b-1\r\n    description: B\r\n"
