"""Hiding what was recorded: whole or not at all, also killed half-way, and found by an audit."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from collector.redaction_rules.audit import OLD_FILE, RedactionAudit
from collector.redaction_rules.project_redaction import ProjectRedaction
from collector.store.files.disk import Disk
from collector.store.files.lock import acquire
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.secret_project import PLACE, SECRET, SIZE, add_rules, leaks, secret_project


class _KilledError(BaseException):
    """Ends everything at once, as SIGKILL does."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = secret_project(tmp_path / "p")
    add_rules(made)
    return made


def test_a_look_changes_nothing_and_says_what_would_change(project: Project) -> None:
    before = leaks(project.folder)
    report = ProjectRedaction(project).look()
    assert leaks(project.folder) == before
    assert report.held == {"owner": 5}
    golden, run = report.trajectories
    assert (golden.name, run.name) == ("trajectories/one/golden", "trajectories/one/run")
    assert [new.step.index for new in run.steps] == [0, 1, 2, 3, 4]
    assert run.steps[1].step.rules == ("owner",)
    assert run.steps[1].sha256 == {}
    assert golden.deleted


def test_the_report_has_the_new_digests_and_no_secret(project: Project) -> None:
    report = ProjectRedaction(project).apply()
    written = json.loads((project.paths.redaction_reports / f"{report.id}.json").read_text())
    assert SECRET not in json.dumps(written)
    for item in written["trajectories"]:
        stored = open_trajectory(project.folder / item["trajectory"])
        for said in item["steps"]:
            assert said["sha256"] == dict(stored.steps[said["index"]].state.sha256)


def test_an_old_picture_that_a_kill_left_without_its_tree_goes(project: Project) -> None:
    folder = project.folder / "trajectories/one/run"
    old = (folder / open_trajectory(folder).steps[1].state.screenshot).read_bytes()
    ProjectRedaction(project).apply()
    (folder / "lost+found").mkdir()
    (folder / "lost+found" / "0001.png").write_bytes(old)
    assert not RedactionAudit(project).project().is_clean
    report = ProjectRedaction(project).apply()
    assert [item.deleted for item in report.trajectories] == [["0001.png"]]
    assert leaks(project.folder) == []


@pytest.mark.parametrize("dies_at", [0, 5, 9, 14])
def test_killed_at_any_write_it_goes_on(
    project: Project, dies_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [dies_at]

    def dying(name: str):  # type: ignore[no-untyped-def]
        real = getattr(Disk, name)

        def call(self: Disk, *args: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise _KilledError
            return real(self, *args)

        return call

    with monkeypatch.context() as patch:
        for name in ("write", "write_all", "remove"):
            patch.setattr(Disk, name, dying(name))
        with pytest.raises(_KilledError):
            ProjectRedaction(project).apply()
    assert leaks(project.folder)
    report = ProjectRedaction(project).apply()
    assert not report.problems
    assert leaks(project.folder) == []
    named = {item["trajectory"] for item in report.as_dict()["trajectories"]}
    assert named == {"trajectories/one/golden", "trajectories/one/run"}, "those before it was killed, too"
    assert RedactionAudit(project).project().findings == []


def test_a_trajectory_that_is_being_recorded_stays_and_is_named(project: Project) -> None:
    held = acquire(project.folder / "trajectories/one/run")
    try:
        report = ProjectRedaction(project).apply()
    finally:
        held.release()
    assert [item.name for item in report.problems] == ["trajectories/one/run"]
    assert any("run" in where for where in leaks(project.folder))
    ProjectRedaction(project).apply()
    assert leaks(project.folder) == []


def test_what_lies_in_the_trash_is_hidden_too(project: Project) -> None:
    trash = project.paths.trash_of("one")
    trash.mkdir(parents=True)
    (project.folder / "trajectories/one/run").rename(trash / "run")
    ProjectRedaction(project).apply()
    assert leaks(project.folder) == []


def test_an_audit_finds_words_and_old_files_anywhere(project: Project, tmp_path: Path) -> None:
    step = open_trajectory(project.folder / "trajectories/one/run").steps[1]
    old = (project.folder / "trajectories/one/run" / step.state.screenshot).read_bytes()
    assert not RedactionAudit(project).project().is_clean
    ProjectRedaction(project).apply()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.txt").write_text("first\nAsk QUORVEX-ZANDT about it\n")
    (elsewhere / "b.json").write_text(json.dumps({"x": [f"é {SECRET}"]}))
    with zipfile.ZipFile(elsewhere / "c.zip", "w") as archive:
        archive.writestr("in/d.png", old)
    (elsewhere / "clean.md").write_text("Nothing is here: quorum, zander, com.quorvex.zandt.app")
    found = RedactionAudit(project).search([elsewhere]).findings
    assert [(Path(item.where).name, item.place) for item in found if item.code == "hidden-word"][:2] == [
        ("a.txt", "2"), ("b.json", "x[0]"),
    ]  # fmt: skip
    assert [item.where.partition("!")[2] for item in found if item.code == OLD_FILE] == ["in/d.png"]
    assert not any("clean" in item.where for item in found)
    assert SECRET not in json.dumps([item.as_dict() for item in found])
    (project.folder / "notes.txt").write_text(f"to {SECRET}")
    rules = project.folder / "redact.yaml"
    rules.write_text(rules.read_text() + f"# hides {SECRET}\n")
    audited = RedactionAudit(project).project()
    assert [item.where for item in audited.findings] == ["notes.txt"]
    assert audited.in_rules == [str(rules.read_text().count("\n"))]
    steps = project.folder / "trajectories/one/run/steps.jsonl"
    lines = [json.loads(line) for line in steps.read_text().splitlines()]
    lines[0]["extra"] = {"said": ["x", SECRET]}
    steps.write_text("".join(json.dumps(line) + "\n" for line in lines))
    own, everywhere = RedactionAudit(project).own_files(), RedactionAudit(project).search([project.folder])
    assert [(item.where, item.place) for item in own.findings] == [("notes.txt", "1")]
    assert [(Path(item.where).name, item.place) for item in everywhere.findings] == [
        ("notes.txt", "1"), ("steps.jsonl", "1:extra.said[1]"),
    ]  # fmt: skip
    assert [
        part
        for item in everywhere.findings
        for part in ("what people wrote", "hidden in another trajectory")
        if part in item.to_do
    ] == ["what people wrote", "hidden in another trajectory"]


def test_what_a_pattern_finds_is_taken_away_by_running_the_rules(project: Project) -> None:
    rule = f"redact:\n  - name: owner\n    where: {{pattern: {SECRET}}}\n"
    (project.folder / "redact.yaml").write_text(rule)
    found = RedactionAudit(project).search([project.folder / "trajectories"]).findings
    assert {item.to_do for item in found} == {"Run `waymark project redact`"}
    project.paths.redaction_reports.mkdir()
    (project.paths.redaction_reports / "1.json").write_text(json.dumps({"rules": [f"hide {SECRET}"]}))
    (named,) = RedactionAudit(project).search([project.paths.redaction_reports]).findings
    assert named.to_do.startswith("Give the rule a name that does not say what it hides")


def test_an_audit_sees_that_a_covered_place_was_opened_again(project: Project) -> None:
    from PIL import Image

    ProjectRedaction(project).apply()
    folder = project.folder / "trajectories/one/run"
    path = folder / open_trajectory(folder).steps[1].state.screenshot
    with Image.open(path) as image:
        place = image.convert("L").crop((PLACE.left, PLACE.top, PLACE.right, PLACE.bottom))
    assert place.getextrema() == (
        0,
        0,
    )
    Image.new("RGB", (SIZE.width, SIZE.height), (9, 9, 9)).save(path)
    (finding,) = RedactionAudit(project).project().findings
    assert (finding.where, finding.place) == ("trajectories/one/run", "step 2")


def test_a_rule_for_pixels_alone_leaves_the_words(project: Project) -> None:
    add_rules(
        project,
        """
redact:
  - name: owner
    where: {selector: "resource-id='app:id/owner'"}
    what: [pixels]
""",
    )
    ProjectRedaction(project).apply()
    left = leaks(project.folder / "trajectories")
    assert left
    assert not any("pixels" in where for where in left)
