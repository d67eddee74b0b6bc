"""An XPath selects nodes by class or as ``node``, and a mistake in it is named with its place."""

from __future__ import annotations

import pytest

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.xpath.find import compile_xpath, find_xpath, looks_like_xpath
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node

_TREE = parse_tree(
    hierarchy(
        node(
            node(text="Milk", class_="a.Text"), node(text="my node x", class_="a.Row$Cell"), class_="a.List"
        ),
        node(text="7", class_="2.Bad name"),
    )
)


@pytest.mark.parametrize(
    ("path", "orders"),
    [
        ("//a.Text", [1]),
        ("//a.Row.Cell", [2]),
        ("//a.Text | //node", [0, 1, 2, 3]),
        ("//node[@class='2.Bad name']", [3]),
        ("//a.List/*", [1, 2]),
        ("//a.Row.Cell[@text='my node x']", [2]),
        ("/hierarchy/node", [0, 3]),
        ("/", []),
        ("/*", []),
        ("./node", [0, 3]),
        ("(//node)[3]", [2]),
        ("//@text[. = 'Milk']", [1]),
        ("//node/@text | //node/@class", [0, 1, 2, 3]),
        ("//a.Text/following::* | //a.Text/ancestor::a.List", [0, 2, 3]),
        ("//node[ancestor::hierarchy][@text = 7]", [3]),
        (" //node [ @text = 'Milk' ] ".strip(), [1]),
        ("//*[self::a.Text or name() = 'a.Row.Cell']", [1, 2]),
    ],
)
def test_a_path_selects_what_it_says(path: str, orders: list[int]) -> None:
    assert [hit.order for hit in find_xpath(_TREE, path)] == orders


def test_a_tree_without_nodes_has_none() -> None:
    assert find_xpath(Tree(()), "//* | //@* | /..") == []


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("//", "at: the end"),
        ("//node[", "at: the end"),
        ("//node[@text='a'", r"at: the end\. \] was expected"),
        ("//node]", r"at: \]\. The expression is complete before this"),
        ("//node[@text=='a']", "at: ='a'"),
        ("//node[@text='a]", "at: 'a]"),
        ("//node[@]", "name of an element or attribute"),
        ("//node[foo(@text)]", r"no function foo\. Known are boolean, ceiling, concat, contains, count"),
        ("//node[contains(@text)]", r"contains\(\) is called with a wrong number of values"),
        ("//node[position(1)]", r"position\(\) is called"),
        ("//node[concat('a')]", r"concat\(\) is called"),
        ("//sideways::node", "There is no axis of this name"),
        ("//namespace::node", "There is no axis of this name"),
        ("//android:id", "at: :id"),
        ("//node[$text]", r"at: \$text"),
        ("//node[count('a')]", "A value stands where nodes are needed"),
        ("//node[('a')[1]]", "A value stands where nodes are needed"),
        ("//node | 'a'", "A value stands where nodes are needed"),
        ("('a')/node", "A value stands where nodes are needed"),
        ("(count(//node))", "gives a value, not nodes"),
        ("(//node = 3)", "gives a value, not nodes"),
        ("(-//node)", "gives a value, not nodes"),
        ("//node()/node('a')", "was expected here"),
        ("//node[@text!'a']", "at: !'a'"),
    ],
)
def test_a_mistake_is_named_as_the_path_is_read(path: str, said: str) -> None:
    with pytest.raises(SelectorError, match=said):
        compile_xpath(path)


def test_values_are_compared_as_they_were_dumped() -> None:
    tree = parse_tree(hierarchy(node(text="a\tb", content_desc="\U0001f600")))
    assert find_xpath(tree, "//node[string-length(@content-desc) = 1 and @text = 'a\tb']") == [tree.nodes[0]]


@pytest.mark.parametrize("text", ["/hierarchy", "//a", "./a", "(//a)[1]"])
def test_paths_are_told_from_other_selectors(text: str) -> None:
    assert looks_like_xpath(text)
    assert not looks_like_xpath(f"text='{text}'")
