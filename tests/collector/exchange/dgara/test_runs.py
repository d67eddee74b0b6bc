"""A D-GARA run comes in with its agent, anomalies as our injector writes them, verdict and true times."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import ImportResult, import_into
from collector.model.action import HALLUCINATED, MALFORMED, Complete, Invalid, Key, Scroll, Swipe, Tap, Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED, UNDECIDED
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.steps import png, step, xml

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
_OF_THE_IMPORT = ("source_digest", "imported_at")
BEGIN = 1_763_600_000.0
LIBRARY = """interference_library:
  - id: low_battery_double
    target_activity: LocationPermissionActivity
    params:
      param_title: Low
      param_allow_btn_text: Settings
      param_deny_btn_text: Ignore
      param_allow_log_event: GOTO
      param_deny_log_event: IGNORE
    post_actions:
      EVENT:IGNORE: [{type: log, message: fine}]
      EVENT:GOTO: [{type: adb, command: am start -a android.settings.BATTERY_SAVER_SETTINGS}]
"""


class DgaraRun:
    """Writes the logs of a run as D-GARA's pipeline does, a second after the other."""

    def __init__(self, folder: Path, rule_key: str = "task_buy") -> None:
        folder.mkdir(parents=True)
        self.folder, self.now = folder, BEGIN
        given = {"device_id": "emulator-5554", "task_id": "Buy", "interference_enabled": True}
        self._write("eva_log.jsonl", "task_start", rule_key=rule_key, **given)

    def _write(self, name: str, kind: str, **values: Any) -> None:
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"timestamp": self.now, "type": kind, **values}, ensure_ascii=False) + "\n")

    def inject(self, **values: Any) -> None:
        self.now += 1
        self._write("eva_log.jsonl", "interference_injected", **values)

    def act(
        self, number: int, decision: Any, *, executed: dict[str, Any] | None = None, why: str = ""
    ) -> None:
        """One step: with ``why`` it is refused, without ``executed`` the decision is ``done``."""
        (self.folder / f"{number}_screen.png").write_bytes(png(shade=number))
        self.now += 1
        if executed is not None:
            self._write("run_log.jsonl", "agent_action", **executed)
        self.now += 1
        self._write("eva_log.jsonl", "agent_decision_vlm", step=number, decision=decision, history=[])
        if why:
            self._write("eva_log.jsonl", "step_warning", step=number, reason=why)
        else:
            done = "DONE_ACTION_SKIPPED" if executed is None else bool(executed["success"])
            self._write("eva_log.jsonl", "agent_action_execution", step=number, result=done)

    def tap(self, number: int, x: int = 1, y: int = 2) -> None:
        self.act(
            number,
            {"thought": "so", "action": "tap", "target": "it", "coords": [x, y]},
            executed={"action": "tap", "target_coordinates": [x, y], "success": True},
        )

    def end(self, status: str, reason: str, mode: str = "") -> None:
        self.now += 3
        self._write("run_log.jsonl", "task_end", status=status, **({"failure_mode": mode} if mode else {}))
        self._write("eva_log.jsonl", "task_end", status=status, reason=reason)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "LOGFINAL/interference/interference-3"


def imported(project: Project, source: Path) -> tuple[ImportResult, StoredTrajectory]:
    result = import_into(project, source)
    assert len(result.folders) == 1
    return result, open_trajectory(result.folders[0])


def test_a_run_has_its_agent_times_and_the_validators_verdict(project: Project, place: Path) -> None:
    run = DgaraRun(place)
    run.tap(1)
    typed = {"thought": "type it", "action": "text", "target": "box", "coords": [5, 6], "input_text": "稻香"}
    run.act(
        2,
        typed,
        executed={"action": "text", "target_coordinates": [5, 6], "text": "稻香", "success": True},
    )
    run.act(3, {"action": "done", "target": "", "coords": []})
    (place / "4_screen.png").write_bytes(png(shade=4))
    run.end("success", "Objective validation passed")
    result, stored = imported(project, place.parents[1])
    assert result.format.id == "dgara-runs"
    header = stored.header
    assert (header.kind, header.started, dict(header.software)) == (
        "run",
        "2025-11-20T00:53:20.000+00:00",
        {},
    )
    episode, outcome = header.episode, header.outcome
    assert episode is not None
    assert outcome is not None
    assert (episode.experiment, episode.agent, episode.condition, episode.modality) == (
        "LOGFINAL", "D-GARA", "", "screenshot+tree",
    )  # fmt: skip
    assert (outcome.status, outcome.claimed, outcome.infrastructure) == (SUCCESS, "complete", "")
    assert stored.trajectory.actions == (Tap(1, 2), Type("稻香", 2), Complete())
    assert [step.t_ms for step in stored.steps] == [1000, 3000, 6000, 9000]
    assert stored.steps[1].wall_time == "2025-11-20T00:53:23.000+00:00"
    turn = stored.steps[1].agent
    assert turn is not None
    assert (turn.thought, turn.predicted) == ("type it", Type("稻香", 2))
    assert json.loads(turn.raw)["coords"] == [5, 6]
    (verdict,) = read_judgements(stored.folder).judgements
    assert (verdict.judge, verdict.kind, verdict.verdict, verdict.proof) == (
        "D-GARA", "rule", SUCCESS, {"rule_key": "task_buy"},
    )  # fmt: skip
    assert verdict.time == "2025-11-20T00:53:29.000+00:00"
    assert check_project(project) == []


@pytest.mark.parametrize("where", ["source", "project", "nowhere"])
def test_an_anomaly_has_its_answer_and_follow_up(project: Project, place: Path, where: str) -> None:
    run = DgaraRun(place)
    run.tap(1)
    params = {"param_title": "Low", "param_deny_btn_text": "Ignore", "param_deny_log_event": "IGNORE"}
    run.inject(
        rule_id="rule_1", interference_id="low_battery_double", params=params if where != "source" else {}
    )
    run.tap(2)
    (place / "step_2_monitor_event.txt").write_text("IGNORE")
    run.inject(rule_id="rule_2", interference_id="wifi_check_forced", params={})
    run.tap(3)
    (place / "step_3_monitor_event.txt").write_text("")
    run.tap(4)
    run.end("failure", "Maximum execution steps reached", "max_steps_reached")
    library = {"source": place.parents[1] / "library.yaml", "project": project.paths.library}.get(where)
    if library is not None:
        library.parent.mkdir(exist_ok=True)
        library.write_text(LIBRARY, "utf-8")
    result, stored = imported(project, place.parents[1])
    first, second = stored.interruptions()
    assert (first.anomaly, first.injected_ms, first.steps, first.answered_by) == (
        "low_battery_double",
        3000,
        (1,),
        1,
    )
    assert (first.event, first.answer, first.button) == ("IGNORE", "deny", "Ignore")
    assert [follow_up.message for follow_up in first.follow_ups] == ([] if where == "nowhere" else ["fine"])
    assert (second.unclear, second.steps, second.gone_ms) == (True, (2,), 8000)
    episode = stored.header.episode
    assert episode is not None
    buttons = None  # two in the first dialog, one in the second
    assert (episode.condition, episode.buttons) == ("low_battery_double,wifi_check_forced", buttons)
    injected = stored.events()[0]
    assert (injected["rule"], injected.get("params", {}).get("param_title")) == (
        "rule_1", None if where == "source" else "Low",
    )  # fmt: skip
    assert injected["wall_time"] == "2025-11-20T00:53:23.000+00:00"
    assert stored.header.extra["interrupted"] == ["low_battery_double", "wifi_check_forced"]
    reported = {finding.code for finding in result.findings}
    assert ("follow-ups-of-library" in reported) == (where != "nowhere")


@pytest.mark.parametrize(
    ("rule_key", "says_done", "reason", "mode", "status", "verdict"),
    [
        ("k", False, "Maximum execution steps reached", "max_steps_reached", UNCOMPLETED, FAILURE),
        ("k", True, "AI reported task completion but failed objective validation",
         "failed_objective_validation", FAILURE, FAILURE),
        ("human_validation", True, "AI reported", "failed_objective_validation", FAILURE, UNDECIDED),
    ],
)  # fmt: skip
def test_a_spent_budget_is_uncompleted_and_d_garas_verdict_is_kept(
    project: Project,
    place: Path,
    rule_key: str,
    says_done: bool,
    reason: str,
    mode: str,
    status: str,
    verdict: str,
) -> None:
    run = DgaraRun(place, rule_key)
    run.tap(1)
    if says_done:
        run.act(2, {"action": "done", "coords": []})
    run.end("failure", reason, mode)
    _result, stored = imported(project, place.parents[1])
    outcome = stored.header.outcome
    assert outcome is not None
    expected = "" if verdict == UNDECIDED else status
    assert (outcome.status, outcome.reason, outcome.claimed) == (
        expected,
        reason,
        "complete" if says_done else "",
    )
    (judgement,) = read_judgements(stored.folder).judgements
    assert (judgement.verdict, judgement.proof["failure_mode"]) == (verdict, mode)
    task = project.task("3")
    assert task is not None
    assert (task.rule_key, task.human_validation) == ({"k": ("k", False)}.get(rule_key, ("", True)))


def test_answers_that_are_no_action_are_invalid_and_say_why(project: Project, place: Path) -> None:
    run = DgaraRun(place)
    run.act(1, None, why="At step 1, AI decision failed to provide valid target")
    run.act(2, {"action": "tap", "target": "it", "coords": []}, why="At step 2, no coordinates")
    run.act(3, {"action": "dance", "target": "it", "coords": [1, 2]},
            executed={"action": "dance", "success": False, "reason": "unknown_action_type"})  # fmt: skip
    run.act(4, {"action": "text", "target": "it", "input_text": "a"}, why="At step 4, no coordinates")
    run.act(5, {"action": "tap", "target": "it", "coords": [1, 2]},
            executed={"action": "tap", "target_coordinates": [3, 4], "success": True})  # fmt: skip
    run.act(6, {"action": "back", "coords": []}, executed={"action": "back", "success": True})
    run.act(7, {"action": "swipe", "coords": [1, 2, 3, 4]},
            executed={"action": "swipe", "start_coordinates": [1, 2], "end_coordinates": [3, 4],
                      "duration_ms": 300, "success": True})  # fmt: skip
    result, stored = imported(project, place.parents[1])
    actions = [step.action for step in stored.steps]
    assert [action.problem if isinstance(action, Invalid) else action for action in actions] == [
        MALFORMED, MALFORMED, HALLUCINATED, MALFORMED, Tap(3, 4), Key("back"), Swipe(1, 2, 3, 4),
    ]  # fmt: skip
    assert isinstance(actions[0], Invalid)
    assert actions[0].reason == "At step 1, AI decision failed to provide valid target"
    predicted = [step.agent.predicted if step.agent else None for step in stored.steps]
    assert predicted[3:5] == [Type("a", 1), Tap(1, 2)]
    assert isinstance(predicted[2], Invalid)
    assert json.loads(predicted[2].raw)["action"] == "dance"
    steps = {finding.code: finding.steps for finding in result.findings}
    assert steps["invalid-action"] == ("1", "2", "3", "4")
    outcome = stored.header.outcome
    assert outcome is not None
    assert (outcome.status, bool(outcome.infrastructure)) == ("", True)
    assert "cut-short" in steps
    assert [event["kind"] for event in stored.events()] == ["step_warning"] * 3
    assert check_project(project) == []


def records(project: Project) -> dict[str, Any]:
    """Everything that is stored of the runs of a project, by task, without what a new import changes."""
    found: dict[str, Any] = {}
    for folder in project.trajectory_folders():
        stored = open_trajectory(folder)
        header = stored.header
        extra = {key: value for key, value in header.extra.items() if key not in _OF_THE_IMPORT}
        found[header.task_id] = (
            dataclasses.replace(header, extra=extra), stored.steps, stored.events(),
            read_judgements(folder).judgements, [stored.screenshot(step) for step in stored.steps],
        )  # fmt: skip
    return found


def everything(source: Path) -> None:
    """Runs of every kind of end, with everything a run can hold."""
    run = DgaraRun(source / "LOGFINAL/interference/interference-3")
    run.tap(1)
    params = {"param_deny_btn_text": "Ignore", "param_deny_log_event": "IGNORE"}
    run.inject(rule_id="rule_1", interference_id="low_battery_double", params=params)
    run.tap(2)
    (run.folder / "step_2_monitor_event.txt").write_text("IGNORE")
    run.inject(rule_id="rule_2", interference_id="wifi_check_forced", params={})
    run.tap(3)
    run.act(4, None, why="At step 4, AI decision failed to provide valid target")
    run.act(5, {"action": "dance", "target": "it", "coords": [1, 2]},
            executed={"action": "dance", "success": False, "reason": "unknown_action_type"})  # fmt: skip
    run.act(6, {"action": "done", "coords": []})
    (run.folder / "7_screen.png").write_bytes(png(shade=7))
    run.end("failure", "AI reported task completion but failed objective validation",
            "failed_objective_validation")  # fmt: skip
    spent = DgaraRun(source / "LOGFINAL/interference/interference-4")
    spent.tap(1)
    spent.end("failure", "Maximum execution steps reached", "max_steps_reached")
    passed = DgaraRun(source / "LOGFINAL/baseline/baseline-5", "human_validation")
    passed.act(1, {"action": "swipe", "coords": [1, 2, 3, 4], "thought": "上滑"},
               executed={"action": "swipe", "start_coordinates": [1, 2], "end_coordinates": [3, 4],
                         "duration_ms": 300, "success": True})  # fmt: skip
    passed.end("success", "Objective validation passed")
    broken = DgaraRun(source / "LOGFINAL/baseline/baseline-6")
    broken.tap(1)


@pytest.mark.parametrize("origin", ["made", "real"])
def test_runs_come_back_value_by_value(tmp_path: Path, origin: str) -> None:
    source = tmp_path / "source"
    if origin == "made":
        everything(source)
    elif not DATA.is_dir():
        pytest.skip("the shared data is not at hand")
    else:
        shutil.copytree(DATA / "layouts/D-GARA/LOGFINAL", source / "LOGFINAL")
    (source / "library.yaml").write_text(LIBRARY, "utf-8")
    (source / "D-GARA-152.json").write_text("[]", "utf-8")
    first, second = (Project.create(tmp_path / name) for name in ("first", "second"))
    import_into(first, source, "dgara")
    result = export_project(first, "dgara", tmp_path / "out")
    assert result.losses == []
    import_into(second, result.path, "dgara")
    before, after = records(first), records(second)
    assert before.keys() == after.keys()
    for task_id, stored in before.items():
        for given, come_back in zip(stored, after[task_id], strict=True):
            assert given == come_back
    assert second.tasks == first.tasks


def test_a_run_of_this_program_is_written_as_far_as_d_gara_can_say_it(
    project: Project, tmp_path: Path
) -> None:
    project.save_tasks([Task("buy", "Buy", rule_key="k")])
    episode = Episode(agent="openai", model="m", condition="low", seed=3)
    for number, started in enumerate(("2026-01-01T10:00:00+00:00", "2026-01-02T10:00:00+00:00")):
        header = TrajectoryHeader(f"r{number}", "buy", kind="run", started=started, episode=episode,
                                  outcome=Outcome(status="uncompleted", early_stop=True))  # fmt: skip
        with project.new_trajectory(header) as writer:
            turn = AgentTurn(thought="hm", raw="{}", predicted=Scroll(1, 2, "up"), timings_ms={"think": 5})
            writer.append(dataclasses.replace(step(0, Scroll(1, 2, "up")), t_ms=10, agent=turn), png(), xml())
            writer.append(dataclasses.replace(step(1, Tap(3, 4)), t_ms=20), png(), xml())
            writer.finish()
    result = export_project(project, "dgara", tmp_path / "out")
    place = result.path / "LOGFINAL/interference/interference-1"
    lines = [json.loads(line) for line in (place / "eva_log.jsonl").read_text("utf-8").splitlines()]
    assert [line["type"] for line in lines] == [
        "task_start", "agent_decision_vlm", "agent_action_execution", "agent_decision_vlm",
        "agent_action_execution", "task_end",
    ]  # fmt: skip
    assert (lines[1]["decision"]["thought"], lines[1]["decision"]["action"]) == ("hm", "scroll")
    assert lines[3]["decision"] == {"action": "tap", "target": "", "coords": [3, 4]}
    assert lines[3]["history"] == [lines[1]["decision"]]
    assert (lines[5]["status"], lines[5]["reason"]) == ("failure", "Maximum execution steps reached")
    assert lines[3]["timestamp"] == 1767348000.02
    assert {path.name for path in place.iterdir()} == {
        "eva_log.jsonl", "run_log.jsonl", "1_screen.png", "2_screen.png",
    }  # fmt: skip
    codes = {finding.code for finding in result.losses}
    assert {
        "another-run", "action-unsaid", "trees-lost", "episode-lost", "usage-lost", "early-stop-lost",
        "task-numbered",
    } <= codes  # fmt: skip


def _random_step(rng: random.Random, run: DgaraRun, number: int, places: list[int]) -> None:
    said = {"thought": rng.choice(("", '稻香 "so"')), "target": "it"}
    match rng.randrange(7):
        case 0:
            run.tap(number, *places[:2])
        case 1:
            decision = {**said, "action": "swipe", "coords": places}
            run.act(number, decision, executed={
                "action": "swipe", "start_coordinates": places[:2], "end_coordinates": places[2:],
                "duration_ms": 300, "success": True})  # fmt: skip
        case 2:
            word = rng.choice(("back", "home", "wait"))
            run.act(number, {**said, "action": word, "coords": []},
                    executed={"action": word, "success": True})  # fmt: skip
        case 3:
            text = rng.choice(("a b", "稻香", ""))
            decision = {**said, "action": "type", "coords": places[:2], "input_text": text}
            run.act(number, decision, executed={
                "action": "type", "target_coordinates": places[:2], "text": text, "success": True,
            })  # fmt: skip
        case 4:
            run.act(number, rng.choice((None, {}, "words", [1])), why="no valid target")
        case 5:
            run.act(number, {**said, "action": "tap", "coords": places},
                    executed={"action": "tap", "success": False,
                              "reason": "incorrect_coordinate_count"})  # fmt: skip
        case 6:
            run.act(number, {**said, "action": "done", "coords": []})


def _random_run(rng: random.Random, source: Path, number: int) -> None:
    """A run with any mixture of actions, refusals, injections and ends, with times in fractions."""
    kind = rng.choice(("baseline", "interference"))
    run = DgaraRun(source / f"LOGFINAL/{kind}/{kind}-{number}", rng.choice(("k", "", "human_validation")))
    places = [rng.randrange(1440) for _place in range(4)]
    for step_number in range(1, rng.randint(1, 6)):
        run.now += round(rng.random(), 6)
        if rng.random() < 0.3:
            params = {"param_button_text": "OK", "param_log_event": "E"} if rng.random() < 0.5 else {}
            run.inject(
                rule_id="r", interference_id=rng.choice(("low_battery_double", "b_forced")), params=params
            )
            if rng.random() < 0.6:
                event = rng.choice(("E", "IGNORE", "GOTO", "其他"))
                (run.folder / f"step_{step_number}_monitor_event.txt").write_text(event, "utf-8")
        _random_step(rng, run, step_number, places)
    match rng.randrange(4):
        case 0:
            run.end("success", "Objective validation passed")
        case 1:
            run.end("failure", "Maximum execution steps reached", "max_steps_reached")
        case 2:
            (run.folder / "9_screen.png").write_bytes(png(shade=9))
            run.end("failure", "AI reported task completion but failed objective validation",
                    "failed_objective_validation")  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_any_run_comes_back_value_by_value(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    source = tmp_path / "source"
    for number in range(1, 5):
        _random_run(rng, source, number)
    (source / "library.yaml").write_text(LIBRARY, "utf-8")
    (source / "D-GARA-152.json").write_text("[]", "utf-8")
    first, second = (Project.create(tmp_path / name) for name in ("first", "second"))
    import_into(first, source, "dgara")
    result = export_project(first, "dgara", tmp_path / "out")
    assert result.losses == []
    import_into(second, result.path, "dgara")
    before, after = records(first), records(second)
    assert before.keys() == after.keys()
    for task_id, stored in before.items():
        for given, come_back in zip(stored, after[task_id], strict=True):
            assert given == come_back
