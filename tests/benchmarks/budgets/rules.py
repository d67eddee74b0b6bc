"""Rules over a thousand recorded states, beside a plain ElementTree engine that gives no reasons."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace

from collector.hierarchy.parse import parse_tree
from collector.rules.backtest.backtest import BackTest
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import DGARA, WAYMARK, Group, Rule
from collector.rules.suggest.samples import Sample, Samples
from collector.rules.suggest.suggestions import suggest_for_node
from tests.benchmarks.budgets.table import Budget, Row, paired, timed
from tests.benchmarks.test_judge import judged, judged_trajectories, plain_loop
from tests.helpers.rule_bench import PlainEngine, benchmark_rules, corpus_of, thousand_dumps

_RIVAL = "xml.etree, verdicts alone"


def rows() -> Iterator[Row]:
    """150 rules cold under both semantics, one rule cold, judging, all warm, one clause edited."""
    dumps, rules = thousand_dumps(), benchmark_rules()
    for semantics, share in ((WAYMARK, 0.3), (DGARA, 0.5)):
        mine, theirs = paired(
            lambda semantics=semantics: BackTest(corpus_of(dumps), semantics).run_all(rules),  # type: ignore[misc]
            lambda: PlainEngine().run(rules, dumps),
            5,
            clock=time.process_time,
        )
        what = f"150 rules over 1,000 states, cold, semantics {semantics}"
        yield Row(what, mine, Budget("median", share, of_rival=True), _RIVAL, theirs)
    mine, theirs = paired(
        lambda: BackTest(corpus_of(dumps)).run(rules[0]),
        lambda: PlainEngine().run(rules[:1], dumps),
        5,
        clock=time.process_time,
    )
    once = Budget("median", 0.8, of_rival=True)
    yield Row("one rule over 1,000 states, cold", mine, once, _RIVAL, theirs)
    trajectories = judged_trajectories(dumps, 50)
    mine, theirs = paired(
        lambda: judged(trajectories), lambda: plain_loop(trajectories), 5, clock=time.process_time
    )
    yield Row(
        "50 trajectories of 20 steps judged", mine, Budget("median", 1.0, of_rival=True), _RIVAL, theirs
    )
    test = BackTest(corpus_of(dumps))
    test.run_all(rules)
    yield Row("150 rules over 1,000 states, warm", timed(lambda: test.run_all(rules), 20))
    numbers = itertools.count()
    edited = timed(lambda: test.run(_edited(rules[0], next(numbers))), 200, clock=time.process_time)
    yield Row("one clause edited, 1,000 states again", edited, Budget("p99", 20))
    view, samples = large_screen()
    asked = timed(lambda: suggest_for_node(view.nodes[1500], Samples(view, samples, "golden")), 20)
    yield Row("conditions for a node of 2,000, judged by 40 other screens", asked)


def large_screen() -> tuple[StateView, list[Sample]]:
    """A screen of 2,000 nodes and 40 recorded ones like it."""
    views = [
        StateView(parse_tree(_screen(number)), package="com.example", activity=".Main")
        for number in range(41)
    ]
    samples = [Sample(f"run-{number % 4}", "task", number, view) for number, view in enumerate(views[1:])]
    return views[0], samples


def _screen(number: int) -> bytes:
    nodes = "".join(
        f'<node text="Item {place} of {number}" resource-id="com.example:id/row_{place % 97}" '
        f'class="android.widget.TextView" package="com.example" bounds="[0,{place}][720,{place + 40}]"/>'
        for place in range(2000)
    )
    return f'<hierarchy rotation="0">{nodes}</hierarchy>'.encode()


def _edited(rule: Rule, number: int) -> Rule:
    """The rule with another last keyword, never the same one twice."""
    clause = rule.conditions.conditions[0]
    assert isinstance(clause, SemanticElementExists)
    changed = replace(clause, keywords=(*clause.keywords[:-1], f"{clause.keywords[-1]}{number}"))
    return replace(rule, conditions=Group(conditions=(changed,)), raw=None)
