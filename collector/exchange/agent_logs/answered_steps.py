"""Steps from the answers of an agent: the dialect that they are in, and the screen that each is about."""

from __future__ import annotations

import dataclasses

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.registry import DIALECTS
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source.answers import answer
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceStep
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.i18n import _

_MARKS = (
    (("<|box_start|>",), "ui-tars"),
    (("start_box=",), "ui-tars-1.5"),
    (("<point>",), "ui-tars-1.5"),
    (("do(action=",), "autoglm"),
    (("finish(message=",), "autoglm"),
    (("<action>", "(box="), "ui-venus"),
    (("mobile_use", "999x999"), "qwen3-vl"),
    (("mobile_use", "1000x1000"), "qwen3-vl"),
    (("<tool_call>", "mobile_use"), "qwen2.5-vl"),
    (("action_type", "Reason:"), "android-world"),
)
"""What stands in answers, and in the prompts that ask for them -> id of the dialect; the first one counts."""
_ANY_SIZE = Size(1000, 1000)


def dialect_of(text: str) -> Dialect | None:
    """The dialect that prompts and answers are in; None when it is none that Waymark speaks."""
    name = next((name for marks, name in _MARKS if all(mark in text for mark in marks)), None)
    return DIALECTS[name] if name else None


def _image_size(dialect: Dialect, size: Size) -> Size:
    """The size that the model's own processor gives a screenshot; its own where that is no screen."""
    try:
        return dialect.image_size(size)
    except ValueError:
        return size


def add_answer(step: SourceStep, dialect: Dialect | None, raw: str, log: ExchangeLog) -> None:
    """Give a step an answer of its agent, and the action that it asks for, on the screen that was shown.

    Without a dialect it is kept as it came. So is a place on a screen of unknown size, which is no pixel.
    """
    if dialect is None:
        step.agent = AgentTurn(raw=raw)
        log.add(
            "dialect-unknown", _("An answer is in no known dialect and was kept as it is"), step=step.name
        )
        return
    size = picture_size(step.screenshot)
    if size is not None:
        answer(step, dialect.read(raw, AgentScreen(size, _image_size(dialect, size))))
        return
    turn = dialect.read(raw, AgentScreen(_ANY_SIZE))
    if turn.predicted is not None and turn.predicted.point is not None:
        log.add(
            "place-lost",
            _("An action has a place on a screen that the source does not show, and was kept as it is"),
            step=step.name,
        )
        turn = dataclasses.replace(turn, predicted=None, extra={})
    answer(step, turn)
