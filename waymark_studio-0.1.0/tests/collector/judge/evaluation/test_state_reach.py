"""Where along a trajectory states are reached, and on which screens their own conditions hold."""

from __future__ import annotations

from itertools import pairwise

from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.state_reach import StateReach, reach_of_states
from collector.model.action import Complete, Tap
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.steps import step

STATES = read_rules(
    """
states:
- {id: found, conditions: [{type: element_exists, selector: "text='Poster'"}]}
- {id: carted, after: [found], conditions: [{type: element_exists, selector: "text='Cart'"}]}
- {id: early, after: [paid], conditions: [{type: element_exists, selector: "text='Poster'"}]}
- {id: paid, conditions: [{type: element_exists, selector: "text='Paid'"}]}
- {id: nice, description: It looks good}
- {id: either, alternatives: [carted]}
"""
).rules


def views(*texts: str) -> list[StateView]:
    dumps = (
        f'<hierarchy><node text="{text}" bounds="[0,0][9,9]" package="shop"/></hierarchy>'.encode()
        for text in texts
    )
    return [StateView(parse_tree(dump), dump, step=number) for number, dump in enumerate(dumps, start=1)]


def test_each_state_has_its_first_screen_and_its_stretches() -> None:
    reach = reach_of_states(STATES, views("Cart", "Poster", "Poster", "Cart", "Poster", "Cart"))
    assert reach["found"] == StateReach(1, ((1, 2), (4, 4)), (), 1)
    assert reach["carted"].reached == 3  # the first screen comes before the poster was found
    assert reach["carted"].holds == ((0, 0), (3, 3), (5, 5))
    assert reach["early"] == StateReach(None, ((1, 2), (4, 4)), ("paid",), None)
    assert (reach["paid"].reached, reach["paid"].holds, reach["paid"].nearest) == (None, (), 0)
    assert "nice" not in reach  # people judge it
    assert reach["either"] == StateReach(3, (), (), 0)


def test_nothing_is_known_of_a_trajectory_without_screens() -> None:
    reach = reach_of_states(STATES, [])
    assert {item.reached for item in reach.values()} == {None}
    assert {item.nearest for item in reach.values()} == {None}


def test_the_end_of_a_trajectory_is_that_of_the_judge() -> None:
    states = read_rules("states: [{id: said, conditions: [{type: action_was, action: complete}]}]").rules
    along = views("Cart", "Poster", "Poster")
    for before, view in pairwise(along):
        view.action, view.previous = Tap(1, 1), before
    steps = [step(0, Tap(1, 1)), step(1, Complete()), step(2)]
    assert reach_of_states(states, along, steps=steps)["said"] == StateReach(1, ((1, 1),), (), 1)
    assert reach_of_states(states, along, steps=steps[:1])["said"].reached is None
