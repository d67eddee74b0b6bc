"""``element_text_equals`` and ``element_text_contains``: the text of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.model.i18n import N_, _
from collector.rules.conditions.attribute_condition import (
    AttributeConditionType,
    AttributeTest,
    DgaraAttributeCondition,
)
from collector.rules.conditions.keys import ANY_ID, SELECTOR_KEY
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import TEXT


class _DgaraText(DgaraAttributeCondition):
    """Compare the text; only ``contains`` turns a wanted value that is no text into one."""

    def holds(self, raw: Mapping[str, Any], get: Callable[..., Any]) -> bool:
        if not self.contains:
            return bool(get("text") == raw.get("text", ""))
        wanted = raw.get("text")
        return wanted is not None and str(wanted) in get("text", "")


@dataclass(frozen=True, kw_only=True)
class ElementTextEquals(Condition):
    """A node that matches the selector has exactly this text."""

    type: ClassVar[str] = "element_text_equals"
    selector: str = field(metadata=SELECTOR_KEY)
    text: str = field(metadata=key(TEXT, N_("What its text must be")))


class ElementTextEqualsType(AttributeConditionType[ElementTextEquals]):
    """Holds when one of the matching nodes has exactly the text."""

    condition: type[ElementTextEquals] = ElementTextEquals
    doc = N_("A node that matches has exactly this text")
    origin = "success"
    example = (
        "{type: element_text_equals, selector: \"resource-id='com.example.shop:id/total'\", text: $14.90}"
    )
    dgara = _DgaraText(contains=False)

    def starter(self, view: StateView | None) -> ElementTextEquals:
        return self.condition(selector=ANY_ID, text=_("text"))

    def test(self, condition: ElementTextEquals) -> AttributeTest:
        return AttributeTest(condition.selector, "text", condition.text, contains=self.dgara.contains)


@dataclass(frozen=True, kw_only=True)
class ElementTextContains(ElementTextEquals):
    """A node that matches the selector has a text that contains this one."""

    type: ClassVar[str] = "element_text_contains"
    text: str = field(metadata=key(TEXT, N_("What its text must contain")))


class ElementTextContainsType(ElementTextEqualsType):
    """Holds when the text of one of the matching nodes contains the text."""

    condition = ElementTextContains
    doc = N_("A node that matches has a text that contains this one")
    example = (
        "{type: element_text_contains, selector: \"resource-id='com.example.shop:id/title'\", text: poster}"
    )
    dgara = _DgaraText(contains=True)
