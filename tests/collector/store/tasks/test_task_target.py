"""The target of a task in ``tasks.yaml``: read, written back as it was, and checked by lines."""

from __future__ import annotations

import json
from dataclasses import replace

from collector.cli.main import main
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.progress.task_summaries import summaries_by_rules
from collector.judge.rule_judge import RuleJudge
from collector.project_check.task_findings import task_findings
from collector.store.project.project import Project
from collector.store.tasks.task_file import edited_file, read_tasks, tasks_of
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

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


def test_a_part_that_stands_there_twice_is_said_of_its_task(tmp_path):
    """YAML keeps the last one alone."""
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(TEXT.replace("      opn_app: todo\n", "      add: {}\n"))
    project = Project.open(project.folder, allow_damage=True)
    twice = ("W102", "tasks.yaml:18")
    for task_id, has_it in (("", True), ("t2", True), ("t1", False)):
        assert (twice in [(found.code, found.where) for found in task_findings(project, task_id)]) is has_it


def test_a_target_with_a_date_is_printed_as_json(tmp_path, capsys):
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(TEXT.replace("opn_app", "open_app").replace("titel: e", "note: e"))
    folder = str(project.folder)
    assert main(["task", "edit", "t1", "--level", "easy", "--project", folder, "--json"]) == 0
    edited = json.loads(capsys.readouterr().out)["task"]
    assert edited["target"]["add"] == {
        "calendar.events": {"title": "Dentist", "date": "2026-12-01", "time": "15:30"}
    }
    assert main(["task", "list", folder, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tasks"][0]["target"] == edited["target"]


def test_the_version_of_verdicts_is_that_of_the_summary(tmp_path):
    """Else verdicts on goldens of a task with a target would count as old."""
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(TEXT)
    project = Project.open(project.folder)
    recorded = MemoryTrajectory("t1", [RecordedScreen(b"<hierarchy/>")])
    (judgement,) = RuleJudge().judge(JudgedTrajectory.of(recorded, project.tasks, []))
    assert summaries_by_rules(project)["t1"].version == judgement.version
