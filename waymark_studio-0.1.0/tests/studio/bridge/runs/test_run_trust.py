"""What a person is asked to trust before an experiment is run from the window; no Qt."""

from __future__ import annotations

from collector.anomalies.trust.command_trust import CommandTrust
from collector.model.task import Task
from collector.run.experiment.model import AgentEntry, Experiment
from collector.store.project.project import Project
from studio.bridge.runs.run_trust import run_trust_request


def test_programs_of_agents_and_the_projects_reset_are_asked_about_once(tmp_path):
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("buy", "Buy a poster", "Shop", "com.waymark.shop")])
    project.set(reset={"commands": ["settings put system font_scale 0.9"]})
    agent = AgentEntry("own", "process", {"command": ["python3", "agent.py"]})
    experiment = Experiment("exp", ("buy",), (agent, AgentEntry("golden", "golden")), reset="project")
    request = run_trust_request(project, experiment)
    assert request is not None
    assert any("agent.py" in command for command in request.commands)
    assert "settings put system font_scale 0.9" in request.commands
    CommandTrust(project).trust(request.commands)
    assert run_trust_request(Project.open(project.folder), experiment) is None
    assert run_trust_request(project, Experiment("exp", ("buy",), (AgentEntry("golden", "golden"),))) is None
