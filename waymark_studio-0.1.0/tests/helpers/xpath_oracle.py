"""XPath as libxml2 evaluates it on a copy of the tree, to compare the product's evaluator with."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from lxml import etree

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.xpath.document import element_name
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node

_VALUES = ("", "a", "b", "a b", " a  b ", "7", "-2.5", "true")
_CLASSES = ("android.widget.Button", "a.B$C")
_AXES = (
    "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
    "following-sibling", "parent", "preceding", "preceding-sibling", "self",
)  # fmt: skip
_PLACES = ("1", "2", "0.5", "-1")
_ATTRIBUTES = ("@text", "@index", "@class", "@nothing")


def orders_by_libxml2(tree: Tree, path: str, *, plain: bool) -> list[int]:
    """The orders of the nodes that ``path`` selects; an attribute stands for its node. Raises XPathError."""
    root = etree.Element("hierarchy")
    elements: list[Any] = []
    for each in tree.nodes:
        parent = elements[each.parent.order] if each.parent is not None else root
        element = etree.SubElement(parent, "node" if plain else element_name(each))
        for name, value in each.attributes.items():
            if ":" not in name:
                element.set(name, value)
        elements.append(element)
    order = {element: number for number, element in enumerate(elements)}
    result = etree.XPath(path)(root)
    hits = (item if isinstance(item, etree._Element) else item.getparent() for item in result)
    return sorted({order[hit] for hit in hits if hit in order})


def trees() -> st.SearchStrategy[Tree]:
    """Trees of up to some dozen nodes, with one or two roots."""
    leaf = st.builds(
        lambda text, index, class_: node(text=text, index=str(index), class_=class_),
        st.sampled_from(_VALUES), st.integers(0, 3), st.sampled_from(_CLASSES),
    )  # fmt: skip
    nested = st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda text, children: node(*children, text=text, index="1", class_=_CLASSES[0]),
            st.sampled_from(_VALUES), st.lists(inner, min_size=1, max_size=4),
        ),
        max_leaves=14,
    )  # fmt: skip
    return st.lists(nested, min_size=1, max_size=2).map(lambda roots: parse_tree(hierarchy(*roots)))


def _joined(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    strategies = [part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts]
    return st.tuples(*strategies).map("".join)


def _steps(predicate: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    test = st.sampled_from(("node",) * 6 + ("*", "*", "node()", "node()", "hierarchy", "text()"))
    step = st.one_of(
        test,
        _joined(st.sampled_from(_AXES), "::", test),
        st.sampled_from(("@text", "@*", "..", ".")),
        _joined(test, "[", predicate, "]"),
        _joined(st.sampled_from(_AXES), "::", test, "[", predicate, "]"),
        _joined(test, "[", predicate, "][", predicate, "]"),
    )
    return st.lists(step, min_size=1, max_size=3).flatmap(
        lambda steps: st.lists(
            st.sampled_from(("/", "//")), min_size=len(steps) - 1, max_size=len(steps) - 1
        ).map(lambda signs: steps[0] + "".join(map("".join, zip(signs, steps[1:], strict=True))))
    )  # fmt: skip


def _predicates(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """What stands in brackets: texts, numbers, booleans and paths, compared and joined."""
    path = _joined(st.sampled_from(("", "", "", ".//", ".//", "//", "/hierarchy/")), _steps(inner))
    text = st.one_of(
        st.sampled_from(_ATTRIBUTES),
        st.sampled_from(_VALUES).map(repr),
        _joined("concat(", st.sampled_from(_ATTRIBUTES), ", 'b')"),
        _joined("substring(", st.sampled_from(_ATTRIBUTES), ", ", st.sampled_from(_PLACES), ", 2)"),
        _joined(st.sampled_from(("normalize-space", "string")), "(", st.sampled_from(_ATTRIBUTES), ")"),
        _joined(st.sampled_from(("substring-before", "substring-after")), "(@text, ' ')"),
        _joined("translate(@text, 'ab ', 'b')"),
        st.sampled_from(("name()", "local-name(..)", "name(@text)")),
    )  # fmt: skip
    number = st.one_of(
        st.sampled_from(("0", "1", "2", "1.5", "-1", "position()", "last()", "last() - 1")),
        _joined("count(", path, ")"),
        _joined(st.sampled_from(("number", "string-length", "floor", "ceiling", "round")), "(@index)"),
        st.sampled_from(("sum(node/@index)", "number(@text)", "2 + 3 * @index")),
        st.sampled_from(("@index mod 2", "1 div @index")),
    )  # fmt: skip
    value = st.one_of(text, number, path)
    boolean = st.one_of(
        _joined(value, st.sampled_from((" = ", " != ", " < ", " <= ", " > ", " >= ")), value),
        _joined(st.sampled_from(("contains", "starts-with")), "(", text, ", ", text, ")"),
        _joined("not(", st.one_of(path, text, number), ")"),
        _joined("boolean(", value, ") = ", value),
    )
    return st.one_of(
        boolean, number, path, st.sampled_from(_ATTRIBUTES),
        _joined(boolean, st.sampled_from((" and ", " or ")), boolean),
    )  # fmt: skip


def xpaths() -> st.SearchStrategy[str]:
    """XPaths that select nodes, most of them with predicates up to three deep."""
    leaf = st.sampled_from(("1", "last()", "@text", "@text = 'a'", "@index < 2", "position() > 1"))
    predicate = st.recursive(leaf, _predicates, max_leaves=6)
    path = _joined(st.sampled_from(("//", "//", "//", "/hierarchy/", ".//")), _steps(predicate))
    return st.one_of(
        path,
        _joined("(", path, ")[", predicate, "]"),
        _joined("(", path, " | ", path, ")[", predicate, "]/", _steps(predicate)),
    )
