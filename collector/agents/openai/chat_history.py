"""The steps before this one, as a model reads them: thoughts, actions and answers, in its own dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collector.agents.agent import PastStep
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.errors import NotExpressible
from collector.model.action import Invalid, action_to_dict
from collector.model.user_reply import UserReply

THOUGHT, ACTION, ANSWER = "thought", "action", "answer"
PARTS = (THOUGHT, ACTION, ANSWER)
"""What of a past step is shown."""
_MAX_PART = 2000


def history_text(
    steps: Sequence[PastStep], screens: Mapping[int, AgentScreen], dialect: Dialect, parts: Sequence[str],
    last: int,
) -> str:  # fmt: skip
    """The ``last`` steps, the oldest first, a paragraph each; empty without any.

    ``screens`` are those the model saw, by the number of the step.
    """
    first = max(0, len(steps) - last) if last >= 0 else 0
    return "\n".join(
        f"Step {number}: {_summary(step, screens.get(number), dialect, parts)}"
        for number, step in enumerate(steps, start=1)
        if number > first
    )


def answer_text(step: PastStep, screen: AgentScreen | None, dialect: Dialect) -> str:
    """What the model itself said in a past step, for a conversation; of a person's step, its action."""
    if step.turn is not None and step.turn.raw:
        return step.turn.raw
    return written_action(step, screen, dialect)


def _summary(step: PastStep, screen: AgentScreen | None, dialect: Dialect, parts: Sequence[str]) -> str:
    pieces = []
    turn = step.turn
    if turn is None:
        pieces.append("(done by a person)")
    elif THOUGHT in parts and turn.thought:
        pieces.append(turn.thought)
    if ANSWER in parts and turn is not None and turn.raw:
        pieces.append(turn.raw)
    elif ACTION in parts or turn is None:
        pieces.append(written_action(step, screen, dialect))
    if step.reply is not None:
        pieces.append(f"({reply_line(step.reply)})")
    return " ".join(piece[:_MAX_PART] for piece in pieces if piece)


def reply_line(reply: UserReply) -> str:
    """What the user answered to a question, as a model reads it."""
    return f"The user answered: {reply.text}" if reply.text else "Nobody answered the question."


def written_action(step: PastStep, screen: AgentScreen | None, dialect: Dialect) -> str:
    """The action of a past step in the words of the dialect, in those of the action space if it has none."""
    if isinstance(step.action, Invalid):
        return f"(no action: the answer was {step.action.problem})"
    if screen is None:
        return str(action_to_dict(step.action))
    try:
        return dialect.write(step.action, screen)
    except NotExpressible:
        return str(action_to_dict(step.action))
