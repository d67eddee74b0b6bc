"""Locators find what the selectors find that they stand for."""

from __future__ import annotations

import pytest
from lxml import etree

from collector.exchange.scripts.locators import Locator, locator_of, quoted
from collector.exchange.scripts.maestro import selector
from collector.exchange.scripts.ui_selector import ui_selector
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.selectors import Term, parse_selector
from tests.helpers.dumps import hierarchy, node

DUMP = hierarchy(
    node(
        node(text='It\'s "new"', resource_id="shop:id/title"),
        node(
            node(text="Poster", resource_id="shop:id/title", class_="android.widget.TextView"),
            node(content_desc="Save", resource_id="shop:id/save", class_="android.widget.Button"),
            resource_id="shop:id/item",
        ),
        node(
            node(text="Mug", resource_id="shop:id/title", class_="android.widget.TextView"),
            node(content_desc="Save", resource_id="shop:id/save", class_="android.widget.Button"),
            resource_id="shop:id/item",
        ),
        resource_id="shop:id/list",
    )
)
SELECTORS = (
    "resource-id='shop:id/save' [2]",
    "resource-id='shop:id/save' within resource-id='shop:id/item' [2]",
    "resource-id='shop:id/item' holding text='Mug'",
    "content-desc='Save' sibling of text='Mug'",
    "resource-id='shop:id/title' child of resource-id='shop:id/list'",
    "text^='Po'", "text$='ug'", "text*='ost'", "text='It\\'s \"new\"'",
    "//node[@resource-id='shop:id/item'][2]//node[@text]", "//android.widget.Button",
)  # fmt: skip


def found(xpath: str, dump: str = DUMP) -> list[int]:
    """Places in document order of what lxml finds; elements are named by their class, as in these tools."""
    root = etree.fromstring(dump.encode())
    elements = [element for element in root.iter() if element is not root]
    for element in elements:
        element.tag = element.get("class") or "node"
    return sorted(elements.index(element) for element in root.xpath(xpath))


def test_each_ranked_selector_and_its_locator_find_the_same() -> None:
    tree = parse_tree(DUMP)
    ranked = [each.text for each_node in tree.nodes for each in rank_selectors(tree, each_node)]
    for text in (*ranked, *SELECTORS):
        locator = locator_of(text)
        assert locator is not None, text
        assert found(locator.xpath) == [hit.order for hit in parse_selector(text).find(tree)], text


def test_a_text_with_both_quotes_is_a_literal() -> None:
    assert etree.fromstring("<a/>").xpath(quoted('It\'s "new"')) == 'It\'s "new"'


@pytest.mark.parametrize(
    ("text", "words", "flow"),
    [
        ("resource-id='a:id/b' [2]", {"resourceId": "a:id/b", "instance": 1}, {"id": "a:id/b", "index": 1}),
        ("text*='1.5 (kg)'", {"textContains": "1.5 (kg)"}, {"text": r".*1\.5 \(kg\).*"}),
        ("checked='true' and text='A'", {"checked": True, "text": "A"}, {"checked": True, "text": "A"}),
        ("text='A' within text='B'", {}, {}),
        ("hint='Name'", {}, {}),
    ],
)
def test_selectors_in_the_words_of_others(
    text: str, words: dict[str, object], flow: dict[str, object]
) -> None:
    locator = locator_of(text)
    assert locator is not None
    assert (ui_selector(locator), selector(locator)) == (words, flow)


def test_one_more_test_counts_among_those_found_before() -> None:
    locator = locator_of("resource-id='shop:id/title' [2]")
    assert locator is not None
    assert found(locator.having(Term("text", "=", "Poster")).xpath) != []
    assert found(locator.having(Term("text", "=", "Mug")).xpath) == []
    plain = locator_of("resource-id='shop:id/title'")
    assert plain is not None
    assert isinstance(plain.having(Term("text", "*=", "ug")), Locator)
    assert len(plain.having(Term("text", "*=", "ug")).terms) == 2
