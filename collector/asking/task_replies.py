"""Find the reply of a task that a question fits, in bounded time whatever the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from collector.model.i18n import _
from collector.model.user_reply import BY_TASK, NO_REPLY_FITS, TaskReply, UserReply
from collector.rules.grammar.patterns import Pattern, compile_pattern

_ANY_CASE = "(?i)"


def fitting_reply(replies: Iterable[TaskReply], question: str) -> int | None:
    """Number, from 0, of the first reply whose pattern is found in ``question``; None when none is.

    A pattern that cannot be searched for fits nothing: the check of the project says why.
    """
    said = " ".join(question.split())
    for number, reply in enumerate(replies):
        try:
            if _compiled(reply).found_in(said):
                return number
        except re.error:
            continue
    return None


def reply_of_task(replies: Sequence[TaskReply], question: str) -> UserReply:
    """What the replies of a task answer to a question."""
    fits = fitting_reply(replies, question)
    if fits is None:
        return UserReply(why=NO_REPLY_FITS)
    return UserReply(replies[fits].answer, BY_TASK, fits=fits, needed=replies[fits].needed)


def problem_of_replies(replies: Iterable[TaskReply]) -> str:
    """What is wrong with the replies of a task, in a sentence; empty when nothing is."""
    seen: set[str] = set()
    for reply in replies:
        try:
            _compiled(reply)
        except re.error as error:
            return _("{text} is no regular expression ({why})", text=reply.question, why=error)
        if not reply.answer.strip():
            return _("the answer to {text} is empty", text=reply.question)
        if reply.question in seen:
            return _("{text} stands there twice; the first counts", text=reply.question)
        seen.add(reply.question)
    return ""


def _compiled(reply: TaskReply) -> Pattern:
    return compile_pattern(_ANY_CASE + reply.question)
