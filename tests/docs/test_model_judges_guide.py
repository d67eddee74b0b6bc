"""The commands of the guide to model judges are run in their order, against a scripted endpoint."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.model.resources import asset
from collector.project_rules.project_rules import ProjectRules
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import answering, write_judge
from tests.helpers.late_import import late_import_or_skip
from tests.helpers.scripts import ROOT

PAGE = (ROOT / "docs" / "guide" / "model-judges.md").read_text("utf-8")
ENDPOINT = "http://127.0.0.1:8000"
"""Where the page serves its model."""
TRAJECTORIES = ("shop-11/*", "home-01/*-lin", "todo-04/quick__*__s1__r0*")
"""Those of the sample that are judged here: three goldens and three runs."""


def answer(words: str) -> str:
    """An allowed answer to a question of any form on the page."""
    if "Which colour" in words:
        return "<answer>blue</answer>"
    if "<answer>" in words:
        return "<answer>no</answer>"
    rows = [
        {"id": name, "reason": "", "reached": "yes", "screen": 1, "confidence": 0.6}
        for name in re.findall(r"^([\w-]+-\d+): ", words, re.MULTILINE)
    ]
    return json.dumps({"states": rows})


def commands() -> list[str]:
    """The command lines of the page's blocks, then those within its sentences of the whole circle."""
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)).splitlines()
    circle = PAGE[PAGE.index("## From labels") :]
    inline = [" ".join(text.split()) for text in re.findall(r"`(waymark [^`]+)`", circle)]
    return [re.sub(r"\s+# .*", "", line).strip() for line in (*blocks, *inline)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, sample = tmp_path / "project", asset("sample")
    shutil.copytree(sample, folder, ignore=shutil.ignore_patterns("trajectories", ".cache"))
    for pattern in TRAJECTORIES:
        for found in (sample / "trajectories").glob(pattern):
            shutil.copytree(found, folder / "trajectories" / found.relative_to(sample / "trajectories"))
    monkeypatch.chdir(folder)
    return folder


def test_the_whole_circle_of_the_page_can_be_typed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late_import_or_skip("pyarrow", "the package of the training files is not installed")
    with ChatServer(answering(answer)) as server:
        address = server.address.removesuffix("/v1")
        rules = ProjectRules.open(project)
        # The page's own model, and the commercial one at the same place.
        write_judge(rules, "a3rm", server.address, prompt="a3rm", price_input=0, price_output=0)
        write_judge(
            rules, "a3-commercial", server.address, prompt="window-all", window=4, interval=2,
            questions="all", price_input=1.0, price_output=1.0,
        )  # fmt: skip
        assert main(["judge", "run", "--judge", "a3-commercial"]) == 0  # the judge whose negatives are mined
        typed = commands()
        for line in typed:
            assert main(shlex.split(line.replace(ENDPOINT, address))[1:]) == 0, line
            capsys.readouterr()
    assert any("--negatives-of" in line for line in typed)
    assert (project / "data" / "dataset_info.json").is_file()
