"""Who answers an agent: the task's replies, and a model that plays the user."""

from __future__ import annotations

import threading
import time

import pytest

from collector.asking.episode_user import EpisodeUser, PersonReply
from collector.asking.task_replies import fitting_reply, problem_of_replies
from collector.asking.user_choice import USUAL_USER, UserChoice
from collector.endpoint.chat_endpoint import EndpointUnavailable
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.user_reply import TaskReply, UserReply, read_reply_lines, reply_text
from tests.helpers.chat_server import ChatServer, refusing, right

REPLIES = (TaskReply("which (day|date)", "On Friday", needed=True), TaskReply("how many", "Two"))
TASK = Task("t", "Book a table", replies=REPLIES)


def user(choice: UserChoice = USUAL_USER, answers: tuple[PersonReply | None, ...] = ()) -> EpisodeUser:
    left = list(answers)
    return EpisodeUser(TASK, choice, lambda _question, _seconds: left.pop(0), threading.Event())


def test_the_first_reply_whose_pattern_is_in_the_question_answers_it() -> None:
    replies = user()
    assert replies.reply("WHICH\nday, please?") == UserReply("On Friday", "replies", fits=0, needed=True)
    assert replies.reply("How many people?") == UserReply("Two", "replies", fits=1)
    nobody = replies.reply("What colour?")
    assert (nobody.by, nobody.text, nobody.why) == ("nobody", "", "no reply fits")
    assert nobody.told == "Nobody answers. Go on without an answer."


def test_a_pattern_takes_bounded_time_and_a_wrong_one_fits_nothing() -> None:
    slow = (TaskReply("(a+)+$", "never"), TaskReply("(", "never"), TaskReply("b$", "yes"))
    began = time.process_time()
    assert fitting_reply(slow, "a" * 3000 + "b") == 2
    assert time.process_time() - began < 2
    assert "is no regular expression" in problem_of_replies(slow)
    assert "is empty" in problem_of_replies([TaskReply("a", " ")])
    assert "stands there twice" in problem_of_replies([TaskReply("a", "b"), TaskReply("a", "c")])
    assert problem_of_replies(REPLIES) == ""


def test_a_person_answers_leaves_it_open_or_is_too_late() -> None:
    person = UserChoice("person", within_s=5)
    replies = user(person, (PersonReply(" Friday ", "sara"), PersonReply("", "sara"), None))
    said = [replies.reply("Which day?") for _time in range(3)]
    assert [(reply.text, reply.by, reply.person, reply.why) for reply in said] == [
        ("Friday", "person", "sara", ""), ("", "nobody", "sara", "said nothing"),
        ("", "nobody", "", "too late"),
    ]  # fmt: skip
    assert all(reply.needed and reply.fits == 0 for reply in said)
    assert [reply_text(reply) for reply in said] == [
        "sara: Friday", "Nobody: sara left the question unanswered",
        "Nobody: no person answered within 0 s",
    ]  # fmt: skip


def test_a_model_plays_the_user_from_the_task_and_its_replies() -> None:
    with ChatServer(right("On Friday, please."), right("As I said."), right(" "), refusing(500)) as server:
        options = {"model": "m", "base_url": server.address, "retries": 0}
        replies = user(UserChoice("model", options=options))
        assert replies.reply("Which day?").text == "On Friday, please."
        assert replies.reply("Sure?").by == "model"
        silent = replies.reply("Really?")
        assert (silent.by, silent.why) == ("nobody", "said nothing")
        with pytest.raises(EndpointUnavailable):
            replies.reply("And now?")
        replies.close()
    first, second, *_rest = [request.texts for request in server.requests]
    assert "Book a table" in first[0]
    assert "which (day|date): On Friday" in first[0]
    assert first[1:] == ["Which day?"]
    assert second[1:] == ["Which day?", "On Friday, please.", "Sure?"]
    with pytest.raises(UserError, match="needs the option model"):
        user(UserChoice("model"))


def test_lines_of_replies_are_read_as_they_are_written() -> None:
    assert read_reply_lines([reply.line for reply in REPLIES]) == REPLIES
    assert read_reply_lines(["", " !what -> a -> b "]) == (TaskReply("what", "a -> b", needed=True),)
    for line in ("which day", "-> Friday", "which day ->"):
        with pytest.raises(ValueError, match="is no question and answer"):
            read_reply_lines([line])


@pytest.mark.parametrize("value", [None, 5, [], {}, {"by": 3}, {"by": "person", "fits": -1, "time_ms": "x"}])
def test_what_strangers_write_as_a_reply_is_read_or_none(value: object) -> None:
    read = UserReply.read(value)
    assert read is None or (read.fits, read.time_ms, read.needed) == (None, 0, False)


def test_a_reply_is_read_back_as_it_is_written() -> None:
    reply = UserReply("x", "person", "sara", 0, needed=True, time_ms=12)
    assert UserReply.read(reply.as_dict()) == reply
    assert UserReply.read(UserReply().as_dict()) == UserReply()
