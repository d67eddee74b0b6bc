"""Answers are read strictly: whatever text a model writes, only an allowed answer is one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model_judges import strict_answers as strict
from collector.model_judges.questions import WrongAnswer

KEYS = {"word": strict.word_of("yes", "no"), "at": strict.number_up_to(4)}


@given(st.text(max_size=300))
def test_no_text_without_a_whole_tag_is_a_yes(text):
    try:
        said = strict.read_tagged(text)
    except WrongAnswer:
        return
    assert f"<answer>{said}" in "".join(text.lower().split()).replace(".", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [("<answer>yes</answer>", "yes"), ("<think>no <answer>no</answer></think> <answer> No. </answer>", "no"),
     ("<answer>yes<answer>", "yes"), ("<ANSWER>YES</ANSWER>", "yes"),
     ("<answer>no</answer> and again <answer>no</answer>", "no")],
)  # fmt: skip
def test_the_forms_of_a3rm_are_read(text, said):
    assert strict.read_tagged(text) == said


@pytest.mark.parametrize(
    "text",
    ["<answer>yes</answer> but then <answer>no, on the second screen the order is not paid</answer>",
     "<answer>yes</answer> or rather <answer>no", "<answer>yes<answer>no</answer>",
     "<answer>yes</answer> <answer><b>no</b></answer>"],
)  # fmt: skip
def test_an_answer_beside_another_tag_is_none(text):
    with pytest.raises(WrongAnswer, match="beside the answer"):
        strict.read_tagged(text)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["word", "at", "x"]), inner, max_size=3),
    max_leaves=6,
))  # fmt: skip
def test_only_an_object_with_exactly_the_keys_is_an_answer(value):
    try:
        found = strict.read_object(json.dumps(value), KEYS)
    except WrongAnswer:
        return
    assert set(found) == {"word", "at"}
    assert found["word"] in ("yes", "no")
    assert found["at"] is None or (type(found["at"]) is int and 1 <= found["at"] <= 4)


@pytest.mark.parametrize(
    "text",
    ["", "yes", '{"word": "yes"}', '{"word": "yes", "at": 5}', '{"word": "yes", "at": true}',
     '{"word": "yes", "at": 1.0}', '{"word": "yes", "at": 1} ok', '{"word": "yes", "at": 1, "x": 2}',
     '{"word": "yes", "word": "no", "at": 1}', '{"word": "YES", "at": 1}', '{"word": "yes", "at": NaN}',
     "[" * 100_000, '```json\n{"word": "yes", "at": 1}\n``` done'],
)  # fmt: skip
def test_what_is_not_exactly_the_object_is_refused(text):
    with pytest.raises(WrongAnswer):
        strict.read_object(text, KEYS)


@pytest.mark.parametrize(
    "text",
    ['{"word": "yes", "at": 2}', ' {"at": 2, "word": "yes"}\n', '```json\n{"word": "yes", "at": 2}\n```',
     '<think>no</think>\n{"word": "yes", "at": 2}'],
)  # fmt: skip
def test_the_object_may_stand_in_a_fence_and_after_thoughts(text):
    assert strict.read_object(text, KEYS) == {"word": "yes", "at": 2}
