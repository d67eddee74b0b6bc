"""Edits of ``tasks.yaml`` touch the lines of their task alone, whatever the file looks like."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from collector.model.task import Task
from collector.store.files.errors import StoreError
from collector.store.tasks import task_file
from collector.store.tasks.task_file_editor import TaskFileEditor

HEAD = "# Our tasks\nformat: waymark-tasks\nversion: 2\ntasks:\n"
BODY = """\
  # --- the shop ---

  # needs an account
  - id: shop-1   # the first
    instruction: "Buy it"
    note: |
      - id: not a task
      # not a comment

      end
    target_rule_ids:
      - bought   # once
      - paid

  # --- the rest ---

  - instruction: 'go
      on'
    id: 2
    mood: {kind: good}
  - {id: three, instruction: x}
  -
    id: four
    instruction: >-
      folded
      text
# the end
owner: me
"""


class EditedFile:
    """A task file on the disk, edited as a project edits it."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        path.write_bytes(text.encode())
        self.editor = TaskFileEditor(path)
        self.tasks = self.editor.read(path.read_bytes()).tasks

    @property
    def text(self) -> str:
        return self.path.read_bytes().decode()

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def save(self, tasks: list[Task] | tuple[Task, ...]) -> str:
        data = self.editor.edited(self.path.read_bytes(), tasks)
        self.path.write_bytes(data)
        self.editor.written(data, tuple(tasks))
        self.tasks = tuple(tasks)
        assert task_file.read_tasks(self.path).tasks == self.tasks
        return data.decode()

    def change(self, task_id: str, **values: object) -> str:
        return self.save(
            [replace(task, **values) if task.id == task_id else task for task in self.tasks]  # type: ignore[arg-type]
        )

    def delete(self, *task_ids: str) -> str:
        return self.save([task for task in self.tasks if task.id not in task_ids])


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def edited(tmp_path: Path, request: pytest.FixtureRequest) -> EditedFile:
    return EditedFile(tmp_path / "tasks.yaml", (HEAD + BODY).replace("\n", request.param))


def test_a_changed_value_is_the_only_difference(edited: EditedFile) -> None:
    before = edited.text
    assert edited.change("shop-1", instruction="Buy two") == before.replace("Buy it", "Buy two")
    before = edited.text
    after = edited.change("shop-1", note="short", target_rule_ids=("sold",))
    assert "note: short" in after
    assert "      - sold   # once" in after
    assert "# the first" in after
    for line in ("# --- the rest ---", "- {id: three, instruction: x}", "mood: {kind: good}", "# the end"):
        assert line in after
    after = edited.change("2", instruction="", level="hard", golden_wanted=3)
    assert "level: hard" in after
    assert edited.change("2", level="") == after.replace("    level: hard" + edited.newline, "")


def test_rewordings_are_written_into_their_task_alone_and_comments_among_them_stay(
    edited: EditedFile,
) -> None:
    block = "    rewordings:\n      casual:\n        - Get it   # the shortest\n        - 'Buy it: now'\n"
    text = edited.text.replace("\r\n", "\n").replace("    target_rule", block + "    target_rule", 1)
    edited.path.write_bytes(text.replace("\n", edited.newline).encode())
    edited.tasks = edited.editor.read(edited.path.read_bytes()).tasks
    wordings = {"casual": ("Get it", "Buy it: now")}
    assert edited.tasks[0].rewordings == wordings
    assert edited.change("shop-1", level="easy").count("rewordings") == 1
    after = edited.change("shop-1", rewordings={**wordings, "unrelated_context": ("I am moving. Buy it",)})
    assert "- Get it   # the shortest" in after
    assert "I am moving. Buy it" in after
    gone = edited.change("shop-1", rewordings={})
    assert "rewordings" not in gone
    assert "# the first" in gone


@pytest.mark.parametrize(
    "value", ["casual", "{casual: it}", "{casual: []}", "{casual: ['']}", "{default: [a]}"]
)
def test_rewordings_of_another_kind_are_kept_as_they_are(tmp_path: Path, value: str) -> None:
    file = EditedFile(
        tmp_path / "tasks.yaml", f"{HEAD}  - id: a\n    instruction: A\n    rewordings: {value}\n"
    )
    assert file.tasks[0].rewordings == {}
    assert f"rewordings: {value}" in file.change("a", instruction="B")


@pytest.mark.parametrize("value", ["5", "{length: 3}", "{variation: a, seed: 1, length: 2, at_least: 3}"])
def test_a_proof_of_another_kind_is_kept_as_it_is(tmp_path: Path, value: str) -> None:
    file = EditedFile(tmp_path / "tasks.yaml", f"{HEAD}  - id: a\n    instruction: A\n    proof: {value}\n")
    assert file.tasks[0].proof is None
    assert f"proof: {value}" in file.change("a", instruction="B")


def test_a_task_in_braces_and_one_below_its_dash_can_be_changed(edited: EditedFile) -> None:
    edited.change("three", instruction="y: z", note="a\nb")
    after = edited.change("four", instruction="one line", app="Shop")
    assert "instruction: one line" in after
    assert "# the end" in after


def test_undo_of_a_deletion_brings_back_the_exact_text(edited: EditedFile) -> None:
    before, tasks = edited.text, edited.tasks
    for deleted in (
        ("shop-1",),
        ("2",),
        ("four",),
        ("shop-1", "2"),
        ("three", "four"),
        ("2", "shop-1", "four"),
    ):
        after = edited.delete(*deleted)
        for comment in ("# --- the shop ---", "# --- the rest ---", "# the end"):
            assert comment in after
        assert ("# needs an account" in after) == ("shop-1" not in deleted)
        assert edited.save(tasks) == before


def test_new_tasks_go_to_their_place(edited: EditedFile) -> None:
    odd = Task(
        "a: b # c", "two\nlines", "'quoted\"", note=" # ", essential_states=("- x", "{y}"), extra={"k": [1]}
    )
    tasks = [*edited.tasks[:1], odd, *edited.tasks[1:], Task("last", "")]
    after = edited.save(tasks)
    assert after.index("last") > after.index("folded")
    assert after.endswith("owner: me" + edited.newline)
    assert after.count("# needs an account") == 1


def test_reordered_tasks_keep_their_comments(edited: EditedFile) -> None:
    after = edited.save([edited.tasks[2], edited.tasks[0], edited.tasks[3], edited.tasks[1]])
    assert after.index("# needs an account") > after.index("three")
    assert "- bought   # once" in after


@pytest.mark.parametrize(
    "text",
    [
        "tasks: [{id: a, instruction: b}, {id: c, instruction: d}]\n",
        HEAD + "  - id: a\n    instruction: b\n    k: &m [1]\n  - id: c\n    instruction: d\n    k: *m\n",
        HEAD + '  - id: a\n    instruction: "b\n  - c"\n  - id: c\n    instruction: d\n',
        HEAD + '  - id: a\n    instruction: b\n  - id: c\n    instruction: "d\n\nend: e"\n',
        "\ufeff" + HEAD + "- id: a\n  instruction: b\n- id: c\n  instruction: d",
        HEAD.replace("tasks:", "'tasks':") + "  - id: a\n    instruction: b\n  - id: c\n    instruction: d\n",
        HEAD + "  - id: a\n    instruction: \"b\u2028    c\"\n  - id: c\n    instruction: d\n",
        'tasks:\n  - {id: z, instruction: z}\nnote: "\ntasks:\n  - x"\nother: 1\n',
        "%YAML 1.1\n---\n" + HEAD + "  - id: a\n    instruction: b\n  - id: c\n    instruction: d\n...\n",
    ],
)  # fmt: skip
def test_files_of_any_shape_hold_what_was_edited(tmp_path: Path, text: str) -> None:
    edited = EditedFile(tmp_path / "tasks.yaml", text)
    first = edited.tasks[0]
    edited.change(first.id, instruction="new: [text]", app="App")
    edited.save([*edited.tasks, Task("e", "f")])
    edited.delete(first.id)
    edited.save([first, *edited.tasks])


@pytest.mark.parametrize("empty", ["tasks: []   # none yet\n", "tasks:\n", "tasks: [\n]\n"])
def test_a_file_without_tasks_keeps_what_else_it_says(tmp_path: Path, empty: str) -> None:
    edited = EditedFile(
        tmp_path / "tasks.yaml", f"# ours\nversion: 2\nowner: me\n{empty}# end\nplace: here\n"
    )
    text = edited.save([Task("a", "b")])
    document = yaml.safe_load(text)
    assert (document["owner"], document["place"], text.count("# ours"), text.count("# end")) == (
        "me",
        "here",
        1,
        1,
    )
    text = edited.delete("a")
    assert yaml.safe_load(text) == {**document, "tasks": []}
    assert edited.save([Task("c", "d")]).startswith("# ours\n")


def test_comments_of_a_file_with_nothing_else_stay(tmp_path: Path) -> None:
    path = tmp_path / "tasks.yaml"
    path.write_bytes(b"# ours")
    data = TaskFileEditor(path).edited(b"# ours", [Task("a", "b")])
    assert data.startswith(b"# ours\nformat: ")


def test_random_edits_and_changes_outside_are_read_as_a_whole_reading_reads_them(tmp_path: Path) -> None:
    chance = random.Random(10)
    edited = EditedFile(tmp_path / "tasks.yaml", HEAD + BODY)
    pool = list(edited.tasks)
    words = [
        "plain",
        "with: colon",
        "# hash",
        "é 打",
        "two\nlines",
        "'",
        '"',
        "- dash",
        "",
        "null",
        "1e3",
        "\ttab",
    ]
    for round_ in range(150):
        tasks = list(edited.tasks)
        kind = chance.randrange(4)
        if kind == 0 and len(tasks) > 1:
            pool.append(tasks.pop(chance.randrange(len(tasks))))
        elif kind == 1:
            known = {task.id for task in tasks}
            new = [task for task in pool if task.id not in known] or [
                Task(f"n{round_}", chance.choice(words))
            ]
            tasks.insert(chance.randrange(len(tasks) + 1), chance.choice(new))
        elif kind == 2:
            at = chance.randrange(len(tasks))
            field = chance.choice(["instruction", "note", "app", "level"])
            tasks[at] = replace(tasks[at], **{field: chance.choice(words)})  # type: ignore[arg-type]
        else:
            lines = edited.text.splitlines(keepends=True)
            lines.insert(chance.choice([4, len(lines)]), "# somebody was here\n")
            edited.path.write_bytes("".join(lines).encode())
            assert edited.editor.read(edited.path.read_bytes()) == task_file.read_tasks(edited.path)
            continue
        edited.save(tasks)


def test_a_text_that_a_file_cannot_hold_is_refused_before_the_file_changes(edited: EditedFile) -> None:
    before = edited.text
    with pytest.raises(StoreError, match="is not saved"):
        edited.save([*edited.tasks, Task("half", "a \ud83d b")])
    with pytest.raises(StoreError, match="is not saved"):
        edited.change("shop-1", instruction="a \ud83d b")
    assert edited.text == before
