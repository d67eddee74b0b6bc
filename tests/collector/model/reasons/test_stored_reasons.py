"""Reasons of judges: taken apart into their sentences, and said in the language in use."""

from __future__ import annotations

import gettext
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.state_explanation import explain_proof
from collector.model import i18n
from collector.model.episode import Outcome
from collector.model.episode_text import outcome_facts
from collector.model.pseudo_language import ACCENTED
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.resources import asset
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.rule_text import rule_text
from tests.helpers.steps import xml


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    i18n.use_language("en", Path())


def _use(language: str) -> None:
    assert i18n.use_language(language, asset("translations"))


def _reasons_of_sample() -> set[str]:
    folder = asset("sample", "trajectories")
    files = (file.read_text("utf-8").splitlines() for file in folder.rglob("rules.jsonl"))
    lines = (json.loads(line) for written in files for line in written)
    reasons = {line.get("reason", "") for line in lines}
    headers = (json.loads(file.read_text("utf-8")) for file in folder.rglob("trajectory.json"))
    return (reasons | {(header.get("outcome") or {}).get("reason", "") for header in headers}) - {""}


def test_every_reason_of_the_sample_is_said_in_chinese_and_back() -> None:
    reasons = _reasons_of_sample()
    assert len(reasons) > 50
    _use("zh_CN")
    chinese = {reason: shown_reason(reason) for reason in reasons}
    words = ("There is", "matches", "reached", "The ", "ended", "wanted", "nearest", "nothing", "node with")
    english = {said for said in chinese.values() if any(word in said for word in words)}
    assert not english
    _use("en")
    for reason, said in chinese.items():
        if "what it should be" not in reason:  # two readings of its end
            assert shown_reason(said) == reason


_RULE = """
rules:
  - id: bought
    conditions:
      all:
        - {type: element_exists, selector: resource-id='com.shop:id/cart'}
        - {type: text_matches, pattern: "No; more: here"}
        - {type: action_was, action: answer}
"""


@pytest.mark.parametrize(("judged", "read"), [("en", "zh_CN"), ("zh_CN", "en")])
def test_a_reason_reads_as_if_judged_in_the_language_in_use(judged: str, read: str) -> None:
    view = StateView(parse_tree(xml("Sign in")), step=2)
    (rule,) = rule_text(_RULE, "x.yaml").file.rules
    proof = evaluate(rule, view)
    _use(judged)
    stored = explain_proof(proof, view)
    _use(read)
    assert shown_reason(stored) == explain_proof(proof, view)
    assert outcome_facts(Outcome("failure", reason=stored))[0][1] == explain_proof(proof, view)


@pytest.mark.parametrize(
    "text",
    ["", "cart is full", "A person wrote this; and that", "'There is' is no sentence", "x: " * 400, "text"],
)
def test_what_no_judge_composes_stays_as_it_is(text: str) -> None:
    _use("zh_CN")
    assert shown_reason(text) == text


def test_a_sentence_that_says_a_value_twice_is_said_again() -> None:
    _use("zh_CN")
    said = shown_reason("lat has to be a number of degrees from -90 to 90")
    assert said == "lat 必须是 -90 到 90 之间的度数"
    assert "度数" not in shown_reason("lat has to be a number of degrees from -90 to 180")


def test_words_of_a_screen_are_not_translated() -> None:
    _use("zh_CN")
    said = shown_reason("There is a node with the text 'No node matches; It was reached'")
    assert said == "有文本为 'No node matches; It was reached' 的节点"


@pytest.mark.parametrize("text", ["x; y: " * 19 + "z", "The screen is dark. " * 60])
def test_a_text_that_would_take_long_to_take_apart_stays_as_it_is(text: str) -> None:
    """A stranger's project can have thousands of them, and a window shows them."""
    _use("zh_CN")
    assert shown_reason(text) == text


def test_catalogues_that_were_read_for_their_sentences_go_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """``gettext.translation`` keeps what it read: 5 MB of a window that showed one reason."""
    _use("zh_CN")
    stored = i18n.translate("{key} is missing", {"key": "lat"})
    _use(ACCENTED)
    kept: list[object] = []
    monkeypatch.setattr(gettext, "translation", lambda *_named: kept.append(_named))
    shown_reason(stored)
    assert kept == []
