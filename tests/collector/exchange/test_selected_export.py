"""What is exported: all, what a selection chooses, or the sides of a split; if strict, nothing that loses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.exchange.errors import ExchangeError
from collector.exchange.exports.export_preview import preview_export
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.exchange.imports.importing import import_into
from collector.model.dataset.split import AT_RANDOM, BY_TASK, SIDES, Split, shares_of
from collector.model.episode import Episode
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.steps import png, step, xml

TASKS = [Task(f"t{number}", f"Do {number}", package=f"com.app{number % 2}") for number in range(6)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A golden trajectory and a run of each of six tasks, with pictures of their own."""
    project = Project.create(tmp_path_factory.mktemp("selected") / "p")
    project.save_tasks(TASKS)
    for number, task in enumerate(TASKS):
        for kind in (GOLDEN, RUN):
            add(project, task.id, kind, width=10 + 2 * number + (kind == RUN))
    return project


def add(project: Project, task: str, kind: str, width: int) -> None:
    episode = Episode(agent="one" if task < "t3" else "two") if kind == RUN else None
    header = TrajectoryHeader(f"{task}-{kind}", task, kind, episode=episode)
    with project.new_trajectory(header) as writer:
        writer.append(step(0), png(width, 40), xml("Home"))
        writer.append(step(1), png(width, 50), xml("End"))
        writer.finish()
    if kind == RUN:
        verdict = "success" if task == "t1" else "failure"
        add_judgements(
            project.find(f"{task}/{header.id}"), [Judgement("rules", "rule", "1", Subject("task"), verdict)]
        )


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(), {f"t{number}-{kind}" for number in range(6) for kind in (GOLDEN, RUN)}),
        (Selection(tasks=("t1", "t4")), {"t1-golden", "t1-run", "t4-golden", "t4-run"}),
        (Selection(tasks=("t1", "t4"), kinds=("run",)), {"t1-run", "t4-run"}),
        (Selection(agents=("two",)), {"t3-run", "t4-run", "t5-run"}),
        (Selection(verdicts=("success=rules",)), {"t1-run"}),
        (Selection(where="app:com.app1 kind:golden"), {"t1-golden", "t3-golden", "t5-golden"}),
    ],
)
def test_what_a_selection_chooses_is_written_with_its_tasks(
    project: Project, tmp_path: Path, selection: Selection, chosen: set[str]
) -> None:
    result = export_project(project, "aitk", tmp_path / "out", ExportChoice(selection))
    assert {name.rpartition("/")[2] for name in result.written.trajectories} == chosen
    assert set(result.written.tasks) == {name.split("-")[0] for name in chosen}


def test_a_format_of_golden_trajectories_counts_and_writes_no_others(
    project: Project, tmp_path: Path
) -> None:
    with project.new_trajectory(TrajectoryHeader("t0-cut", "t0", GOLDEN)) as writer:
        writer.append(step(0), png(8, 8), xml("Home"))
    chosen = ExportChoice(Selection(tasks=("t0", "t1")))
    assert preview_export(project, "maestro", chosen).trajectories == 2
    result = export_project(project, "maestro", tmp_path / "out", chosen)
    assert {name.rpartition("/")[2] for name in result.written.trajectories} == {"t0-golden", "t1-golden"}
    with pytest.raises(ExchangeError, match="No trajectory fits"):
        preview_export(project, "maestro", ExportChoice(Selection(kinds=("run",))))
    shutil.rmtree(project.find("t0/t0-cut"))


def test_a_selection_of_nothing_writes_nothing(project: Project, tmp_path: Path) -> None:
    for selection, why in (
        (Selection(reviewed=True), "No trajectory fits"),
        (Selection(tasks=("t9",)), "There is no task t9"),
        (Selection(agents=('a"b',)), "no quotation mark"),
    ):
        with pytest.raises(UserError, match=why):
            export_project(project, "aitk", tmp_path / "out", ExportChoice(selection))
    only = ExportChoice(Selection(tasks=("t2",)))
    assert export_project(project, "aitk-tasks", tmp_path / "t.jsonl", only).written.tasks == ["t2"]
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


@pytest.mark.parametrize("by", [BY_TASK, AT_RANDOM])
def test_no_trajectory_and_no_screen_is_on_two_sides(project: Project, tmp_path: Path, by: str) -> None:
    split = Split(shares_of("0.6/0.2/0.2"), by, seed=3)
    choice = ExportChoice(split=split)
    result = export_project(project, "aitk", tmp_path / "out", choice)
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == sorted(SIDES)
    screens = {
        side: {path.read_bytes() for path in (tmp_path / "out" / side).rglob("*.png")} for side in SIDES
    }
    assert all(screens.values())
    assert sum(map(len, screens.values())) == len(set().union(*screens.values())) == 24
    assert len(set(result.written.trajectories)) == len(result.written.trajectories) == 12
    again = export_project(project, "aitk", tmp_path / "out", ExportChoice(split=split, replace=True))
    assert again.written == result.written


def test_trajectories_that_share_a_screen_stay_together(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks(TASKS[:4])
    for task, width in (("t0", 10), ("t1", 10), ("t2", 11), ("t3", 12)):
        add(project, task, GOLDEN, width)
    choice = ExportChoice(split=Split(shares_of("0.5/0.25/0.25")))
    result = export_project(project, "aitk", tmp_path / "out", choice)
    side = {path.parent.parent.name: path.name for path in (tmp_path / "out").glob("*/human_annotations/*")}
    assert len(side) == 3
    train = {path.name for path in (tmp_path / "out/train/human_annotations").iterdir()}
    assert train == {"t0_1", "t1_1"}
    assert "train 2 (2 asked for), validation 1 (1 asked" in " ".join(
        finding.what for finding in result.findings
    )
    add(project, "t3", RUN, 10)
    with pytest.raises(ExchangeError, match="is in 3 of 4 groups"):
        export_project(project, "aitk", tmp_path / "no", choice)
    assert not (tmp_path / "no").exists()


def test_strict_fails_on_a_loss_and_changes_nothing(project: Project, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match=r"cannot be kept, so nothing was done.*has no times"):
        export_project(project, "aitk", tmp_path / "out", ExportChoice(strict=True))
    assert not list(tmp_path.iterdir())
    source = export_project(project, "probench-tasks", tmp_path / "tasks.csv", ExportChoice(strict=True)).path
    target = Project.create(tmp_path / "q")
    whole = source.read_text("utf-8")
    source.write_text(f"{whole},,,,,,,\n", "utf-8")
    with pytest.raises(ExchangeError, match=r"1 thing cannot be kept.*without an instruction"):
        import_into(target, source, strict=True)
    assert Project.open(target.folder).tasks == ()
    source.write_text(whole, "utf-8")
    assert len(import_into(target, source, strict=True).tasks) == 6


def test_the_command_line_chooses_and_divides(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["project", "export", "aitk-tasks", str(tmp_path / "out"), "--project", str(project.folder)]
    assert main([*words, "--task", "t0", "--task", "t1", "--task", "t2", "--split", "0.5/0.5", "--json"]) == 0
    assert sorted(json.loads(capsys.readouterr().out)["tasks"]) == ["t0", "t1", "t2"]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"train.jsonl", "test.jsonl"}
    assert main([*words, "--force", "--split", "2/1"]) == 1
    assert "2/1 is no split" in capsys.readouterr().err
    assert main(["project", "export", "--help"]) == 0
    assert "AITK tasks.jsonl" in capsys.readouterr().out
