"""``element_property`` and ``element_property_contains``: the value of one attribute of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from collector.model.i18n import N_, _
from collector.rules.conditions.attribute_condition import AttributeConditionType, AttributeTest
from collector.rules.conditions.keys import ANY_ID, ATTRIBUTE_KEY, SELECTOR_KEY
from collector.rules.evaluation.condition_semantics import DgaraElementCondition
from collector.rules.evaluation.dgara_semantics import first_match_proof
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_types import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import TEXT


class _DgaraProperty(DgaraElementCondition):
    """Compare the attribute with the value as a text; a condition without either does not hold."""

    def __init__(self, *, contains: bool) -> None:
        self._contains = contains

    def attribute(self, raw: Mapping[str, Any]) -> Any:
        return raw.get("attribute")

    def prove(
        self,
        condition: Condition,
        raw: Mapping[str, Any],
        get: Callable[..., Any] | None,
        nodes: tuple[int, ...],
    ) -> Proof:
        if get is None:
            return Proof(condition, False, nodes=nodes, deficit=1)
        name, wanted = raw.get("attribute"), raw.get("value")
        if name is None or wanted is None:
            holds = False
        elif self._contains:
            holds = str(wanted) in get(name, "")
        else:
            holds = bool(get(name) == str(wanted))
        return first_match_proof(condition, get, name, nodes, holds=holds)


@dataclass(frozen=True, kw_only=True)
class ElementProperty(Condition):
    """A node that matches the selector has an attribute of exactly this value."""

    type: ClassVar[str] = "element_property"
    selector: str = field(metadata=SELECTOR_KEY)
    attribute: str = field(metadata=ATTRIBUTE_KEY)
    value: str = field(metadata=key(TEXT, N_("What its value must be")))


class ElementPropertyType(AttributeConditionType[ElementProperty]):
    """Holds when one of the matching nodes has exactly the value."""

    condition = ElementProperty
    doc = N_("A node that matches has an attribute of exactly this value")
    origin = "success"
    example = '{type: element_property, selector: "text=\'Wi-Fi\'", attribute: checked, value: "true"}'
    dgara = _DgaraProperty(contains=False)

    def starter(self, view: StateView | None) -> ElementProperty:
        return ElementProperty(selector=ANY_ID, attribute="checked", value="true")

    def test(self, condition: ElementProperty) -> AttributeTest:
        return AttributeTest(condition.selector, condition.attribute, condition.value, contains=False)


@dataclass(frozen=True, kw_only=True)
class ElementPropertyContains(ElementProperty):
    """A node that matches the selector has an attribute that contains this value."""

    type: ClassVar[str] = "element_property_contains"
    value: str = field(metadata=key(TEXT, N_("What its value must contain")))


class ElementPropertyContainsType(AttributeConditionType[ElementPropertyContains]):
    """Holds when the attribute of one of the matching nodes contains the value."""

    condition = ElementPropertyContains
    doc = N_("A node that matches has an attribute that contains this value")
    origin = "success"
    example = (
        '{type: element_property_contains, selector: "resource-id=tv.app:id/like_button",'
        " attribute: content-desc, value: Liked}"
    )
    dgara = _DgaraProperty(contains=True)

    def starter(self, view: StateView | None) -> ElementPropertyContains:
        return ElementPropertyContains(selector=ANY_ID, attribute="content-desc", value=_("text"))

    def test(self, condition: ElementPropertyContains) -> AttributeTest:
        return AttributeTest(condition.selector, condition.attribute, condition.value, contains=True)
