"""A stranger's trajectory with pictures that cannot be shown: every verb goes on without them and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.hostile_pictures import HUGE, cut_png, garbage_png, huge_png
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

PICTURES = (png(40, 80), huge_png(), cut_png(), garbage_png(), b"no picture")
SUCCESS = """done:
  conditions:
    - {type: image_matches, image: rules/images/seen.png, threshold: 0.9}
"""
INJECTION = """rules:
  - id: huge
    conditions:
      all:
        - {type: image_matches, image: rules/images/huge.png, method: features}
    actions: [{type: inject_interference, interference_id: a}]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project.create(tmp_path_factory.mktemp("hostile") / "p")
    put_task(project, Task("shop", "Buy it", "Shop", rule_key="done", target_rule_ids=("huge",)))
    for kind in (GOLDEN, RUN):
        with project.new_trajectory(TrajectoryHeader(kind, "shop", kind)) as writer:
            for number, picture in enumerate(PICTURES):
                writer.append(step(number), picture, xml(f"{number}") if number % 2 else None)
            writer.finish()
    images = project.folder / "rules/images"
    images.mkdir(parents=True)
    (images / "seen.png").write_bytes(png(12, 12))
    (images / "huge.png").write_bytes(huge_png())
    (project.folder / "rules/success.yaml").write_text(SUCCESS, encoding="utf-8")
    (project.folder / "rules/injection.yaml").write_text(INJECTION, encoding="utf-8")
    return project.folder


@pytest.fixture
def run(place: Path, capsys: pytest.CaptureFixture[str]):
    def call(*words: str, to: str = "--project") -> tuple[int, str]:
        status = command.main([*words, *([to] if to else []), str(place)])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return call


def test_verify_and_check_name_each_picture_with_its_size_and_what_to_do(run) -> None:
    for words, to in ((("trajectory", "verify", RUN), "--project"), (("project", "check"), "")):
        status, printed = run(*words, to=to)
        assert status == 1
        assert f"states/0001.png cannot be shown or compared. The picture is too large: {HUGE}" in printed
        assert "Make it smaller, or take it again [picture-too-large]" in printed
        assert "states/0002.png cannot be shown or compared. The picture is damaged" in printed
        assert "states/0004.png cannot be shown or compared. The file is no picture" in printed


def test_a_check_names_the_images_of_rules_that_cannot_be_decoded(run) -> None:
    document = json.loads(run("project", "check", "--json", to="")[1])
    (found,) = (problem for problem in document["problems"] if problem["code"] == "image-unreadable")
    assert (found["severity"], found["where"]) == ("warning", "rules/injection.yaml:5")
    assert f"huge.png cannot be read. The picture is too large: {HUGE}" in found["text"]


def test_trajectories_are_aligned_and_compared_without_them(run) -> None:
    assert run("trajectory", "align", GOLDEN, RUN)[0] == 0
    status, printed = run("trajectory", "diff", GOLDEN, RUN)
    assert status == 0
    assert f"The pictures were not compared. The picture is too large: {HUGE} pixels" in printed
    states = json.loads(run("trajectory", "diff", GOLDEN, RUN, "--json")[1])["states"]
    assert [bool(state["picture_problem"]) for state in states] == [False, True, True, True, True]
    assert [state["pixels"] is None for state in states] == [False, True, True, True, True]


def test_a_review_is_shared(run, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    status, printed = run("review", "export", GOLDEN, RUN, "--output", str(path))
    assert (status, path.is_file()) == (0, True), printed


def test_the_project_is_exported(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command.main(["project", "export", "aitk", str(tmp_path / "out"), "--project", str(place)])
    assert (tmp_path / "out").is_dir()
    assert f"too large: {HUGE} pixels" in capsys.readouterr().out


def test_rules_and_judges_go_on(run) -> None:
    assert run("rules", "backtest", to="")[0] in (0, 1)
    status, printed = run("judge", "run", to="")
    assert status == 0, printed


def test_a_redaction_says_that_the_picture_went(run) -> None:
    status, printed = run("trajectory", "redact", GOLDEN, "2", "--region", "0,0,4,4", "--yes")
    assert (status, "The screenshot was removed because it could not be redacted" in printed) == (0, True)
