"""The target of a task in ``tasks.yaml``: read, written back as it was, and checked by lines."""

from __future__ import annotations

from dataclasses import replace

from collector.project_check.task_findings import task_findings
from collector.store.project.project import Project
from collector.store.tasks.task_file import edited_file, read_tasks, tasks_of

TEXT = """format: waymark-tasks
version: 2
tasks:
  - id: t1
    instruction: Do a
    target:   # what has to be different
      done: a   # a title
      add:
        calendar.events: {title: Dentist, date: 2026-12-01, time: "15:30"}
  - id: t2
    instruction: Do b
    target:
      add:
        todo.tasks:
          - {title: c}
          - {title: d,
             titel: e}
      opn_app: todo
"""


def test_an_edit_of_another_value_leaves_the_target_as_it_is_written(tmp_path):
    path = tmp_path / "tasks.yaml"
    path.write_text(TEXT)
    first, second = read_tasks(path).tasks
    assert first.target is not None
    assert [part.values for part in first.target.parts] == [
        {"done": True}, {"title": "Dentist", "date": "2026-12-01", "time": "15:30"},
    ]  # fmt: skip
    assert second.target is None
    after = edited_file(TEXT.encode(), [replace(first, level="hard"), second]).decode()
    assert after.replace("    level: hard\n", "") == TEXT
    assert tasks_of({"tasks": []}, "x") == ()


def test_what_is_wrong_in_a_target_is_said_with_its_line(tmp_path):
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(TEXT)
    found = [
        (finding.code, finding.where, finding.what, finding.to_do)
        for finding in task_findings(Project.open(project.folder, allow_damage=True))
    ]
    begin = "The target of task t2 cannot be read: "
    assert found == [
        ("task-target", "tasks.yaml:18", begin + "Nothing reads the key opn_app", "Did you mean open_app?"),
        ("task-target", "tasks.yaml:17", begin + "Records of todo.tasks have no field titel",
         "Did you mean title?"),
    ]  # fmt: skip
