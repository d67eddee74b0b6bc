"""Selectors name what they say, refuse what they cannot read, and are ranked with a reason."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.search import search
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.selectors import MAX_LENGTH, MAX_RELATIONS, MAX_TERMS, parse_selector, quote
from collector.model.tree import Node, Tree
from tests.helpers.dumps import hierarchy, large_dump, node
from tests.helpers.xpath_bombs import flat_tree
from tests.helpers.xpath_oracle import trees

TREE = parse_tree(
    hierarchy(
        node(
            node(
                node(text="Milk", class_="android.widget.TextView"),
                node(text="Delete", class_="android.widget.Button", clickable="true"),
                resource_id="app:id/row",
            ),
            node(
                node(text="Tea & 'biscuits'", class_="android.widget.TextView"),
                node(text="Delete", class_="android.widget.Button", clickable="true"),
                resource_id="app:id/row_2",
            ),
            node(content_desc="Add item", resource_id="app:id/add", clickable="true"),
        )
    )
)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("text='Delete'", [3, 6]),
        ('text="Delete"', [3, 6]),
        ("text='Delete' [2]", [6]),
        ("text='Delete'[2]", [6]),
        ("text='Delete' [3]", []),
        ("class='android.widget.Button' text='Delete'", [3, 6]),
        ("class='android.widget.Button' and text='Milk'", []),
        ("resource-id=app:id/add", [7]),
        ("text=Delete", [3, 6]),
        ("text=Add item", []),
        ("content-desc=Add item", [7]),
        ("content-desc=Add item and clickable=true", [7]),
        ("content-desc=Add item clickable=true [1]", [7]),
        (r"text='Tea & \'biscuits\''", [5]),
        ("text=\"Tea & 'biscuits'\"", [5]),
        ("content-desc*='item'", [7]),
        ("resource-id^='app:id/row'", [1, 4]),
        ("text$='te'", [3, 6]),
        ("text='Delete' within resource-id='app:id/row_2'", [6]),
        ("text=Delete within resource-id=app:id/row_2", [6]),
        ("text='Delete' child of resource-id='app:id/row'", [3]),
        ("text='Delete' child of resource-id='app:id/row' [1]", [3]),
        ("text='Delete' child of resource-id^='app:id/row' [2]", [6]),
        ("text='Delete' sibling of text='Milk'", [3]),
        ("resource-id^='app' holding text='Milk'", [1]),
        ("text='Delete' within resource-id^='app:id/row' [2]", [6]),
        ("text='Delete' [1] within resource-id='app:id/row_2'", [6]),
        ("//android.widget.TextView[@text='Milk']", [2]),
        ("//node[@text='Delete']", [3, 6]),
        ("//*[@clickable='true']/@text", [3, 6, 7]),
        ("(//node[@text='Delete'])[2]", [6]),
    ],
)
def test_a_selector_finds_what_it_says(text: str, orders: list[int]) -> None:
    assert [n.order for n in parse_selector(text).find(TREE)] == orders


@pytest.mark.parametrize(
    "text", ["", "text", "'x'", "text='x", "[1]", "text='a' [0]", "text='a' within", "//["]
)
def test_what_is_no_selector_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(SelectorError) as error:
        parse_selector(text)
    assert error.value.what


def test_an_xpath_that_gives_a_number_is_refused() -> None:
    with pytest.raises(SelectorError, match="not nodes"):
        parse_selector("//node").find(TREE) and parse_selector("(count(//node))").find(TREE)


@given(st.text(max_size=20))
def test_any_text_is_a_selector_or_a_clear_refusal(text: str) -> None:
    with contextlib.suppress(SelectorError):
        parse_selector(text).find(TREE)


@given(st.text(max_size=20))
def test_a_quoted_value_comes_back(value: str) -> None:
    compound = parse_selector(f"text={quote(value)} clickable='true'").compound
    assert compound is not None
    assert compound.terms[0].value == value


@pytest.mark.parametrize("order", range(len(TREE)))
def test_every_node_gets_a_selector_that_names_it_alone(order: int) -> None:
    ranked = rank_selectors(TREE, TREE.nodes[order])
    scores = [selector.score for selector in ranked]
    assert scores == sorted(scores, reverse=True)
    best = next(selector for selector in ranked if selector.matches == 1)
    assert parse_selector(best.text).find(TREE) == [TREE.nodes[order]]
    for selector in ranked:
        assert selector.reason
        assert 0 <= selector.score <= 100
        assert len(parse_selector(selector.text).find(TREE)) == selector.matches


def test_an_id_beats_words_and_a_shared_text_is_said_to_be_shared() -> None:
    assert rank_selectors(TREE, TREE.nodes[7])[0].text == "resource-id='app:id/add'"
    shared = {candidate.text: candidate for candidate in rank_selectors(TREE, TREE.nodes[3])}["text='Delete'"]
    assert shared.matches == 2
    assert "2 nodes share it" in shared.reason


def test_other_screens_speak_for_or_against_a_selector() -> None:
    clash = parse_tree(hierarchy(node(node(resource_id="app:id/add"), node(resource_id="app:id/add"))))
    target = TREE.nodes[7]
    alone, clashing = (rank_selectors(TREE, target, others) for others in ((TREE,), (clash,)))
    scores = [
        {selector.text: selector.score for selector in ranked}["resource-id='app:id/add'"]
        for ranked in (alone, clashing)
    ]
    assert scores[0] > scores[1]
    assert "other screen" in alone[0].reason


def test_search_takes_words_attributes_and_xpath() -> None:
    assert [n.order for n in search(TREE, "DELETE")] == [3, 6]
    assert [n.order for n in search(TREE, "add")] == [7]
    assert [n.order for n in search(TREE, "clickable='true'")] == [3, 6, 7]
    assert [n.order for n in search(TREE, "//android.widget.Button")] == [3, 6]
    assert search(TREE, "  ") == []
    assert search(TREE, "price=3") == []


def test_xpath_works_on_large_trees() -> None:
    tree = parse_tree(large_dump(2000))
    assert search(tree, "//node[@text='Item 1999']") == [tree.nodes[1999]]


def _naively_related(node: Node, relation: str, anchors: set[Node]) -> bool:
    if relation == "within":
        return any(above in anchors for above in node.ancestors())
    if relation == "child of":
        return node.parent in anchors
    if relation == "holding":
        return any(below in anchors for below in node.descendants())
    siblings = node.parent.children if node.parent is not None else ()
    return any(sibling is not node and sibling in anchors for sibling in siblings)


@given(trees(), st.sampled_from(("within", "child of", "sibling of", "holding")), st.sampled_from("ab"))
def test_relations_are_what_their_names_say(tree: Tree, relation: str, wanted: str) -> None:
    anchors = {node for node in tree if wanted in node.text}
    expected = [node for node in tree if _naively_related(node, relation, anchors)]
    assert parse_selector(f"class*='' {relation} text*='{wanted}'").find(tree) == expected


def test_relations_take_one_look_at_a_screen_of_many_siblings() -> None:
    tree = flat_tree(20_000)
    for relation, count in (("within", 0), ("child of", 0), ("sibling of", 19_998), ("holding", 1)):
        found = parse_selector(f"class*='' {relation} text='Row 19998'").find(tree)
        assert len(found) == count


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("text='a' within " * 200 + "text='a'", f"More than {MAX_RELATIONS} relations follow one another"),
        ("text*='' " * 200, f"More than {MAX_TERMS} attributes are asked about"),
        (
            "text='" + "a" * MAX_LENGTH + "'",
            f"has {MAX_LENGTH + 7} characters; at most {MAX_LENGTH} are read",
        ),
        ("/" + "[" * MAX_LENGTH, f"has {MAX_LENGTH + 1} characters; at most {MAX_LENGTH} are read"),
    ],
)
def test_selectors_without_end_are_refused(text: str, said: str) -> None:
    with pytest.raises(SelectorError, match=said):
        parse_selector(text)


def test_spaces_in_a_value_take_no_longer_than_letters() -> None:
    for number in range(60):
        text = f"text=a{number}{' ' * (MAX_LENGTH - 20)}b"
        compound = parse_selector(text).compound
        assert compound is not None
        assert compound.terms[0].value == text.removeprefix("text=")
