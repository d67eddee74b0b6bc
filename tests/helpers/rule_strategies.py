"""Hypothesis strategies of rules as values, every field of the grammar in use."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from collector.model.essential_state import STATUSES
from collector.model.geometry import Rect
from collector.rules.conditions.action_was import ActionWas
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty, ElementPropertyContains
from collector.rules.conditions.element_text import ElementTextContains, ElementTextEquals
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.conditions.state_reached import StateReached
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.grammar.model import (
    INJECTION,
    SAFETY,
    STATE,
    SUCCESS,
    Condition,
    Group,
    Injection,
    Rule,
    Unknown,
)

STRANGE = (
    "yes",
    "5",
    "~",
    "null",
    "2026-01-01",
    "<<",
    "=",
    "- a",
    "a: b",
    "#x",
    " a ",
    "1e3",
    "'",
    '"',
    "稻\u2028香",
)
WORDS = st.one_of(st.sampled_from(STRANGE), st.text(max_size=12))
NAMES = st.one_of(st.sampled_from(STRANGE), st.text(min_size=1, max_size=12))
SHARES = st.floats(0, 1, allow_nan=False)
SELECTORS = st.sampled_from(
    ("text='x'", "resource-id=tv.app:id/like", "broken='", "//node[@text='a']", "class='a' [2]", "")
)
STEPS = st.sampled_from((0, 0, 0, 1, 7))


def _made(cls: type[Condition], **values: st.SearchStrategy[Any]) -> st.SearchStrategy[Condition]:
    return st.builds(cls, min_step=STEPS, **values)


def _regions() -> st.SearchStrategy[Rect | None]:
    sides = st.integers(0, 500)
    return st.none() | st.builds(
        lambda x, y, w, h: Rect(x, y, x + w + 1, y + h + 1), sides, sides, sides, sides
    )


LEAVES = st.one_of(
    _made(SemanticElementExists, keywords=st.lists(WORDS, max_size=4).map(tuple), match_threshold=SHARES),
    _made(CurrentActivityIs, value=WORDS),
    _made(CurrentPackageIs, value=WORDS),
    _made(ElementExists, selector=SELECTORS),
    _made(ElementNotExists, selector=SELECTORS),
    _made(ElementProperty, selector=SELECTORS, attribute=WORDS, value=WORDS),
    _made(ElementPropertyContains, selector=SELECTORS, attribute=WORDS, value=WORDS),
    _made(ElementTextEquals, selector=SELECTORS, text=WORDS),
    _made(ElementTextContains, selector=SELECTORS, text=WORDS),
    _made(TextMatches, pattern=st.sampled_from(("[0-9]+", "(", "a|b", "稻.香")), selector=SELECTORS),
    _made(MinStep, value=st.integers(-3, 99)),
    _made(ActionWas, action=st.sampled_from(("tap", "*", "no_such")), selector=SELECTORS, text=WORDS),
    _made(StateReached, state=WORDS),
    _made(
        ImageMatches, image=WORDS, threshold=SHARES, region=_regions(),
        method=st.sampled_from(("template", "features")),
    ),
    st.builds(Unknown, written=st.sampled_from(("no_such_type", "OCR", "稻香"))),
)  # fmt: skip


def _groups(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    spelled = st.sampled_from((("all", "all"), ("any", "any"), ("not", "not"), ("any", "any_of")))
    listed = st.lists(parts, max_size=3).map(tuple)
    return st.builds(
        lambda spelling, conditions, step: Group(
            kind=spelling[0], spelling=spelling[1], conditions=conditions, min_step=step
        ),
        spelled, listed, STEPS,
    )  # fmt: skip


CONDITIONS = st.recursive(LEAVES, _groups, max_leaves=6)
TOPS = st.builds(Group, conditions=st.lists(CONDITIONS, min_size=1, max_size=4).map(tuple))
INJECTIONS = st.builds(
    Injection,
    interference_id=WORDS,
    trigger_probability=SHARES,
    follow_up=st.dictionaries(WORDS, WORDS, max_size=2),
)
INJECTION_RULES = st.builds(
    Rule, id=NAMES, kind=st.just(INJECTION), conditions=TOPS, description=WORDS,
    priority=st.integers(-5, 999), once=st.booleans(), actions=st.lists(INJECTIONS, max_size=2).map(tuple),
)  # fmt: skip
SUCCESS_RULES = st.builds(Rule, id=NAMES, kind=st.just(SUCCESS), conditions=TOPS, description=WORDS)
SAFETY_RULES = st.builds(
    Rule, id=NAMES, kind=st.just(SAFETY), conditions=TOPS, description=WORDS, every_task=st.booleans()
)
STATE_RULES = st.builds(
    Rule, id=NAMES, kind=st.just(STATE), conditions=TOPS, description=WORDS, task=WORDS,
    after=st.lists(WORDS, max_size=2).map(tuple), optional=st.booleans(),
    alternatives=st.lists(WORDS, max_size=2).map(tuple), status=st.sampled_from(("", *STATUSES)),
)  # fmt: skip
