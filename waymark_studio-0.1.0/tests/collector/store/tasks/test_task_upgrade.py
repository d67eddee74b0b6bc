"""Tasks of version 1 become version 2: sentences get ids, two files are written, and nothing is ever half."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged, StoreError
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange, deleted_with_tasks
from collector.store.tasks.task_upgrade import upgrade_tasks
from tests.helpers.tasks import put_task

TASKS = """\
# Our tasks
format: waymark-tasks
version: 1
tasks:
  # The first
  - id: shop-1
    instruction: Buy a poster   # any
    essential_states:
      - Poster in the cart   # seen
      - Order placed
  - id: shop-2
    instruction: Buy two
    essential_states: [Order placed, cart_open]
    rule_key: human_validation
  - id: plain
    instruction: Look
    type: [of, the, lab]
"""
STATES = """\
# Our states
states:
  - id: cart_open   # by hand
    description: The cart is open
    conditions:
      all: [{type: min_step, value: 2}]
"""


def project_with(folder: Path, tasks: str = TASKS, states: str = STATES) -> Path:
    Project.create(folder)
    (folder / "tasks.yaml").write_text(tasks, encoding="utf-8")
    if states:
        (folder / "rules").mkdir()
        (folder / "rules/states.yaml").write_text(states, encoding="utf-8")
    return folder


def texts(folder: Path) -> tuple[str, str]:
    names = ("tasks.yaml", "rules/states.yaml")
    return tuple((folder / name).read_text(encoding="utf-8") for name in names)  # type: ignore[return-value]


def sentences(project: Project) -> dict[str, list[str]]:
    return {
        task.id: [project.states[state_id].sentence for state_id in task.essential_states]
        for task in project.tasks
    }


def test_an_upgrade_is_in_memory_until_somebody_changes_a_task(tmp_path: Path) -> None:
    folder = project_with(tmp_path / "p")
    before = texts(folder)
    project = Project.open(folder)
    assert {task.id: task.essential_states for task in project.tasks} == {
        "shop-1": ("shop-1-1", "shop-1-2"), "shop-2": ("shop-2-1", "cart_open"), "plain": (),
    }  # fmt: skip
    assert [(state.id, state.sentence) for state in project.new_states] == [
        ("shop-1-1", "Poster in the cart"), ("shop-1-2", "Order placed"), ("shop-2-1", "Order placed"),
    ]  # fmt: skip
    assert (project.tasks[1].human_validation, project.tasks[1].rule_key) == (True, "")
    assert project.tasks[2].extra == {"type": ["of", "the", "lab"]}
    project.save_tasks(project.tasks)
    assert texts(folder) == before
    put_task(project, replace(project.tasks[2], note="seen"))
    assert texts(folder) == (
        """\
# Our tasks
format: waymark-tasks
version: 2
tasks:
  # The first
  - id: shop-1
    instruction: Buy a poster   # any
    essential_states:
      - shop-1-1   # seen
      - shop-1-2
  - id: shop-2
    instruction: Buy two
    essential_states: [shop-2-1, cart_open]
    human_validation: true
  - id: plain
    instruction: Look
    type: [of, the, lab]
    note: seen
""",
        """\
# Our states
states:
  - id: shop-1-1
    description: Poster in the cart
  - id: shop-1-2
    description: Order placed
  - id: shop-2-1
    description: Order placed
"""
        + STATES.removeprefix("# Our states\nstates:\n"),
    )
    assert Project.open(folder).tasks == project.tasks
    assert not project.new_states


def test_states_of_the_project_are_taken_by_their_sentence_and_new_ids_are_free(tmp_path: Path) -> None:
    tasks = """\
tasks:
- {id: a, instruction: x, essential_states: [Saved, Shared, Saved, a-2, unknown_id]}
- {id: b, instruction: x, essential_states: [Saved, Wi-Fi is on]}
"""
    states = """\
states:
- {id: a-1, description: Something else}
- {id: mine, task: a, sentence: Saved}
- {id: theirs, task: c, sentence: Wi-Fi is on}
- {id: shared, description: Shared}
"""
    project = Project.open(project_with(tmp_path / "p", tasks, states))
    named = {task.id: task.essential_states for task in project.tasks}
    assert named == {"a": ("mine", "shared", "a-3", "a-2", "unknown_id"), "b": ("b-1", "b-2")}
    assert {state.id for state in project.new_states} == {"a-3", "b-1", "b-2"}


def test_ids_of_a_project_without_states_stay_ids(tmp_path: Path) -> None:
    tasks = "tasks: [{id: a, instruction: x, essential_states: [cart_open, 已付款, '', Paid]}]\n"
    project = Project.open(project_with(tmp_path / "p", tasks, ""))
    assert project.tasks[0].essential_states == ("cart_open", "a-2", "a-4")
    project.save_upgrade()
    written = Project.open(project.folder)
    assert written.tasks == project.tasks
    assert sentences(written) == {"a": ["cart_open", "已付款", "Paid"]}
    assert yaml.safe_load(texts(project.folder)[0])["version"] == 2


class FailingDisk(Disk):
    """Refuses every write of files after the first ``left``."""

    def __init__(self, left: int) -> None:
        self.left = left

    def write_all(self, files: Mapping[Path, bytes]) -> None:
        if self.left == 0:
            raise StoreError("The disk is full", "", "")
        self.left -= 1
        super().write_all(files)


@pytest.mark.parametrize("left", range(4))
def test_a_crash_between_the_files_leaves_nothing_half(tmp_path: Path, left: int) -> None:
    whole = Project.open(project_with(tmp_path / "whole"))
    put_task(whole, replace(whole.tasks[2], note="seen"))
    folder = project_with(tmp_path / "p")
    if left < 3:  # states, tasks; project.yaml is of this version already
        project = Project.open(folder, disk=FailingDisk(left))
        if left < 2:
            with pytest.raises(StoreError):
                put_task(project, replace(project.tasks[2], note="seen"))
    again = Project.open(folder)
    assert sentences(again) == sentences(whole)
    assert again.tasks[:2] == whole.tasks[:2]
    put_task(again, replace(again.tasks[2], note="seen"))
    assert texts(folder) == texts(whole.folder)


def test_a_broken_file_of_states_stops_a_save_and_nothing_else(tmp_path: Path) -> None:
    folder = project_with(tmp_path / "p", states="states: [}\n")
    project = Project.open(folder)
    assert project.tasks[0].essential_states == ("shop-1-1", "shop-1-2")
    before = texts(folder)
    with pytest.raises(Damaged, match=r"states\.yaml"):
        put_task(project, replace(project.tasks[2], note="seen"))
    assert texts(folder) == before
    (folder / "rules/states.yaml").write_text(STATES, encoding="utf-8")
    put_task(project, replace(project.tasks[2], note="seen"))
    assert Project.open(folder).states.keys() == {"cart_open", "shop-1-1", "shop-1-2", "shop-2-1"}


def test_an_older_file_from_outside_finds_its_states_again(tmp_path: Path) -> None:
    folder = project_with(tmp_path / "p")
    project = Project.open(folder)
    project.save_upgrade()
    named = {task.id: task.essential_states for task in project.tasks}
    (folder / "tasks.yaml").write_text(TASKS.replace("Look", "Look around"), encoding="utf-8")
    project.reload()
    assert {task.id: task.essential_states for task in project.tasks} == named
    assert project.tasks[2].instruction == "Look around"
    assert not project.new_states


def test_a_project_that_can_only_be_read_opens_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project_with(tmp_path / "p")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    monkeypatch.setattr("collector.store.files.access.is_read_only", lambda _folder: True)
    project = Project.open(folder)
    assert project.is_read_only
    assert sentences(project)["shop-1"] == ["Poster in the cart", "Order placed"]
    with pytest.raises(StoreError):
        project.save_upgrade()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
NAMES = st.sampled_from(["Saved", "cart_open", "a-1", "a-1-1", "yes"])
IDS = st.sampled_from(["a", "a-1", "b", "任务", "12", "x y"])


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_several_shared_states_with_the_sentence_are_taken_by_their_ids(count: int) -> None:
    ids = [f"saved_{name}" for name in "hgfedcba"[:count]]
    known = {state_id: EssentialState(state_id, "Saved") for state_id in ids}
    upgraded = upgrade_tasks([Task("shop", "x", essential_states=("Saved",) * count)], known)
    assert upgraded.tasks[0].essential_states == tuple(sorted(ids))


@given(
    st.dictionaries(
        IDS, st.lists(TEXT | st.sampled_from(["Saved", "cart_open", "a-1", "a-1-1", "yes"])), max_size=4
    ),
    st.dictionaries(st.sampled_from(["a-1", "a-2", "cart_open", "s"]), TEXT | st.just("Saved"), max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_every_sentence_is_kept_once_written_and_written_again(
    tasks: dict[str, list[str]], states: dict[str, str]
) -> None:
    known = {state_id: EssentialState(state_id, sentence) for state_id, sentence in states.items()}
    old = [Task(task_id, "x", essential_states=tuple(listed)) for task_id, listed in tasks.items()]
    upgraded = upgrade_tasks(old, known)
    every = {**known, **{state.id: state for state in upgraded.new_states}}
    assert len(every) == len(known) + len(upgraded.new_states)
    for before, after in zip(old, upgraded.tasks, strict=True):
        said = [text for text in before.essential_states if text.strip()]
        assert len(said) == len(after.essential_states)
        for text, state_id in zip(said, after.essential_states, strict=True):
            assert text == state_id or every[state_id].sentence == text
    # After a crash that wrote the states alone, the same ids are found and none is added.
    again = upgrade_tasks(old, every)
    assert again.tasks == upgraded.tasks
    assert not again.new_states


@given(st.dictionaries(IDS, st.lists(TEXT, max_size=4), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_what_is_upgraded_reads_back_from_the_disk(
    tmp_path_factory: pytest.TempPathFactory, tasks: dict[str, list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("upgrade") / "p"
    entries = [
        {"id": task_id, "instruction": "x", "essential_states": said} for task_id, said in tasks.items()
    ]
    Project.create(folder)
    (folder / "tasks.yaml").write_bytes(yaml_files.new({"version": 1, "tasks": entries}, "tasks.yaml"))
    project = Project.open(folder)
    before = sentences(project)
    project.save_upgrade()
    again = Project.open(folder)
    assert (sentences(again), again.tasks, again.new_states) == (before, project.tasks, ())
    shutil.rmtree(folder)


def test_changes_of_states_are_saved_with_tasks_and_taken_back(tmp_path: Path) -> None:
    folder = project_with(tmp_path / "p")
    project = Project.open(folder)
    project.save_upgrade()
    before = texts(folder)
    new = EssentialState("plain-1", "Looked", after=("cart_open",), status="agreed")
    opened = project.states["cart_open"]
    renamed = replace(opened, sentence="The cart is shown")
    changes = (StateChange(None, new), StateChange(opened, renamed))
    base = project.tasks
    project.save_tasks([*base[:2], replace(base[2], essential_states=("plain-1",))], states=changes)
    states = texts(folder)[1]
    assert (
        "description: The cart is shown\n    conditions:\n      all: [{type: min_step, value: 2}]" in states
    )
    assert "- id: cart_open   # by hand" in states
    assert Project.open(folder).states["plain-1"] == new
    taken_back = [change.reversed for change in reversed(changes)]
    project.save_tasks(project.tasks, states=taken_back)  # a task still names the state: it stays
    assert "plain-1" in Project.open(folder).states
    project.save_tasks(base, states=taken_back)
    assert texts(folder) == before


def test_states_that_are_only_a_sentence_go_with_their_last_task(tmp_path: Path) -> None:
    project = Project.open(project_with(tmp_path / "p"))
    project.save_upgrade()
    written = texts(project.folder)
    first, second, plain = project.tasks
    shared = replace(plain, essential_states=("shop-1-1",))
    after = EssentialState("later", "Later", after=("shop-2-1",))
    project.save_tasks([first, second, shared], states=[StateChange(None, after)])
    changes = deleted_with_tasks((first, second), (shared,), project.states)
    assert [change.id for change in changes] == ["shop-1-2"]  # others have conditions, a task or a successor
    tasks = project.tasks
    project.save_tasks((shared,), states=changes)
    assert Project.open(project.folder).states.keys() == {"cart_open", "shop-1-1", "shop-2-1", "later"}
    taken_back = [change.reversed for change in changes]
    project.save_tasks(tasks, states=taken_back)
    project.save_tasks([first, second, plain], states=[StateChange(after, None)])
    assert sorted(texts(project.folder)[1].splitlines()) == sorted(written[1].splitlines())


def test_a_state_that_another_program_changed_stays_as_it_left_it(tmp_path: Path) -> None:
    folder = project_with(tmp_path / "p")
    mine, theirs = Project.open(folder), Project.open(folder)
    theirs.save_upgrade()
    opened = theirs.states["cart_open"]
    theirs.save_tasks(theirs.tasks, states=[StateChange(opened, replace(opened, sentence="Theirs"))])
    theirs.save_tasks(theirs.tasks, states=[StateChange(None, EssentialState("plain-1", "Theirs too"))])
    change = StateChange(opened, replace(opened, sentence="Mine"))
    new = StateChange(None, EssentialState("plain-1", "Mine too"))
    task = replace(mine.tasks[2], essential_states=("plain-1",))
    saved = mine.save_tasks([*mine.tasks[:2], task], states=[change, new])
    assert saved.tasks[2].essential_states == ("plain-2",)
    states = Project.open(folder).states
    assert (states["cart_open"].sentence, states["plain-1"].sentence) == ("Theirs", "Theirs too")
    assert states["plain-2"].sentence == "Mine too"
