"""Questions that an agent asks its user: the answers that a task holds, and the answer that was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from collector.model.i18n import _

REPLY = "reply"
"""Key of a step's ``extra``: the answer to the question that the step asks, as :meth:`UserReply.as_dict`."""
BY_TASK, BY_PERSON, BY_MODEL, BY_NOBODY = "replies", "person", "model", "nobody"
"""Who answered: the task's replies, a person in the Run workspace, a model, or nobody."""
WHO_ANSWERS = (BY_TASK, BY_PERSON, BY_MODEL)
"""Who an experiment can let answer."""
NO_REPLY_FITS, TOO_LATE, SAID_NOTHING = "no reply fits", "too late", "said nothing"
"""Why nobody answered: no reply of the task fits, no person did in time, or who was asked said nothing."""
LONGEST_REPLY = 4000
"""Characters of an answer that the agent is told."""
_ARROW = re.compile(r"\s*->\s*")
_NEEDED = "!"


@dataclass(frozen=True, slots=True)
class TaskReply:
    """An answer that a task holds for questions of an agent."""

    question: str
    """A regular expression, searched for in the question whatever the case of its letters."""
    answer: str
    needed: bool = False
    """Whether an agent has to ask this: without the answer the task cannot be done right."""

    @property
    def line(self) -> str:
        """The reply on one line, as in ``! which day -> On Friday``; the ``!`` says that it is needed."""
        mark = f"{_NEEDED} " if self.needed else ""
        return f"{mark}{self.question} -> {self.answer}"


@dataclass(frozen=True, slots=True)
class UserReply:
    """The answer that an agent got to a question."""

    text: str = ""
    """Empty when nobody answered."""
    by: str = BY_NOBODY
    """One of BY_TASK, BY_PERSON, BY_MODEL and BY_NOBODY."""
    person: str = ""
    """Who answered, or was to answer, when a person did."""
    fits: int | None = None
    """Which of the task's replies the question fits, counted from 0, whoever answered; None for none."""
    needed: bool = False
    """Whether the task says that this question has to be asked."""
    time_ms: int = 0
    """How long the agent waited."""
    why: str = ""
    """Why nobody answered: one of NO_REPLY_FITS, TOO_LATE and SAID_NOTHING."""

    @property
    def told(self) -> str:
        """What an agent is told: the answer, or that there is none."""
        return self.text or "Nobody answers. Go on without an answer."

    def as_dict(self) -> dict[str, Any]:
        """The reply as JSON, without what is not known."""
        values: dict[str, Any] = {"text": self.text, "by": self.by}
        if self.fits is not None:
            values["fits"] = self.fits
        more = {"needed": self.needed, "person": self.person, "time_ms": self.time_ms, "why": self.why}
        return values | {name: value for name, value in more.items() if value}

    @classmethod
    def read(cls, value: object) -> UserReply | None:
        """The reply of a step's ``extra``; None for anything else, as strangers may write there."""
        if not isinstance(value, Mapping) or not isinstance(value.get("by"), str):
            return None
        fits, time_ms = value.get("fits"), value.get("time_ms")
        return cls(
            str(value.get("text") or ""), value["by"], str(value.get("person") or ""),
            fits if type(fits) is int and fits >= 0 else None, value.get("needed") is True,
            time_ms if type(time_ms) is int else 0, str(value.get("why") or ""),
        )  # fmt: skip


def reply_text(reply: UserReply) -> str:
    """What was answered and by whom, in a line for people."""
    match reply.by:
        case "person" if reply.person:
            return _("{person}: {text}", person=reply.person, text=reply.text)
        case "person":
            return _("A person: {text}", text=reply.text)
        case "model":
            return _("The model that plays the user: {text}", text=reply.text)
        case "replies":
            return _("The task's reply: {text}", text=reply.text)
    match reply.why:
        case "no reply fits":
            return _("Nobody: no reply of the task fits the question")
        case "too late":
            seconds = f"{reply.time_ms / 1000:.0f}"
            return _("Nobody: no person answered within {seconds} s", seconds=seconds)
        case "said nothing" if reply.person:
            return _("Nobody: {person} left the question unanswered", person=reply.person)
        case "said nothing":
            return _("Nobody: who was asked said nothing")
    return reply.text or _("Nobody")


def read_reply_lines(lines: Iterable[str]) -> tuple[TaskReply, ...]:
    """The replies of lines as :attr:`TaskReply.line`; empty ones say nothing.

    Raises ValueError with what is wrong with one.
    """
    found = []
    for line in filter(None, map(str.strip, lines)):
        written = line.removeprefix(_NEEDED).strip()
        pattern, *rest = _ARROW.split(written, maxsplit=1)
        if not pattern or not rest or not rest[0]:
            raise ValueError(
                _("{line} is no question and answer: write it as in which day -> On Friday", line=line)
            )
        found.append(TaskReply(pattern, rest[0], line.startswith(_NEEDED)))
    return tuple(found)
