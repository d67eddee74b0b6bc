"""``waymark agent check``, ``waymark agent key`` and the trust in agents of experiments."""

from __future__ import annotations

import io
import json
import sys

import pytest

from collector.agents import registry
from collector.agents.agent_trust import UntrustedAgent
from collector.agents.kinds import AgentKind
from collector.agents.registry import DeclaredAgent, create_agent
from collector.cli.main import main
from collector.model.task import Task
from collector.store.project.project import Project
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer
from tests.helpers.memory_keyring import MemoryKeyring, use_keyring

ON_BUTTON = 'Reason: blue\nAction: {"action_type": "click", "x": 180, "y": 320}'


@pytest.fixture
def memory(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with use_keyring(MemoryKeyring()) as backend:
        yield backend


def test_keys_are_kept_listed_and_removed_and_never_printed(memory, monkeypatch, capsys):
    monkeypatch.setenv("WAYMARK_KEY_OTHER", "sk-other-secret")
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-very-secret\n"))
    assert main(["agent", "key", "set", "gpu", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"name": "gpu"}
    assert list(memory.keys.values()) == ["sk-very-secret"]
    assert main(["agent", "key", "list", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out) == {
        "keys": [
            {"name": "gpu", "where": "keyring"},
            {"name": "WAYMARK_KEY_OTHER", "where": "environment"},
        ]
    }
    assert main(["agent", "key", "list"]) == 0
    capsys.readouterr()
    assert main(["agent", "key", "remove", "gpu", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"name": "gpu"}
    assert main(["agent", "key", "remove", "gpu"]) == 1
    assert not memory.keys
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert main(["agent", "key", "set", "gpu"]) == 1
    assert main(["agent", "key", "set", "sk-wrong/place"]) == 1
    captured = capsys.readouterr()
    assert "secret" not in out + captured.out + captured.err


def test_hosts_are_allowed_and_forgotten(capsys):
    address = "http://127.0.0.1:8000/v1"
    assert main(["agent", "host", "allow", address, "--key", "gpu", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"host": "http://127.0.0.1:8000", "keys": ["gpu"]}
    assert main(["agent", "host", "forget", address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"host": "http://127.0.0.1:8000"}
    assert main(["agent", "host", "forget", address]) == 1


def test_without_a_keyring_setting_a_key_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-very-secret\n"))
    with use_keyring():
        assert main(["agent", "key", "set", "gpu"]) == 1
    error = capsys.readouterr().err
    assert "There is no keyring on this computer" in error
    assert "secret" not in error


def test_check_says_model_time_tokens_and_how_the_answer_is_read(memory, capsys, tmp_path):
    with ChatServer(play.right(ON_BUTTON), play.right("no"), play.right(play.TAP)) as server:
        words = [
            "agent",
            "check",
            "-o",
            "model=7b",
            "-o",
            f"base_url={server.address}",
            "-o",
            "price_input=2",
        ]
        words += ["--project", str(tmp_path)]
        assert main(words) == 0
        text = capsys.readouterr().out
        assert main(words) == 1
        assert "Read as no action (malformed)" in capsys.readouterr().out
        assert main([*words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
    for part in ("Model: test-model", "Tokens: 1200 in, 30 out", "Cost: 0.002400 USD", "tap x=180 y=320"):
        assert part in text
    assert "tapped the only button" in text
    assert (document["action"]["kind"], document["hit"], document["input_tokens"]) == ("tap", False, 1200)
    assert [request.body["model"] for request in server.requests] == ["7b"] * 3
    assert server.requests[0].images[0].size == (360, 640)


def test_check_of_an_endpoint_that_is_not_there_is_a_sentence(memory, capsys):
    with ChatServer(play.refusing(401, "no key")) as server:
        words = ["agent", "check", "-o", "model=m", "-o", f"base_url={server.address}", "-o", "key=gpu"]
        assert main(words) == 1
    error = capsys.readouterr().err
    assert "refuses the key (401): no key" in error
    assert "waymark agent key set gpu" in error
    assert main(["agent", "check", "-o", "model"]) == 2
    assert "write it as NAME=VALUE" in capsys.readouterr().err


def test_programs_and_keys_of_experiments_are_shown_and_trusted_with_the_project(memory, tmp_path, capsys):
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t", "Do it")])
    path = project.paths.experiment("trial")
    path.parent.mkdir()
    path.write_text(
        "tasks: all\nagents:\n"
        "  - {id: mine, kind: process, command: [python3, agent.py, --fast], cwd: agents, env: [MY_KEY]}\n"
        "  - {id: model, kind: openai, model: m, base_url: 'https://models.example/v1', key: gpu}\n"
        "  - {id: local, kind: openai, model: m, base_url: 'http://127.0.0.1:1/v1'}\n"
    )
    folder = str(project.folder)
    (project.folder / "agents").mkdir()
    (project.folder / "agents" / "agent.py").touch()
    assert main(["project", "trust", folder, "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert [(entry["anomaly"], entry["command"]) for entry in shown["commands"]] == [
        ("trial / mine", 'cd agents && MY_KEY="$MY_KEY" python3 agent.py --fast'),
    ]
    assert [(entry["host"], entry["keys"], entry["allowed"]) for entry in shown["hosts"]] == [
        ("https://models.example", ["gpu"], False), ("http://127.0.0.1:1", [], False),
    ]  # fmt: skip
    words = ["agent", "check", "--experiment", "trial", "--agent", "model", "--project", folder]
    assert main(words) == 1
    assert "nobody has allowed this" in capsys.readouterr().err
    assert main(["run", "trial", "--project", folder]) == 1
    captured = capsys.readouterr()
    assert "trial / mine" not in captured.out
    assert " was not started: cd agents" in captured.err
    assert main(["project", "trust", folder, "--yes"]) == 0
    shown = capsys.readouterr().out
    assert "Runs on this computer" in shown
    assert "send pictures, UI trees and texts of the phone to http://127.0.0.1:1 (a program on this" in shown
    assert "send the key gpu to https://models.example" in shown
    assert main(["project", "trust", folder, "--revoke"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 command is not trusted"  # hosts are the person's


def test_values_of_options_are_checked_with_the_experiment(memory, tmp_path, capsys):
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t", "Do it")])
    path = project.paths.experiment("trial")
    path.parent.mkdir()
    path.write_text(
        "tasks: all\nagents:\n"
        "  - {id: a, kind: openai, model: m, prompt: dgera}\n"
        "  - {id: b, kind: openai, model: m, base_url: localhost}\n"
        "  - {id: c, kind: process, command: [run], cwd: nowhere}\n"
        "  - process\n  - openai\n"
        "  - {id: d, kind: process, command: ['{python}', -u, agents/mine.py, --model, m.py]}\n"
        "  - {id: e, kind: process, command: [./run.sh]}\n"
        "  - {id: f, kind: process, command: ['{python}', -m, mine.py]}\n"
        "  - {id: g, kind: process, command: [no-such-interpreter, mine.py]}\n"
    )
    assert main(["experiment", "check", "trial", "--project", str(project.folder), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    wrong = [(item["line"], item["what"]) for item in findings if item["name"] == "bad-option"]
    assert wrong == [
        (3, "The prompt dgera cannot be used"),
        (4, "'localhost' is no address of an endpoint"),
        (5, "The agent's folder nowhere cannot be used"),
        (6, "process needs the option command"),
        (7, "openai needs the option model"),
        (8, "The agent's program '{python}' -u agents/mine.py --model m.py cannot be started"),
        (9, "The agent's program ./run.sh cannot be started"),
    ]
    [missing] = [item for item in findings if item["name"] == "not-installed"]
    assert (missing["line"], missing["severity"]) == (11, "warning")
    assert "only `--executor ray` can do without it here" in missing["to_do"]
    assert any("there is no file agents/mine.py" in item["why"] for item in findings)


PROGRAM = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
        print("warming up", file=sys.stderr, flush=True)
    elif message["type"] == "observation":
        print(json.dumps({"type": "log", "message": "looking"}), flush=True)
        if message["task"] != "Tap the blue button OK":
            raise KeyError("task")
        action = {"kind": "tap", "x": 180, "y": 320}
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
"""


def test_an_agent_of_an_experiment_is_checked_with_its_options_and_its_log(memory, tmp_path, capsys):
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t", "Do it")])
    (project.folder / "agent.py").write_text(PROGRAM)
    path = project.paths.experiment("trial")
    path.parent.mkdir()
    path.write_text("tasks: all\nagents: [{id: mine, kind: process, command: ['{python}', agent.py]}]\n")
    words = ["agent", "check", "--experiment", "trial", "--agent", "mine", "--project", str(project.folder)]
    assert main(words) == 1
    assert "nobody has trusted this" in capsys.readouterr().err
    assert main(["project", "trust", str(project.folder), "--yes"]) == 0
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["hit"], document["log"]) == (True, ["warming up", "looking"])
    assert main(words) == 0
    assert "Log: warming up\nLog: looking" in capsys.readouterr().out
    assert main([*words[:-2], "process", *words[-2:]]) == 2
    assert main([*words[:4], *words[-2:]]) == 2
    captured = capsys.readouterr()
    assert "leave out KIND" in captured.err
    assert "belong together" in captured.err


def test_a_kind_of_another_package_is_held_to_the_same_trust(tmp_path, monkeypatch):
    project = Project.create(tmp_path / "project")
    created = []
    kind = AgentKind(
        "theirs", "Theirs", lambda _options, _project: created.append(1), commands=lambda _o: ("rm",)
    )
    monkeypatch.setattr(registry, "agent_kind", lambda _kind: kind)
    with pytest.raises(UntrustedAgent, match="rm"):
        create_agent(DeclaredAgent("theirs", {}), project)
    assert not created
    create_agent(DeclaredAgent("theirs", {}), project, is_typed=True)
    assert created
