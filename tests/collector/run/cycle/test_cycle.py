"""The cycle of an episode on a phone in memory: its order, its ends, and what it records."""

from __future__ import annotations

import json
from dataclasses import replace

from collector.cli import main as command
from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Answer, Complete, Invalid, OpenApp, Swipe, Tap, Type, Wait
from collector.model.episode import AgentTurn
from collector.model.usage import Usage
from collector.project_rules.project_rules import ProjectRules
from collector.run.events import ActionPredicted, EpisodeBegan, PhaseChanged, ScreenObserved, StepDone
from collector.run.recomputation.rejudge import rejudge_runs
from collector.store.catalogue.catalogue import Catalogue
from tests.helpers.cycle_room import WAY, press

TO_CART = [press(label) for label in WAY]


def phases(lines):
    return [(line["phase"], line["number"]) for line in lines]


def test_an_agent_that_does_the_task_and_says_so_has_success(room, monkeypatch):
    result = room.run([*TO_CART, Complete()])
    assert (result.outcome.status, result.outcome.claimed) == ("success", "complete")
    assert result.outcome.infrastructure == ""
    assert result.steps == 5
    stored = room.stored(result)
    assert [step.action.kind for step in stored.steps] == ["tap"] * 4 + ["complete"]
    assert stored.header.outcome == result.outcome
    assert stored.header.status == "finished"
    assert room.recomputed(result).is_equal
    judge = create_judge(RULES_JUDGE, room.project)
    monkeypatch.delattr(RuleJudge, "judge")
    (judged,) = judge_trajectories(ProjectRules(room.project), [stored.folder], judge)
    assert judged.judgements == stored.judgements().judgements != (), "it is not judged again"


def test_an_episode_is_told_the_wording_of_its_style_and_says_which(room):
    (task,) = room.project.tasks
    words = {"casual": ("Oak poster, cart, please", "Cart the oak poster")}
    room.project.save_tasks([replace(task, rewordings=words)])
    result = room.run([*TO_CART, Complete()], goal_style="casual", seed=3)
    assert result.outcome.status == "success"
    assert room.agent.begun.task.instruction == "Cart the oak poster"
    began = next(event for event in room.events if isinstance(event, EpisodeBegan))
    assert began.instruction == "Cart the oak poster"
    header = room.stored(result).header
    assert (header.instruction, header.episode.goal_style) == ("Cart the oak poster", "casual")
    assert room.recomputed(result).is_equal
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        assert [row.id for row in catalogue.find("goal-style:casual")] == [result.trajectory]
        assert catalogue.find("goal-style:none") == []
    lacking = room.run([Complete()], goal_style="formal")
    assert lacking.outcome.infrastructure.startswith("Task buy has no wording formal")


def test_each_step_has_one_screen_and_every_phase_a_line(room):
    result = room.run([*TO_CART[:1], Complete()])
    assert phases(room.lines(result)) == [
        ("prepare", 0), ("observe", 1), ("validate", 1), ("decide", 1), ("think", 1), ("act", 1),
        ("settle", 2), ("validate", 2), ("decide", 2), ("think", 2), ("act", 2), ("validate", 3), ("end", 3),
    ]  # fmt: skip
    pictures = [event for event in room.events if isinstance(event, ScreenObserved)]
    assert [event.step for event in pictures] == [1, 2]
    assert [event.phase for event in room.events if isinstance(event, PhaseChanged)][-2:] == [
        "validate",
        "end",
    ]


def test_the_agent_sees_its_steps_and_those_who_watch_see_them_coming(room):
    room.run([*TO_CART[:2], Complete()])
    agent = room.agent
    assert [len(seen.history) for seen in agent.seen] == [0, 1, 2]
    assert agent.seen[2].history[1].action == Tap(54, 10)
    assert agent.begun.budget == 8
    kinds = [type(event) for event in room.events if isinstance(event, (ActionPredicted, StepDone))]
    assert kinds == [ActionPredicted, StepDone] * 3
    began = next(event for event in room.events if isinstance(event, EpisodeBegan))
    assert (began.cell, began.budget) == ("buy / list / baseline / screenshot+tree / - / - / 123 / 0", 8)


def test_a_modality_hides_tree_or_picture_from_the_agent_alone(room):
    room.run([Complete()], modality="screenshot")
    assert room.agent.seen[0].tree is None
    assert room.agent.seen[0].screen.frame is not None
    result = room.run([Complete()], modality="tree")
    assert room.agent.seen[0].screen.frame is None
    assert room.stored(result).steps[0].state.screenshot
    assert room.stored(result).steps[0].state.tree


def test_without_a_claim_a_spent_budget_is_uncompleted(room):
    result = room.run([Wait(1), Tap(54, 150), *TO_CART[:1]], budget=3)
    assert (result.outcome.status, result.outcome.extra["ended_by"]) == ("uncompleted", "budget")
    assert not result.outcome.early_stop
    stored = room.stored(result)
    assert stored.steps[-1].action is None
    assert len(stored.steps) == 4
    assert room.recomputed(result).is_equal


def test_the_budget_is_that_of_the_experiment_the_task_or_fifteen(room):
    assert room.run([press("Front"), press("About")], early_stop=0).steps == 8
    assert room.run([press("Front")], budget=2).steps == 2


def test_a_task_that_is_done_ends_the_episode_only_where_that_was_asked_for(room):
    result = room.run(TO_CART, ends="success")
    assert (result.outcome.status, result.outcome.claimed) == ("success", "")
    assert (result.steps, result.outcome.extra["ended_by"]) == (4, "success")
    assert room.recomputed(result).is_equal
    assert room.run(TO_CART, ends="claim", budget=6).outcome.extra["ended_by"] == "budget"


def test_five_identical_actions_stop_an_episode_early(room):
    spots = [Tap(54, 150), Tap(50, 148, 90), Tap(57, 155), Tap(54, 150), Tap(54, 150)]
    result = room.run([*TO_CART[:1], *spots])
    assert result.outcome.early_stop
    assert (result.outcome.status, result.steps) == ("uncompleted", 6)
    assert [line["same"] for line in room.lines(result, "act")] == [1, 1, 2, 3, 4, 5]
    assert room.recomputed(result).is_equal
    assert not room.run(spots, early_stop=0, budget=6).outcome.early_stop


def test_identical_invalid_answers_stop_an_episode_early_too(room):
    result = room.run([Invalid("???", "malformed", "The answer has no action")])
    assert result.outcome.early_stop
    assert result.outcome.extra["invalid"] == 5


def test_an_invalid_answer_is_executed_as_nothing_and_recorded(room):
    result = room.run([*TO_CART[:1], Tap(5000, 10), OpenApp("", "No such app"), Complete()])
    actions = [step.action for step in room.stored(result).steps]
    assert [type(action) for action in actions] == [Tap, Invalid, Invalid, Complete]
    assert actions[1].problem == actions[2].problem == "hallucinated"
    assert "5000" in actions[1].reason
    assert result.outcome.extra["invalid"] == 2
    turn = room.stored(result).steps[1].agent
    assert turn.predicted == Tap(5000, 10)
    assert room.recomputed(result).is_equal


def test_a_field_is_tapped_before_text_is_typed_into_it(room):
    turn = AgentTurn("type", predicted=Type("oak", 3), extra={"focus": [54, 10], "erased": 2})
    result = room.run([*TO_CART[:1], turn, Complete()])
    assert room.phone.typed == ["oak"]
    assert room.phone.shown == "posters"
    assert room.stored(result).steps[1].action == Type("oak", 3)


def test_an_app_is_opened_by_its_package(room):
    result = room.run([OpenApp("com.example.shop"), Complete()])
    assert room.agent.seen[1].screen.activity == ".front"
    assert result.steps == 2


def test_an_episode_whose_verdict_alone_is_stale_is_judged_anew(room, capsys):
    result = room.run([*TO_CART, Complete()])
    other = room.run([*TO_CART, Complete()], ends="success")
    name = room.stored(result).header.id
    assert list(rejudge_runs(room.folder, [name])) == [], "nothing changed"
    rules = room.folder / "rules" / "success.yaml"
    rules.write_text(rules.read_text().replace("Screen cart", "Screen attic"))
    names = [name, room.stored(other).header.id]
    (rejudged,) = rejudge_runs(room.folder, names)  # where success ends an episode, its course is stale, too
    assert (rejudged.trajectory, rejudged.before, rejudged.now) == (name, "success", "failure")
    assert room.stored(result).header.outcome.status == "failure"
    assert room.stored(result).header.outcome.claimed == result.outcome.claimed
    assert room.stored(other).header.outcome.status == "success"
    assert list(rejudge_runs(room.folder, names)) == [], "it is what the rules of now say"
    rules.write_text(rules.read_text().replace("Screen attic", "Screen cart"))
    words = ["experiment", "recompute", *names, "--rejudge", "--project", str(room.folder), "--json"]
    assert command.main(words) == 0
    document = json.loads(capsys.readouterr().out)
    shown = {"trajectory": name, "task": "buy", "before": "failure", "now": "success"}
    assert (document["rejudged"], len(document["episodes"])) == ([shown], 2)
    rules.write_text(rules.read_text().replace("Screen cart", "Screen attic"))
    task = room.project.tasks[0]
    room.project.save_tasks([replace(task, instruction="Put two oak posters into the cart")])
    assert list(rejudge_runs(room.folder, names)) == [], "it would take another course"


def test_an_answer_ends_an_episode_and_is_validated_at_once(room):
    result = room.run([*TO_CART, Answer("42")])
    assert (result.outcome.status, result.outcome.claimed) == ("success", "answer")
    last = room.lines(result, "validate")[-1]
    assert (last["done"], last["end"]) == (True, "signal")


def test_usage_is_summed_and_times_are_noted(room):
    usage = Usage(10, 2, 0.5, "USD", 7)
    other = Usage(1, 1, 2.0, "EUR", 1)
    turns = [AgentTurn("", "", Wait(1), usage), AgentTurn("", "", Swipe(1, 1, 90, 90, 1), other)]
    result = room.run([*turns, Complete()])
    assert result.outcome.usage == Usage(11, 3, 0.5, "USD", 8)
    assert set(room.stored(result).steps[0].agent.timings_ms) == {"observe", "think", "act"}


def test_the_app_is_reset_as_the_experiment_says(room):
    result = room.run([Complete()], reset="app-data")
    assert "pm clear com.example.shop" in room.phone.commands
    assert room.stored(result).header.extra["reset"]["kind"] == "app-data"
    room.phone.commands.clear()
    room.run([Complete()])
    assert "am force-stop com.example.shop" in room.phone.commands


def test_an_episode_knows_its_cell_and_the_digest_of_its_settings(room):
    first, second = room.run([Complete()]), room.run([Complete()], budget=3)
    episodes = [room.stored(result).header.episode for result in (first, second)]
    assert episodes[0].cell == "buy / list / baseline / screenshot+tree / - / -"
    assert (episodes[0].experiment, episodes[0].seed, episodes[0].attempt) == ("pilot", 123, 0)
    assert episodes[0].extra["fingerprint"] != episodes[1].extra["fingerprint"]
