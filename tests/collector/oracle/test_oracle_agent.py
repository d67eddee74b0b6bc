"""The agent ``oracle`` in episodes over a real adb: under variations, under an anomaly, on a used phone."""

from __future__ import annotations

import json

import pytest

from collector.agents.agent import AgentEpisode
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap
from collector.model.errors import UserError
from collector.model.task import Task
from collector.oracle.twin_phone import TwinPhone
from collector.replay.phone import opened_phone
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob
from collector.run.experiment.model import AgentEntry, Cell, Experiment, PlannedInjection, RunCondition
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import PhoneProfile
from tests.helpers.cycle_room import TWO_BUTTONS
from tests.helpers.virtual import adb_server, virtual_process

EXPERIMENT = Experiment(
    "searched", ("tasks",), (AgentEntry("oracle", "oracle"),),
    (RunCondition("baseline"), RunCondition("battery", (PlannedInjection(TWO_BUTTONS, 3),))), reset="phone",
)  # fmt: skip
TARGET = {"subtasks": [
    {"change": {"todo.tasks": {"where": {"content_id": "dentist"}, "to": {"important": True}}}},
    {"sent": {"to": "ben", "text": "See you at 5"}},
]}  # fmt: skip


@pytest.fixture
def phone():
    # A size at which runs are cheap; its density is found by the look of the home screen.
    small = ("--size", "300x666", "--density", "133")
    with adb_server() as private, virtual_process(*small) as (_process, address):
        server = AdbServer(private.port)
        server.connect(address)
        with opened_phone(AdbDevice(address, server)) as phone:
            yield phone


@pytest.fixture
def project(tmp_path):
    made = Project.create(tmp_path / "bench")
    task = {"id": "tasks", "instruction": "Mark it, and write to Ben", "target": TARGET}
    made.paths.tasks.write_text(json.dumps({"format": "waymark-tasks", "version": 2, "tasks": [task]}))
    return Project.open(made.folder)


def test_it_does_a_task_under_a_variation_and_under_an_anomaly(phone, project):
    agent = create_agent(DeclaredAgent("oracle", {}), project)

    def run(condition, variation=""):
        cell = Cell("tasks", "oracle", condition, "tree", variation, "", seed=4)
        result = run_episode(EpisodeJob(project.folder, EXPERIMENT, cell), phone, agent, lambda _event: None)
        return result, open_trajectory(project.find(result.trajectory))

    varied, _steps = run("baseline", "consent+german@todo+compact@messenger")
    assert varied.outcome.status == "success"
    disturbed, steps = run("battery")
    assert disturbed.outcome.status == "success"
    assert len(list(steps.interruptions())) == 1


def test_a_task_without_a_target_is_refused(project):
    agent = create_agent(DeclaredAgent("oracle", {}), project)
    with pytest.raises(UserError, match="has no target"):
        agent.begin(AgentEpisode(Task("free", "Look around")))


def test_an_action_of_the_twin_goes_to_its_element_wherever_that_is_on_the_phone():
    twin = TwinPhone(PhoneProfile(apps=make_apps(()), caret_blinks=False))
    try:
        xml = twin.phone.hierarchy_xml().decode()
        shop, maps = (
            next(node.bounds.center for node in twin.tree if node.label == label and node.bounds)
            for label in ("Shop", "Maps")
        )
        tap = Tap(shop.x, shop.y)
        assert twin.on_screen(tap, twin.tree) == tap
        swapped = xml.replace('"Shop"', '"-"').replace('"Maps"', '"Shop"').replace('"-"', '"Maps"')
        assert twin.on_screen(tap, parse_tree(swapped.encode())) == Tap(maps.x, maps.y)
        doubled = xml.replace('"Maps"', '"Shop"')
        assert twin.on_screen(tap, parse_tree(doubled.encode())) == tap
        assert twin.on_screen(tap, parse_tree(xml.replace('"Shop"', '"Gone"').encode())) is None
    finally:
        twin.close()
