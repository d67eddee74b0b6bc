"""Each format, made small here: what is kept, byte for byte, and what is said of the rest."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import sentence_of
from collector.exchange.imports.importing import ImportResult, detect, import_into
from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.action import Answer, Complete, Impossible, Key, OpenApp, Swipe, Tap, Type, Wait
from collector.model.episode import AgentTurn
from collector.model.task import Task
from collector.model.trajectory import installed_apps
from collector.model.verdicts.judgement import REACHED
from collector.project_rules.project_rules import ProjectRules
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.reviews.annotations import read_annotations
from tests.helpers.steps import png, xml
from tests.helpers.tasks import put_task

BIG = {"width": 40, "height": 80}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


def put(path: Path, data: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def only(result: ImportResult) -> StoredTrajectory:
    assert len(result.folders) == 1
    return open_trajectory(result.folders[0])


def codes(result: ImportResult) -> set[str]:
    return {finding.code for finding in result.findings}


def screen(*buttons: str) -> bytes:
    """A 40x80 dump with a clickable node for each ``[l,t][r,b]``."""
    nodes = "".join(
        f'<node class="B" clickable="true" package="a" text="" bounds="{button}" />' for button in buttons
    )
    root = f'<node class="F" package="a" bounds="[0,0][40,80]">{nodes}</node>'
    return f'<hierarchy rotation="0">{root}</hierarchy>'.encode()


def aitk(folder: Path, name: str, actions: list[dict], **history: object) -> Path:
    place = folder / name
    steps = []
    for number, action in enumerate(actions):
        put(place / f"states/screenshots/step_{number}.png", png(shade=number))
        put(
            place / f"states/xmls/step_{number}.xml",
            xml(f"n{number}") + b"UI hierchary dumped to: /dev/stdout\n",
        )
        steps.append(
            {
                "screenshot": f"step_{number}.png",
                "xml": f"step_{number}.xml",
                "action": action,
                "package": "a",
                "activity": ".M",
            }
        )
    head = {
        "name": name.rpartition("_")[0],
        "task": "Do it",
        "level": "easy",
        "essential states": '["One", "Two"]',
        "app": "A",
        "app_package": "a",
    }
    put(place / "history.json", json.dumps({**head, **history, "steps": steps}))
    return place


def test_aitk_annotations_keep_bytes_actions_and_reached_states(project: Project, source: Path) -> None:
    actions = [
        {"action": "open", "app": "A"},
        {"action": "tap", "x": 1, "y": 2},
        {"action": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "time": 700},
        {"action": "type", "text": "你好"},
        {"action": "wait", "time": 2},
        {"action": "back"},
        {"action": "end", "answer": "Operation successful."},
    ]
    place = aitk(source, "task_1", actions)
    history = json.loads((place / "history.json").read_text())
    history["steps"][1]["achieved_essential_states"] = ["One"]
    put(place / "history.json", json.dumps(history))
    result = import_into(project, source)
    stored = only(result)
    assert result.format.id == "aitk"
    assert stored.trajectory.actions == (
        OpenApp(name="A"), Tap(1, 2), Swipe(1, 2, 3, 4, 700), Type("你好", 2), Wait(2000),
        Key("back"), Complete(),
    )  # fmt: skip
    for number, step in enumerate(stored.steps):
        assert stored.screenshot(step) == png(shade=number)
        assert stored.tree(step) == (place / f"states/xmls/step_{number}.xml").read_bytes()
    assert stored.steps[1].description == "Tap 'n1'"
    assert stored.steps[1].target is not None
    output = read_annotations(stored.folder, "imported")
    assert output is not None
    assert output["achieved_states"] == [{"step": 1, "state": "task-1"}]
    task = project.task("task")
    assert task is not None
    assert task.essential_states == ("task-1", "task-2")
    assert [state.sentence for state in project.states.values()] == ["One", "Two"]
    assert "tree-repaired" in codes(result)
    assert check_project(project) == []


@pytest.mark.fault("F24")
def test_aitk_runs_keep_messages_and_refuse_pickles(project: Project, source: Path) -> None:
    place = aitk(
        source,
        "run_1",
        [{"action": "tap", "x": 1, "y": 1}, {"action": "end", "answer": "42"}],
        exp_args={"translator": "ui_tars"},
    )
    history = json.loads((place / "history.json").read_text())
    history["steps"][0]["agent_message"] = "I tap"
    put(place / "history.json", json.dumps(history))
    put(place / "eval_func.pkl", b"\x80\x04cos\nsystem\n")
    stored = only(result := import_into(project, source))
    assert (stored.header.kind, stored.header.episode.agent) == ("run", "ui_tars")
    assert stored.trajectory.actions[-1] == Answer("42")
    assert stored.steps[0].agent == AgentTurn("I tap", "I tap", Tap(1, 1))
    assert "pickle-refused" in codes(result)


def test_an_aitk_run_without_history_gives_its_states_and_says_so(project: Project, source: Path) -> None:
    place = aitk(source, "cut_1", [{"action": "tap", "x": 1, "y": 1}] * 3)
    (place / "history.json").unlink()
    stored = only(result := import_into(project, source))
    assert len(stored.steps) == 3
    assert stored.trajectory.actions == ()
    assert "history-missing" in codes(result)


def test_unknown_actions_and_missing_files_are_told_one_by_one(project: Project, source: Path) -> None:
    place = aitk(source, "odd_1", [{"action": "dance"}, {"action": "tap", "x": "?"}, {"action": "home"}])
    (place / "states/xmls/step_2.xml").unlink()
    (place / "states/screenshots/step_1.png").write_bytes(png()[:50])
    stored = only(result := import_into(project, source))
    reported = {finding.code: list(finding.steps) for finding in result.findings}
    assert stored.steps[0].action is None
    assert stored.steps[0].extra["source_action"] == {"action": "dance"}
    assert reported["file-missing"] == ["2"]
    assert reported["picture-damaged"] == ["1"]
    assert stored.screenshot(stored.steps[1]) == png()[:50]
    assert {"action-unknown", "no-tree"} <= reported.keys()


def test_collected_trajectories_report_gaps_and_lone_files(project: Project, source: Path) -> None:
    place = source / "Collected_trajs" / "7_打开“哔哩哔哩”: 搜索"
    for number in (1, 2, 5, 10):
        put(place / f"step_{number}_screenshot.png", png(shade=number))
        put(place / f"step_{number}_ui.xml", xml())
    put(place / "step_11_ui.xml", xml())
    put(place / "step_12_screenshot.png", png())
    put(place / "notes.txt", "hm")
    stored = only(result := import_into(project, source))
    reported = {finding.code: finding for finding in result.findings}
    assert [step.extra["source_step"] for step in stored.steps] == ["1", "2", "5", "10", "11", "12"]
    assert reported["gap"].steps == ("3", "4", "6", "7", "8", "9")
    assert "3-4, 6-9" in sentence_of(reported["gap"])
    assert reported["no-screenshot"].steps == ("11",)
    assert reported["no-tree"].steps == ("12",)
    assert "notes.txt" in reported["not-understood"].what
    assert stored.header.task_id == "7"
    assert stored.header.instruction == "打开“哔哩哔哩”: 搜索"


def test_agent_runs_of_dgara_keep_times_injections_and_the_verdict(project: Project, source: Path) -> None:
    place = source / "LOGFINAL/interference/interference-3"
    decisions = [
        {
            "timestamp": 100.0,
            "type": "task_start",
            "device_id": "emulator-5554",
            "task_id": "Do it",
            "rule_key": "r",
        },
        {
            "timestamp": 101.5,
            "type": "agent_decision_vlm",
            "step": 1,
            "decision": {"thought": "hm", "action": "tap", "coords": [5, 6]},
        },
        {"timestamp": 102.0, "type": "interference_injected", "rule_id": "r1", "interference_id": "low"},
        {
            "timestamp": 104.0,
            "type": "agent_decision_vlm",
            "step": 2,
            "decision": {"action": "swipe", "coords": [[1, 2], [3, 4]]},
        },
        {"timestamp": 105.0, "type": "task_end", "status": "failure", "reason": "steps"},
    ]
    put(place / "eva_log.jsonl", "\n".join(json.dumps(decision) for decision in decisions) + "\n{torn")
    put(place / "run_log.jsonl", json.dumps({"timestamp": 101.4, "type": "agent_action", "action": "tap"}))
    for number in (1, 2, 3):
        put(place / f"{number}_screen.png", png(shade=number))
    put(place / "1_screen_gridded.png", png())
    put(place / "step_2_monitor_event.txt", "SYSTEM_BATTERY_IGNORE\n")
    stored = only(result := import_into(project, source))
    assert stored.trajectory.actions == (Tap(5, 6), Swipe(1, 2, 3, 4, 300))
    assert [step.t_ms for step in stored.steps] == [1500, 4000, 5000]
    assert stored.steps[0].agent.thought == "hm"
    assert [event["transition"] for event in stored.events()] == ["injected", "answered"]
    assert (stored.header.episode.condition, stored.header.kind) == ("low", "run")
    assert {"no-trees", "line-unreadable", "derived"} <= codes(result)


def interdroid(folder: Path, *, late: bool) -> None:
    places = [(5, 5), (35, 5), (5, 75), (35, 75)]
    boxes = ["[0,0][10,10]", "[30,0][40,10]", "[0,70][10,80]", "[30,70][40,80]"]
    for number in range(5):
        put(folder / f"screenshots/step_{number}.png", png(40, 80, number))
        put(folder / f"ui_trees/step_{number}_ui.xml", screen(*boxes[number : number + 1]))
    steps = [
        {
            "step_id": number + late,
            "action_type": "click",
            "action_detail": {"x": x, "y": y},
            "activity_info": "a/.M",
        }
        for number, (x, y) in enumerate(places)
    ]
    put(folder / "record.json", json.dumps({"target": "Do it", "steps": steps}))


@pytest.mark.parametrize("late", [True, False])
def test_actions_filed_with_the_state_after_are_moved_and_told(
    project: Project, source: Path, late: bool
) -> None:
    interdroid(source / "record_1", late=late)
    stored = only(result := import_into(project, source))
    assert result.format.id == "interdroid"
    assert [step.action.point.x if step.action else None for step in stored.steps] == [5, 35, 5, 35, None]
    assert ("actions-realigned" in codes(result)) == late


def test_late_actions_in_a_format_that_files_them_rightly_are_only_told(
    project: Project, source: Path
) -> None:
    boxes = ["[0,0][10,10]", "[30,0][40,10]", "[0,70][10,80]", "[30,70][40,80]", "[15,30][25,50]"]
    taps = [(20, 40), (5, 5), (35, 5), (5, 75), (35, 75)]
    place = aitk(source, "late_1", [{"action": "tap", "x": x, "y": y} for x, y in taps])
    for number, box in enumerate(boxes):
        put(place / f"states/xmls/step_{number}.xml", screen(box))
    result = import_into(project, source)
    assert "actions-late" in codes(result)
    assert only(result).steps[0].action == Tap(20, 40)


def test_llamatouch_places_are_scaled_to_the_screenshot(project: Project, source: Path) -> None:
    place = source / "trace_4"
    for number in (0, 1, 3, 4):  # state 2 is missing, so its action has no place
        put(place / f"{number}.png", png(40, 80, number))
        put(place / f"{number}.xml", screen("[0,0][40,80]"))
        put(place / f"{number}.activity", "a/.Main\n")
    put(place / "1.ess", "exact<2>|fuzzy<-1>")
    put(place / "0.vh", "{}")
    put(place / "instruction.txt", "99\nDo it")
    events = (
        "[Home]", "[Click] Screen Resolution (20, 40), Click Position (10, 20)", "[Back]",
        "【滑动事件】屏幕大小：（w20，h40），起始位置：（x10，y30），结束位置：（x10，y10）",
        "【键盘输入】bread",
    )  # fmt: skip
    put(place / "eventStructs.txt", "\n".join(events))
    stored = only(result := import_into(project, source))
    assert stored.trajectory.actions == (Key("home"), Tap(20, 40), Swipe(20, 60, 20, 20), Type("bread", 5))
    assert stored.steps[1].extra["llamatouch_essential_states"] == "exact<2>|fuzzy<-1>"
    assert {"scaled", "states-as-text", "second-trees"} <= codes(result)
    assert stored.header.task_id == "99"


def captured(place: Path, actions: list[str], apps: str | None) -> None:
    """A run as AgentEnv of LlamaTouch captures it, a state an action."""
    for number, action in enumerate(actions):
        put(place / f"captured_data/screenshot/{number}.png", png(40, 80, number))
        put(place / f"captured_data/xml/{number}.xml", screen("[0,0][40,80]"))
        put(place / f"captured_data/activity/{number}.activity", "com.a/.Main")
        put(place / f"captured_data/action/{number}.action", action)
        put(place / f"captured_data/view_hierarchy/{number}.json", "[]")
    put(place / "captured_data/action/-1.action", "None|None|None")
    if apps is not None:
        put(place / "captured_data/installed_apps/installed_apps.txt", apps)


def test_a_run_of_llamatouch_keeps_the_apps_that_were_there_at_its_end(
    project: Project, source: Path
) -> None:
    lines = [
        "CLICK|[0.25, 0.5]|NULL|1080|2400", "SWIPE|[0.5, 0.75]|[0.5, 0.25]|1080|2400",
        "TYPE|a|b c|NULL|1080|2400", "PRESS_BACK|NULL|NULL|1080|2400", "FLY|NULL|NULL|1080|2400",
        "STATUS_TASK_COMPLETE|NULL|NULL|1080|2400",
    ]  # fmt: skip
    captured(source / "9", lines, "com.microsoft.office.excel\nandroid\nno package!\n")
    stored = only(result := import_into(project, source))
    assert stored.header.is_run
    assert stored.trajectory.actions == (
        Tap(10, 40), Swipe(20, 60, 20, 20), Type("a|b c", 5), Key("back"), Complete()
    )  # fmt: skip
    assert stored.header.task_id == "9"
    apps = [installed_apps(stored.header, step.state) for step in stored.steps]
    assert apps == [None] * 5 + [frozenset({"com.microsoft.office.excel", "android"})]
    assert {"action-unknown", "app-unknown", "second-trees"} <= codes(result)
    put_task(project, Task("9", "Install it", essential_states=("s",)))
    state = "states: [{id: s, conditions: [{type: app_is_installed, value: com.microsoft.office.excel}]}]"
    put(project.paths.rule_file("state"), state)
    (judged,) = judge_trajectories(
        ProjectRules.open(project.folder), [stored.folder], create_judge(RULES_JUDGE, project)
    )
    (verdict,) = (item for item in judged.judgements if item.subject.state == "s")
    assert (verdict.verdict, verdict.subject.last) == (REACHED, 5)


def test_a_run_of_llamatouch_without_a_list_of_apps_says_nothing_of_them(
    project: Project, source: Path
) -> None:
    captured(source / "9", ["STATUS_TASK_IMPOSSIBLE|NULL|NULL|1080|2400"], "")
    stored = only(import_into(project, source))
    assert [step.state.apps for step in stored.steps] == [None]
    assert stored.trajectory.actions == (Impossible(),)


@pytest.mark.parametrize(
    "names",
    [
        [("a.png", "a.xml"), ("b.png", "b.xml")],
        [("screenshot_1.png", "ui_1.xml"), ("screenshot_10.png", "ui_10.xml")],
        [("001.jpg", "window_dump-1.xml"), ("002.jpg", "window_dump-2.xml")],
        [("login-screen.png", "login_hierarchy.uix"), ("home.png", "home_dump.uix")],
        [("screens/1.png", "trees/1.xml"), ("screens/2.png", "trees/2.xml")],
    ],
)
def test_plain_folders_are_paired_whatever_their_names(
    project: Project, source: Path, names: list[tuple[str, str]]
) -> None:
    for number, (shot, tree) in enumerate(names):
        put(source / "mine" / shot, png(shade=number))
        put(source / "mine" / tree, xml(f"n{number}"))
    stored = only(result := import_into(project, source))
    pairs = {(stored.screenshot(step), stored.tree(step)) for step in stored.steps}
    assert pairs == {(png(shade=number), xml(f"n{number}")) for number in range(2)}
    assert result.format.id == "plain"


def test_folders_of_one_name_are_all_kept_and_nothing_is_imported_twice(
    project: Project, source: Path
) -> None:
    for number in range(3):
        put(source / f"{number}/capture/a.png", png(shade=number) + b"x" * number)
        put(source / f"{number}/capture/a.xml", xml())
    assert len(import_into(project, source).folders) == 3
    again = import_into(project, source)
    assert again.folders == []
    assert codes(again) >= {"imported-before"}
    assert len(list(project.trajectory_folders())) == 3


def test_sizes_that_differ_are_told_apart(project: Project, source: Path) -> None:
    for name, size, bounds in (
        ("1", (40, 80), "[0,0][40,70]"),
        ("2", (40, 80), "[0,0][80,40]"),
        ("3", (40, 80), "[5,10][30,60]"),
        ("4", (40, 80), "[0,0][80,160]"),
    ):
        put(source / f"{name}.png", png(*size))
        put(source / f"{name}.xml", xml(bounds=bounds))
    reported = [
        (finding.code, list(finding.steps), finding.what) for finding in import_into(project, source).findings
    ]
    assert ("tree-lower", ["1"]) in [finding[:2] for finding in reported]
    assert ("tree-of-window", ["3"]) in [finding[:2] for finding in reported]
    differing = [(steps, "rotations" in text) for code, steps, text in reported if code == "size-differs"]
    assert differing == [(["2"], True), (["4"], False)]


def test_pictures_and_trees_that_cannot_be_read_are_kept_and_told(project: Project, source: Path) -> None:
    put(source / "1.png", b"not a picture")
    put(source / "1.xml", b"ERROR: could not get idle state.")
    bomb = png(4, 4).replace(b"\0\0\0\x04\0\0\0\x04", b"\0\1\0\0\0\1\0\0", 1)
    put(source / "2.png", bomb)
    put(source / "2.xml", xml())
    stored = only(result := import_into(project, source))
    assert stored.screenshot(stored.steps[0]) == b"not a picture"
    assert stored.tree(stored.steps[0]) == b"ERROR: could not get idle state."
    assert {"picture-not-one", "tree-unreadable", "picture-too-large"} <= codes(result)


def test_task_lists_become_tasks_and_clashing_ids_stay_apart(project: Project, source: Path) -> None:
    put(source / "D-GARA-3.json", json.dumps([
        {"id": 1, "description": "打开", "app": "tv.a", "rule_key": "k", "target_rule_ids": ["r1"], "x": 5},
        {"id": 2, "app": "tv.a"},
    ]))  # fmt: skip
    result = import_into(project, source / "D-GARA-3.json")
    task = project.task("1")
    assert task is not None
    assert (task.rule_key, task.target_rule_ids, task.extra) == ("k", ("r1",), {"x": 5})
    assert "task-incomplete" in codes(result)
    put(source / "tasks.jsonl", "\n".join([
        json.dumps({"name": "1", "task": "Other", "app_package": "b", "essential states": "['A', 'B']"}),
        "{bad",
        json.dumps({"name": "x", "task": "T", "app_package": "b", "essential_states": "exit()"}),
    ]))  # fmt: skip
    result = import_into(project, source / "tasks.jsonl")
    renamed = project.task("1-2")
    assert renamed is not None
    assert renamed.essential_states == ("1-2-1", "1-2-2")
    assert [project.states[state_id].sentence for state_id in renamed.essential_states] == ["A", "B"]
    assert {"task-renamed", "line-unreadable", "task-incomplete"} <= codes(result)


def test_what_nobody_knows_is_refused_with_what_is_known(project: Project, source: Path) -> None:
    put(source / "readme.md", "hello")
    with pytest.raises(ExchangeError, match=r"not known.*`waymark project formats` lists"):
        import_into(project, source)
    with pytest.raises(ExchangeError, match="There is no"):
        import_into(project, source / "gone")
    with pytest.raises(ExchangeError, match="no format"):
        import_into(project, source, "tarot")
    assert detect(source) == []


def test_an_import_that_fails_leaves_nothing_half(project: Project, source: Path) -> None:
    aitk(source, "one_1", [{"action": "home"}])
    aitk(source, "two_1", [{"action": "home"}])

    def stop(name: str, _count: int, _share: float) -> None:
        if name == "two_1":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_into(project, source, progress=stop)
    assert len(list(project.trajectory_folders())) == 1
    assert check_project(Project.open(project.folder)) == []


def test_a_zip_reads_like_its_folder(project: Project, source: Path, tmp_path: Path) -> None:
    aitk(source, "zipped_1", [{"action": "home"}])
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in source.rglob("*"):
            archive.write(path, path.relative_to(source))
    assert only(import_into(project, packed)).trajectory.actions == (Key("home"),)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each file is flushed by itself")
def test_an_import_flushes_all_files_of_a_trajectory_at_once_before_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, project = tmp_path / "shots", Project.create(tmp_path / "p")
    source.mkdir()
    for number in range(3):
        (source / f"{number}.png").write_bytes(png(shade=number))
    there: list[int] = []
    fsyncs: list[int] = []
    monkeypatch.setattr(os, "sync", lambda: there.append(len(list(project.trajectory_folders()))))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsyncs.append)
        import_into(project, source)
    assert there == [0]
    assert len(list(project.trajectory_folders())) == 1
    assert len(fsyncs) < 8  # the list of tasks
