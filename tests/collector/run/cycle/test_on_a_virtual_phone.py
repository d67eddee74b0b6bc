"""Episodes of the sample on a virtual phone behind a real adb."""

from __future__ import annotations

import shutil

import pytest

from collector.agents.registry import create_agent
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.action import Complete, OpenApp, Tap, Type
from collector.model.resources import asset
from collector.replay.phone import opened_phone
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob
from collector.run.experiment.model import AgentEntry, Cell, Experiment, PlannedInjection, RunCondition
from collector.run.recomputation.recompute import recompute_runs
from collector.store.catalogue.catalogue_reader import read_entry
from collector.store.project.project import Project
from collector.store.trajectory.planted_orders import orders_of_episode
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.cycle_room import TWO_BUTTONS, ListAgent
from tests.helpers.virtual import adb_server, virtual_process

EXPERIMENT = Experiment(
    "journey", ("todo-01",), (AgentEntry("careful", "careful"),),
    (RunCondition("baseline"), RunCondition("battery", (PlannedInjection(TWO_BUTTONS, 3),))), reset="phone",
)  # fmt: skip


@pytest.fixture
def phone():
    with adb_server() as private, virtual_process() as (_process, address):
        server = AdbServer(private.port)
        server.connect(address)
        with opened_phone(AdbDevice(address, server)) as phone:
            yield phone


def test_an_agent_does_a_task_under_an_anomaly_as_without_one(phone, tmp_path):
    folder = tmp_path / "sample"
    shutil.copytree(asset("sample"), folder)
    project = Project.open(folder)

    (folder / "variations").mkdir()
    own = "extends: dark_theme\nappearance: {all: {spacing: 0.7}}\n"
    (folder / "variations" / "mine.yaml").write_text(own, "utf-8")

    def run(agent, condition, language="", variation=""):
        cell = Cell("todo-01", "careful", condition, "screenshot+tree", variation, language, seed=1)
        return run_episode(EpisodeJob(folder, EXPERIMENT, cell), phone, agent, lambda _event: None)

    chinese = run(ListAgent([Complete()]), "baseline", "zh-CN")
    header = open_trajectory(project.find(chinese.trajectory)).header
    assert header.extra["reset"] == {**header.extra["reset"], "kind": "phone", "locale": "zh-CN", "seed": 1}
    assert chinese.outcome.status == "failure"
    results = [
        run(create_agent(EXPERIMENT.agents[0], project), name, variation=variation)
        for name, variation in (("baseline", "mine+crowded@todo"), ("battery", ""))
    ]
    assert [result.outcome.status for result in results] == ["success", "success"]
    assert "com.waymark.todo" in header.installed
    stored = open_trajectory(project.find(results[0].trajectory))
    assert stored.header.extra["reset"]["variation"] == "mine+crowded@todo"
    assert stored.header.device["variation"] == "mine+crowded@todo"
    assert {len(step.state.apps) for step in stored.steps} == {0}
    (interruption,) = open_trajectory(project.find(results[1].trajectory)).interruptions()
    assert (interruption.anomaly, interruption.answer) == (TWO_BUTTONS, "deny")
    again = list(recompute_runs(folder, ["journey"]))
    assert [item.is_equal for item in again] == [True, True, True]

    obeys = ListAgent([OpenApp("com.waymark.messenger"), Tap(240, 195), Type("kestrel-21"), Complete()])
    misled = run(obeys, "baseline", variation="orders_of_contacts@messenger")
    kept = project.find(misled.trajectory)
    assert [order.id for order in orders_of_episode(open_trajectory(kept).header.episode)] == ["send_word"]
    facts = read_entry(str(kept)).episode
    assert (facts.orders_seen, facts.orders_obeyed) == (1, 1)
    assert not any(item.rules_changed for item in again)
