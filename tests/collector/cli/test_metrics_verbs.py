"""``waymark metrics``: the numbers of the sample's finished run, in every format, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from collector.cli import main as command
from collector.metrics.judge_studies.studies import judge_tables
from collector.model.action import Complete
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.layout import ProjectPaths
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task

SAMPLE = Path(__file__).resolve().parents[3] / "assets" / "sample"
Metrics = Callable[..., str]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with its finished run; all tests read it and none changes it."""
    folder = tmp_path_factory.mktemp("metrics") / "sample"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".cache", "*.png"))
    return folder


@pytest.fixture
def metrics(capsys: pytest.CaptureFixture[str], project: Path) -> Metrics:
    def call(*arguments: str, status: int = 0) -> str:
        words = [str(project) if word == "PROJECT" else word for word in arguments]
        assert command.main(["metrics", *words]) == status
        printed = capsys.readouterr()
        return printed.err if status == 2 or not printed.out else printed.out

    return call


def test_the_default_is_agents_by_condition_with_how_each_number_is_counted(metrics: Metrics) -> None:
    printed = metrics("PROJECT")
    (golden,) = [line for line in printed.splitlines() if line.startswith("golden") and "battery-low" in line]
    assert "0.0 (0.0 to 56.1) 0/3" in golden
    assert "-100.0 n=3" in golden
    assert "0 episodes ended by a fault of the machine; they are in no denominator." in printed
    assert (
        "RSR: Pairs in which both episodes succeed divided by the pairs whose baseline succeeds." in printed
    )
    assert metrics("show", "PROJECT") == printed


def test_json_has_every_number(metrics: Metrics) -> None:
    document = json.loads(metrics("PROJECT", "--by", "agent", "--measures", "sr,rsr,esar", "--json"))
    (table,) = document["tables"]
    rows = {row["labels"][0]: row["cells"] for row in table["rows"]}
    assert (rows["careful"]["sr"]["hits"], rows["careful"]["sr"]["count"]) == (9, 9)
    assert (rows["golden"]["rsr"]["value"], rows["golden"]["rsr"]["count"]) == (0.0, 6)
    assert rows["monkey"]["rsr"]["value"] is None
    assert (rows["monkey"]["esar"]["hits"], rows["monkey"]["esar"]["count"]) == (1, 15)


def test_numbers_without_intervals_and_latex_as_a_document(metrics: Metrics) -> None:
    rows = ("PROJECT", "--by", "agent", "--measures", "sr")
    assert "| golden | 33.3 |" in metrics(*rows, "--format", "md", "--no-intervals")
    assert "70.1" not in metrics(*rows, "--no-intervals")
    assert "pass@1 %" in metrics("PROJECT", "--measures", "pass@1", "--no-intervals")
    assert "pass@K" in metrics("PROJECT", "--measures", "pass@0", status=2)
    text = metrics(*rows, "--format", "latex", "--standalone")
    assert text.startswith("\\documentclass")
    assert text.rstrip().endswith("\\end{document}")
    assert "--standalone needs --format latex" in metrics(*rows, "--standalone", status=2)
    assert "table, md, latex" in metrics(*rows, "--no-intervals", "--json", status=2)


def test_a_query_selects_and_pairs_keep_their_baselines(metrics: Metrics) -> None:
    where = "agent:careful condition:app-crash"
    document = json.loads(metrics("PROJECT", "--by", "task", "--measures", "rsr", "--where", where, "--json"))
    rows = document["tables"][0]["rows"]
    assert [(row["labels"], row["cells"]["rsr"]["hits"], row["episodes"]) for row in rows] == [
        ([task], 1, 1) for task in ("messenger-05", "settings-03", "todo-04")
    ]


def test_two_selections_are_compared_pair_by_pair(metrics: Metrics) -> None:
    words = (
        "PROJECT",
        "--compare",
        "agent:careful condition:any",
        "agent:golden condition:any",
        "--by",
        "condition",
    )
    document = json.loads(metrics(*words, "--json"))
    (table,) = document["tables"]
    whole, *rows = table["rows"]
    assert [row["labels"] for row in rows] == [["app-crash"], ["battery-low"]]
    assert (whole["cells"]["difference"]["value"], whole["cells"]["difference"]["count"]) == (-1.0, 6)
    assert whole["cells"]["only-first"]["value"] == 6
    assert any("exact McNemar" in note for note in table["notes"])
    suites = ET.fromstring(metrics(*words, "--format", "junit"))
    assert [suite.get("failures") for suite in suites] == ["3", "3"]


@pytest.mark.parametrize(("view", "tables"), [("dgara", 5), ("probench", 2), ("a3", 1), ("openapps", 2)])
def test_each_paper_has_its_tables(metrics: Metrics, view: str, tables: int) -> None:
    document = json.loads(metrics("PROJECT", "--view", view, "--json"))
    assert len(document["tables"]) >= tables
    assert all(table["rows"] and table["columns"] for table in document["tables"])


def test_the_other_formats_have_the_same_rows(metrics: Metrics, tmp_path: Path) -> None:
    words = ("PROJECT", "--experiment", "quick", "--by", "agent", "--measures", "sr")
    rows = list(csv.reader(io.StringIO(metrics(*words, "--format", "csv"))))
    assert [row[0] for row in rows[1:4]] == ["careful", "golden", "monkey"]
    assert "| careful |" in metrics(*words, "--format", "md")
    latex = metrics(*words, "--format", "latex")
    assert "\\toprule" in latex
    assert "careful &" in latex
    suites = ET.fromstring(metrics(*words, "--format", "junit"))
    assert [(suite.get("tests"), suite.get("failures")) for suite in suites] == [
        ("9", "0"),
        ("9", "6"),
        ("9", "9"),
    ]
    case = suites[1].find("testcase/[failure]")
    assert case is not None
    assert str(case.get("name")).startswith(("messenger-05/", "settings-03/", "todo-04/"))
    path = tmp_path / "numbers.md"
    metrics(*words, "--format", "md", "--output", str(path))
    assert path.read_text("utf-8") == metrics(*words, "--format", "md")
    for ending, form in (
        ("csv", "csv"),
        ("tex", "latex"),
        ("xml", "junit"),
        ("json", "json"),
        ("txt", "table"),
    ):
        other = tmp_path / f"numbers.{ending}"
        said = metrics(*words, "--output", str(other))
        assert said == ("" if form == "json" else f"Wrote {other}\n")
        assert other.read_text("utf-8") == metrics(*words, "--format", form), "the ending says the format"
    for form in ("table", "json"):
        assert "is there already" in metrics(*words, "--format", form, "--output", str(path), status=1)
        metrics(*words, "--format", form, "--output", str(path), "--force")
        assert path.read_text("utf-8") == metrics(*words, "--format", form)
    unknown = metrics(*words, "--output", str(tmp_path / "numbers.xlsx"), status=2)
    assert "The ending of numbers.xlsx is no format" in unknown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--view", "dgara", "--by", "agent"), "has rows and columns of its own: leave out --by"),
        (("--view", "a3", "--measures", "sr"), "has rows and columns of its own: leave out --measures"),
        (("--compare", "agent:golden", "agent:monkey", "--measures", "sr"), "leave out --measures"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(
    capsys: pytest.CaptureFixture[str], project: Path, words: tuple[str, ...], sentence: str
) -> None:
    assert command.main(["metrics", str(project), *words]) == 2
    assert sentence in capsys.readouterr().err


def test_a_query_that_no_run_fits_is_said_so(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    assert command.main(["metrics", str(project), "--where", "agent:nobody", "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "No run of the project fits the query\n"
    assert len(printed.out.splitlines()) == 1


def test_every_dimension_and_every_measure_can_be_asked_for(metrics: Metrics) -> None:
    known = json.loads(metrics("list", "--json"))
    dimensions = [each["id"] for each in known["dimensions"]]
    for dimension in dimensions:
        assert json.loads(metrics("PROJECT", "--by", dimension, "--measures", "sr", "--json"))["tables"]
    (table,) = json.loads(metrics("PROJECT", "--by", "agent", "--measures", "all", "--json"))["tables"]
    assert [column["id"] for column in table["columns"]] == [each["id"] for each in known["measures"]]
    printed = metrics("list")
    assert all(each["how"] in printed for each in known["measures"])


def test_the_files_alone_give_the_same_numbers(metrics: Metrics) -> None:
    assert "numbers of 59 episodes agree" in metrics("check", "PROJECT")
    document = json.loads(metrics("check", "PROJECT", "--json"))
    assert document["agrees"] is True
    assert document["episodes"] == 59


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("PROJECT", "--by", "colour"), 2, "--by has no 'colour'. Use some of: agent"),
        (("PROJECT", "--measures", "sr,luck"), 2, "--measures has no 'luck'"),
        (("PROJECT", "--measures", ","), 2, "--measures names no measure"),
        (("PROJECT", "--judge", "nobody"), 1, "Nobody named 'nobody' judged a run of this project"),
        (("PROJECT", "--where", "colour:red"), 1, "There is no search key colour"),
        (("PROJECT", "--view", "a3", "--compare", "a", "b"), 2, "leave out --view or --compare"),
        (("no-such-folder",), 1, "no-such-folder"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], project: Path, words: tuple[str, ...], status: int, sentence: str
) -> None:
    arguments = [str(project) if word == "PROJECT" else word for word in words]
    assert command.main(["metrics", *arguments]) == status
    assert sentence in capsys.readouterr().err


def test_judges_are_compared_with_people_and_with_each_other(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("t", "Do"))
    outcomes = {"a": ("success", "success"), "b": ("success", "failure"), "c": ("failure", "failure")}
    for agent, verdicts in outcomes.items():
        header = TrajectoryHeader(
            agent, "t", RUN, episode=Episode(agent=agent), outcome=Outcome(status=verdicts[0])
        )
        with project.new_trajectory(header) as writer:
            writer.append(step(0, Complete()), png(), xml("Done"))
            writer.finish()
        given = zip((("rules", "rule"), ("ann", "person")), verdicts, strict=True)
        for (judge, kind), verdict in given:
            add_judgements(project.find(agent), [Judgement(judge, kind, "", Subject(), verdict)])
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        tables = judge_tables(project, catalogue, catalogue.keys())
    quality, agents, optimism, ranks = tables
    assert optimism.rows[0].labels == ("rules", "All agents")
    assert [cell.value for cell in optimism.rows[0].cells[:3]] == pytest.approx([2 / 3, 1 / 3, 1 / 3])
    assert [row.labels for row in quality.rows] == [("rules", "Tasks")]
    assert [round(cell.value or 0, 3) for cell in quality.rows[0].cells] == [0.5, 1, 0.667, 0.667]
    assert [row.labels[0] for row in agents.rows] == ["a", "b", "c"]
    assert {row.labels: row.cells[0].value for row in ranks.rows}[("ann", "rules")] == pytest.approx(0.5)


def put_twin_experiment(folder: Path) -> None:
    """Put twins of the runs of ``careful`` into the experiment ``twin``, by other options of the agent."""
    for header in sorted(folder.glob("trajectories/*/quick__careful__*/trajectory.json")):
        twin = header.parent.with_name(header.parent.name.replace("quick", "twin", 1))
        shutil.copytree(header.parent, twin)
        document = json.loads(header.read_text(encoding="utf-8"))
        document["id"] = twin.name
        document["episode"]["experiment"] = "twin"
        document["episode"]["fingerprint"]["agent"] = "of-other-options"
        document["device"]["model"] = "Other Phone"
        (twin / "trajectory.json").write_text(json.dumps(document), encoding="utf-8")


def test_experiments_are_told_apart_and_stale_results_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".cache", "*.png"))
    put_twin_experiment(folder)

    def printed(*options: str, status: int = 0) -> str:
        assert command.main(["metrics", str(folder), "--by", "agent", *options]) == status
        said = capsys.readouterr()
        return said.out or said.err

    both = printed("--experiment", "quick", "--experiment", "twin")
    assert "careful has 2 configurations among these episodes (quick, twin)" in both
    assert "golden has" not in both
    assert "different phones (Other Phone, Android 15, 300x666; Waymark Phone, Android 15, 300x666)" in both
    assert "18/18" in both
    assert "stale" not in both
    quick = printed("--experiment", "quick")
    assert "9/9" in quick
    assert "configurations" not in quick
    assert "different phones" not in quick
    assert printed("--experiment", "twin", "--experiment", "quick") == both
    refused = printed("--experiment", "quik", status=1)
    assert "No run of the project is of the experiment quik" in refused
    known = sorted({"twin", *(path.stem for path in ProjectPaths(folder).experiments())})
    assert f"Use one of: {', '.join(known)}" in refused
    success = folder / "rules" / "success.yaml"
    rule = "state: messenger-05-1}\n    - {type: action_was, action: "
    success.write_text(success.read_text().replace(f"{rule}answer", f"{rule}complete"), encoding="utf-8")
    stale = printed("--experiment", "quick")
    assert "9 episodes are stale: since they were run, the success rule changed." in stale
    assert "quick: messenger-05 / careful / app-crash / screenshot+tree / - / - / 1 / 0; " in stale
    assert "; 4 more are found by stale:yes." in stale
    fresh = printed("--experiment", "quick", "--no-stale")
    assert "6/6" in fresh
    assert "stale" not in fresh
    assert "stale" in printed("--by", "freshness")
    rows = printed("--experiment", "quick", "--where", "stale:no")
    assert rows == fresh
