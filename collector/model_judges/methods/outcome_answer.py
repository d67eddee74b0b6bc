"""The answer of a model that says how a whole trajectory ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collector.model.i18n import _
from collector.model.verdicts.judgement import (
    FAILURE,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.model_judges import strict_answers as strict
from collector.model_judges.model_judge import ModelJudge
from collector.model_judges.questions import ModelReply

_OUTCOMES = {name: name for name in (SUCCESS, FAILURE, UNCOMPLETED)} | {strict.UNCLEAR: UNDECIDED}
OUTCOME_SCHEMA = strict.schema_of(
    {"reason": strict.TEXT, "outcome": strict.WORDS(tuple(_OUTCOMES)), "confidence": strict.SHARE_OR_NULL}
)


@dataclass(frozen=True, slots=True)
class OutcomeAnswer:
    """How a trajectory ended, as a model says."""

    verdict: str
    reason: str
    confidence: float | None


def read_outcome(text: str) -> OutcomeAnswer:
    """Raises WrongAnswer."""
    keys = {
        "reason": strict.text_up_to(), "outcome": strict.word_of(*_OUTCOMES), "confidence": strict.share
    }  # fmt: skip
    value = strict.read_object(text, keys)
    return OutcomeAnswer(_OUTCOMES[value["outcome"]], value["reason"], value["confidence"])


def outcome_judgement(judge: ModelJudge, reply: ModelReply, **proof: Any) -> Judgement:
    """The verdict on the task that a reply gives; undecided after a fault of the judge."""
    if reply.value is None:
        reason = _("The answer cannot be read: {why}", why=reply.fault)
        return judge.judgement(Subject(TASK), UNDECIDED, reason, reply, **proof)
    answer: OutcomeAnswer = reply.value
    return judge.judgement(Subject(TASK), answer.verdict, answer.reason, reply, answer.confidence, **proof)
