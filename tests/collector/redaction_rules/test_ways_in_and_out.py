"""Rules count on every way into a project, and nothing gets out that they hide."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from collector.cli import main as command
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.export_preview import preview_export
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.imports.import_redaction import RULES_HID
from collector.exchange.imports.trajectory_import import TaskImport, write_trajectory
from collector.exchange.source.model import SourceEvent, SourceStep, SourceTrajectory
from collector.hierarchy.parse import parse_tree
from collector.model.action import Answer, Tap, Type
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.task import Task
from collector.project_check.project_check import check_every_file
from collector.recorder.screen_moment import ScreenMoment
from collector.recording.edits.step_edits import ReplaceState
from collector.redaction_rules.project_redaction import ProjectRedaction, bring_in_redacted
from collector.redaction_rules.trajectory_redaction import HIDDEN_REGIONS
from collector.redaction_rules.unredacted import Unredacted
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.edited_project import edited_project
from tests.helpers.secret_project import (
    SECRET,
    add_rules,
    leaks,
    secret_dump,
    secret_picture,
    secret_project,
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def call(*arguments: object) -> tuple[int, str]:
        status = command.main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        return status, output.out + output.err

    return call


def _source(folder: Path) -> SourceTrajectory:
    """Two screens in files of its own, the secret typed before it is seen."""
    folder.mkdir()
    for name, shows in (("a", False), ("b", True)):
        (folder / f"{name}.png").write_bytes(secret_picture(shows=shows))
        (folder / f"{name}.xml").write_bytes(secret_dump(shows=shows))
    turn = AgentTurn(f"I greet {SECRET}", SECRET)
    steps = [
        SourceStep("1", folder / "a.png", folder / "a.xml", Type(SECRET), agent=turn, extra={"more": SECRET}),
        SourceStep("2", folder / "b.png", folder / "b.xml", Tap(5, 50), description=f"Tap {SECRET}"),
        SourceStep("3", folder / "b.png", folder / "b.xml", Answer(SECRET), note=SECRET),
    ]
    return SourceTrajectory(
        "run", Task("one", f"Greet {SECRET}"), steps, note=SECRET, annotations={"comment": SECRET},
        events=[SourceEvent("message", 1, {"text": SECRET})],
    )  # fmt: skip


def test_an_import_is_hidden_before_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, log = Project.create(tmp_path / "p"), ExchangeLog()
    add_rules(project)
    seen: list[str] = []
    real = Path.replace

    def moved(self: Path, target: Path) -> Path:
        seen.extend(leaks(self) if self.is_dir() else [])
        return real(self, target)

    monkeypatch.setattr(Path, "replace", moved)
    folder = write_trajectory(project, TaskImport(project), _source(tmp_path / "source"), "plain", log)
    assert folder is not None
    assert seen == leaks(project.folder / "trajectories") == []
    first, second, third = open_trajectory(folder).steps
    assert first.action == Type(redacted=True)
    assert second.state.screenshot == third.state.screenshot, "one file for one screen"
    assert second.redacted
    (hidden,) = [item for item in log.findings if item.code == RULES_HID]
    assert hidden.steps == ("1", "2", "3")


def test_nothing_gets_out_that_a_rule_hides(tmp_path: Path) -> None:
    project = secret_project(tmp_path / "p")
    export_project(project, "aitk", tmp_path / "before")
    add_rules(project)
    for out in (tmp_path / "after", tmp_path / "again"):
        with pytest.raises(Unredacted, match="redaction rules"):
            export_project(project, "aitk", out, ExportChoice(passwords=True))
        assert not out.exists()
    with pytest.raises(Unredacted):
        preview_export(project, "aitk", ExportChoice())
    ProjectRedaction(project).apply()
    export_project(project, "aitk", tmp_path / "after")
    assert leaks(tmp_path / "after") == []


def test_the_command_says_what_it_does_and_searches(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    project = secret_project(tmp_path / "p")
    place = ("--project", project.folder)
    assert "no rules of redaction" in run("project", "redact", *place)[1]
    add_rules(project)
    before = leaks(project.folder)
    status, said = run("project", "redact", "--dry-run", *place)
    assert (status, leaks(project.folder)) == (0, before)
    assert "owner  5" in said
    assert "Trajectories that would be changed: 2 of 2" in said
    status, said = run("project", "redact", "--check", *place)
    assert (status, "trajectories/one/run:step 2: the screen shows" in said) == (1, True)
    assert SECRET not in said
    status, said = run("project", "redact", "--yes", "--json", *place)
    assert status == 0
    assert [item["trajectory"] for item in json.loads(said)["trajectories"]] == [
        "trajectories/one/golden", "trajectories/one/run",
    ]  # fmt: skip
    status, said = run("project", "redact", "--check", *place)
    assert (status, "Nothing that is hidden was found" in said) == (0, True)
    (tmp_path / "words.txt").write_text("kept secret\n")
    (tmp_path / "note.md").write_text("a\n\nIt is kept secret here")
    status, said = run(
        "project", "redact", "--check", "--words", tmp_path / "words.txt", tmp_path / "note.md", *place
    )
    assert (status, "note.md:3: a word of the list" in said) == (1, True)
    assert run("project", "redact", tmp_path / "note.md", *place)[0] == 2


def test_a_check_of_the_project_names_a_rule_that_cannot_be_read(tmp_path: Path) -> None:
    project = secret_project(tmp_path / "p")
    add_rules(project, "redact:\n  - {name: a, where: {pattern: '('}}\n")
    found = [item for item in check_every_file(project) if item.code == "W108"]
    assert [item.where for item in found] == ["redact.yaml:2"]


def test_what_comes_from_a_copy_is_redacted_when_it_has_arrived(tmp_path: Path) -> None:
    other = secret_project(tmp_path / "copy")
    project = Project.create(tmp_path / "p")
    add_rules(project)
    brought = bring_in_redacted(project, other.folder, lambda _done, _all: None, lambda _copy: ())
    assert len(brought.trajectories) == 2
    assert leaks(project.folder / "trajectories") == []
    assert leaks(other.folder)


def test_a_screen_that_replaces_another_is_hidden_too(tmp_path: Path) -> None:
    project = edited_project(tmp_path / "p")
    folder = next(project.trajectory_folders())
    add_rules(project)
    xml = secret_dump(shows=True)
    frame = Frame(np.full((80, 40, 3), 90, np.uint8), sequence=1, received_ns=1)
    snapshot = TreeSnapshot(xml, parse_tree(xml), 1, 2, "dump", "app", ".Main")
    moment = ScreenMoment(2, dt.datetime.now(dt.UTC), frame, snapshot, "app", ".Main", Size(40, 80), skew=0.0)
    edit = ReplaceState(project, folder, "sara", 1, moment)
    assert SECRET not in repr(edit.plan())
    edit.make()
    assert leaks(folder) == []
    step = open_trajectory(folder).steps[1]
    assert step.redacted
    assert step.extra[HIDDEN_REGIONS][0]["rule"] == "owner"
