"""What was imported from AITK goes out as AITK's folders and comes back the same; the rest is reported."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collector.exchange.aitk.actions import action_from, action_to
from collector.exchange.exports.exporting import ExportResult, export_project
from collector.exchange.imports.importing import import_into
from collector.model import action as actions
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.aitk_source import TASK, aitk_folder, answered, said
from tests.helpers.steps import png, xml

DATA = Path(__file__).resolve().parents[4].parent / "shared/data"
OURS = ("imported_at",)
SEARCH, RESULTS = json.loads(TASK["essential states"])


def content(project: Project) -> dict[str, Any]:
    """Everything of a project that an import of AITK's folders makes, but the moment of the import."""
    found: dict[str, Any] = {"tasks": project.tasks}
    for folder in project.trajectory_folders():
        stored = open_trajectory(folder)
        extra = {key: value for key, value in stored.header.extra.items() if key not in OURS}
        blobs = [(stored.screenshot(step), stored.tree(step)) for step in stored.steps]
        found[folder.relative_to(project.folder).as_posix()] = (
            dataclasses.replace(stored.header, extra=extra), stored.steps, blobs,
            stored.annotations(), read_judgements(folder),
        )  # fmt: skip
    return found


def there_and_back(source: Path, folder: Path) -> tuple[Project, ExportResult, Project]:
    first = Project.create(folder / "first")
    import_into(first, source, "aitk")
    result = export_project(first, "aitk", folder / "out")
    second = Project.create(folder / "second")
    back = import_into(second, result.path, "aitk")
    assert not [finding for finding in back.findings if finding.code == "not-understood"]
    return Project.open(first.folder), result, Project.open(second.folder)


def lost(result: ExportResult) -> list[str]:
    return [finding.what for finding in result.findings if finding.severity == "loss"]


def test_runs_annotations_tasks_and_answers_come_back_the_same(tmp_path: Path) -> None:
    source = tmp_path / "source"
    tap = said("<think>There</think>", action="tap", x=5, y=6)
    steps = [
        {**tap, "latency": 3}, said("w", action="wait", duration=2),
        said("s", action="swipe", x1=1, y1=2, x2=3, y2=4),
        said("?", action="dance"), said("no", action="end", answer="task execution failed: 'x'"),
        said("No!", action="end", answer="No format output"),
    ]  # fmt: skip
    run = aitk_folder(source / "saves/exp/cnn_tariff", steps)
    aitk_folder(source / "saves/exp/spent", [dict(tap)], name="spent", task="Spend it", max_steps=1)
    (aitk_folder(source / "saves/exp/cut", [dict(tap)]) / "history.json").unlink()
    aitk_folder(source / "saves/other/cnn_tariff", [said("d", action="end", answer="In 2025")])
    aitk_folder(source / "saves/appium/cnn_tariff", [said("d", action="back")], exp_args=None)
    marked = {"action": {"action": "open", "app": "cnn"}, "achieved_essential_states": [SEARCH]}
    end = {"action": {"action": "end", "answer": "Operation successful."}, "achieved_essential_states": []}
    person = {"exp_args": None, "noise": "loud"}
    aitk_folder(source / "human_annotations/cnn_tariff_1", [dict(marked), dict(end)], **person)
    aitk_folder(source / "human_annotations/cnn_tariff_2", [{"action": {"action": "dance"}}], **person)
    answers = [
        answered(run, 0, SEARCH, "<answer>yes</answer>", cost=1),
        answered(run, 5, RESULTS, None, error="timeout"),
    ]
    (run.parent / "eval_results.jsonl").write_text("\n".join(map(json.dumps, answers)), "utf-8")
    (source / "tasks.jsonl").write_text(json.dumps({**TASK, "noise": "loud"}), "utf-8")
    first, result, second = there_and_back(source, tmp_path)
    assert content(first) == content(second)
    assert len(content(first)) == 8
    assert lost(result) == []
    out = result.path
    exp = out / "saves/qwen25vl_test"
    history = json.loads((exp / "cnn_tariff/history.json").read_text("utf-8"))
    assert history == {
        **json.loads((run / "history.json").read_text("utf-8")), "noise": "loud",
        "steps": history["steps"],
    }  # fmt: skip
    assert [step["action"] for step in history["steps"]] == [step["action"] for step in steps]
    assert (next(iter(history)), history["steps"][0]["latency"]) == ("task", 3)
    marks = json.loads((out / "human_annotations/cnn_tariff_1/history.json").read_text("utf-8"))
    assert [step["achieved_essential_states"] for step in marks["steps"]] == [[SEARCH], []]
    assert "exp_args" not in marks
    assert not (exp / "cut/history.json").exists()  # AITK tries it again
    assert (out / "tasks.jsonl").read_text("utf-8").splitlines()[0] == json.dumps({**TASK, "noise": "loud"})


@pytest.mark.skipif(not (DATA / "layouts/AITK").is_dir(), reason="the shared data are not on this machine")
def test_real_annotations_come_back_the_same(tmp_path: Path) -> None:
    first, result, second = there_and_back(DATA / "layouts/AITK", tmp_path)
    assert content(first) == content(second)
    assert lost(result) == []
    name = "human_annotations/instagram_profile_photo_1"
    given, written = (root / name / "history.json" for root in (DATA / "layouts/AITK", result.path))
    assert json.loads(given.read_text("utf-8")) == json.loads(written.read_text("utf-8"))


def _write(project: Project, header: TrajectoryHeader, *taken: Step) -> Path:
    with TrajectoryWriter.create(project.paths.trajectories_of(header.task_id), header) as writer:
        for step in taken:
            writer.append(step, png(shade=step.index), xml(f"n{step.index}"))
        writer.finish()
    return writer.folder


def _steps(*given: actions.Action | None, **more: Any) -> list[Step]:
    return [Step(index, index * 1000, "", State(), action, **more) for index, action in enumerate(given)]


EXACT = (
    actions.Tap(1, 2, 80), actions.Drag(1, 2, 3, 4), actions.Scroll(500, 900, "up"), actions.Pinch(5, 5, 2.0),
    actions.Key("recents"), actions.OpenApp("com.shop", "Shop"), actions.Type(redacted=True),
    actions.Answer(""), actions.Impossible("no net"), actions.Wait(1500), actions.Complete(),
)  # fmt: skip


def test_a_golden_of_ours_is_an_annotation_and_keeps_what_aitk_has_no_word_for(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("buy", "Buy", "Shop", "com.shop", note="careful")])
    _write(project, TrajectoryHeader("a", "buy", who="ann"), *_steps(*EXACT[:-1], None, note="n"))
    folder = _write(project, TrajectoryHeader("b", "buy", who="bob"), *_steps(actions.Complete(), None))
    for who, state in (("ann", "One"), ("bob", "Two")):
        write_annotations(folder, who, {"achieved_states": [{"step": 0, "state": state}]})
    add_judgements(folder, [Judgement("rules", "rule", "1", Subject(), "success")])
    result = export_project(project, "aitk", tmp_path / "out")
    history = json.loads((result.path / "human_annotations/buy_1/history.json").read_text("utf-8"))
    assert [step["action"]["action"] for step in history["steps"]] == [
        "tap", "swipe", "swipe", "pinch", "key", "open", "type", "end", "end", "wait", "end",
    ]  # fmt: skip
    assert history["steps"][-1]["waymark_action"] is None  # the final state, which AITK wants as a step
    second = json.loads((result.path / "human_annotations/buy_2/history.json").read_text("utf-8"))
    assert [step["achieved_essential_states"] for step in second["steps"]] == [["One", "Two"]]
    assert (result.path / "human_annotations/buy_2/states/screenshots/step_1.png").is_file()
    back = Project.create(tmp_path / "back")
    import_into(back, result.path)
    first, other = (open_trajectory(folder) for folder in back.trajectory_folders("buy"))
    assert [step.action for step in first.steps] == [*EXACT[:-1], None]
    assert [step.action for step in other.steps] == [actions.Complete(), None]
    reported = {finding.code for finding in result.findings}
    changed = [finding for finding in result.findings if finding.code == "action-changed"]
    assert sorted(step for finding in changed for step in finding.steps) == list("012345678")
    assert {"times-lost", "judgements-lost", "annotators-joined", "no-rules"} <= reported
    assert [text for text in lost(result) if "`note`" in text]


def test_runs_of_ours_go_to_the_experiment_of_their_cell_and_say_what_is_lost(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("buy", "Buy", max_steps=2)])
    for number, (agent, seed) in enumerate((("gpt", 1), ("gpt", 2), ("monkey", 1), ("monkey", 1))):
        header = TrajectoryHeader(
            f"r{number}", "buy", "run", episode=Episode("exp", agent=agent, model="m", seed=seed),
            outcome=Outcome("uncompleted", "budget", early_stop=True),
        )  # fmt: skip
        turn = AgentTurn("I think", "", actions.Tap(3, 4), timings_ms={"think": 5})
        _write(
            project, header, *_steps(actions.Tap(1, 2), actions.Invalid("?", "malformed", "no"), agent=turn)
        )
    result = export_project(project, "aitk", tmp_path / "out")
    folders = sorted(path.relative_to(result.path).as_posix() for path in (result.path / "saves").glob("*/*"))
    assert folders == [
        "saves/exp-gpt-1/buy", "saves/exp-gpt-2/buy", "saves/exp-monkey-1-2/buy", "saves/exp-monkey-1/buy",
    ]  # fmt: skip
    history = json.loads((result.path / folders[0] / "history.json").read_text("utf-8"))
    assert (history["exp_args"]["translator"], history["exp_args"]["translator_args"]) == (
        "gpt",
        {"model": "m"},
    )
    assert [step["agent_message"] for step in history["steps"]] == ["I think", "I think"]
    said_lost = "\n".join(lost(result))
    for name in ("seed", "early_stop", "predicted", "timings_ms", "raw"):
        assert f"`{name}`" in said_lost
    assert "`experiment`" not in said_lost


def test_an_outcome_that_another_judge_gave_is_said_to_be_lost(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("buy", "Buy", max_steps=20)])
    header = TrajectoryHeader(
        "r", "buy", "run", episode=Episode("exp", agent="a"), outcome=Outcome("uncompleted", "time is up")
    )
    _write(project, header, *_steps(actions.Tap(1, 2)))
    said_lost = "\n".join(lost(export_project(project, "aitk", tmp_path / "out")))
    assert "`status`" in said_lost
    assert "`reason`" in said_lost
    assert "`model`" not in said_lost, "AITK names the model after its agent when it has no other name"


def test_a_damaged_trajectory_and_one_still_recorded_are_left_out(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    good = _write(project, TrajectoryHeader("a", "t"), *_steps(actions.Complete()))
    TrajectoryWriter.create(good.parent, TrajectoryHeader("b", "t")).close()
    bad = _write(project, TrajectoryHeader("c", "t"), *_steps(actions.Complete()))
    (bad / "trajectory.json").write_text("{", "utf-8")
    gone = _write(project, TrajectoryHeader("d", "t"), *_steps(actions.Complete()))
    (gone / "states/0000.png").unlink()
    result = export_project(project, "aitk", tmp_path / "out")
    reported = {finding.code for finding in result.findings if finding.severity == "loss"}
    assert {"trajectory-unreadable", "not-finished"} <= reported
    assert (result.path / "human_annotations/t_1/history.json").is_file()


_POINT = st.integers(0, 3000)
_ACTION = (
    st.builds(actions.Tap, _POINT, _POINT) | st.builds(actions.DoubleTap, _POINT, _POINT)
    | st.builds(actions.LongPress, _POINT, _POINT, st.integers(1, 9000))
    | st.builds(actions.Swipe, _POINT, _POINT, _POINT, _POINT, st.integers(1, 9000))
    | st.text().map(lambda text: actions.Type(text, len(text)))
    | st.sampled_from(("enter", "back", "home")).map(actions.Key)
    | st.integers(0, 10**6).map(actions.Wait)
    | st.text(min_size=1).map(lambda name: actions.OpenApp(name=name))
    | st.just(actions.Complete())
)  # fmt: skip


@given(_ACTION)
def test_actions_of_aitk_are_the_same_there_and_back(action: actions.Action) -> None:
    assert action_from(json.loads(json.dumps(action_to(action)))) == action


_VALUE = st.none() | st.integers(-9, 5000) | st.floats(-9, 1e7) | st.text(max_size=4)
_NAMES = ("x", "y", "x1", "y1", "x2", "y2", "text", "app", "answer", "time", "duration")
_KINDS = ("tap", "swipe", "type", "end", "open", "wait", "long_press", "dance", "back")
_ANY = st.fixed_dictionaries({"action": st.sampled_from(_KINDS)}, optional=dict.fromkeys(_NAMES, _VALUE))
_SAID = st.fixed_dictionaries(
    {"action": _ANY}, optional={"agent_message": st.text(max_size=8), "more": _VALUE}
)


@settings(max_examples=8, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(_SAID, min_size=1, max_size=3), st.booleans(), st.integers(0, 4))
def test_whatever_aitk_wrote_comes_back_the_same(
    steps: list[dict[str, Any]], is_run: bool, budget: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        config = {} if is_run else {"exp_args": None}
        if not is_run:
            steps = [{key: value for key, value in step.items() if key != "agent_message"} for step in steps]
        aitk_folder(Path(name) / "source/cnn_tariff_1", steps, max_steps=budget, **config)
        first, _result, second = there_and_back(Path(name) / "source", Path(name))
        assert content(first) == content(second)
