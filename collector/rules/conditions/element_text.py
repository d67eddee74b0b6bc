"""``element_text_equals`` and ``element_text_contains``: the text of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.model.i18n import N_, _
from collector.rules.conditions.attribute_condition import AttributeConditionType, AttributeTest
from collector.rules.conditions.keys import ANY_ID, SELECTOR_KEY
from collector.rules.evaluation.condition_semantics import DgaraElementCondition
from collector.rules.evaluation.dgara_semantics import first_match_proof
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_types import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import TEXT


class _DgaraText(DgaraElementCondition):
    """Compare the text; only ``contains`` turns a wanted value that is no text into one."""

    def __init__(self, *, contains: bool) -> None:
        self._contains = contains

    def prove(
        self,
        condition: Condition,
        raw: Mapping[str, Any],
        get: Callable[..., Any] | None,
        nodes: tuple[int, ...],
    ) -> Proof:
        if get is None:
            return Proof(condition, False, nodes=nodes, deficit=1)
        if self._contains:
            wanted = raw.get("text")
            holds = wanted is not None and str(wanted) in get("text", "")
        else:
            holds = get("text") == raw.get("text", "")
        return first_match_proof(condition, get, "text", nodes, holds=holds)


@dataclass(frozen=True, kw_only=True)
class ElementTextEquals(Condition):
    """A node that matches the selector has exactly this text."""

    type: ClassVar[str] = "element_text_equals"
    selector: str = field(metadata=SELECTOR_KEY)
    text: str = field(metadata=key(TEXT, N_("What its text must be")))


class ElementTextEqualsType(AttributeConditionType[ElementTextEquals]):
    """Holds when one of the matching nodes has exactly the text."""

    condition = ElementTextEquals
    doc = N_("A node that matches has exactly this text")
    origin = "success"
    example = (
        "{type: element_text_equals, selector: \"resource-id='com.example.shop:id/total'\", text: $14.90}"
    )
    dgara = _DgaraText(contains=False)

    def starter(self, view: StateView | None) -> ElementTextEquals:
        return ElementTextEquals(selector=ANY_ID, text=_("text"))

    def test(self, condition: ElementTextEquals) -> AttributeTest:
        return AttributeTest(condition.selector, "text", condition.text, contains=False)


@dataclass(frozen=True, kw_only=True)
class ElementTextContains(ElementTextEquals):
    """A node that matches the selector has a text that contains this one."""

    type: ClassVar[str] = "element_text_contains"
    text: str = field(metadata=key(TEXT, N_("What its text must contain")))


class ElementTextContainsType(AttributeConditionType[ElementTextContains]):
    """Holds when the text of one of the matching nodes contains the text."""

    condition = ElementTextContains
    doc = N_("A node that matches has a text that contains this one")
    origin = "success"
    example = (
        "{type: element_text_contains, selector: \"resource-id='com.example.shop:id/title'\", text: poster}"
    )
    dgara = _DgaraText(contains=True)

    def starter(self, view: StateView | None) -> ElementTextContains:
        return ElementTextContains(selector=ANY_ID, text=_("text"))

    def test(self, condition: ElementTextContains) -> AttributeTest:
        return AttributeTest(condition.selector, "text", condition.text, contains=True)
