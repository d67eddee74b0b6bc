"""``waymark project`` and ``waymark trajectory`` as a person or a script uses them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import RUN, State, TrajectoryHeader
from collector.model.usage import Usage
from collector.project_check.project_check import check_every_file
from collector.store.catalogue.project_snapshot import read_snapshot
from collector.store.catalogue.query import KEYS
from collector.store.project.project import Project
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task


@pytest.fixture
def place(tmp_path: Path) -> Path:
    created = Project.create(tmp_path / "p")
    put_task(created, Task("one", "打开商店", app="Shop"))
    with created.new_trajectory(TrajectoryHeader("t", "one", who="ann")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    return created.folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str]:
        status = command.main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        return status, output.out + output.err

    return call


def test_a_project_is_made_and_checked(run, tmp_path: Path) -> None:
    assert run("project", "new", tmp_path / "n", "--name", "Neu")[0] == 0
    assert run("project", "check", tmp_path / "n") == (0, "Everything is in order\n")
    status, output = run("project", "new", tmp_path / "n")
    assert (status, "already" in output) == (1, True)


def test_a_check_that_finds_something_exits_with_1(run, place: Path) -> None:
    (place / "trajectories/one/t/states/0000.png").unlink()
    status, output = run("project", "check", place, "--json")
    document = json.loads(output)
    assert (status, document["errors"], document["problems"][0]["code"]) == (1, 1, "blob-missing")
    assert "[blob-missing]" in run("project", "check", place)[1]
    assert run("trajectory", "verify", "t", "--project", place)[0] == 1


def test_a_golden_s_own_problems_are_notices_and_the_index_knows_the_same(run, place: Path) -> None:
    project = Project.open(place)
    for header in (TrajectoryHeader("g", "one"), TrajectoryHeader("r", "one", kind=RUN, episode=Episode())):
        with project.new_trajectory(header) as writer:
            for problem in ("No tree came", "", "The window is secure"):
                writer.append(step(0, state=State(problem=problem)), png(), xml())
            writer.finish()
    status, output = run("project", "check", place)
    assert (status, output.splitlines()) == (0, [
        "notice: trajectories/one/g: No tree came; 1 more state with a problem [state-problem]",
        "Everything is in order",
    ])  # fmt: skip
    assert list(read_snapshot(project).findings) == check_every_file(project)


def test_show_refuses_a_project_that_list_refuses(run, place: Path) -> None:
    settings = place / "project.yaml"
    sound = settings.read_text()
    for damaged in ("version: 99", "version: [", "format: other\nversion: 1", "- version: 1"):
        settings.write_text(f"{damaged}\n")
        refusal = run("trajectory", "list", "--project", place)
        assert refusal[0] == 1
        assert run("trajectory", "show", "t", "--project", place) == refusal
    settings.write_text(f"{sound}note: [\n")
    assert run("trajectory", "show", "t", "--project", place)[0] == 0, (
        "what only reads a trajectory can go on"
    )


def test_runs_are_listed_with_the_columns_they_fill(run, place: Path) -> None:
    header = TrajectoryHeader(
        "r", "one", kind=RUN, episode=Episode(agent="x", seed=0, condition="low_battery"),
        outcome=Outcome("failure", early_stop=True, usage=Usage(3, cost=0.5, currency="USD", time_ms=1500)),
    )  # fmt: skip
    with Project.open(place).new_trajectory(header) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    status, output = run("trajectory", "list", place, "--where", "agent:x seed:<1 anomaly:low")
    assert status == 0
    titles, cells = (line.split() for line in output.splitlines())
    assert titles[3:7] == ["WHO", "AGENT", "CONDITION", "OUTCOME"]
    assert titles[-4:] == ["SEED", "TOKENS", "COST", "SECONDS"]
    assert cells[-5:] == ["0", "3", "0.5", "USD", "1.5"]
    assert {"x", "low_battery", "failure,", "early"} <= set(cells)
    assert "AGENT" not in run("trajectory", "list", "--where", "kind:golden", "--project", place)[1]
    rows = json.loads(run("trajectory", "list", "--where", "kind:run", "--project", place, "--json")[1])[
        "trajectories"
    ]
    assert (rows[0]["seed"], rows[0]["early_stop"], rows[0]["anomalies"]) == (0, True, ["low_battery"])


def test_the_help_of_a_list_names_every_key(run) -> None:
    output = run("trajectory", "list", "--help")[1]
    assert set(KEYS) <= set(re.findall(r"[\w-]+", output))


def test_wrong_usage_exits_with_2(run, place: Path) -> None:
    for arguments in (
        ("project", "import", "tarot", place),
        ("project", "dance"),
        ("trajectory", "list", "--limit", "0"),
    ):
        assert run(*arguments)[0] == 2


def test_lists_count_golden_trajectories(run, place: Path) -> None:
    _status, output = run("project", "list", place, "--json")
    task = json.loads(output)["tasks"][0]
    assert (task["id"], task["golden"], task["golden_wanted"]) == ("one", 1, 2)
    assert "打开商店" in run("project", "list", place)[1]


def test_trajectories_are_listed_filtered_and_shown(run, place: Path) -> None:
    _status, output = run("trajectory", "list", "app:Shop", "--project", place, "--json")
    assert [row["id"] for row in json.loads(output)["trajectories"]] == ["t"]
    assert run("trajectory", "list", "app:Maps", "--project", place)[1] == "No trajectory fits\n", "as it was"
    assert run("trajectory", "list", "nowhere", "--where", "app:Shop")[0] == 2
    _status, output = run("trajectory", "show", "t", "--project", place, "--json")
    document = json.loads(output)
    assert (document["header"]["who"], document["steps"][0]["action"]["kind"]) == ("ann", "tap")
    shown = run("trajectory", "show", "one/t", "--project", place)[1]
    assert "Tap number 1" in shown
    assert re.findall(r"^(\d+)  ", shown, re.MULTILINE)[0] == "1", "people count from 1"
    assert run("trajectory", "verify", place / "trajectories/one/t", "--project", "/")[0] == 0
    status, output = run("trajectory", "list", "--where", "colour:red", "--project", place)
    assert (status, "no search key" in output) == (1, True)


def test_a_step_is_redacted_only_when_it_is_meant(run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    first = ("trajectory", "redact", "t", 1, "--project", place)
    before = (place / "trajectories/one/t/states/0000.png").read_bytes()
    assert run(*first)[0] == 130
    assert (place / "trajectories/one/t/states/0000.png").read_bytes() == before
    assert run(*first, "--yes", "--region", "0,0,2")[0] == 2
    status, output = run(*first, "--yes", "--region", "0,0,2,2", "--json")
    assert (status, json.loads(output)["step"]["redacted"]) == (0, True)
    assert not (place / "trajectories/one/t/states/0000.png").exists()
    assert run("trajectory", "verify", "t", "--project", place)[0] == 0


def test_a_question_does_not_stand_in_the_document(place: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert command.main(["project", "empty-trash", str(place), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {"deleted": 0}
    assert "Go on?" in output.err


def test_steps_that_show_the_same_are_redacted_too_and_named(run, place: Path) -> None:
    with TrajectoryWriter.open(place / "trajectories/one/t") as writer:
        writer.append(step(1), png(shade=3), xml("Other"))
        writer.append(writer.steps[0], png(), xml())
    redacted = ("trajectory", "redact", "t", 1, "--project", place, "--yes", "--region", "0,0,2,2")
    assert "Step 3 shows the same and is redacted too" in run(*redacted)[1]


def test_recovery_says_what_it_mended(run, place: Path) -> None:
    assert run("project", "recover", place)[1] == "Nothing needed to be recovered\n"
    (place / "trajectories/one/t/.lock").write_text('{"pid": 1, "host": "elsewhere"}')
    (place / "trajectories/one/t/states/0007.png").write_bytes(b"x")
    (place / ".part-0-tasks.yaml").write_bytes(b"format")
    _status, output = run("project", "recover", place, "--json")
    recovered_folders = json.loads(output)["recovered"]
    assert json.loads(output)["swept"] == [".part-0-tasks.yaml"]
    assert [recovered["trajectory"] for recovered in recovered_folders] == ["trajectories/one/t"]
    assert recovered_folders[0]["steps"] == 1
    assert "lost+found" in recovered_folders[0]["mended"][0]


def test_an_import_reports_and_an_index_counts(run, place: Path, tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots/1.png").write_bytes(png())
    (tmp_path / "shots/1.xml").write_bytes(xml())
    assert run("project", "import", "auto", "aitk", tmp_path / "shots", "--project", place)[0] == 2
    status, output = run("project", "import", "auto", tmp_path / "shots", "--project", place)
    assert (status, "loss: shots: Plain folders have no actions" in output) == (0, True)
    _status, output = run("project", "import", "plain", tmp_path / "shots", "--project", place, "--json")
    assert json.loads(output)["trajectories"] == []
    _status, output = run("project", "index", place, "--json")
    assert json.loads(output) == {
        "project": "p",
        "trajectories": 2,
        "by_status": {"finished": 1, "imported": 1},
    }


def test_what_is_refused_is_told_in_json_too(run, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command.main(["project", "list", str(tmp_path), "--json"]) == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["error"]["why"] == "it has no project.yaml"
    assert output.err.startswith("waymark: There is no project in ")
    assert "error" not in run("project", "list", tmp_path)[1]


def test_a_reason_goes_on_from_what_happened(run, tmp_path: Path) -> None:
    output = run("project", "list", tmp_path)[1]
    assert f"There is no project in {tmp_path}: it has no project.yaml. Make one" in output


def test_names_no_system_takes_are_one_sentence(run, place: Path) -> None:
    for arguments in (("project", "new", "x" * 300), ("trajectory", "show", "x" * 5000, "--project", place)):
        status, output = run(*arguments)
        assert (status, output.count("\n")) == (1, 1)
        # Python 3.14 takes a name that is too long for one that is not there.
        assert "File name too long" in output or "There is no trajectory" in output


def test_texts_from_elsewhere_cannot_steer_the_terminal(run, place: Path) -> None:
    header = place / "trajectories/one/t/trajectory.json"
    document = json.loads(header.read_bytes())
    header.write_text(json.dumps(document | {"instruction": "a\x1b]0;owned\x07 \x9b31m\u202eb"}))
    output = run("trajectory", "show", "t", "--project", place)[1]
    assert "a]0;owned 31mb" in output
    assert not set("\x1b\x07\x9b\u202e") & set(output)


def test_letters_the_console_lacks_do_not_stop_a_verb(run, place: Path, monkeypatch) -> None:
    for as_json in ((), ("--json",)):
        out = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
        monkeypatch.setattr("sys.stdout", out)
        assert run("project", "list", place, *as_json)[0] == 0
        out.flush()
        reported = out.buffer.getvalue().decode("cp1252")
        assert "\\u6253\\u5f00" in reported
        if as_json:
            assert json.loads(reported)["tasks"][0]["instruction"] == "打开商店"


def test_a_step_that_is_not_there_says_how_many_are(run, place: Path) -> None:
    output = run("trajectory", "redact", "t", "9", "--yes", "--project", place)[1]
    assert "There is no step 9: it has 1 step, from 1." in output
