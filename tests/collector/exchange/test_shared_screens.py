"""Screens that several sides of a split show: they tie trajectories, which is said, or one side has them."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.exchange.errors import ExchangeError
from collector.exchange.exports import export_preview
from collector.exchange.exports.export_preview import preview_export
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.screens_elsewhere import ONCE
from collector.model.action import OpenApp, Tap
from collector.model.dataset.split import Split, shares_of
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, State, Step, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png
from tests.helpers.taught import SCREEN, dump, new_project, node, rows

NAMES = [f"t{number}" for number in range(6)]
BUTTON = dump(node("Buy", "[10,10][60,50]"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Six tasks, each with a trajectory; all but one begin on one home screen."""
    project = new_project(
        tmp_path_factory.mktemp("shared") / "p", *(Task(name, "Do", package="a") for name in NAMES)
    )
    for number, name in enumerate(NAMES):
        with project.new_trajectory(TrajectoryHeader("g", name, GOLDEN)) as writer:
            home = 99 if number == 5 else 1
            for index, (shade, action) in enumerate(
                ((home, OpenApp("A")), (10 + number, Tap(20, 20)), (30 + number, Tap(30, 30)))
            ):
                state = State(package="home" if index == 0 else "a", size=SCREEN)
                writer.append(
                    Step(index, index, "", state, action), png(SCREEN.width, SCREEN.height, shade), BUTTON
                )
            writer.finish()
    return project


def chosen(shares: str, shared_screens: str = ONCE, **options: object) -> ExportChoice:
    return ExportChoice(split=Split(shares_of(shares)), shared_screens=shared_screens, options=options)


def test_an_uneven_split_says_what_ties_it_before_anything_is_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = preview_export(project, "llama-factory", chosen("0.5/0.5", "together"), most=1)
    assert "train 5 (3 asked for), test 1 (3 asked for)" in found.said_of_split
    assert "5 of 6 trajectories hang together" in found.said_of_split
    assert "home is in 5 of 6 groups (as step 1 of t0/g)" in found.said_of_split
    monkeypatch.setattr(export_preview, "_DIVIDED_AT_ONCE", 5)
    few = preview_export(project, "llama-factory", chosen("0.5/0.5"), most=1)
    assert few.said_of_split == "Look at all to see how many trajectories each side gets"
    assert not few.is_all
    even = preview_export(project, "llama-factory", chosen("0.5/0.5"), most=None)
    assert even.is_all
    assert even.said_of_split == "Trajectories by side: train 3 (3 asked for), test 3 (3 asked for)"


@pytest.mark.parametrize("history", [0, 1, 2])
def test_a_shared_screen_is_written_once_and_no_picture_is_on_two_sides(
    project: Project, tmp_path: Path, history: int
) -> None:
    choice = chosen("0.34/0.33/0.33", history_images=history)
    result = export_project(project, "llama-factory", tmp_path / "out", choice)
    sides = {side: rows(tmp_path / "out", side) for side in ("train", "validation", "test")}
    shown = {side: {name for row in each for name in row["images"]} for side, each in sides.items()}
    assert all(not shown[one] & shown[other] for one, other in combinations(shown, 2))
    left_out = sum(len(item.steps) for item in result.findings if item.code == "screen-elsewhere")
    written = sum(map(len, sides.values()))
    # A sample goes with each picture that it shows, and a home screen is shown again by the next ones.
    assert 18 - written == left_out * (1 + history)
    assert left_out in (3, 4)


def test_whole_trajectories_with_a_shared_screen_are_left_out_and_named(
    project: Project, tmp_path: Path
) -> None:
    result = export_project(project, "trl", tmp_path / "out", chosen("0.5/0.5", content="trajectories"))
    codes = [item.code for item in result.findings]
    assert "trajectory-elsewhere" in codes
    assert len(rows(tmp_path / "out")) == 3
    assert len(rows(tmp_path / "out", "test")) == 3 - codes.count("trajectory-elsewhere")


def test_questions_and_boxes_share_no_picture(project: Project, tmp_path: Path) -> None:
    export_project(project, "llama-factory", tmp_path / "out", chosen("0.5/0.5", content="grounding"))
    sides = [
        {name for row in rows(tmp_path / "out", side) for name in row["images"]} for side in ("train", "test")
    ]
    assert all(sides)
    assert not sides[0] & sides[1]
    export_project(project, "coco", tmp_path / "boxes", chosen("0.5/0.5"))
    images = [
        {each["file_name"].rpartition("/")[2] for each in json.loads(path.read_text("utf-8"))["images"]}
        for path in (tmp_path / "boxes" / "annotations").iterdir()
    ]
    assert len(images) == 2
    assert len(images[0] | images[1]) == 14
    assert not images[0] & images[1]


def test_a_format_of_whole_trajectories_refuses(project: Project, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="a screen cannot be left out of one"):
        export_project(project, "aitk", tmp_path / "out", chosen("0.5/0.5"))
    assert not list(tmp_path.iterdir())


def test_a_dry_run_of_the_command_line_says_the_same_and_changes_nothing(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["project", "export", "trl", str(tmp_path / "out"), "--project", str(project.folder)]
    before = sorted(project.folder.rglob("*"))
    assert main([*words, "--dry-run", "--split", "0.5/0.5", "--shared-screens", "once"]) == 0
    assert "train 3 (3 asked for)" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    export_project(project, "aitk-tasks", tmp_path / "tasks.jsonl")
    target = Project.create(tmp_path / "q")
    taken = ["project", "import", str(tmp_path / "tasks.jsonl"), "--project", str(target.folder)]
    assert main([*taken, "--dry-run", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["format"], said["trajectories"], said["tasks"]) == ("aitk-tasks", 0, 6)
    assert Project.open(target.folder).tasks == ()
    assert [path for path in sorted(project.folder.rglob("*")) if ".cache" not in path.parts] == [
        path for path in before if ".cache" not in path.parts
    ]
