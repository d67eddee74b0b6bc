"""Budgets of rules: 150 rules over 1,000 states, cold, with the proofs' verdicts, not slower than a plain
ElementTree engine without them; one clause edited, all 1,000 states again, at most 20 ms.

The rival is written as anybody would write it: parse each dump with ElementTree, gather the words once,
look at every condition of every rule until one fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.dump_cache import DumpCache
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.model import DGARA, Group, Rule
from tests.helpers.rule_bench import STATES, PlainEngine, benchmark_rules, corpus_of, thousand_dumps

_GROUP = "150 rules over 1,000 states"


@pytest.fixture(scope="module")
def dumps() -> list[bytes]:
    return thousand_dumps()


@pytest.fixture(scope="module")
def rules() -> list[Rule]:
    return benchmark_rules()


@pytest.mark.benchmark(group=f"{_GROUP}, cold")
def test_plain_elementtree_engine(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    table = benchmark.pedantic(PlainEngine().run, (rules, dumps), rounds=3)
    ours = BackTest(corpus_of(dumps), DGARA).run_all(rules)
    assert [result.verdicts.holds.tolist() for result in ours] == table


@pytest.mark.benchmark(group=f"{_GROUP}, cold")
@pytest.mark.parametrize("semantics", ["waymark", "dgara"])
def test_cold(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes], semantics: str) -> None:
    def run() -> int:
        return sum(result.fires for result in BackTest(corpus_of(dumps), semantics).run_all(rules))

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
    with DumpCache(tmp_path / "dumps.db") as warm:
        BackTest(corpus, dumps=DumpColumns(warm)).run_all(rules)

    def run() -> int:
        with DumpCache(tmp_path / "dumps.db") as warm:
            return sum(result.fires for result in BackTest(corpus, dumps=DumpColumns(warm)).run_all(rules))

    assert benchmark.pedantic(run, rounds=3) > 0


@pytest.mark.benchmark(group=f"{_GROUP}, warm")
def test_warm_in_memory(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    test = BackTest(corpus_of(dumps))
    test.run_all(rules)
    assert sum(result.fires for result in benchmark(test.run_all, rules)) > 0


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
    within: Callable[[float], None],
) -> None:
    test = BackTest(corpus_of(dumps))
    test.run(rules[at])
    numbers = iter(range(10**6))
    result = benchmark(lambda: test.run(edit(rules[at], next(numbers))))
    assert result.states == STATES
    within(0.020)


@pytest.mark.benchmark(group="one rule over 1,000 states, cold")
def test_one_rule_cold(benchmark: BenchmarkFixture, rules: list[Rule], dumps: list[bytes]) -> None:
    result = benchmark.pedantic(lambda: BackTest(corpus_of(dumps)).run(rules[0]), rounds=3)
    assert result.states == STATES
