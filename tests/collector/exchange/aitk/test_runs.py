"""Runs of AITK: who ran, what the agent said and did, how it ended, and what the evaluator said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.aitk.turns import AitkStep, AitkTranslator, read_step, thought_of
from collector.exchange.imports.importing import ImportResult, import_into
from collector.model import action as actions
from collector.model.action import HALLUCINATED, MALFORMED, Invalid
from collector.model.episode import Episode, Outcome
from collector.model.geometry import Size
from collector.model.verdicts.judgement import MISSED, REACHED, SUCCESS, UNCOMPLETED, UNDECIDED, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.aitk_source import CONFIG, TASK, aitk_folder, answered, said

CALL = '<tool_call>\n{{"name": "mobile_use", "arguments": {}}}\n</tool_call>'
CLICK = CALL.format('{"action": "click", "coordinate": [2, 6]}')
TAP = said("<think>The box is there</think>" + CLICK, action="tap", x=2, y=6)
END = said("Thought: All is done.\nAction: finished(content='')", action="end", answer="")
SEARCH, RESULTS = json.loads(TASK["essential states"])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


def run(project: Project, folder: Path, steps: list[dict], **changes: object) -> StoredTrajectory:
    result = import_into(project, aitk_folder(folder, steps, **changes))
    assert result.format.id == "aitk"
    assert len(result.folders) == 1
    return open_trajectory(result.folders[0])


def codes(result: ImportResult) -> set[str]:
    return {finding.code for finding in result.findings}


def test_a_run_says_who_ran_what_was_said_and_what_was_done(project: Project, tmp_path: Path) -> None:
    stored = run(project, tmp_path / "qwen25vl_test/cnn_tariff", [dict(TAP), dict(END)])
    header = stored.header
    assert header.episode == Episode(
        "qwen25vl_test", agent="qwen25_vl", model="qwen25_vl", modality="screenshot"
    )
    assert header.outcome == Outcome(claimed="complete")
    assert header.device == {"serial": "emulator-5554", "avd": "A3V2", "backend": "adb"}
    assert header.extra["exp_args"] == CONFIG
    first, last = stored.steps
    assert first.action == actions.Tap(2, 6)
    assert first.agent is not None
    assert (first.agent.thought, first.agent.raw) == ("The box is there", TAP["agent_message"])
    assert first.agent.predicted == actions.Tap(2, 6)
    assert last.agent is not None
    assert (last.agent.thought, last.action) == ("All is done.", actions.Complete())
    assert stored.events() == ()
    # Nothing of ours is written on what AITK recorded, and no time that it did not measure.
    assert (header.software, header.started, header.who) == ({}, "", "imported")


def test_the_model_and_the_repeat_come_from_the_configuration_and_the_folder(
    project: Project, tmp_path: Path
) -> None:
    config = {**CONFIG, "translator": "mine", "translator_args": {"model": "qwen3vl_a3b"}}
    stored = run(project, tmp_path / "cnn_tariff_2", [dict(END)], exp_args=config)
    assert stored.header.episode == Episode("qwen25vl_test", agent="mine", model="qwen3vl_a3b", repeat=1)
    broken = run(project, tmp_path / "cnn_tariff_3", [dict(END)], exp_args=["no", "mapping"])
    assert (broken.header.kind, broken.header.episode) == ("run", Episode(repeat=2))


def test_a_run_through_appium_has_the_name_of_its_experiment_from_its_folder(
    project: Project, tmp_path: Path
) -> None:
    aitk_folder(tmp_path / "saves/tars_test/cnn_tariff", [dict(END)], exp_args=None)
    result = import_into(project, tmp_path / "saves")
    header = open_trajectory(result.folders[0]).header
    assert (header.kind, header.episode) == ("run", Episode("tars_test"))
    assert "exp_args" not in header.extra


@pytest.mark.parametrize(
    ("message", "answer", "problem"),
    [
        ("I think so", "No format output", MALFORMED),
        (CALL.format('{"action": "click"}'), "Click not parsed", MALFORMED),
        ("<answer>do(</answer>", "Parse Error: no do", MALFORMED),
        ("<tool_call>\n{oops\n</tool_call>", json.JSONDecoder, MALFORMED),
        ('<tool_call>{"name": "x"}</tool_call>', "'arguments'", MALFORMED),
        (CALL.format('{"action": "dance"}'), "unknown action", HALLUCINATED),
        ("do", "Unsupported action: Dance", HALLUCINATED),
        ("open", "task execution failed: cannot access local variable 'app_package'", HALLUCINATED),
    ],
)
def test_an_answer_that_is_no_action_is_invalid_and_no_word_of_completion(message, answer, problem) -> None:
    if answer is json.JSONDecoder:
        with pytest.raises(ValueError, match="property name") as error:
            json.loads("{oops")
        answer = str(error.value)
    step = read_step(said(message, action="end", answer=answer))
    assert isinstance(step.action, Invalid)
    assert (step.action.raw, step.action.problem, bool(step.action.reason)) == (message, problem, True)
    assert step.turn.predicted == step.action


def test_words_of_completion_and_faults_of_aitk_are_no_invalid_actions() -> None:
    def done(answer: str, message: str = "m") -> actions.Action | None:
        return read_step(said(message, action="end", answer=answer)).action

    assert done("") == done("Operation successful.") == done("success") == actions.Complete()
    assert done("failure") == actions.Impossible()
    assert done("In 2025") == actions.Answer("In 2025")
    assert done("'arguments'") == actions.Answer("'arguments'")
    step = read_step(said("wait", action="end", answer="task execution failed: 'duration'"))
    assert (step.action, step.turn.predicted) == (actions.Wait(0), None)  # AITK's own bug with `wait`
    unknown = read_step(said("Dance!", action="dance", beat=3)).action
    assert isinstance(unknown, Invalid)
    assert (unknown.raw, unknown.problem) == ("Dance!", HALLUCINATED)
    halved = read_step({"action": {"action": "tap", "x": 3}}).action
    assert isinstance(halved, Invalid)
    assert (halved.raw, halved.problem) == ('{"action": "tap", "x": 3}', MALFORMED)


def test_the_prediction_is_read_in_the_dialect_of_the_translator() -> None:
    translator = AitkTranslator.of({"translator": "qwen25_vl", "translator_args": {"max_pixels": 784000}})
    size = Size(1080, 2400)  # shown as 588x1316

    def read(message: str, **action: object) -> AitkStep:
        return read_step(said(message, **action), translator, size)

    click = CALL.format('{"action": "click", "coordinate": [294, 658]}')
    # AITK cuts where we round: the same place, and no other action than predicted.
    assert read(click, action="tap", x=539, y=1199).turn.predicted == actions.Tap(539, 1199)
    assert read(click, action="tap", x=5, y=5).turn.predicted == actions.Tap(540, 1200)
    whole = read(click, action="tap", x=294, y=658)  # by an agent that saw the screen itself
    assert whole.turn.predicted == whole.action == actions.Tap(294, 658)
    strange = read("I tap", action="tap", x=5, y=5)
    assert strange.turn.predicted == strange.action == actions.Tap(5, 5)
    app = CALL.format('{"action": "open", "text": "YouTube"}')
    assert read(app, action="open", app="youtube").turn.predicted == actions.OpenApp(name="youtube")
    wait = read(
        CALL.format('{"action": "wait", "time": 2}'), action="end", answer="task execution failed: 'duration'"
    )
    assert (wait.action, wait.turn.predicted) == (actions.Wait(0), actions.Wait(2000))
    # AITK cannot read a call of several lines; what it says is clear.
    lines = read(click.replace(", ", ",\n"), action="end", answer="No format output")
    assert isinstance(lines.action, Invalid)
    assert lines.turn.predicted == actions.Tap(540, 1200)
    broken = AitkTranslator.of({"translator": "ui_tars", "translator_args": 3})
    step = read_step(said("Thought: a\nAction: click(start_box='')", action="tap", x=0, y=0), broken, size)
    assert isinstance(step.turn.predicted, Invalid)  # AITK taps the corner then
    assert AitkTranslator.of({"translator": ["odd"]}) == AitkTranslator.of(None) == AitkTranslator()


@pytest.mark.parametrize(
    ("raw", "thought"),
    [
        ("Thought: I open it.\n\nAction: click(start_box='(3,4)')", "I open it."),
        ("<think>\na\nb\n</think>\n<action>Click(box=(1, 2))</action><conclusion>c</conclusion>", "a\nb"),
        ('<think>cut off<answer>do(action="Back")</answer>', "cut off"),
        ("I look first. <tool_call>{}</tool_call>", "I look first."),
        ('{"thought": "to the shop", "action": "tap"}', "to the shop"),
        ("Just prose.", "Just prose."),
        ("<tool_call>{}</tool_call>", ""),
        ("click(start_box='(3,4)')", ""),
        ("", ""),
    ],
)
def test_the_thought_is_taken_out_of_the_answer(raw: str, thought: str) -> None:
    assert thought_of(raw) == thought


@given(st.text() | st.from_regex(r"(<think>|Thought: |<action>|\{|<tool_call>){1,6}.{0,20}", fullmatch=True))
def test_any_answer_is_survived(raw: str) -> None:
    thought_of(raw)
    assert read_step(said(raw, action="end", answer=raw)).turn.raw == raw


def test_a_spent_budget_is_uncompleted_and_an_unreadable_end_is_not(project: Project, tmp_path: Path) -> None:
    spent = run(project, tmp_path / "a/cnn_tariff", [dict(TAP), dict(TAP)], max_steps=2)
    assert spent.header.outcome is not None
    assert (spent.header.outcome.status, spent.header.outcome.claimed) == (UNCOMPLETED, "")
    assert "budget of 2 steps" in spent.header.outcome.reason
    unread = said("?", action="end", answer="No format output")
    early = run(project, tmp_path / "b/cnn_tariff", [dict(TAP), unread])
    assert early.header.outcome is not None
    assert (early.header.outcome.status, early.header.outcome.claimed) == ("", "")
    assert "no action" in early.header.outcome.reason


def test_a_run_that_was_cut_short_is_a_fault_of_the_infrastructure(project: Project, tmp_path: Path) -> None:
    root = tmp_path / "exp"
    aitk_folder(root / "done", [dict(END)])
    (aitk_folder(root / "cut", [dict(TAP)]) / "history.json").unlink()
    result = import_into(project, root)
    by_name = {open_trajectory(folder).header.extra["source_name"]: folder for folder in result.folders}
    cut = open_trajectory(by_name["cut"])
    assert cut.header.kind == "run"
    assert cut.header.outcome is not None
    assert "before it wrote" in cut.header.outcome.infrastructure
    assert "history-missing" in codes(result)


def test_answers_of_the_evaluator_become_judgements(project: Project, tmp_path: Path) -> None:
    root = tmp_path / "exp"
    good = aitk_folder(root / "cnn_tariff", [dict(TAP), dict(END)])
    other = aitk_folder(root / "cnn_other", [dict(END)], name="cnn_other", task="Other")
    yes, no = "It is open.\n<answer>yes<answer>", "Says yes somewhere, but\n<answer>No.</answer>"
    lines = [
        answered(good, 0, SEARCH, yes, cost=3),
        answered(good, 0, RESULTS, no),
        answered(good, 1, SEARCH, "thought yes, but <answer>no<answer>"),
        answered(good, 1, RESULTS, "<answer>YES</answer>"),
        answered(other, 0, SEARCH, None, error="timeout"),
        answered(other, 0, RESULTS, ""),
        answered(other, 0, RESULTS, None),
        {"metadata": {"essential_state": "x"}},
    ]
    text = "\n".join([*map(json.dumps, lines), "torn {"])
    (root / "eval_results.jsonl").write_text(text, "utf-8")
    (root / "eval_file.json").write_text("[]", "utf-8")
    result = import_into(project, root)
    by_name = {open_trajectory(folder).header.extra["source_name"]: folder for folder in result.folders}
    judged = read_judgements(by_name["cnn_tariff"]).judgements
    assert {(judgement.judge, judgement.kind) for judgement in judged} == {("aitk-evaluator", "model")}
    assert [(judgement.subject, judgement.verdict) for judgement in judged] == [
        (Subject("window", "cnn_tariff-1", 0, 1), REACHED),
        (Subject("window", "cnn_tariff-2", 0, 1), MISSED),
        (Subject("window", "cnn_tariff-1", 1, 1), MISSED),
        (Subject("window", "cnn_tariff-2", 1, 1), REACHED),
        (Subject("state", "cnn_tariff-1", 0, 0), REACHED),
        (Subject("state", "cnn_tariff-2", 1, 1), REACHED),
        (Subject("task"), SUCCESS),
    ]
    assert (judged[0].raw, dict(judged[0].extra)) == (yes, {"source": {"cost": 3}})
    assert judged[2].extra == {"aitk_counts": REACHED}  # its unclosed tag makes AITK read the reasoning
    outcome = open_trajectory(by_name["cnn_tariff"]).header.outcome
    assert outcome is not None
    assert (outcome.status, outcome.claimed) == (SUCCESS, "complete")
    failed = read_judgements(by_name["cnn_other"]).judgements
    assert [judgement.verdict for judgement in failed] == [UNDECIDED] * 5
    assert failed[0].reason == "timeout"
    reported = {finding.code: list(finding.steps) for finding in result.findings}
    assert (reported["answer-misread"], reported["not-asked"]) == (["3"], ["7"])
    assert reported["line-unreadable"] == ["9", "8"]
    assert "not-understood" not in reported


def test_results_of_a_single_run_lie_in_its_own_folder(project: Project, tmp_path: Path) -> None:
    folder = aitk_folder(tmp_path / "cnn_tariff", [dict(TAP), dict(TAP)], max_steps=2)
    lines = [answered(folder, 0, state, "<answer>yes</answer>") for state in (SEARCH, RESULTS)]
    (folder / "eval_results.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    stored = open_trajectory(import_into(project, folder).folders[0])
    assert read_judgements(stored.folder).judgements[-1].verdict == SUCCESS
    # Both states were seen, and the agent never said that it was done.
    assert stored.header.outcome is not None
    assert stored.header.outcome.status == UNCOMPLETED


def test_the_task_file_beside_the_runs_is_read_too(project: Project, tmp_path: Path) -> None:
    aitk_folder(tmp_path / "saves/exp/cnn_tariff", [dict(END)], noise="loud")
    lines = [{**TASK, "noise": "loud"}, {**TASK, "name": "unrun", "task": "Never run"}]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (tmp_path / "project").rename(tmp_path.parent / f"{tmp_path.name}-project")
    home = Project.open(tmp_path.parent / f"{tmp_path.name}-project")
    result = import_into(home, tmp_path)
    assert result.tasks == ["cnn_tariff", "unrun"]
    task = home.task("cnn_tariff")
    assert task is not None
    assert task.extra == {"noise": "loud"}
    assert len(result.folders) == 1


def test_an_unreadable_answer_without_an_executed_action_is_a_step_of_its_own() -> None:
    read = read_step(
        {"agent_message": "I would rather not", "action": None},
        AitkTranslator.of({"translator": "qwen25_vl"}),
    )
    assert isinstance(read.action, Invalid)
    assert read.turn.predicted == read.action
    # The last state has neither an answer nor an action.
    assert read_step({"action": None}).action is None
