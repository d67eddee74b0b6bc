"""Everything that evaluates rules on many screens ends between two of them once it is cancelled."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from collector.model.action import Tap
from collector.model.cancellation import Cancelled, cancellable
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.trajectory_run import EssentialStateTracker, InjectionRun
from collector.rules.grammar.model import DGARA, STATE, SUCCESS, WAYMARK, Rule
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.grammar.rule_text import rule_text
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.rule_linter import RuleLinter
from collector.rules.suggest.rule_proposals import propose_rules
from collector.rules.suggest.samples import Samples, samples_of
from collector.rules.suggest.suggestions import suggest_for_node
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

_DUMPS = [hierarchy(node(node(text=f"Row {number}"), text="Shop")).encode() for number in range(30)]
_CLAUSES = "".join(
    f"  - {{type: element_exists, selector: \"//node[@text='Row {number}']\"}}\n" for number in range(30)
)
_TEXT = f"many:\n  conditions:\n{_CLAUSES}"
_RULE: Rule = read_rules(_TEXT, kind=SUCCESS).rules[0]


@pytest.fixture
def corpus() -> Corpus:
    screens = [RecordedScreen(dump, Tap(1, 1)) for dump in _DUMPS[:-1]]
    return Corpus([MemoryTrajectory("shop", [*screens, RecordedScreen(_DUMPS[-1], None)])])


@pytest.fixture
def after_twenty() -> Iterator[AbstractContextManager[None]]:
    """A computation that is cancelled when it asks for the twentieth time."""
    asked = itertools.count(1)
    yield cancellable(lambda: next(asked) >= 20)
    assert next(asked) == 21, "it asked no more once it was cancelled, and not often enough before"


def _lint(corpus: Corpus) -> object:
    return RuleLinter(
        [rule_text(_TEXT, "a.yaml", SUCCESS)], recorded=RecordedChecks(BackTest(corpus))
    ).diagnostics()


def _suggest(corpus: Corpus) -> object:
    view = corpus.view(0)
    return suggest_for_node(view.nodes[1], Samples(view, samples_of(corpus), "shop"))


def _track(corpus: Corpus) -> object:
    state = read_rules(f"states:\n- id: many\n  conditions:\n{_CLAUSES}", kind=STATE).rules[0]
    tracker = EssentialStateTracker([state])
    return [tracker.step(corpus.view(position)) for position in range(len(corpus))]


_WORKS: dict[str, Callable[[Corpus], object]] = {
    "one screen": lambda corpus: evaluate(_RULE, corpus.view(0), WAYMARK),
    "one screen as D-GARA": lambda corpus: evaluate(_RULE, corpus.view(0), DGARA),
    "back-test": lambda corpus: BackTest(corpus).run(_RULE),
    "back-test as D-GARA": lambda corpus: BackTest(corpus, DGARA).run(_RULE),
    "lint": _lint,
    "suggestions": _suggest,
    "proposals": lambda corpus: propose_rules(samples_of(corpus), "shop", "shop", "low_battery"),
    "essential states": _track,
    "injection": lambda corpus: InjectionRun([_RULE] * 30).step(corpus.view(0)),
}


@pytest.mark.parametrize("name", _WORKS)
def test_it_ends_between_two_screens_or_conditions(
    name: str, corpus: Corpus, after_twenty: AbstractContextManager[None]
) -> None:
    with after_twenty, pytest.raises(Cancelled):
        _WORKS[name](corpus)
