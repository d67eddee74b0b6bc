"""An evaluation takes counted steps: the same each time, few for what people write, and never without end."""

from __future__ import annotations

import itertools

import pytest

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.xpath.evaluation import MAX_STEPS, TooManyStepsError
from collector.hierarchy.xpath.find import find_xpath
from collector.model.cancellation import Cancelled, cancellable
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, large_dump, node
from tests.helpers.xpath_bombs import SLOW, bomb, flat_tree

_REALISTIC = (
    "//node[@text='Item 4999']",
    "//*[contains(@text, '49')]/..",
    "//node[.//node[@text='Item 4999']]",
    "//node[.//node[.//node[.//node[@text='Item 7']]]]",
    "//node[following::node[@text='Item 4998']]/preceding::node[@text='Item 3']",
    "//node[preceding::node[@text='Item 3']][not(.//node)]",
    "//node[count(.//node) > 3]",
    "//node[@text = //node/@content-desc or @index < //node/@index]",
    "(//node[@text='Item 9'])[1]/following::*[@clickable='true'][1]",
    "//node[contains(translate(@text, 'ITEM', 'item'), 'item 49')]",
    "//node[" + " or ".join(f"@text='Item {number}'" for number in range(100)) + "]",
    "//*//*//*//*//*//*",
    "//node[1]/node[last()]",
    bomb(4),
)


@pytest.fixture(scope="module")
def large() -> Tree:
    return parse_tree(large_dump(5000))


def _steps(tree: Tree, path: str) -> int:
    """The least budget with which the path is evaluated."""
    enough, too_few = MAX_STEPS, 0
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        try:
            find_xpath(tree, path, middle)
            enough = middle
        except TooManyStepsError:
            too_few = middle
    return enough


@pytest.mark.parametrize("path", _REALISTIC)
def test_what_people_write_stays_within_the_steps_on_a_large_screen(large: Tree, path: str) -> None:
    find_xpath(large, path)


def test_what_takes_too_many_steps_is_given_up_with_a_sentence() -> None:
    tree = flat_tree(3000)
    with pytest.raises(SelectorError, match=r"too many steps on this screen\. .* after 1,000,000 steps"):
        find_xpath(tree, SLOW)
    assert find_xpath(tree, "//node[@text='Row 7']") == [tree.nodes[8]]


def test_an_evaluation_ends_within_a_part_of_its_steps_once_it_is_cancelled() -> None:
    asked = itertools.count(1)
    with cancellable(lambda: next(asked) >= 3), pytest.raises(Cancelled):
        find_xpath(flat_tree(3000), SLOW)
    assert next(asked) == 4


@pytest.mark.parametrize("path", ["//node[.//node[@text]]", "//node[2]", "//@text[. = 'Row 1']"])
def test_the_same_path_takes_the_same_steps_each_time(path: str) -> None:
    first, again = flat_tree(30), flat_tree(30)
    assert _steps(first, path) == _steps(again, path) == _steps(first, path)


@pytest.mark.parametrize("path", ["//*[.//*[.//*[.//*]]]", "//*[preceding::*[following::*]]", bomb(4)])
def test_searches_inside_one_another_take_steps_in_proportion_to_the_screen(path: str) -> None:
    assert _steps(flat_tree(400), path) < 2.5 * _steps(flat_tree(200), path)


def test_long_texts_cost_steps_by_their_letters() -> None:
    path = "//node[contains(translate(normalize-space(@text), 'a', 'b'), 'zz')]"
    long = parse_tree(hierarchy(node(text="a" * 100_000)))
    assert _steps(long, path) > 100 * _steps(parse_tree(hierarchy(node(text="a"))), path)


@pytest.mark.parametrize(
    "path",
    [
        "//node/following::node[1]", "//node/preceding::node[1]", "//node/preceding-sibling::node[last()]",
        "//node[@text = preceding::node/@text]", "//node[count(//node | following::node) > 1]",
        "//@*[position() = 2][../following::node[3]]", "//node[sum(preceding::node/@index) > 1]",
        "//node[concat(" + ", ".join(["@text"] * 900) + ") = 'a']",
    ],
)  # fmt: skip
def test_no_path_evades_the_count(path: str) -> None:
    with pytest.raises(TooManyStepsError):
        find_xpath(flat_tree(3000), path, 300_000)
