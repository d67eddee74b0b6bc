"""Texts a recording does not hold, and which of those given goes where."""

from __future__ import annotations

import pytest

from collector.model.action import Key, Tap, Type, action_from_dict, action_to_dict
from collector.replay.redacted_text import is_redacted, redacted_steps, texts_for
from tests.helpers.fake_phone import recorded_step


@pytest.mark.parametrize(
    ("action", "hidden"),
    [
        (Type("", 8, redacted=True), True),
        (Type("", 8), True),
        (Type("poster", 6), False),
        (Type("", 0), False),
        (Tap(1, 1), False),
        (None, False),
    ],
)
def test_a_text_is_hidden_when_only_its_length_is_known(action, hidden):
    assert is_redacted(action) is hidden


def test_texts_go_to_the_hidden_steps_in_their_order():
    typed = [Tap(1, 1), Type("", 8, redacted=True), Type("poster", 6), Type("", 4), Key("back")]
    steps = [recorded_step(action, index=index) for index, action in enumerate(typed)]
    assert [step.index for step in redacted_steps(steps)] == [1, 3]
    assert texts_for(steps, ("hunter22", "1234", "more")) == {1: "hunter22", 3: "1234"}
    assert texts_for(steps, ("", "1234")) == {3: "1234"}
    assert texts_for(steps, ()) == {}


def test_nothing_is_kept_of_a_redacted_text():
    assert action_to_dict(Type("secret", 6, redacted=True)) == {
        "kind": "type", "text": "", "length": 0, "redacted": True
    }  # fmt: skip
    stored = {"kind": "type", "text": "", "length": 6, "redacted": True}  # as earlier versions wrote it
    assert action_from_dict(stored) == Type(redacted=True)
