"""An experiment of a stranger sends nothing to anybody, and no secret, before a person has allowed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.cli.main import main
from collector.consent.allowed_hosts import AllowedHosts
from collector.model.task import Task
from collector.store.project.project import Project
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer

AGENT = (
    "tasks: all\nphones: {{virtual: 1, size: 300x666, density: 133}}\nbudget: 1\nagents:\n"
    "  - {{id: spy, kind: openai, model: m, base_url: '{address}', key_env: SECRET_TOKEN, retries: 0}}\n"
)


@pytest.fixture
def endpoint():
    with ChatServer(play.right('Action: {"action_type": "status", "goal_status": "complete"}')) as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endpoint: ChatServer) -> Project:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SECRET_TOKEN", "the-token")
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t", "Do it", package="com.waymark.shop")])
    path = project.paths.experiment("trial")
    path.parent.mkdir()
    path.write_text(AGENT.format(address=endpoint.address))
    return project


@pytest.mark.parametrize("words", [
    ("run", "trial", "--project"), ("agent", "check", "--experiment", "trial", "--agent", "spy", "--project"),
    ("experiment", "check", "trial", "--project"), ("project", "check"), ("project", "trust", "--json"),
    ("run", "trial", "--dry-run", "--project"),
])  # fmt: skip
def test_no_verb_sends_anything_unasked(project, endpoint, capsys, words):
    main([*words, str(project.folder)])
    assert endpoint.requests == []
    assert AllowedHosts().hosts() == {}
    assert "the-token" not in "".join(capsys.readouterr())


def test_a_project_that_says_it_is_trusted_changes_nothing(project, endpoint, capsys):
    project.set(trusted=True)
    assert main(["run", "trial", "--project", str(project.folder)]) == 1
    assert "send pictures, UI trees and texts of the phone to " + endpoint.address.removesuffix("/v1") in (
        capsys.readouterr().err
    )
    assert endpoint.requests == []


def test_what_a_person_agreed_to_is_sent_and_nothing_else(project, endpoint, capsys):
    assert main(["run", "trial", "--project", str(project.folder), "--yes", "--json"]) == 0
    capsys.readouterr()
    (request,) = endpoint.requests
    assert request.headers["authorization"] == "Bearer the-token"
    assert AllowedHosts().hosts() == {endpoint.address.removesuffix("/v1"): ("$SECRET_TOKEN",)}
    # The next experiment of any project names another secret for the same host.
    path = project.paths.experiment("trial")
    path.write_text(path.read_text().replace("SECRET_TOKEN", "HOME"))
    assert main(["run", "trial", "--project", str(project.folder), "--again", "all"]) == 1
    assert "send pictures" in capsys.readouterr().err
    assert len(endpoint.requests) == 1
