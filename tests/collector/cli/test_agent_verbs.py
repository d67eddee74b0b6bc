"""``waymark agent``, and the built-in agents on a virtual phone, with and without an injected dialog."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from collector.agents.agent import AgentEpisode
from collector.agents.agent_start import AgentStart
from collector.agents.agent_trial import AgentTrial
from collector.agents.careful_agent import RECOVERY
from collector.agents.registry import BUILT_IN, DeclaredAgent, create_agent
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.cli.main import main
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.action import Complete, Impossible, Tap
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_PHONE
from collector.replay.phone import opened_phone
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.variations.registry import Variations
from tests.helpers import chat_server as play
from tests.helpers.chat_server import TAP, ChatServer
from tests.helpers.run_files import steps_of, write_run
from tests.helpers.scripts import ROOT
from tests.helpers.virtual import adb_server, virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
SAMPLE = ROOT / "assets" / "sample"
AS_RECORDED = PhoneSetup(seed=1, locale="en-US", size=Size(480, 1064), density=213)


@pytest.fixture(scope="module")
def port():
    with adb_server() as private:
        yield private.port


@pytest.fixture(scope="module")
def device(port):
    server = AdbServer(port)
    with virtual_device() as phone:
        server.connect(phone.address)
        yield AdbDevice(phone.address, server)
        server.disconnect(phone.address)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A copy of what the agents need of the sample project."""
    folder = tmp_path_factory.mktemp("sample") / "project"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("shop-*", ".cache"))
    return Project.open(folder)


@pytest.fixture
def run(port, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))

    def call(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def tried(device, project, kind, task, anomaly="", at=2):
    """The steps of an agent from a fresh phone, a dialog injected before its step ``at``."""
    reset_phone(device, ResetPlan(RESET_PHONE, setup=AS_RECORDED))
    agent = create_agent(DeclaredAgent(kind, {"wait_ms": 50}), project)
    source = AnomalySource(project)
    session = InjectionSession(device, source.trust, ask=lambda _effects: True)
    steps = []
    try:
        with opened_phone(device) as phone:
            episode = AgentEpisode(project.task(task), seed=1, budget=25)
            trial = AgentTrial(agent, phone, episode)
            agent.begin(episode)
            while not trial.is_over and len(steps) < episode.budget:
                if anomaly and len(steps) + 1 == at:
                    session.fire(InjectionRequest(source.anomaly(anomaly), episode.task.package))
                steps.append(trial.step())
                if session.injector.open is not None:
                    session.injector.look(trial.cancelled)
    finally:
        session.close()
    return steps


@pytest.mark.parametrize(
    ("task", "anomaly"), [("todo-04", "battery_low_double_en"), ("home-01", "location_permission_single_en")]
)
def test_a_dialog_stops_the_golden_replay_and_not_the_careful_one(device, sample, task, anomaly):
    golden = tried(device, sample, "golden", task, anomaly)
    assert isinstance(golden[-1].turn.predicted, Impossible)
    assert "adbsmarttest" in golden[-1].turn.thought
    careful = tried(device, sample, "careful", task, anomaly)
    assert careful[-1].turn.predicted == Complete()
    moves = [step.turn.extra[RECOVERY]["move"] for step in careful if RECOVERY in step.turn.extra]
    assert moves == ["answered"]


def test_the_kinds_are_listed_and_shown(run):
    status, printed, _err = run("agent", "list")
    assert status == 0
    assert all(f"\n{kind} " in printed for kind in BUILT_IN)
    status, printed, _err = run("agent", "list", "--json")
    listed = {entry["id"]: entry for entry in json.loads(printed)["agents"]}
    assert set(BUILT_IN) <= set(listed)
    for kind in BUILT_IN:
        status, printed, _err = run("agent", "show", kind, "--json")
        assert (status, json.loads(printed)) == (0, listed[kind])
    status, printed, _err = run("agent", "show", "golden")
    assert "waits  (a whole number; 4 by default)" in printed
    assert run("agent", "show", "goldn")[::2] == (
        1,
        "waymark: There is no kind of agent goldn. Write golden\n",
    )


def test_an_agent_is_tried_on_a_phone(run, device, sample):
    reset_phone(device, ResetPlan(RESET_PHONE, setup=AS_RECORDED))
    base = ("--project", sample.folder, "--task", "todo-04", "--option", "who=lin")
    status, printed, _err = run("agent", "try", "golden", *base, "--dry-run")
    assert status == 0
    assert printed.startswith("  1  Tap 'To-do'\n     Step 1 of todo-04-lin: ")
    status, printed, _err = run("agent", "try", "golden", *base, "--json")
    steps = json.loads(printed)["steps"]
    assert status == 0
    assert steps[-1]["action"]["kind"] == "complete"
    assert steps[0]["package"] == "com.waymark.launcher"
    assert all(step["time_ms"] is not None and not step["problem"] for step in steps)
    script = ("-o", "actions=[{tap: Refund}]", "-o", "waits=0", "--max-steps", 2)
    status, printed, _err = run("agent", "try", "scripted", *base[:4], *script)
    assert status == 1
    assert "Action 1 of the script: no node is Refund" in printed
    # It searches a phone of its own, under the same variation.
    crowded = replace(AS_RECORDED, variation=Variations().resolve("crowded"))
    reset_phone(device, ResetPlan(RESET_PHONE, setup=crowded))
    words = ("--project", sample.folder, "--task", "todo-06", "--dry-run")
    status, printed, _err = run("agent", "try", "oracle", *words)
    assert (status, "first state" in printed) == (0, False), printed


def test_an_agent_begins_where_a_step_of_a_trajectory_begins(run, device, sample):
    reset_phone(device, ResetPlan(RESET_PHONE, setup=AS_RECORDED))
    golden = open_trajectory(sample.folder / "trajectories/todo-04/todo-04-lin")
    base = ("--project", sample.folder, "-o", "actions=[{tap: Saved}]", "-o", "waits=0", "--max-steps", 1)
    status, printed, err = run("agent", "try", "scripted", *base, "--start", "todo-04-lin@3", "--json")
    assert status == 1, err  # there is no Saved
    document = json.loads(printed)
    assert (document["task"], [step["step"] for step in document["steps"]]) == ("todo-04", [3])
    assert document["steps"][0]["package"] == "com.waymark.todo"
    status, printed, err = run("agent", "try", "scripted", *base, "--start", "todo-04-lin@3", "--dry-run")
    assert "The phone is where step 3 begins" in printed, err
    base = ("--project", sample.folder, "--option", "who=lin", "--snapshot", "--dry-run")
    status, printed, err = run("agent", "try", "golden", *base, "--start", "todo-04-lin@3")
    assert "     Step 3 of todo-04-lin: " in printed, err
    device.shell("input keyevent HOME")
    status, printed, err = run("agent", "try", "golden", *base, "--start", "todo-04-lin@3")
    assert "The phone went back to its snapshot of where step 3 begins" in printed, err
    assert run("agent", "try", "golden", "--task", "todo-04", *base)[0] == 2, "of which step"
    history = AgentStart(golden, 2).history
    assert [past.action for past in history] == [step.action for step in golden.steps[:2]]
    assert [past.turn.thought for past in history] == [step.intention for step in golden.steps[:2]]


def test_what_cannot_be_tried_is_said(run, sample):
    base = ("--project", sample.folder)
    refused = {
        ("golden", "--task", "todo-4"): "no task todo-4. Write todo-04",
        ("golden", "--task", "todo-04", "-o", "waits=-1"): "waits is at least 0",
        ("golden", "--task", "todo-04", "-o", "wait=1"): "no option wait. Write waits",
        ("golden", "--task", "todo-04", "--modality", "screenshot"): "see screenshot+tree, tree",
        ("golden", "--task", "todo-04", "-o", "waits"): "NAME=VALUE",
        ("golden", "--task", "todo-04", "-o", "waits=["): "cannot be read",
        ("golden", "--task", "todo-02"): "no golden trajectory to follow",
        ("scripted", "--task", "todo-04", "-o", "actions=[{tapp: [1, 1]}]"): "Write tap",
        ("golden",): "Name the task with --task, or a step to begin at with --start",
        ("golden", "--start", "todo-04-lin"): "Give --start as TRAJECTORY@STEP",
        ("golden", "--start", "todo-04-lin@0"): "Give --start as TRAJECTORY@STEP",
        ("golden", "--start", "todo-04-lin@99"): "todo-04-lin has no step 99",
        ("golden", "--start", "nowhere@1"): "nowhere",
    }
    for words, said in refused.items():
        status, _printed, err = run("agent", "try", *words, *base)
        assert status in (1, 2)
        assert said in err


def test_a_request_of_a_run_is_printed_and_what_keeps_none_is_refused(tmp_path, capsys):
    project = Project.create(tmp_path / "p")
    request = {"model": "m", "messages": [{"role": "user", "text": "Buy milk"}]}
    asked = AgentTurn("Open it", "raw", Tap(1, 2), extra={"request": request})
    steps = [
        replace(step, agent=turn) for step, turn in zip(steps_of(Tap(1, 2), None), (asked, None), strict=True)
    ]
    write_run(project, "run-1", Episode(agent="gpt"), Outcome("failure"), steps=steps)
    place = ("--project", str(project.folder))
    assert main(["agent", "ask", "run-1@1", "--dry-run", *place]) == 0
    assert capsys.readouterr().out.split("\n")[:3] == ["[m]", "user:", "Buy milk"]
    assert main(["agent", "ask", "run-1@1", "--dry-run", "--json", *place]) == 0
    assert json.loads(capsys.readouterr().out)["request"] == request
    with ChatServer(play.right(TAP)) as server:
        given = ("-o", f"base_url={server.address}", "-o", "model=other")
        assert main(["agent", "ask", "run-1@1", *place, *given, "--json"]) == 0
        answered = json.loads(capsys.readouterr().out)
        assert (answered["before"]["thought"], answered["answers"][0]["answer"]) == ("Open it", TAP)
        assert server.requests[0].texts == ["Buy milk"]
        assert main(["agent", "ask", "run-1@2", *place, *given]) != 0
    assert "Step 2 keeps no request" in capsys.readouterr().err
    assert main(["agent", "ask", "run-1@9", *place]) != 0
    assert "It has 2 steps" in capsys.readouterr().err
