"""The user of one episode: answers what the agent asks, as the experiment says who answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from collector.asking.model_user import ModelUser, UserQuestion
from collector.asking.task_replies import reply_of_task
from collector.asking.user_choice import UserChoice
from collector.model.task import Task
from collector.model.user_reply import (
    BY_MODEL,
    BY_PERSON,
    BY_TASK,
    LONGEST_REPLY,
    SAID_NOTHING,
    TOO_LATE,
    UserReply,
)


@dataclass(frozen=True, slots=True)
class PersonReply:
    """What a person answers to a question of an agent."""

    text: str
    person: str = ""


AskPerson = Callable[[str, float], PersonReply | None]
"""Shows a question to people for so many seconds; None when nobody answered. Raises CallCancelled."""


class EpisodeUser:
    """Belongs to the thread of the cycle."""

    def __init__(
        self, task: Task, choice: UserChoice, ask_person: AskPerson, cancelled: threading.Event
    ) -> None:
        """Raises UserError when a model is to answer and cannot be asked."""
        self._task, self.choice, self._ask_person, self._cancelled = task, choice, ask_person, cancelled
        self._model = ModelUser(choice.options) if choice.who == BY_MODEL else None
        self._before: list[UserQuestion] = []

    def reply(self, question: str) -> UserReply:
        """The answer to a question; it waits for a person or a model.

        Raises EndpointUnavailable when the model cannot be reached, and CallCancelled.
        """
        of_task = reply_of_task(self._task.replies, question)
        began = time.monotonic()
        reply = of_task
        if self.choice.who != BY_TASK:
            given = self._given(question)
            waited_ms = round((time.monotonic() - began) * 1000)
            reply = replace(given, fits=of_task.fits, needed=of_task.needed, time_ms=waited_ms)
        self._before.append(UserQuestion(question, reply))
        return reply

    def close(self) -> None:
        """End the connection to a model."""
        if self._model is not None:
            self._model.close()

    def _given(self, question: str) -> UserReply:
        if self._model is None:
            return self._of_person(question)
        text = self._model.answer(self._task, question, self._before, self._cancelled)
        return UserReply(text, BY_MODEL) if text else UserReply(why=SAID_NOTHING)

    def _of_person(self, question: str) -> UserReply:
        given = self._ask_person(question, self.choice.within_s)
        if given is None:
            return UserReply(why=TOO_LATE)
        text = given.text.strip()[:LONGEST_REPLY]
        if not text:
            return UserReply(person=given.person, why=SAID_NOTHING)
        return UserReply(text, BY_PERSON, given.person)
