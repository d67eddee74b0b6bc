"""A check names every file of a project that is wrong, in the window as on the command line."""

from __future__ import annotations

import json

import pytest

from collector.cli.main import main
from collector.model.errors import UserError
from collector.model.task import Task
from collector.project_check.project_check import check_every_file
from collector.store.files.layout import LIBRARY_FILE
from collector.store.project.project import Project
from tests.helpers.rule_room import make_project
from tests.helpers.tasks import put_task

LIBRARY = """interference_library:
  - id: low_battery
    category: System Resource
    language: en
    description: Battery low
    target_activity: LocationPermissionActivity
    params:
      param_title: "Battery"
      param_message: "5% left"
      param_allow_btn_text: "Settings"
      param_deny_btn_text: "Ignore"
      param_allow_log_event: LOW_ACCEPTED
      param_deny_log_event: LOW_DENIED
"""


@pytest.fixture
def folder(tmp_path):
    make_project(tmp_path / "p")
    (tmp_path / "p" / LIBRARY_FILE).write_text(LIBRARY)
    return tmp_path / "p"


def found(folder) -> set[tuple[str, str]]:
    """File and code of each error."""
    findings = check_every_file(Project.open(folder, allow_damage=True))
    return {
        (finding.where.partition(":")[0], finding.code) for finding in findings if finding.severity == "error"
    }


def replace(folder, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_nothing_is_wrong_with_a_sound_project(folder) -> None:
    assert found(folder) == set()


DAMAGE = {
    ("project.yaml", "settings-damaged"): lambda at: (at / "project.yaml").write_text("name: [\n"),
    ("tasks.yaml", "tasks-damaged"): lambda at: (at / "tasks.yaml").write_text("tasks: [\n"),
    ("rules/injection.yaml", "W101"): lambda at: replace(
        at, "rules/injection.yaml", "    conditions", "   conditions"
    ),
    ("rules/success.yaml", "W101"): lambda at: replace(
        at, "rules/success.yaml", "text: Cart", "  text: Cart"
    ),
    ("rules/more.yaml", "W101"): lambda at: (at / "rules/more.yaml").write_text("rules: [\n"),
    ("anomalies/library.yaml", "W101"): lambda at: replace(
        at, "anomalies/library.yaml", "param_title: ", "param_title "
    ),
    ("notes.yaml", "file-unreadable"): lambda at: (at / "notes.yaml").write_text("a: 1\nb: [\n"),
    ("extra/view.json", "file-unreadable"): lambda at: (
        (at / "extra").mkdir(),
        (at / "extra/view.json").write_text("{"),
    ),
    ("rules/injection.yaml", "file-unreadable"): lambda at: (at / "rules/injection.yaml").write_bytes(
        b"\xff\xfe"
    ),
    ("trajectories/buy/buy-golden/events.jsonl", "lines-damaged"): lambda at: (
        at / "trajectories/buy/buy-golden/events.jsonl"
    ).write_text("{broken\n{}\n"),
}


@pytest.mark.parametrize("place", DAMAGE)
def test_a_broken_file_is_named_with_its_line_and_the_others_are_still_checked(folder, place, capsys) -> None:
    (folder / "zz.json").write_text("[1,")
    DAMAGE[place](folder)
    assert {place, ("zz.json", "file-unreadable")} <= found(folder)
    assert main(["project", "check", str(folder), "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert place in {(problem["where"].partition(":")[0], problem["code"]) for problem in problems}
    assert all(problem["text"] for problem in problems)


@pytest.mark.parametrize(
    "data", [b"tasks: [\n", b"\xff\xfe\x00", b"tasks:\n  - id: 1\n    reset: {}\n", b"- 1\n"]
)
def test_a_damaged_task_file_is_one_finding_and_stays_as_it_is(folder, data) -> None:
    tasks = folder / "tasks.yaml"
    tasks.write_bytes(data)
    project = Project.open(folder, allow_damage=True)
    findings = check_every_file(project)
    assert [finding.code for finding in findings if finding.where.startswith("tasks.yaml")] == [
        "tasks-damaged"
    ]
    assert "task-unknown" not in {finding.code for finding in findings}
    with pytest.raises(UserError):
        put_task(project, Task("new", "Do it"))
    with pytest.raises(UserError):
        Project.open(folder)
    assert tasks.read_bytes() == data


def test_an_open_project_whose_tasks_were_damaged_since_is_checked_from_the_disk(folder) -> None:
    project = Project.open(folder)
    (folder / "tasks.yaml").write_text("tasks: [\n")
    assert "tasks-damaged" in {finding.code for finding in check_every_file(project)}
    assert project.tasks


@pytest.mark.parametrize(
    "data", [b"", b"name: [\n", b"\xff\xfe\x00", b"- 1\n", b"semantics: tarot\n", b"reset: 1\n"]
)
def test_a_damaged_project_file_is_one_finding_and_stays_as_it_is(folder, data) -> None:
    sound = found_besides(Project.open(folder), "project.yaml")
    before = Project.open(folder)
    settings = folder / "project.yaml"
    settings.write_bytes(data)
    for project in (Project.open(folder, allow_damage=True), before):
        findings = check_every_file(project)
        of_settings = [finding.code for finding in findings if finding.where == "project.yaml"]
        assert of_settings == ["settings-damaged"]
        assert found_besides(project, "project.yaml") == sound
    opened = Project.open(folder, allow_damage=True)
    assert not opened.trusted
    if data != b"reset: 1\n":  # the rest of that file can be edited
        with pytest.raises(UserError):
            opened.set(trusted=True)
        with pytest.raises(UserError):
            Project.open(folder)
        assert settings.read_bytes() == data


def test_a_damaged_project_file_still_says_how_rules_are_read_but_allows_nothing(folder) -> None:
    (folder / "project.yaml").write_text("trusted: true\nsemantics: 'dgara'  # as in the paper\nname: [\n")
    project = Project.open(folder, allow_damage=True)
    assert (project.semantics, project.trusted, project.name) == ("dgara", False, folder.name)


def test_a_project_of_a_later_version_is_not_judged_by_this_program(folder, capsys) -> None:
    (folder / "project.yaml").write_text("format: waymark-project\nversion: 99\n")
    assert main(["project", "check", str(folder)]) == 1
    assert "later Waymark Studio" in capsys.readouterr().err


def found_besides(project: Project, name: str) -> list[tuple[str, str]]:
    """File and code of each finding about other files than one."""
    findings = check_every_file(project)
    return [(finding.where, finding.code) for finding in findings if finding.where != name]


def test_a_rule_that_is_named_and_missing_is_found_once(folder) -> None:
    replace(folder, "rules/success.yaml", "bought:", "sold:")
    findings = check_every_file(Project.open(folder))
    assert sum("bought" in finding.what for finding in findings) == 1


def test_links_and_caches_are_not_followed(folder, tmp_path) -> None:
    (tmp_path / "out.json").write_text("{")
    (folder / "in.json").symlink_to(tmp_path / "out.json")
    (folder / ".cache").mkdir(exist_ok=True)
    (folder / ".cache" / "x.json").write_text("{")
    assert found(folder) == set()


@pytest.mark.parametrize("text", ["", "{}\n", "# nothing left\n"])
def test_a_rule_key_whose_file_has_no_rule_left_is_found(folder, text) -> None:
    (folder / "rules/success.yaml").write_text(text)
    findings = check_every_file(Project.open(folder))
    assert [finding.code for finding in findings if "bought" in finding.what] == ["W203"]
