"""Experiments that ask golden steps offline: their files, their cells, and runs by the command line."""

from __future__ import annotations

import json

from collector.cli.main import main
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.estimate import estimate
from collector.run.experiment.lint import lint
from collector.run.experiment.matrix import cell_count, cells, in_run_order
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.scope import scope_of
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.store.trajectory.fingerprint import GOLDEN, changed_parts
from tests.collector.run.experiment.scopes import KINDS
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer
from tests.helpers.cycle_room import WAY
from tests.helpers.guide import quote
from tests.helpers.offline_room import OfflineRoom

TEXT = "tasks: all\nagents: [monkey]\nseeds: [1, 2]\noffline: {offline}\n{more}"


def read(offline: OfflineRoom, value: str, more: str = ""):
    scope = scope_of(offline.project, KINDS)
    file = read_experiment(TEXT.format(offline=value, more=more), scope, "off")
    return file.experiment, [item.code for item in lint(file, scope) if item.code != "W611"]


def test_a_file_names_golden_trajectories_or_takes_all_of_its_tasks(offline: OfflineRoom):
    assert read(offline, "all")[1] == ["W613"], "there is none"
    golden = offline.golden("golden-1", WAY)
    offline.golden("golden-2", ("Shop", "Posters"))
    experiment, codes = read(offline, "all")
    assert codes == []
    assert [(asked.trajectory, asked.steps) for asked in experiment.offline] == [
        ("golden-1", 5),
        ("golden-2", 3),
    ]
    made = list(cells(experiment, KINDS))
    assert [cell.offline for cell in in_run_order(made)] == ["golden-1", "golden-2"] * 2
    assert len({cell.id for cell in made}) == len(made) == cell_count(experiment, KINDS) == 4
    taken = estimate(experiment, KINDS, {task.id: task for task in offline.project.tasks}, 1)
    assert (taken.episodes, taken.steps) == (4, 2 * 5 + 2 * 3)
    one, codes = read(offline, "golden-2")
    assert ([asked.trajectory for asked in one.offline], codes) == (["golden-2"], [])
    assert read(offline, "[nobody]")[1] == ["W602"]
    for more in ("conditions: [battery_low_double_en]", "variations: [dark_theme]", "languages: [zh-CN]"):
        assert read(offline, "all", more)[1] == ["W621"]
    assert read(offline, "all", "starts: [golden-1@2]")[1] == ["W621"]
    project = EpisodeProject.load(offline.folder)
    before = current_fingerprints(project, one, cells(one, KINDS))
    steps = golden.folder.parent / "golden-2" / "steps.jsonl"
    steps.write_bytes(steps.read_bytes() + b"\n")
    (now,) = {tuple(each.items()) for each in current_fingerprints(project, one, cells(one, KINDS)).values()}
    (then,) = {tuple(each.items()) for each in before.values()}
    assert changed_parts(dict(then), dict(now)) == (GOLDEN,), "an edit of the golden one makes results stale"
    assert not {"rules", "states", "phone"} & dict(now).keys(), "what offline steps do not depend on"


def test_a_model_behind_an_endpoint_answers_them_and_nothing_is_asked_twice(
    offline: OfflineRoom, capsys, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    offline.golden("golden-1", WAY)
    offline.golden("golden-2", ("Shop", "Posters"))
    where = ["--project", str(offline.folder)]
    quote("docs/guide/offline-steps.md", "waymark experiment new off --offline --agent golden")
    assert main(["experiment", "new", "off", "--offline", "--agent", "golden", *where]) == 0
    file = offline.project.paths.experiments()[0]
    with ChatServer(play.right('Action: {"action_type": "status", "goal_status": "complete"}')) as server:
        agent = f"{{id: m, kind: openai, model: m, base_url: '{server.address}', price_input: 1}}"
        file.write_text(file.read_text().replace("[golden]", f"[{agent}]"))
        capsys.readouterr()
        assert main(["run", "off", "--workers", "3", "--trust", "--json", *where]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        asked = len(server.requests)
        assert asked == 5 + 3
        assert main(["run", "off", "--trust", *where]) == 0
        assert len(server.requests) == asked, "what is finished is not asked again"
    assert "STEP ACCURACY" in capsys.readouterr().out
    (plan,) = [event for event in events if event["kind"] == "plan"]
    assert (plan["episodes"], plan["steps"]) == (2, 8)
    ended = [event for event in events if event["kind"] == "episode_ended"]
    assert sum(event["cost"] for event in ended) > 0
    assert main(["experiment", "steps", "off", "--by", "action", "--json", *where]) == 0
    table = json.loads(capsys.readouterr().out)
    rights = {group["action"]: (group["right"], group["steps"]) for group in table["groups"]}
    assert rights == {"complete": (2, 2), "tap": (0, 6)}
    assert table["cost"] == sum(event["cost"] for event in ended)
    numbers = ["--by", "agent,level", "--measures", "step-accuracy,grounding"]
    assert main(["metrics", str(offline.folder), "--where", "offline:any", *numbers]) == 0
    assert main(["experiment", "steps", "off", "--by", "agent,action", *where]) == 0
    assert main(["experiment", "steps", "nothing", *where]) == 1
    assert main(["experiment", "steps", "off", "--by", "colour", *where]) == 1
    assert main(["run", "off", "--devices", "virtual:2", *where]) == 2
    assert main(["experiment", "recompute", "off", *where]) == 0
    assert "2 of 2" in capsys.readouterr().out
