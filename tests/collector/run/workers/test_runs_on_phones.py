"""Whole runs on virtual phones: in threads, in processes, on the command line, and with faults."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import shutil
import signal
import subprocess
import sys

import pytest

from collector.agents.registry import agent_kinds
from collector.cli.device.virtual_phones import VirtualPhones
from collector.cli.main import main
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.own_program import waymark_command
from collector.model.action import Tap
from collector.model.geometry import Size
from collector.replay.phone import opened_phone
from collector.run.events import EpisodeEnded, RunEnded, StepDone, WorkerChanged
from collector.run.experiment.matrix import cells as cells_of
from collector.run.experiment.model import AgentEntry, Experiment, RunCondition
from collector.run.phones.connected_phones import ConnectedPhones
from collector.run.runner.cell_queue import Backoff
from collector.run.runner.experiment_runner import ExperimentRunner, RunnerOptions
from collector.run.runner.stored_episodes import read_episodes
from collector.run.workers.local_worker import LocalExecutor
from collector.run.workers.worker_process import ProcessExecutor
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.registry import running_phones
from tests.helpers.golden import add_a_task
from tests.helpers.virtual import adb_server, kill_adb_server, virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
EXPERIMENT = Experiment(
    "pilot", ("todo-add",), (AgentEntry("golden", "golden"),), seeds=(1, 2), reset="app-data", retries=3
)
RULES = """rules:
  - id: maybe
    once: false
    conditions: [{type: element_exists, selector: "class='android.widget.FrameLayout'", min_step: 1}]
    actions: [{type: inject_interference, interference_id: battery_low_double_en, trigger_probability: 0.15}]
"""
YAML = """tasks: [todo-add]
agents: [{id: golden, kind: golden}]
seeds: [1, 2]
reset: app-data
"""
LIBRARY = """interference_library:
  - id: ad
    target_activity: OneButtonDialogActivity
    params: {{param_title: "{title}"}}
"""


@pytest.fixture(scope="module")
def shared():
    """A private adb server with one phone, which lives in this process so that tests can break it."""
    apps = ("launcher", "todo", "settings")
    with adb_server() as private, virtual_device(*apps, size=Size(360, 800), density=160) as device:
        AdbServer(private.port).connect(device.address)
        yield private, device


@pytest.fixture(scope="module")
def golden(shared, tmp_path_factory):
    private, device = shared
    project = Project.create(tmp_path_factory.mktemp("golden") / "project")
    with opened_phone(AdbDevice(device.address, AdbServer(private.port))) as phone:
        add_a_task(phone, project)
    return project.folder


@pytest.fixture
def project(golden, tmp_path, shared, monkeypatch):
    private, device = shared
    for name in ("ANDROID_ADB_SERVER_PORT", "ADB_LOCAL_TRANSPORT_MAX_PORT", "ADB_USB"):
        monkeypatch.setenv(name, private.environment[name])
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    AdbServer().connect(device.address)
    shutil.copytree(golden, tmp_path / "project")
    project = Project.open(tmp_path / "project")
    (project.folder / "experiments").mkdir()
    project.paths.experiment("pilot").write_text(YAML)
    return project


def run(project, executor, on_event=lambda _event: None, experiment=EXPERIMENT):
    events = []

    def listen(event):
        events.append(event)
        on_event(event)

    options = RunnerOptions(backoff=Backoff(0.1, 1.0, 0.1))
    cells = list(cells_of(experiment, agent_kinds().kinds))
    summary = ExperimentRunner(project, experiment, cells, executor, options, listener=listen).run()
    assert (summary.how, summary.not_run) == ("finished", ()), [
        event.infrastructure for event in events if isinstance(event, EpisodeEnded)
    ]
    return summary, events


def actions(project):
    """The actions of the finished episodes by cell; none was ended by a fault."""
    return {
        episode.cell: [step.action for step in open_trajectory(episode.folder).steps]
        for episode in read_episodes(project, "pilot")
        if episode.is_finished
    }


def once(kind, do):
    """Do something when the first event of a kind comes."""
    left = [do]

    def listen(event):
        if isinstance(event, kind) and left:
            left.pop()()

    return listen


def test_faults_of_phone_and_server_are_tried_again_and_are_no_agents_failure(project, shared):
    private, device = shared
    phones = LocalExecutor(ConnectedPhones((device.address,)), 1)
    summary, _events = run(project, phones)
    undisturbed = actions(project)
    assert (summary.faults, len(undisturbed)) == (0, 2)
    assert any(isinstance(action, Tap) for action in next(iter(undisturbed.values())))
    breaks = {
        "the adb server is killed": lambda: kill_adb_server(private.port, private.binary),
        "the phone disconnects": lambda: AdbServer().disconnect(device.address),
        "the picture stands still": lambda: device.faults.set("frozen-screen"),
    }
    for what, do in breaks.items():
        breaks_it = once(StepDone, do)

        def listen(event, breaks_it=breaks_it):
            breaks_it(event)
            if isinstance(event, WorkerChanged) and event.state == "restarting":
                device.faults.clear()  # what a restart mends

        summary, events = run(project, phones, listen, dataclasses.replace(EXPERIMENT, name=what, seeds=(1,)))
        faults = [event for event in events if isinstance(event, EpisodeEnded) and event.infrastructure]
        assert summary.faults == len(faults) >= 1, what
        assert all(event.will_retry and not event.status for event in faults)
        assert any(isinstance(event, WorkerChanged) and event.state == "restarting" for event in events)


def test_several_workers_one_of_them_killed_do_as_one_does(project, tmp_path, capsys):
    """Outcomes, actions, decisions and draws do not depend on the phone of an episode, or on the hour."""
    (project.folder / "rules").mkdir()
    (project.folder / "rules" / "injection.yaml").write_text(RULES)
    experiment = dataclasses.replace(
        EXPERIMENT, agents=(*EXPERIMENT.agents, AgentEntry("monkey", "monkey")), reset="phone", seeds=(1,),
        budget=4,
        conditions=(RunCondition("baseline"), RunCondition("draws", rules=("maybe",), limit=2)),
    )  # fmt: skip
    again = Project.open(shutil.copytree(project.folder, tmp_path / "again"))
    options = PhoneOptions(apps=("launcher", "todo", "companion"), size="360x800", density=160)
    started = []

    class Executor(ProcessExecutor):
        def worker(self, number):
            started.append(super().worker(number))
            return started[-1]

    seen = []

    def kill():
        seen.extend(running_phones())
        os.kill(started[0].pid, signal.SIGKILL)

    summary, events = run(project, Executor(VirtualPhones(2, options), 2), once(StepDone, kill), experiment)
    assert (summary.faults, len(started)) == (1, 3)
    gone = next(event for event in events if isinstance(event, WorkerChanged) and event.state == "gone")
    assert "SIGKILL" in gone.problem or sys.platform == "win32"
    assert len(seen) in (1, 2), "one phone for one worker"
    assert running_phones() == [], "the phones ended with their processes"
    run(again, LocalExecutor(VirtualPhones(1, options), 1), experiment=experiment)
    assert main(["experiment", "compare", "pilot", str(again.folder), "--project", str(project.folder)]) == 0
    assert "4 of 4 episodes are the same in both runs" in capsys.readouterr().out
    draws = [
        line for episode in read_episodes(again, "pilot") for line in decisions(episode) if "draw" in line
    ]
    assert len(draws) > 2
    # What is another action, and what is missing, is named.
    episode = read_episodes(again, "pilot")[0]
    steps = episode.folder / "steps.jsonl"
    steps.write_text(
        steps.read_text().replace('"action":{"kind":"', '"action":{"kind":"key","key":"back","was":"', 1)
    )
    shutil.rmtree(read_episodes(again, "pilot")[1].folder)
    assert (
        main(
            ["experiment", "compare", "pilot", str(again.folder), "--project", str(project.folder), "--json"]
        )
        == 1
    )
    compared = json.loads(capsys.readouterr().out)
    assert [(item["cell"], item["what"], item["number"]) for item in compared["differences"]] == [
        (episode.cell, "action", 1)
    ]
    assert (compared["compared"], len(compared["only_first"]), compared["only_second"]) == (3, 1, [])


def decisions(episode):
    """What the rules decided in an episode, each with its draw."""
    return [rule for line in open_trajectory(episode.folder).events() for rule in line.get("rules", ())]


@pytest.fixture
def waymark(capsys):
    def call(*words):
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def test_the_command_runs_an_experiment_and_goes_on_with_it(project, shared, waymark):
    _private, device = shared
    path = project.paths.experiment("pilot")
    status, out, _err = waymark("run", path, "--dry-run", "--devices", device.address)
    assert (status, read_episodes(project, "pilot")) == (0, ())
    assert out.startswith("pilot: 2 episodes (1 task, 1 agent, 1 condition, 2 seeds)")
    status, out, _err = waymark("run", "pilot", "--project", project.folder, "--devices", device.address)
    assert status == 0, out
    assert "[2/2] todo-add / golden / baseline" in out
    assert "2 of 2 episodes are finished" in out
    status, out, _err = waymark("run", path, "--devices", device.address, "--json", "--resume")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["kind"] for line in lines] == ["plan", "run_began", "run_ended", "summary"]
    assert (lines[0]["finished"], lines[0]["missing"], lines[-1]["counts"][0]["unjudged"]) == (2, 0, 2)
    (task,) = project.tasks
    project.save_tasks([dataclasses.replace(task, instruction="Add two things to buy")])
    words = ("run", path, "--devices", device.address, "--dry-run")
    status, out, _err = waymark(*words)
    assert "2 finished episodes are stale. Since then changed: the task (2)\n" in out
    assert "waymark run pilot --again changed" in out
    assert "\n  todo-add / golden / baseline / " in out
    assert " / 0: the task\n" in out
    (line,) = waymark(*words, "--json")[1].splitlines()
    stale = json.loads(line)["stale"]
    assert (list(stale.values()), json.loads(line)["unknown"]) == ([["task"], ["task"]], [])
    (line,) = waymark(*words, "--again", "changed", "--json")[1].splitlines()
    assert (json.loads(line)["missing"], json.loads(line)["stale"]) == (2, {})
    (line,) = waymark(*words, "--json", "--again")[1].splitlines()
    assert json.loads(line)["missing"] == 2, "all, as before there was a choice"
    # The rule and the agent change, too: all of it is run anew once, and nothing is stale then.
    success = project.folder / "rules" / "success.yaml"
    success.parent.mkdir(exist_ok=True)
    success.write_text("added: {conditions: [{type: element_exists, selector: \"text='Nowhere'\"}]}\n")
    project.save_tasks([dataclasses.replace(task, instruction="Add two", rule_key="added")])
    path.write_text(
        path.read_text().replace("kind: golden", "kind: monkey").replace("reset", "budget: 2\nreset")
    )
    (line,) = waymark(*words, "--json")[1].splitlines()
    changed = {"agent", "settings", "task", "rules"}
    assert [set(parts) for parts in json.loads(line)["stale"].values()] == [changed, changed]
    on_device = ("--project", project.folder, "--devices", device.address)
    status, out, _err = waymark("run", "pilot", *on_device, "--again", "changed")
    assert (status, "2 of 2 episodes are finished" in out) == (0, True)
    (line,) = waymark(*words, "--json")[1].splitlines()
    assert (json.loads(line)["stale"], json.loads(line)["missing"]) == ({}, 0)
    # A second experiment of the same agent's name is kept apart from the first one.
    assert waymark("experiment", "copy", "pilot", "second", "--project", project.folder)[0] == 0
    second = project.paths.experiment("second")
    second.write_text(
        second.read_text().replace("kind: monkey", "kind: golden")
        .replace("budget: 2", "budget: 9\nconditions: [{id: late, anomaly: ad, at: 9}]")
    )  # fmt: skip
    project.paths.library.parent.mkdir()
    project.paths.library.write_text(LIBRARY.format(title="Ad"))
    assert waymark("run", "second", *on_device)[0] == 0
    steps = {
        name: [len(open_trajectory(episode.folder).steps) for episode in read_episodes(project, name)]
        for name in ("pilot", "second")
    }
    assert max(steps["pilot"]) <= 3 < min(steps["second"])
    # The text of an anomaly is other now, and so is the phone, which nothing in the project says.
    words = ("run", second, "--dry-run", "--json", "--devices")
    (line,) = waymark(*words, device.address)[1].splitlines()
    assert json.loads(line)["stale"] == {}
    project.paths.library.write_text(LIBRARY.format(title="Buy"))
    stale = [
        list(json.loads(waymark(*words, phone)[1])["stale"].values())
        for phone in (device.address, "avd:pixel")
    ]
    assert stale == [[["condition"]] * 2, [["condition", "phone"]] * 2]
    status, both, said = waymark("metrics", project.folder)
    assert (status, "golden" in both, "configurations" in both + said) == (0, True, True)
    status, one, said = waymark("metrics", project.folder, "--experiment", "second")
    assert (status, "configurations" in one + said, one != both) == (0, False, True)
    status, out, _err = waymark("experiment", "status", "--project", project.folder)
    assert (status, out) == (0, "No experiment of the project is being run\n")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["nothing"], 1, "The project has no experiment nothing. Name one of: pilot"),
        (["pilot", "--devices", "a,a"], 2, "a is named twice"),
        (["pilot", "--devices", "a", "--workers", "2"], 2, "2 workers need as many phones, and there are 1"),
        (["pilot", "--resume", "--again", "all"], 2, "choose one"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(project, waymark, words, status, sentence):
    code, out, err = waymark("run", *words, "--project", project.folder)
    assert code == status
    assert sentence in out + err


def test_unreadable_rules_are_refused_before_anything_is_done_again(project, waymark):
    path = project.folder / "rules" / "success.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("a: [", "utf-8")
    code, out, err = waymark("run", "pilot", "--again", "all", "--project", project.folder)
    assert code == 1
    assert "success.yaml:1: " in out + err
    assert "Without its rules the verdicts would be wrong" in out + err


def test_ctrl_c_ends_the_run_cleanly_and_it_goes_on_later(project, shared):
    _private, device = shared
    words = ["run", str(project.paths.experiment("pilot")), "--devices", device.address, "--json"]
    process = subprocess.Popen(
        [*waymark_command(), *words, "--hold", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        for line in process.stdout:
            if b'"action_predicted"' in line:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    last = json.loads(out.splitlines()[-1])
    assert (last["kind"], last["how"], last["finished"]) == ("summary", "stopped", 0)
    summary, events = run(project, LocalExecutor(ConnectedPhones((device.address,)), 1))
    assert summary.finished_before == 0
    assert isinstance(events[-1], RunEnded)


STUBBORN = """
import json, os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
for line in sys.stdin:
    if json.loads(line)["type"] == "observation":
        print(json.dumps({"type": "log", "message": "thinking"}), flush=True)
        with open(sys.argv[1], "w") as file:
            file.write(f"{os.getpid()} {os.getppid()}")
        break
while True:
    time.sleep(60)
"""
"""An agent's program that thinks for ever and that nothing but SIGKILL ends."""


@contextlib.contextmanager
def stubborn_run(project, device, tmp_path):
    """A run whose agent never answers: the runner, and descriptors of its program and its worker process."""
    program, pids = tmp_path / "stubborn.py", tmp_path / "pids"
    program.write_text(STUBBORN)
    agent = {
        "id": "stubborn",
        "kind": "process",
        "options": {"command": [sys.executable, str(program), str(pids)]},
    }
    os.mkfifo(pids)  # reading it waits for the program
    experiment = {"tasks": ["todo-add"], "agents": [agent]}
    project.paths.experiment("stubborn").write_text(json.dumps(experiment))
    words = [
        "run",
        str(project.paths.experiment("stubborn")),
        "--devices",
        device.address,
        "--executor",
        "process",
    ]
    runner = subprocess.Popen(
        [*waymark_command(), *words, "--yes", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert any(b'"think"' in line for line in runner.stdout), runner.stderr.read()
        numbers = [int(number) for number in pids.read_text().split()]
        yield runner, [os.pidfd_open(number) for number in numbers]
    finally:
        runner.kill()
        runner.communicate()


def have_ended(descriptors):
    """Wait until each process has ended, and say whether it has."""
    ended = [bool(select.select([descriptor], [], [], 60)[0]) for descriptor in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    return ended


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="processes are waited for as Linux offers it")
def test_one_ctrl_c_ends_a_run_whose_worker_is_stuck(project, shared, tmp_path):
    with stubborn_run(project, shared[1], tmp_path) as (runner, (program, worker)):
        signal.pidfd_send_signal(worker, signal.SIGSTOP)
        runner.send_signal(signal.SIGINT)
        _out, err = runner.communicate(timeout=60)
        assert (runner.returncode, b"The run did not stop in time and was ended" in err) == (130, True)
        assert have_ended([worker]) == [True]
        signal.pidfd_send_signal(program, signal.SIGKILL)  # its worker was in no state to do it
        os.close(program)
    (left,) = read_episodes(project, "stubborn")
    assert not left.is_finished


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="processes are waited for as Linux offers it")
def test_the_worker_and_the_program_of_an_agent_end_with_the_runner(project, shared, tmp_path):
    with stubborn_run(project, shared[1], tmp_path) as (runner, processes):
        runner.kill()
        assert have_ended(processes) == [True, True]


def test_a_phone_of_another_program_is_refused(project, shared, waymark, monkeypatch):
    _private, device = shared
    holder = (
        "import sys, time; from collector.device.transport.adb_device import AdbDevice\n"
        "from collector.device.device_lease import RECORDING, lease_device\n"
        f"lease_device(AdbDevice({device.address!r}), 'Waymark Studio', RECORDING)\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen([sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"held\n"
        monkeypatch.setattr("collector.run.runner.worker_slot.OPENINGS", 1)
        status, out, err = waymark("run", "pilot", "--project", project.folder, "--devices", device.address)
    finally:
        process.communicate()
    assert status == 1
    assert "is in use by Waymark Studio, process" in out + err
