"""``element_property`` and ``element_property_contains``: the value of one attribute of a node."""

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
from collector.rules.conditions.keys import ANY_ID, ATTRIBUTE_KEY, SELECTOR_KEY
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import TEXT


class _DgaraProperty(DgaraAttributeCondition):
    """Compare the attribute with the value as a text; a condition without either does not hold."""

    def attribute(self, raw: Mapping[str, Any]) -> Any:
        return raw.get("attribute")

    def holds(self, raw: Mapping[str, Any], get: Callable[..., Any]) -> bool:
        name, wanted = raw.get("attribute"), raw.get("value")
        if name is None or wanted is None:
            return False
        return str(wanted) in get(name, "") if self.contains else bool(get(name) == str(wanted))


@dataclass(frozen=True, kw_only=True)
class ElementProperty(Condition):
    """A node that matches the selector has an attribute of exactly this value."""

    type: ClassVar[str] = "element_property"
    selector: str = field(metadata=SELECTOR_KEY)
    attribute: str = field(metadata=ATTRIBUTE_KEY)
    value: str = field(metadata=key(TEXT, N_("What its value must be")))


class ElementPropertyType(AttributeConditionType[ElementProperty]):
    """Holds when one of the matching nodes has exactly the value."""

    condition: type[ElementProperty] = ElementProperty
    doc = N_("A node that matches has an attribute of exactly this value")
    origin = "success"
    example = '{type: element_property, selector: "text=\'Wi-Fi\'", attribute: checked, value: "true"}'
    dgara = _DgaraProperty(contains=False)

    def starter(self, view: StateView | None) -> ElementProperty:
        return ElementProperty(selector=ANY_ID, attribute="checked", value="true")

    def test(self, condition: ElementProperty) -> AttributeTest:
        return AttributeTest(
            condition.selector, condition.attribute, condition.value, contains=self.dgara.contains
        )


@dataclass(frozen=True, kw_only=True)
class ElementPropertyContains(ElementProperty):
    """A node that matches the selector has an attribute that contains this value."""

    type: ClassVar[str] = "element_property_contains"
    value: str = field(metadata=key(TEXT, N_("What its value must contain")))


class ElementPropertyContainsType(ElementPropertyType):
    """Holds when the attribute of one of the matching nodes contains the value."""

    condition = ElementPropertyContains
    doc = N_("A node that matches has an attribute that contains this value")
    example = (
        '{type: element_property_contains, selector: "resource-id=tv.app:id/like_button",'
        " attribute: content-desc, value: Liked}"
    )
    dgara = _DgaraProperty(contains=True)

    def starter(self, view: StateView | None) -> ElementPropertyContains:
        return ElementPropertyContains(selector=ANY_ID, attribute="content-desc", value=_("text"))
