"""A project's own files: made, opened, edited with comments kept, refused with a sentence."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.resources import asset
from collector.model.task import LEVELS, Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.files import lock, yaml_files
from collector.store.files.errors import Damaged, FromTheFuture, Locked, NotFound, StoreError, UnsafePath
from collector.store.files.names import folder_name, inside
from collector.store.project.project import Project
from tests.helpers.tasks import put_task

TASKS = """\
# Our tasks
format: waymark-tasks
version: 1
tasks:
  # The first
  - id: one   # an id
    instruction: "Do it"
    mood: cheerful
  - id: 2
    instruction: 打开商店
"""


BOMB = "b0: &b0 [x, x, x]\n" + "".join(
    f"b{level}: &b{level} [{', '.join([f'*b{level - 1}'] * 9)}]\n" for level in range(1, 9)
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p", "Mine")
    (created.folder / "tasks.yaml").write_text(TASKS, encoding="utf-8")
    created.reload()
    return created


def test_a_new_project_opens_and_is_empty(tmp_path: Path) -> None:
    Project.create(tmp_path / "new 新 📱", semantics="dgara")
    opened = Project.open(tmp_path / "new 新 📱")
    assert (opened.name, opened.semantics, opened.trusted, opened.tasks) == ("new 新 📱", "dgara", False, ())


def test_a_project_that_nobody_has_is_gone_at_once(tmp_path: Path) -> None:
    """A window reads its project again and again: 47 of them waited for a collection of cycles."""
    created = Project.create(tmp_path / "p")
    put_task(created, Task("a", "Do it"))
    known = weakref.ref(created)
    del created
    assert known() is None


def test_a_folder_in_use_is_not_made_a_project(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="not empty"):
        Project.create(tmp_path)
    with pytest.raises(NotFound, match="no project"):
        Project.open(tmp_path)
    Project.create(tmp_path / "p")
    with pytest.raises(StoreError, match="already"):
        Project.create(tmp_path / "p")


def test_tasks_keep_comments_order_and_unknown_keys_through_an_edit(project: Project) -> None:
    first, second = project.tasks
    assert (first.extra, second.id) == ({"mood": "cheerful"}, "2")
    changed = dataclasses.replace(first, instruction="Do it well", essential_states=("Done",))
    project.save_tasks([changed, second, Task("three", "New")])
    text = (project.folder / "tasks.yaml").read_text(encoding="utf-8")
    for fragment in ("# Our tasks", "# The first", "# an id", "mood: cheerful", "打开商店", "id: 2\n"):
        assert fragment in text
    assert Project.open(project.folder).tasks == (changed, second, Task("three", "New"))


def test_tasks_can_be_removed_and_reordered(project: Project) -> None:
    first, second = project.tasks
    project.save_tasks([second, first])
    assert [task.id for task in project.reload()] == ["2", "one"]
    project.save_tasks([first])
    assert project.reload() == (first,)


def test_a_change_by_another_program_is_merged_with_an_edit(project: Project) -> None:
    path = project.folder / "tasks.yaml"
    path.write_text(TASKS + "  - {id: four, instruction: x}\n", encoding="utf-8")
    put_task(project, Task("five", "y"))
    assert [task.id for task in Project.open(project.folder).tasks] == ["one", "2", "four", "five"]
    assert "- {id: four, instruction: x}\n" in path.read_text(encoding="utf-8")


def test_a_task_file_that_is_gone_or_empty_for_a_moment_deletes_no_task(project: Project) -> None:
    path = project.folder / "tasks.yaml"
    path.unlink()
    assert len(project.reload()) == 2
    path.write_bytes(b"")
    put_task(project, Task("three", "y"))
    assert [task.id for task in Project.open(project.folder).tasks] == ["one", "2", "three"]


def test_an_edit_of_a_file_that_was_broken_outside_is_refused_and_can_be_saved_later(
    project: Project,
) -> None:
    path = project.folder / "tasks.yaml"
    path.write_text(TASKS.replace("- id: 2", "<<<<<<< HEAD\n  - id: 2"), encoding="utf-8")
    with pytest.raises(Damaged, match="line 10"):
        put_task(project, Task("five", "y"))
    assert "<<<<<<< HEAD" in path.read_text(encoding="utf-8")
    path.write_text(TASKS, encoding="utf-8")
    put_task(project, Task("five", "y"))
    assert [task.id for task in Project.open(project.folder).tasks] == ["one", "2", "five"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tasks: [{instruction: x}]", "Task 1 of tasks.yaml cannot be read.*no id"),
        ("tasks: [{id: a}, {id: a}]", "two tasks with the id a"),
        ("tasks: [{id: a, max_steps: many}]", "max_steps is not a number"),
        ("tasks: {a: b}", "not a list"),
        ("tasks: [{id: a, instruction: [x]}]", "instruction is not a text"),
        ("tasks:\n  - id: a\n   bad", "line 3"),
        ("tasks: !!python/object/apply:os.system ['echo hi > pwned']", "line 1: "),
        (BOMB, "unfold"),
        ("a: " + "[" * 300, "nested more than 200"),
        ("a: " + "[" * 3000, "tasks.yaml cannot be read: line 1: "),  # some parsers have a limit of their own
        ("format: waymark-project\ntasks: []", "it says it is waymark-project"),
    ],
)  # fmt: skip
def test_bad_task_files_are_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    created = Project.create(tmp_path / "p")
    (created.folder / "tasks.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(Damaged, match=f"(?s){sentence}"):
        Project.open(created.folder)
    assert not Path("pwned").exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x8e\xff\x00", "^tasks.yaml cannot be read: it is not text in UTF-8. Save it"),
        (b"a: 1\n" * 4_000_000, "too large to be read: the limit is 16 MB. Remove what"),
    ],
    ids=["junk", "large"],
)
def test_files_that_hold_no_yaml_are_refused_in_one_line(tmp_path: Path, data: bytes, sentence: str) -> None:
    created = Project.create(tmp_path / "p")
    (created.folder / "tasks.yaml").write_bytes(data)
    with pytest.raises(Damaged, match=sentence) as refused:
        Project.open(created.folder)
    assert "\n" not in str(refused.value)


def test_a_task_file_that_is_no_file_is_refused_and_not_taken_for_none(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    tasks = created.folder / "tasks.yaml"
    tasks.unlink()
    tasks.mkdir()
    with pytest.raises(Damaged, match=r"tasks\.yaml cannot be read\. .* Check that it is a file"):
        Project.open(created.folder)
    tasks.rmdir()
    tasks.symlink_to(tasks.name)
    with pytest.raises(UnsafePath, match=r"tasks\.yaml is a link and is not followed"):
        Project.open(created.folder)


def test_an_empty_project_file_says_so(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    (created.folder / "project.yaml").write_bytes(b"")
    with pytest.raises(Damaged, match=r"it is empty\. Correct it, or restore it"):
        Project.open(created.folder)


def test_a_project_in_a_folder_of_no_text_opens_again(tmp_path: Path) -> None:
    assert Project.create(tmp_path / "p", "f\udcff").name == "f?"
    assert Project.open(tmp_path / "p").name == "f?"


def test_a_project_is_not_made_where_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")
    with pytest.raises(StoreError, match="There is a file called notes already"):
        Project.create(tmp_path / "notes")


def test_files_of_a_later_version_are_refused_and_untouched(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    path = created.folder / "project.yaml"
    later = path.read_text().replace("version: 2", "version: 99")
    path.write_text(later)
    with pytest.raises(FromTheFuture, match="later Waymark Studio"):
        Project.open(created.folder)
    assert path.read_text() == later


def test_settings_change_with_comments_kept(project: Project) -> None:
    path = project.folder / "project.yaml"
    path.write_text("# Lab 3\n" + path.read_text())
    project.set(trusted=True, name="Other")
    assert path.read_text().startswith("# Lab 3\n")
    again = Project.open(project.folder)
    assert (again.trusted, again.name) == (True, "Other")


@pytest.mark.fault("F13")
def test_one_program_edits_a_project(project: Project) -> None:
    with project.lock(), pytest.raises(Locked):
        Project.open(project.folder).lock()
    project.lock().release()


def test_trajectories_are_found_by_id_by_task_and_by_path(project: Project) -> None:
    for task in ("one", "a/../b"):
        project.new_trajectory(TrajectoryHeader("same", task)).close()
    project.new_trajectory(TrajectoryHeader("other", "one")).close()
    folder = project.find("other")
    assert folder == project.folder / "trajectories" / "one" / "other"
    assert project.find("one/same").parent == folder.parent
    assert project.find(str(folder)) == folder
    for reference in ("same", "none"):
        with pytest.raises(NotFound):
            project.find(reference)
    assert all(
        trajectory_folder.resolve().is_relative_to(project.paths.trajectories)
        for trajectory_folder in project.trajectory_folders()
    )
    assert len(list(project.trajectory_folders("a/../b"))) == 1


def test_a_new_trajectory_takes_the_task_s_instruction(project: Project) -> None:
    with project.new_trajectory(TrajectoryHeader("", "2")) as writer:
        assert writer.header.instruction == "打开商店"
        assert writer.header.id


@pytest.mark.parametrize(
    "name",
    ["CON", "nul.txt", "com1", "a/b", "..", ".", "", " x ", "x.", "a:b", "\x00", "~x", ".x", "é" * 300],
)
def test_names_become_folders_that_are_safe_everywhere(name: str) -> None:
    created = folder_name(name)
    assert created == folder_name(name)
    assert created.strip(" .")
    assert created.partition(".")[0].upper() not in {"CON", "NUL", "COM1"}
    assert not set(created) & set('<>:"/\\|?*\0')
    assert len(created.encode()) < 200


@given(first=st.text(max_size=60), other=st.text(max_size=60))
def test_two_names_never_share_a_folder(first: str, other: str) -> None:
    if first != other:
        assert folder_name(first) != folder_name(other)


@given(st.text(max_size=40))
def test_no_name_in_a_file_leads_outside_its_folder(name: str) -> None:
    folder = Path("/tmp/some/folder")
    try:
        path = inside(folder, name)
    except UnsafePath:
        return
    assert path.resolve().is_relative_to(folder.resolve())


@pytest.mark.parametrize(
    "name", ["../x", "/etc/passwd", "a/../../x", "C:\\x", "\\\\host\\x", "a\\..\\..\\x", "x\0", ""]
)
def test_names_that_lead_outside_are_refused(name: str) -> None:
    with pytest.raises(UnsafePath):
        inside(Path("/tmp/some/folder"), name)


def test_files_without_links_are_known_by_their_own_parts_and_links_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t"
    (folder / "states").mkdir(parents=True)
    for place in (folder / "states" / "1.xml", tmp_path / "other.xml"):
        place.touch()
    try:
        (folder / "states" / "in.xml").symlink_to("1.xml")
        (folder / "states" / "out.xml").symlink_to(tmp_path / "other.xml")
        (folder / "away").symlink_to(tmp_path)
    except OSError:
        pytest.skip("links need a right here")
    assert inside(folder, "states/in.xml") == folder / "states" / "in.xml"
    for name in ("states/out.xml", "away/other.xml", "away/t/../other.xml"):
        with pytest.raises(UnsafePath):
            inside(folder, name)

    def every_parent(_path: object) -> str:
        raise AssertionError("looks at every parent, for each of tens of thousands of files")

    monkeypatch.setattr("os.path.realpath", every_parent)
    assert inside(folder, "states/1.xml") == folder / "states" / "1.xml"


def test_the_sample_project_is_sound() -> None:
    sample = Project.open(asset("sample"))
    assert len(sample.tasks) >= 12
    for task in sample.tasks:
        assert task.instruction, task.id
        assert task.essential_states, task.id
        assert task.package, task.id
        assert task.level in LEVELS
        assert not task.extra
        assert folder_name(task.id) == task.id
    assert any("\u4e00" <= task.instruction[0] <= "\u9fff" for task in sample.tasks)


def test_an_unchanged_sample_is_written_as_it_is() -> None:
    path = asset("sample", "tasks.yaml")
    data = path.read_bytes()
    assert yaml_files.changed(data, yaml_files.load(path), path.name) == data


_ADDS_TASKS = """
import sys
from pathlib import Path
from collector.model.task import Task
from collector.store.files.errors import Locked
from collector.store.project.project import Project
project = Project.open(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    added, is_saved = [*project.tasks, Task(f"{sys.argv[2]}-{number}", "Do it")], False
    while not is_saved:
        try:
            project.save_tasks(added)
            is_saved = True
        except Locked:  # on a loaded machine the other one can have it for 10 seconds
            continue
"""


def test_two_processes_that_save_tasks_at_once_lose_none(tmp_path: Path) -> None:
    folder, count = Project.create(tmp_path / "both").folder, 40
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _ADDS_TASKS, str(folder), name, str(count)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in ("left", "right")
    ]  # fmt: skip
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=600)
        assert process.returncode == 0
    ids = {task.id for task in Project.open(folder).tasks}
    assert ids == {f"{name}-{number}" for name in ("left", "right") for number in range(count)}


def test_tasks_held_by_another_program_are_refused_after_a_while_and_kept(
    project: Project, monkeypatch
) -> None:
    monkeypatch.setattr(lock, "_LONGEST_CHANGE_S", 0.0)
    with lock.held_for_a_moment(project.paths.task_lock), pytest.raises(Locked, match="in use"):
        put_task(project, Task("late", "Wait"))
    put_task(project, Task("late", "Wait"))
    assert Project.open(project.folder).task("late") is not None
