"""A back-test counts where a rule fires, says where it should not, compares versions and tries thresholds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.action import Action, Complete, Tap
from collector.model.cancellation import Cancelled
from collector.model.task import Task
from collector.model.task_parameter import Parameter
from collector.model.trajectory import GOLDEN, RUN
from collector.rules.backtest.backtest import BackTest
from collector.rules.backtest.threshold_advice import threshold_alternatives
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.conditions.semantic_element_exists import (
    SemanticElementExists,
    keywords_needed,
    shortest_share,
)
from collector.rules.evaluation.proof import ProofOutcome
from collector.rules.grammar.model import DGARA, STATE, SUCCESS, WAYMARK, Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

F, N, S = b"\x02", b"\x01", b"\x00"
TAP = Tap(1, 2)
TASKS = (
    Task("shop-1", "Buy", package="com.shop", rule_key="bought", target_rule_ids=("sorted",)),
    Task("shop-2", "Look", package="com.shop", rule_key="looked"),
    Task("chat-1", "Say", package="com.chat", rule_key="said"),
)


def screen(*words: str, action: Action | None = TAP) -> RecordedScreen:
    return RecordedScreen(hierarchy(node(*(node(text=word) for word in words))).encode(), action)


def recording(task: str, *screens: RecordedScreen, kind: str = GOLDEN, agent: str = "") -> MemoryTrajectory:
    screens = (*screens[:-1], replace(screens[-1], action=None))
    return MemoryTrajectory(task, screens, kind, agent=agent)


def injection(threshold: float = 0.75, keywords: str = "Sort, Filter, Metro, Add") -> Rule:
    clause = f"{{type: semantic_element_exists, keywords: [{keywords}], threshold: {threshold}}}"
    action = "{type: inject_interference, interference_id: x}"
    return read_rules(f"- {{id: sorted, conditions: {{all: [{clause}]}}, actions: [{action}]}}").rules[0]


def success(name: str, word: str) -> Rule:
    text = f"{name}: {{conditions: [{{type: element_exists, selector: \"text='{word}'\"}}]}}"
    return read_rules(text, kind=SUCCESS).rules[0]


THREE = screen("Sort", "Filter", "Metro")


@pytest.fixture
def corpus() -> Corpus:
    return Corpus(
        [
            recording("shop-1", screen("Sort", "Filter"), THREE, screen("Bought")),
            recording("shop-2", screen("Sort"), screen("Sort", "Filter", "Add")),
            recording("chat-1", screen("Hello")),
            recording("shop-1", screen("Sort", "Filter"), kind=RUN, agent="uitars"),
        ],
        tasks=TASKS,
    )  # fmt: skip


def test_rows_count_what_fires_and_what_nearly_does(corpus: Corpus) -> None:
    result = BackTest(corpus).run(injection())
    assert [row.outcomes for row in result.rows] == [N + F + S, S + F, S, N]
    assert [(row.fires, row.near, row.first_fire) for row in result.rows] == [
        (1, 1, 1), (1, 0, 1), (0, 0, None), (0, 1, None),
    ]  # fmt: skip
    assert (result.states, result.fires, result.near) == (7, 2, 2)
    assert [row.first for row in result.rows] == [0, 3, 5, 6]
    assert result.rows[0].outcome(0) is ProofOutcome.NEAR
    assert [row.trajectory.title for row in result.rows] == [
        "golden-1",
        "golden-1",
        "golden-1",
        "run uitars-1",
    ]


def test_an_injection_rule_fires_only_in_tasks_that_name_it(corpus: Corpus) -> None:
    result = BackTest(corpus).run(injection())
    assert [dict(row.wrong) for row in result.rows] == [
        {}, {1: "The task shop-2 does not name this rule"}, {}, {},
    ]  # fmt: skip
    nobodys = replace(injection(), id="draft")
    assert not BackTest(corpus).run(nobodys).wrong


def test_a_success_rule_holds_at_goldens_end_and_nowhere_before(corpus: Corpus) -> None:
    test = BackTest(corpus)
    bought = test.run(success("bought", "Bought"))
    assert (bought.wrong, bought.missed, bought.rows[0].first_fire) == (0, 0, 2)
    late = test.run(success("bought", "Metro"))
    assert list(late.rows[0].wrong) == [1]
    assert "step 3" in late.rows[0].wrong[1]
    assert list(late.rows[0].missed) == [2]
    early = test.run(success("bought", "Filter"))
    assert "first state" in early.rows[0].wrong[0]


def test_a_last_action_that_changes_nothing_does_not_make_a_success_early() -> None:
    done = recording("shop-1", screen("Sort"), screen("Bought", action=Complete()), screen("Bought"))
    result = BackTest(Corpus([done], tasks=TASKS)).run(success("bought", "Bought"))
    assert (result.rows[0].outcomes, result.wrong, result.missed) == (S + F + F, 0, 0)


def test_a_last_state_without_a_dump_is_not_judged() -> None:
    done = recording("shop-1", screen("Sort"), screen("Bought"))
    first, last = done.steps
    done.__dict__["steps"] = (first, replace(last, state=replace(last.state, tree="", sha256={})))
    result = BackTest(Corpus([done], tasks=TASKS)).run(success("bought", "Bought"))
    assert (result.rows[0].outcomes, result.missed) == (S + S, 0)


def test_a_success_rule_has_nothing_to_say_in_another_app(corpus: Corpus) -> None:
    rows = BackTest(corpus).run(success("bought", "Hello")).rows
    assert dict(rows[2].wrong) == {0: "The task chat-1 is about another app"}


def test_an_essential_state_is_reached_somewhere_in_golden(corpus: Corpus) -> None:
    clause = "{type: element_exists, selector: \"text='Nowhere'\"}"
    (state,) = read_rules(f"states: [{{id: never, task: shop-1, conditions: [{clause}]}}]").rules
    rows = BackTest(corpus, DGARA).run(state).rows
    assert state.kind == STATE
    assert [dict(row.missed) for row in rows] == [{2: "Golden never reaches this state"}, {}, {}, {}]


def test_golden_may_pass_by_an_optional_state_and_one_whose_alternative_it_reaches() -> None:
    def clause(text: str) -> str:
        return f"conditions: [{{type: element_exists, selector: \"text='{text}'\"}}]"

    states = read_rules(
        f"""
states:
- {{id: never, task: shop-1, optional: true, {clause("Nowhere")}}}
- {{id: searched, task: shop-1, alternatives: [sorted], {clause("Results")}}}
- {{id: sorted, task: shop-1, {clause("Sort")}}}
- {{id: paid, task: shop-1, alternatives: [never], {clause("Paid")}}}
"""
    ).rules
    golden = recording("shop-1", screen("Home"), screen("Sort"), screen("Bought"))
    results = BackTest(Corpus([golden], tasks=TASKS, states=states)).run_all(states)
    assert [result.rule.id for result in results if result.missed] == ["paid"]


def test_another_threshold_is_told_with_what_it_costs(corpus: Corpus) -> None:
    test = BackTest(corpus)
    best, *others = threshold_alternatives(test, injection(), 0)
    assert (best.threshold, best.gained, best.lost, best.here) == (0.5, (0, 6), (), True)
    assert best.sentence == "Threshold 0.5 would fire here and in 1 more place"
    assert [changed.sentence for changed in others] == [
        "Threshold 0.25 would fire here and in 2 more places, 1 of them wrong"
    ]
    assert test.run(best.rule).rows[0].outcomes == F + F + S
    assert [
        threshold_alternative.sentence
        for threshold_alternative in threshold_alternatives(test, injection(), 1)
    ] == ["Threshold 1 would stay silent here and in 1 other place"]
    assert threshold_alternatives(test, injection(), 2) == []


def test_another_threshold_is_tried_as_dgara_reads_it(corpus: Corpus) -> None:
    """It takes no notice of ``threshold``, so that now all four keywords are needed."""
    best, *_others = threshold_alternatives(BackTest(corpus, DGARA), injection(), 0)
    assert (best.threshold, best.gained) == (0.5, (0, 1, 4, 6))


@pytest.mark.parametrize("count", range(1, 13))
def test_a_proposed_threshold_wants_exactly_so_many_keywords(count: int) -> None:
    for need in range(1, count + 1):
        share = shortest_share(need, count)
        assert keywords_needed(count, share) == need
        assert len(f"{share:g}") <= 6


def test_two_versions_differ_in_named_states(corpus: Corpus) -> None:
    differences = BackTest(corpus).compare(injection(), injection(0.5))
    assert [(changed.position, changed.before, changed.after) for changed in differences] == [
        (0, ProofOutcome.NEAR, ProofOutcome.FIRES),
        (3, ProofOutcome.SILENT, ProofOutcome.NEAR),
        (6, ProofOutcome.NEAR, ProofOutcome.FIRES),
    ]


def test_a_proof_can_be_had_of_every_cell(corpus: Corpus) -> None:
    test = BackTest(corpus)
    proof = test.proof(injection(), 0)
    (clause,) = proof.parts
    assert (clause.have, clause.need, clause.missing) == (2, 3, ("Metro", "Add"))
    assert isinstance(clause.condition, SemanticElementExists)


def test_the_first_run_reads_tells_and_can_be_stopped(corpus: Corpus) -> None:
    reported: list[tuple[int, int]] = []
    test = BackTest(corpus)
    with pytest.raises(Cancelled):
        test.run(injection(), cancelled=lambda: True)
    test.run(injection(), progress=lambda done, of: reported.append((done, of)))
    test.run(injection(), progress=lambda done, of: reported.append((done, of)))
    assert reported == [(7, 7)]


def test_stopping_keeps_what_was_read() -> None:
    recorded = recording("shop-1", *(screen(str(at)) for at in range(50)))
    test = BackTest(Corpus([recorded]))
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        test.run(injection(), cancelled=lambda: next(asked))
    assert len(recorded.read) == 20
    test.run(injection())
    assert len(recorded.read) == 50


def test_dumps_read_once_serve_the_next_corpus(corpus: Corpus) -> None:
    dumps = DumpColumns()
    first = recording("shop-1", screen("Sort"), screen("Sort", "Filter", "Add"))
    BackTest(Corpus([first]), dumps=dumps).run(injection())
    second = recording("shop-1", screen("Sort"), screen("Sort", "Filter", "Add"), screen("new"))
    result = BackTest(Corpus([second]), dumps=dumps).run(injection())
    assert (result.rows[0].outcomes, second.read) == (S + F + S, [2])


def test_nothing_recorded_is_no_fault() -> None:
    for semantics in (WAYMARK, DGARA):
        result = BackTest(Corpus([]), semantics).run(injection())
        assert (result.states, result.fires, list(result.rows)) == (0, 0, [])
        assert BackTest(Corpus([]), semantics).run(success("x", "y")).states == 0


def test_a_rule_has_on_each_recording_the_values_of_its_tasks_parameters() -> None:
    bread, milk = (recording("shop-1", screen("List"), screen(word)) for word in ("Bread", "Milk"))
    other = recording("shop-2", screen("Milk"))
    given = iter(({"title": "Bread"}, {"title": "Milk"}, {}))
    corpus = Corpus(
        [bread, milk, other],
        tasks=[replace(TASKS[0], parameters=(Parameter("title", options=("Bread", "Milk")),)), TASKS[1]],
        values=lambda _header, _task: next(given),
    )
    test, rule = BackTest(corpus), success("bought", "{title}")
    result = test.run(rule)
    assert [bytes(row.outcomes) for row in result.rows] == [S + F, S + F, S]
    assert result.missed == result.wrong == 0
    for position in range(len(corpus)):
        assert test.proof(rule, position).holds == (position in (1, 3))
    plain = test.verdicts(rule.conditions.conditions[0])
    assert plain.holds.tolist() == [False, True, False, True, False]
