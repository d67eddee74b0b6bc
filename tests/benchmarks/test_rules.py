"""Budgets of rules: 150 rules over 1,000 states, cold, with the proofs' verdicts, not slower than a plain
ElementTree engine without them; one clause edited, all 1,000 states again, at most 20 ms.

The rival is written as anybody would write it: parse each dump with ElementTree, gather the words once,
look at every condition of every rule until one fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.rules.backtest import BackTest
from collector.rules.corpus import Corpus
from collector.rules.dump_columns import DumpColumns
from collector.rules.model import DGARA, Group, Rule, SemanticElementExists
from collector.rules.reader import read_rules
from collector.rules.warm import WarmSheets
from tests.helpers.dumps import hierarchy, node
from tests.helpers.recordings import MadeRecording, Screen

STATES, TRAJECTORIES, RULES = 1000, 40, 150
_WORDS = (
    *("Sort", "Filter", "Metro", "Cart", "Home", "Search", "Settings", "Nearby"),
    *("Drive", "Mine", "Follow", "Like", "Buy", "Price", "Map", "Route"),
)
_GROUP = "150 rules over 1,000 states"


@pytest.fixture(scope="module")
def dumps() -> list[bytes]:
    """A thousand screens of about 60 nodes and 20 kB, all different."""
    rng = random.Random(11)
    return [_screen(rng, number) for number in range(STATES)]


def _screen(rng: random.Random, number: int) -> bytes:
    rows = [
        node(
            *(_leaf(rng, row, cell) for cell in range(5)),
            resource_id=f"com.example.shop:id/row_{row}",
            class_="android.widget.LinearLayout",
            bounds=f"[0,{row * 200}][1080,{row * 200 + 200}]",
        )
        for row in range(10)
    ]
    return hierarchy(node(*rows, resource_id="com.example.shop:id/list", text=f"Screen {number}")).encode()


def _leaf(rng: random.Random, row: int, cell: int) -> str:
    text = f"{rng.choice(_WORDS)} {rng.randrange(400)}" if rng.random() < 0.6 else ""
    return node(
        text=text,
        resource_id=f"com.example.shop:id/cell_{rng.randrange(60)}",
        content_desc=rng.choice(_WORDS) if rng.random() < 0.1 else "",
        class_="android.widget.TextView",
        clickable=rng.choice(("true", "false")),
        bounds=f"[{cell * 200},{row * 200}][{cell * 200 + 200},{row * 200 + 100}]",
    )


@pytest.fixture(scope="module")
def rules() -> list[Rule]:
    """Half of them injection rules of keywords, half success rules of elements, in D-GARA's grammar."""
    rng = random.Random(5)
    half = RULES // 2
    injection = [
        f"- id: i{at}\n  conditions:\n    all:\n    - {{type: semantic_element_exists, match_threshold: 0.75,"
        f" keywords: [{', '.join(f'{word} {rng.randrange(40)}' for word in rng.sample(_WORDS, 4))}]}}\n"
        "  actions: [{type: inject_interference, interference_id: x}]\n"
        for at in range(half)
    ]
    success = [
        f"s{at}:\n  conditions:\n"
        f"  - {{type: element_exists, selector: \"text='{rng.choice(_WORDS)} {rng.randrange(400)}'\"}}\n"
        f"  - {{type: element_property, selector: \"resource-id='com.example.shop:id/cell_{at % 60}'\","
        f' attribute: clickable, value: "true"}}\n'
        f"  - {{type: element_text_contains, selector: \"resource-id='com.example.shop:id/list'\","
        f" text: '{at}'}}\n"
        for at in range(half)
    ]
    first = read_rules("rules:\n" + "".join(injection))
    second = read_rules("".join(success), kind="success")
    assert len(first.rules) == len(second.rules) == half
    return [*first.rules, *second.rules]


def corpus_of(dumps: list[bytes]) -> Corpus:
    size = STATES // TRAJECTORIES
    return Corpus(
        MadeRecording(f"t{at}", [Screen(xml) for xml in dumps[at * size : (at + 1) * size]])
        for at in range(TRAJECTORIES)
    )


class PlainEngine:
    """The rival: verdicts alone."""

    def run(self, rules: list[Rule], dumps: list[bytes]) -> list[list[bool]]:
        table: list[list[bool]] = [[] for _rule in rules]
        for xml in dumps:
            root = ET.fromstring(xml)
            words = " ".join(
                f"{one.get('text', '')} {one.get('resource-id', '')} {one.get('content-desc', '')}"
                for one in root.iter("node")
            ).lower()
            for rule, verdicts in zip(rules, table, strict=True):
                listed = rule.raw["conditions"]
                listed = listed["all"] if isinstance(listed, dict) else listed
                verdicts.append(all(self._holds(one, root, words) for one in listed))
        return table

    def _holds(self, one: dict[str, Any], root: ET.Element, words: str) -> bool:
        if one["type"] == "semantic_element_exists":
            keywords = one["keywords"]
            return sum(word.lower() in words for word in keywords) >= len(keywords) * one["match_threshold"]
        name, _sign, value = one["selector"].partition("=")
        element = root.find(f".//*[@{name}={value}]")
        if element is None or one["type"] == "element_exists":
            return element is not None
        if one["type"] == "element_property":
            return element.get(one["attribute"]) == one["value"]
        return one["text"] in element.get("text", "")


@pytest.mark.benchmark(group=f"{_GROUP}, cold")
def test_plain_elementtree_engine(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    table = benchmark.pedantic(PlainEngine().run, (rules, dumps), rounds=3)
    ours = BackTest(corpus_of(dumps), DGARA).run_all(rules)
    assert [one.verdicts.holds.tolist() for one in ours] == table


@pytest.mark.benchmark(group=f"{_GROUP}, cold")
@pytest.mark.parametrize("semantics", ["waymark", "dgara"])
def test_cold(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes], semantics: str) -> None:
    def run() -> int:
        return sum(one.fires for one in BackTest(corpus_of(dumps), semantics).run_all(rules))

    assert benchmark.pedantic(run, rounds=3) > 0


@pytest.mark.benchmark(group=f"{_GROUP}, cold")
def test_cold_with_every_proof_that_fires_or_nearly_does(
    benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]
) -> None:
    def run() -> int:
        test = BackTest(corpus_of(dumps))
        return sum(
            test.proof(rule, at).holds
            for rule in rules
            for at, outcome in enumerate(test.run(rule).verdicts.outcomes.tolist())
            if outcome
        )

    assert benchmark.pedantic(run, rounds=2) > 0


@pytest.mark.benchmark(group=f"{_GROUP}, warm")
def test_warm_from_disk(
    benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes], tmp_path: Path
) -> None:
    corpus = corpus_of(dumps)
    with WarmSheets(tmp_path) as warm:
        BackTest(corpus, dumps=DumpColumns(warm)).run_all(rules)

    def run() -> int:
        with WarmSheets(tmp_path) as warm:
            return sum(one.fires for one in BackTest(corpus, dumps=DumpColumns(warm)).run_all(rules))

    assert benchmark.pedantic(run, rounds=3) > 0


@pytest.mark.benchmark(group=f"{_GROUP}, warm")
def test_warm_in_memory(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    test = BackTest(corpus_of(dumps))
    test.run_all(rules)
    assert sum(one.fires for one in benchmark(test.run_all, rules)) > 0


def _next_keyword(rule: Rule, number: int) -> Rule:
    clause = rule.conditions.conditions[0]
    assert isinstance(clause, SemanticElementExists)
    changed = replace(clause, keywords=(*clause.keywords[:-1], f"{clause.keywords[-1]}{number}"))
    return replace(rule, conditions=Group(conditions=(changed,)), raw=None)


def _next_selector(rule: Rule, number: int) -> Rule:
    first, second, *_others = rule.conditions.conditions
    selector = f"text*='{number}' within resource-id='com.example.shop:id/row_{number % 10}'"
    changed = replace(first, selector=selector)  # type: ignore[call-arg]
    return replace(rule, conditions=Group(conditions=(changed, second)), raw=None)


@pytest.mark.benchmark(group="one clause edited, 1,000 states (budget 20 ms)")
@pytest.mark.parametrize(("at", "edit"), [(0, _next_keyword), (-1, _next_selector)])
def test_one_clause_edited(
    benchmark: BenchmarkFixture,
    rules: list[Rule],
    dumps: list[bytes],
    at: int,
    edit: Callable[[Rule, int], Rule],
) -> None:
    test = BackTest(corpus_of(dumps))
    test.run(rules[at])
    numbers = iter(range(10**6))
    result = benchmark(lambda: test.run(edit(rules[at], next(numbers))))
    assert result.states == STATES


@pytest.mark.benchmark(group="one rule over 1,000 states, cold")
def test_one_rule_cold(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    result = benchmark.pedantic(lambda: BackTest(corpus_of(dumps)).run(rules[0]), rounds=3)
    assert result.states == STATES
