"""``waymark trajectory replay`` and ``waymark anomaly solvable`` as a person or a script runs them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from collector.cli.main import main
from collector.device.errors import DeviceOffline
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.judge.judging import judged_by_rules
from collector.model.action import Type
from collector.model.task import Task
from collector.model.task_parameter import Parameter
from collector.project_rules.project_rules import ProjectRules
from collector.replay.phone import opened_phone
from collector.replay.setup import prepare_phone
from collector.store.checks.check import check_trajectory
from collector.store.project.project import Project
from collector.store.tasks.task_values import values_of
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.golden import add_a_task
from tests.helpers.tasks import put_task
from tests.helpers.virtual import adb_server, small_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
OTHER_APP = """in-settings:
  conditions:
    - {type: current_package_is, value: com.android.settings}
"""


@pytest.fixture(scope="module")
def port():
    with adb_server() as private, small_device("launcher", "todo", "settings", "companion") as device:
        server = AdbServer(private.port)
        server.connect(device.address)
        yield private.port
        server.disconnect(device.address)


@pytest.fixture(scope="module")
def recorded(port, tmp_path_factory):
    """A project with one golden trajectory, and that trajectory."""
    project = Project.create(tmp_path_factory.mktemp("verbs") / "project")
    server = AdbServer(port)
    serial = next(device.serial for device in server.devices())
    with opened_phone(AdbDevice(serial, server)) as phone:
        return project, add_a_task(phone, project)


@pytest.fixture
def run(port, recorded, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))

    def call(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def test_a_path_with_an_interruption_is_replayed_without_it(run, port, tmp_path):
    project, server = Project.create(tmp_path / "project"), AdbServer(port)
    with opened_phone(AdbDevice(server.devices()[0].serial, server)) as phone:
        golden = add_a_task(phone, project, interrupted=True)
    assert [step.state.package.rpartition(".")[2] for step in golden.steps[:4]] == [
        "todo", "adbsmarttest", "settings", "todo",
    ]  # fmt: skip
    status, printed, _err = run("trajectory", "replay", golden.folder, "--fresh", "--no-record")
    assert status == 0, printed
    assert "Left out, as they belong to an interruption: steps 2, 3\n" in printed
    assert "Done: the end has 100 % of the recorded words" in printed


def _go_home(device):
    device.shell("input keyevent 3")


def test_a_trajectory_is_replayed_step_by_step(run, recorded):
    _project, golden = recorded
    status, printed, _err = run("trajectory", "replay", golden.folder, "--fresh")
    assert status == 0
    assert "  1  Tap 'All': done" in printed
    assert "Done: the end has 100 % of the recorded words" in printed
    run_recorded = recorded_run(golden, printed.splitlines()[-1])
    header, episode, outcome = run_recorded.header, run_recorded.header.episode, run_recorded.header.outcome
    assert (header.kind, header.status, header.task_id) == ("run", "finished", "todo-add")
    assert (episode.agent, episode.experiment, episode.repeat) == ("replay", "replays", 0)
    assert (outcome.status, outcome.claimed, outcome.infrastructure) == ("success", "complete", "")
    assert header.apps["com.waymark.todo"]
    *steps, final = run_recorded.steps
    assert [step.description for step in steps] == [step.description for step in golden.steps[:-1]]
    assert final.action is None
    assert [step.extra["replayed_step"] for step in steps] == [step.index for step in golden.steps[:-1]]
    for step in run_recorded.steps:
        assert run_recorded.screenshot(step).startswith(b"\x89PNG")
        assert (step.state.skew, step.state.source["frame"]) == (0.0, "screencap")
        assert step.state.tree_age_ms < 5000
        assert step.state.problem == ""
    assert steps[0].target.selectors == golden.steps[0].target.selectors
    assert not check_trajectory(run_recorded.folder)


def recorded_run(golden, line: str):
    """The run that the last line of a replay names."""
    words, _, name = line.rpartition(" ")
    assert words == "Recorded as"
    return open_trajectory(golden.folder.parent / name)


def test_a_replay_without_a_record_leaves_nothing(run, recorded):
    _project, golden = recorded
    before = sorted(golden.folder.parent.iterdir())
    status, printed, _err = run("trajectory", "replay", golden.folder, "--fresh", "--no-record", "--json")
    assert (status, json.loads(printed)["run"]) == (0, "")
    assert sorted(golden.folder.parent.iterdir()) == before


def test_the_task_s_rule_judges_the_end(run, recorded):
    project, golden = recorded
    (project.folder / "rules").mkdir(exist_ok=True)
    rules = project.folder / "rules" / "success.yaml"
    rules.write_text(OTHER_APP, encoding="utf-8")
    before = project.reload()[0]
    put_task(project, Task(before.id, before.instruction, before.app, before.package, rule_key="in-settings"))
    status, printed, _err = run(
        "trajectory", "replay", golden.folder.name, "--project", project.folder, "--fresh",
        "--wait", "3", "--json", "--no-record",
    )  # fmt: skip
    document = json.loads(printed)
    put_task(project, before)
    rules.unlink()
    assert (status, document["status"]) == (1, "failed")
    assert document["verdict"] == {
        "holds": False,
        "by": "rule",
        "rule": "in-settings",
        "share": None,
        "said": "",
    }
    assert [step["status"] for step in document["steps"]] == ["done"] * 6


def test_a_task_with_parameters_is_replayed_with_its_own_values_and_with_others(run, recorded):
    project, golden = recorded
    rules, header = project.folder / "rules" / "success.yaml", golden.folder / "trajectory.json"
    rules.parent.mkdir(exist_ok=True)
    rules.write_text("added: {conditions: [{type: element_exists, selector: \"text='{title}'\"}]}\n")
    before, text = project.reload()[0], header.read_text()
    title = Parameter("title", options=("Milk", "Feed the cat"))
    asked = replace(before, instruction="Add {title}", rule_key="added", parameters=(title,))
    put_task(project, asked)
    header.write_text(json.dumps({**json.loads(text), "parameters": {"title": "Milk"}}))
    words = ("trajectory", "replay", golden.folder, "--json")
    seed = next(seed for seed in range(9) if values_of(asked, seed)["title"] == "Feed the cat")
    try:
        others = ((("--seed", seed), "Feed the cat"), (("--set", "title=Pay"), "Pay"))
        for given, value in (((), "Milk"), *others):
            status, printed, _err = run(*words, "--fresh", "--wait", "5", *given)
            document = json.loads(printed)
            assert (status, document["verdict"]["by"]) == (0, "rule"), document
            replayed = open_trajectory(golden.folder.parent / document["run"])
            assert replayed.header.extra["parameters"] == {"title": value}
            assert any(isinstance(step.action, Type) and step.action.text == value for step in replayed.steps)
            rules_now = ProjectRules.open(project.folder).rules()
            judged = judged_by_rules(Project.open(project.folder), rules_now, replayed, "waymark")[-1]
            assert judged.verdict == "success", "by the values that it keeps"
        status, printed, _err = run(*words, "--dry-run", "--set", "title=Pay")
        typed = [step["action"].get("text") for step in json.loads(printed)["steps"]]
        assert "Pay" in typed
        assert "no parameter titel. Use one of: title" in run(*words, "--set", "titel=Pay")[2]
        assert "write it as NAME=VALUE" in run(*words, "--set", "title")[2]
        put_task(project, before)
        assert "has no parameters" in run(*words, "--seed", "1")[2]
    finally:
        put_task(project, before)
        header.write_text(text)
        rules.unlink()


def test_a_step_that_cannot_be_done_is_told_with_what_is_there(run, recorded, monkeypatch):
    _project, golden = recorded
    monkeypatch.setattr(
        "collector.replay.replay.prepare_phone", lambda device, *_words, **_more: _go_home(device)
    )
    status, printed, _err = run("trajectory", "replay", golden.folder, "--wait", "0", "--no-record")
    assert status == 1
    assert "another screen" in printed
    assert "Expected: com.waymark.todo in front; com.waymark.launcher" in printed


def test_the_table_says_what_each_task_took(run, recorded):
    project, _golden = recorded
    words = ("--anomaly", "battery_low_double_en", "--anomaly", "process_death", "--at", "4", "--fresh")
    status, printed, progress = run("anomaly", "solvable", project.folder, *words)
    assert status == 0
    rows = printed.splitlines()
    *words, name = rows[1].split()
    assert words == ["todo-add", "battery_low_double_en", "deny", "4", "solvable"]
    trial = open_trajectory(_golden.folder.parent / name)
    assert (trial.header.episode.condition, trial.header.outcome.status) == (
        "battery_low_double_en",
        "success",
    )
    assert trial.header.episode.buttons == 2
    (interruption,) = trial.interruptions()
    answer = trial.steps[interruption.answered_by]
    assert (interruption.answer, answer.state.package) == ("deny", "com.example.adbsmarttest")
    assert [step.extra.get("replayed_step") for step in trial.steps[2:5]] == [2, None, 3]
    assert "solvable with recovery  the app opened again" in rows[2]
    assert open_trajectory(_golden.folder.parent / rows[2].split()[-1]).header.outcome.status == "success"
    assert rows[3] == "solvable: 1, solvable with recovery: 1"
    assert "todo-add  battery_low_double_en  deny  solvable" in progress


def test_hidden_texts_are_given_for_the_task_they_belong_to(run, recorded, tmp_path):
    source, golden = recorded
    shutil.copytree(source.folder, tmp_path / "hidden")
    steps = tmp_path / "hidden" / golden.folder.relative_to(source.folder) / "steps.jsonl"
    text = steps.read_text(encoding="utf-8")
    assert '"text":"Milk","length":4,"redacted":false' in text
    hidden = text.replace('"text":"Milk","length":4,"redacted":false', '"text":"","length":4,"redacted":true')
    steps.write_text(hidden, encoding="utf-8")
    words = ("--anomaly", "battery_low_double_en", "--fresh", "--no-record")
    status, printed, _progress = run("anomaly", "solvable", tmp_path / "hidden", *words)
    assert status == 1
    assert "--text 4=TEXT" in printed
    status, printed, _progress = run(
        "anomaly", "solvable", tmp_path / "hidden", *words, "--text", "todo-add:4=Milk"
    )  # fmt: skip
    assert (status, printed.splitlines()[-1]) == (0, "solvable: 1")


def test_what_is_not_solvable_makes_the_status_one(run, recorded):
    project, _golden = recorded
    words = ("--anomaly", "battery_low_single_en", "--answer", "deny", "--json", "--no-record")
    status, printed, _progress = run("anomaly", "solvable", project.folder, *words)
    document = json.loads(printed)
    assert (status, document["solvable"], document["counts"]["not-met"]) == (1, False, 1)
    assert document["trials"][0]["anomaly"] == "battery_low_single_en"


def test_a_check_that_breaks_off_is_one_document_with_its_reason(run, recorded, monkeypatch):
    def lose(*_case, **_options):
        raise DeviceOffline("10.0.0.2:5555")

    monkeypatch.setattr("collector.replay.solvability.check.trial_cases", lose)
    words = ("--anomaly", "battery_low_single_en", "--fresh", "--json")
    status, printed, err = run("anomaly", "solvable", recorded[0].folder, *words)
    document = json.loads(printed)
    assert (status, document["trials"], document["error"]["what"]) == (
        1,
        [],
        "Device 10.0.0.2:5555 is offline",
    )
    assert "waymark: Device 10.0.0.2:5555 is offline" in err


@pytest.mark.parametrize(
    ("words", "expected", "printed"),
    [
        (("--at", "0"), 2, "the number of a step, from 1"),
        (("--at", "soon"), 2, "the number of a step"),
        (("--text", "x"), 2, "STEP=TEXT"),
        (("--text", "todo-add:x=y"), 2, "STEP=TEXT"),
        (("--text", "nobody:3=y"), 1, "no task nobody"),
        (("--task", "nobody"), 1, "no task nobody"),
        (("--anomaly", "nothing"), 1, "no anomaly nothing"),
    ],
)
def test_wrong_words_are_refused_before_anything_runs(run, recorded, words, expected, printed):
    status, out, err = run("anomaly", "solvable", recorded[0].folder, *words)
    assert status == expected
    assert printed in out + err


def test_a_project_without_golden_trajectories_is_told(run, tmp_path):
    Project.create(tmp_path / "empty")
    status, _out, err = run("anomaly", "solvable", tmp_path / "empty")
    assert status == 1
    assert "no golden trajectory" in err


def test_a_dry_run_says_what_would_be_done_without_a_phone(run, recorded, monkeypatch):
    _project, golden = recorded
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    status, printed, _err = run("trajectory", "replay", golden.folder, "--dry-run", "--timing", "recorded")
    assert status == 0
    assert "The app com.waymark.todo is closed first" in printed
    assert [line.split()[0] for line in printed.splitlines()[2:]] == [
        str(step.index + 1) for step in golden.steps if step.action is not None
    ]
    status, printed, _err = run("trajectory", "replay", golden.folder, "--dry-run", "--from", "3", "--json")
    plan = json.loads(printed)
    assert (status, plan["app"], plan["steps"][0]["index"]) == (0, "", 2)
    assert plan["steps"][0]["action"]["kind"] == golden.steps[2].action.kind


def test_one_step_and_then_the_rest_are_replayed_from_where_the_phone_stands(run, recorded, port):
    _project, golden = recorded
    server = AdbServer(port)
    before = {path.name for path in golden.folder.parent.iterdir()}
    with opened_phone(AdbDevice(server.devices()[0].serial, server)) as phone:
        prepare_phone(phone.device, "com.waymark.todo", golden.steps, fresh=True)
    status, printed, _err = run("trajectory", "replay", golden.folder, "--step", 1)
    assert (status, printed) == (0, "  1  Tap 'All': done\ndone\n")
    pace = ("--timing", "fixed", "--pause", 0.1)
    status, printed, _err = run("trajectory", "replay", golden.folder, "--from", 2, *pace, "--json")
    result = json.loads(printed)
    assert (status, result["status"], result["steps"][0]["index"]) == (0, "done", 1)
    assert (result["verdict"]["holds"], result["run"]) == (True, "")
    assert {path.name for path in golden.folder.parent.iterdir()} == before, "a part leaves no run"


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("--step", 1, "--from", 2), 2, "exclude each other"),
        (("--pause", 1), 2, "belongs to --timing fixed"),
        (("--from", 2, "--fresh"), 2, "begins at the first step"),
        (("--step", 99), 1, "Step 99 cannot be replayed"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_a_phone_is_asked(run, recorded, words, status, why):
    _project, golden = recorded
    found, _out, error = run("trajectory", "replay", golden.folder, *words)
    assert (found, why in error) == (status, True)
