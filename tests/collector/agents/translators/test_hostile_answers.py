"""Answers made to be slow or to break their reader: refused in words, in a time that grows with their length.

No time is measured here. With a pattern that goes back into what it has read, one of these answers takes
minutes, and the time limit of a test ends it.
"""

from __future__ import annotations

import json

import pytest

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import MAX_ANSWER
from collector.agents.translators.errors import NotExpressible
from collector.agents.translators.registry import DIALECTS
from collector.model import action as actions
from collector.model.action import MALFORMED, Invalid
from collector.model.geometry import Rect, Size

SCREEN = AgentScreen(Size(1080, 2400), Size(1080, 2400), (Rect(0, 0, 10, 10),))
SLOW = [
    ("ui-tars", "", "a_"),
    ("autoglm", "<answer>", "_"),
    ("autoglm", "", "1_"),
    ("ui-venus", "<action>", "a"),
    ("ui-venus", "<action>", "1_"),
    ("ui-tars", "Thought:", " "),
    ("ui-tars", "Thought: a", "Action "),
    ("android-world", "Reason: a", "\n "),
    ("qwen2.5-vl", "Thought: a", "\n"),
    ("qwen2.5-vl", "Thought: a", "\nAction "),
    ("probench", "", "CLICK("),
    ("probench", "", "CLICK["),
    ("probench", "", "AB "),
    ("probench", "Action:", " "),
    ("gemini-points", '{"point": [1, 2]}', "[{"),
    ("gemini-points", '{"point": [1, 2]}[{', "} "),
    ("dgara", '{"a":' * 300 + "[", "1,"),
    ("dgara", '{"a":' * 300 + "[", "[],"),
    ("autoglm", "f(a=f'" + "{a}" * 6000 + "'", ")"),
    ("autoglm", "f(a=" + "-1" * 9000, ")"),
]


@pytest.mark.parametrize(("dialect", "head", "unit"), SLOW)
def test_a_long_answer_is_read_in_one_pass(dialect: str, head: str, unit: str) -> None:
    answer = (head + unit * MAX_ANSWER)[:MAX_ANSWER]
    turn = DIALECTS[dialect].read(answer, SCREEN)
    assert turn.predicted is not None
    assert turn.raw == answer


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_a_longer_answer_is_refused(dialect: str) -> None:
    predicted = DIALECTS[dialect].read("a" * (MAX_ANSWER + 1), SCREEN).predicted
    assert isinstance(predicted, Invalid)
    assert "longer than 100000 characters" in predicted.reason


KINDS = (
    actions.Tap(5, 5), actions.LongPress(5, 5, 1000), actions.Swipe(1, 2, 3, 4, 500), actions.Type("hi", 2),
    actions.Scroll(540, 1200, "down"), actions.Key("back"), actions.OpenApp(name="Shop"), actions.Wait(1000),
    actions.Answer("x"), actions.Complete(), actions.Impossible("why"),
    actions.AskUser("which?"),
)  # fmt: skip
ODD: tuple[object, ...] = (
    [], {}, [[]], True, None, -1, 1e308, 10**400, [1e308, 1e308], [10**400, 1], "9" * 400, "1e999", {"x": 1},
    float("nan"), "\ud800", "１２",
)  # fmt: skip


READERS = sorted({(dialect.parse, dialect.compose): name for name, dialect in DIALECTS.items()}.values())
"""A dialect of each reader: some models answer as others do."""


@pytest.mark.parametrize("dialect", READERS)
def test_values_of_another_kind_are_an_action_or_invalid(dialect: str) -> None:
    for kind in KINDS:
        try:
            written = DIALECTS[dialect].write(kind, SCREEN)
        except NotExpressible:
            continue
        for place in _values_in(written):
            for value in ODD:
                for text in (json.dumps(value), repr(value)):
                    turn = DIALECTS[dialect].read(
                        written[: place.start] + text + written[place.stop :], SCREEN
                    )
                    assert isinstance(turn.predicted, actions.Action)
                    waited = getattr(turn.predicted, "duration_ms", 0)
                    assert 0 <= waited <= 3_600_000


def _values_in(written: str) -> list[range]:
    """Where the values of an answer are: in quotes, in brackets, or a number."""
    places = []
    for start, character in enumerate(written):
        if written[start - 1 : start] not in (" ", ":", "=", "(") or not start:
            continue
        closing = {'"': '"', "'": "'", "[": "]", "(": ")"}.get(character)
        end = written.find(closing, start + 1) if closing else -1
        if end > 0:
            places.append(range(start, end + 1))
        elif character.isdecimal():
            stop = start + len(written[start:]) - len(written[start:].lstrip("0123456789."))
            places.append(range(start, stop))
    return places


def test_names_of_an_object_that_are_no_text_are_refused() -> None:
    predicted = DIALECTS["agentcpm-gui"].read("{" + "1:1," * 10 + "}", SCREEN).predicted
    assert isinstance(predicted, Invalid)
    assert predicted.problem == MALFORMED


def test_the_reason_does_not_repeat_a_long_answer() -> None:
    predicted = DIALECTS["dgara"].read(json.dumps({"action": "x" * 50_000}), SCREEN).predicted
    assert isinstance(predicted, Invalid)
    assert len(predicted.reason) == 400
