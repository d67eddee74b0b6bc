"""Ask the model of a judge once, with a small picture, to see whether it sees it and answers rightly."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from collector.endpoint.chat_endpoint import ChatEndpoint
from collector.model.usage import Usage
from collector.model_judges import strict_answers as strict
from collector.model_judges.asked_model import AskedModel
from collector.model_judges.frames import encoded
from collector.model_judges.questions import Message, WrongAnswer

_COLOURS = {"red": (214, 39, 40), "green": (44, 160, 44), "blue": (31, 90, 220)}
_SHOWN = "blue"
_SCHEMA = strict.schema_of({"colour": strict.WORDS(tuple(_COLOURS))})
_QUESTION = "Which colour has the square: red, green or blue? "
_JSON_FORM = 'Answer with JSON alone: {"colour": "..."}'
_TAGGED_FORM = "Answer with exactly one word in this form: <answer>...</answer>"


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """What a model answered to the check."""

    model: str
    """As the endpoint names it."""
    raw: str
    sees: bool
    """Whether it named the colour of the picture."""
    problem: str
    """Why the answer is none of the allowed ones; empty when it is one."""
    usage: Usage
    attempts: int


def check_model(model: AskedModel, cancel: threading.Event | None = None) -> JudgeCheck:
    """Ask once, for an answer in the form that the judge reads; nothing is kept.

    Raises EndpointUnavailable and CallCancelled.
    """
    endpoint = ChatEndpoint(model.endpoint)
    try:
        answer = endpoint.ask(_messages(model), cancel, model.fields_for(None if model.tagged else _SCHEMA))
    finally:
        endpoint.close()
    text, problem, colour = answer.reply.text, "", ""
    try:
        if model.tagged:
            colour = strict.read_tagged(text, tuple(_COLOURS))
        else:
            colour = strict.read_object(text, {"colour": strict.word_of(*_COLOURS)})["colour"]
    except WrongAnswer as wrong:
        problem = str(wrong)
    sees = colour == _SHOWN
    return JudgeCheck(answer.reply.model, text, sees, problem, answer.usage, answer.attempts)


def _messages(model: AskedModel) -> Sequence[Message]:
    image = Image.new("RGB", (120, 200), (245, 245, 245))
    ImageDraw.Draw(image).rectangle((20, 60, 100, 140), fill=_COLOURS[_SHOWN])
    text = _QUESTION + (_TAGGED_FORM if model.tagged else _JSON_FORM)
    content = [{"type": "text", "text": text}, dict(encoded(image, 0).part)]
    return [{"role": "user", "content": content}]
