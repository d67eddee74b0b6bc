"""Questions to a model, and what came back. A method of judging asks them in turns, and knows no endpoint.

A method is a generator: it yields the questions that can be asked together, is sent their replies in the same
order, and returns its judgements. The same method is asked for real, priced without sending anything, and
tested with answers by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.judge.windows import Window
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement
from collector.model_judges.asked_model import AskedModel

Message = Mapping[str, Any]
"""A message of the chat completions API: ``role`` and ``content``."""


class WrongAnswer(Exception):  # noqa: N818 - what it is
    """An answer that is none of the allowed ones; ``str()`` says in English why, for the model."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about some screens of a trajectory."""

    model: AskedModel
    compose: Callable[[], Sequence[Message]]
    """The messages; pictures are prepared when it is called, in any thread."""
    read: Callable[[str], Any]
    """What an answer says. Raises WrongAnswer for one that is not allowed."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer; None when it is no JSON."""
    states: tuple[str, ...] = ()
    """Ids of the essential states it is about."""
    window: Window | None = None
    """The states of the trajectory it shows, counted from 0."""
    pictures: int = 0
    """How many pictures it sends."""
    picture_tokens: int = 0
    """How many tokens they take, as far as it can be known before."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back for a question."""

    value: Any = None
    """What :attr:`Question.read` made of it; None when the judge made a fault twice."""
    fault: str = ""
    """Why the answer could not be read, or why there is none; empty when it could."""
    raw: str = ""
    """The answer as received; after a fault the second one."""
    first_raw: str = ""
    """The answer that could not be read, when the model was asked again."""
    usage: Usage = field(default_factory=Usage)
    """Of all that was asked for it, now or earlier."""
    paid: float = 0.0
    """USD paid now; 0 for an answer that was kept."""
    model: str = ""
    """As the endpoint names it."""
    not_asked: bool = False
    """Whether the question was counted alone, so that nobody knows the answer."""
    keys: tuple[str, ...] = ()
    """Under which the answers are kept, in order."""
    words: str = ""
    """A digest of the words of the question: the same on every computer, as pictures are not."""


Asking = Generator[Sequence[Question], Sequence[ModelReply], list[Judgement]]
"""A method at work on one trajectory."""
