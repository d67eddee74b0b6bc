"""An agent asks its user in an episode: replies, people, time limits, and what becomes of the rest."""

from __future__ import annotations

from dataclasses import replace

from collector.agents.process.messages import observation_message
from collector.asking.user_choice import END, UserChoice
from collector.model.action import AskUser, Complete
from collector.model.user_reply import TaskReply, UserReply
from collector.run.cycle.episode_plan import plan_from_dict
from collector.run.cycle.steering.control import AnswerAgent
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import UserAsked
from tests.helpers.cycle_room import WAY, press

TO_CART = [press(label) for label in WAY]
REPLIES = (TaskReply("which poster", "The oak one", needed=True),)


def with_replies(room, *replies):
    (task,) = room.project.tasks
    room.project.save_tasks([replace(task, replies=replies or REPLIES)])


def replies_in(room, result):
    steps = [step for step in room.stored(result).steps if isinstance(step.action, AskUser)]
    return [UserReply.read(step.extra["reply"]) for step in steps]


def test_a_question_is_answered_by_the_task_and_told_to_the_agent(room):
    with_replies(room)
    answers = [TO_CART[0], AskUser("Which poster?"), AskUser("What time is it?"), *TO_CART[1:], Complete()]
    result = room.run(answers)
    assert result.outcome.status == "success"
    assert replies_in(room, result) == [
        UserReply("The oak one", "replies", fits=0, needed=True), UserReply(why="no reply fits"),
    ]  # fmt: skip
    history = room.agent.seen[-1].history
    assert [past.reply.told for past in history if past.reply is not None] == [
        "The oak one", "Nobody answers. Go on without an answer.",
    ]  # fmt: skip
    # The protocol of programs tells the answer alone: not who gave it, nor that it was needed.
    sent = observation_message(1, room.agent.seen[-1], "t", None, "none", ())["history"]
    assert [past.get("reply") for past in sent[:4]] == [
        None, {"text": "The oak one", "answered": True},
        {"text": "Nobody answers. Go on without an answer.", "answered": False}, None,
    ]  # fmt: skip
    assert room.recomputed(result).is_equal


def test_an_episode_ends_after_silence_where_the_experiment_says_so(room):
    result = room.run([AskUser("Which?"), Complete()], user=UserChoice(unanswered=END))
    assert (result.outcome.status, result.outcome.extra["ended_by"]) == ("uncompleted", "silence")
    assert result.steps == 1
    assert room.recomputed(result).is_equal
    plan = room.lines(result, "prepare")[0]["settings"]
    episode = room.stored(result).header.episode
    assert plan_from_dict(plan, "buy", episode).user == UserChoice(unanswered=END)


def test_the_same_question_again_and_again_is_an_early_stop(room):
    result = room.run([AskUser("Help!")])
    assert (result.outcome.early_stop, result.steps) == (True, 5)


def test_a_person_answers_in_time_or_nobody_does(room):
    control = EpisodeControl()

    def answer(event):
        if isinstance(event, UserAsked) and event.is_open and event.question == "Which?":
            control.send(AnswerAgent("Oak", "sara"))

    control.send(AnswerAgent("too early", "sara"))  # an answer before the question is none
    person = UserChoice("person", within_s=0)
    result = room.run(
        [AskUser("Which?"), AskUser("And?"), Complete()], control=control, emit=answer, user=person
    )
    first, second = replies_in(room, result)
    assert (first.text, first.by, first.person) == ("Oak", "person", "sara")
    assert (second.by, second.why) == ("nobody", "too late")
    asked = [(event.question, event.is_open) for event in room.events if isinstance(event, UserAsked)]
    assert asked == [("Which?", True), ("Which?", False), ("And?", True), ("And?", False)]


def test_a_password_in_an_answer_is_masked_once_it_is_typed(room):
    from tests.helpers.cycle_room import ListAgent

    class Secretive(ListAgent):
        secrets = ("hunter2secret",)

    with_replies(room, TaskReply("password", "It is hunter2secret"))
    result = room.run([], agent=Secretive([AskUser("The password?"), Complete()]))
    (reply,) = replies_in(room, result)
    assert "hunter2" not in reply.text
    assert reply.by == "replies"


def test_replies_and_who_answers_make_results_stale_and_nothing_else_does(room):
    from collector.run.cycle.episode_plan import EpisodePlan
    from collector.run.cycle.episode_project import EpisodeProject
    from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition

    def digests(**changes):
        experiment = Experiment(
            "pilot", ("buy",), (AgentEntry("list", "list"),), (RunCondition("baseline"),), **changes
        )
        project = EpisodeProject.load(room.folder)
        task = project.task("buy")
        cell = Cell("buy", "list", "baseline", "screenshot")
        return project.fingerprint(EpisodePlan.of(experiment, cell, task), task)

    plain = digests()
    other = digests(user=UserChoice(unanswered=END))
    assert {part for part in plain if plain[part] != other[part]} == {"settings"}
    with_replies(room)
    asked = digests()
    assert {part for part in plain if plain[part] != asked[part]} == {"task"}
