"""Evaluate XPath over a tree; elements are named by class, or all ``node`` when the path says so."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree

from collector.hierarchy.errors import SelectorError
from collector.model.i18n import _
from collector.model.tree import Node, Tree

_NODE_TEST = re.compile(r"(?:^|[/(:\[|\s])node(?=$|[/\[\])|\s])")
_NOT_NAME = re.compile(r"[^\w.-]")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def looks_like_xpath(text: str) -> bool:
    """Whether ``text`` can only be meant as XPath."""
    return text.startswith(("/", "./", "("))


def find_xpath(tree: Tree, path: str) -> list[Node]:
    """Return the nodes ``path`` selects, in document order; an attribute stands for its node.

    Raises SelectorError when the path is invalid or does not select nodes.
    """
    try:
        compiled = etree.XPath(path)
        root, nodes = _as_elements(tree, bool(_NODE_TEST.search(path)))
        result = compiled(root)
    except (etree.XPathError, ValueError) as error:
        raise SelectorError(_("The XPath cannot be read"), str(error)) from None
    if not isinstance(result, list):
        raise SelectorError(
            _("The XPath gives a value, not nodes"), "", _("Select nodes, as in //node[@text='Sign in']")
        )
    hits = (item if isinstance(item, etree._Element) else item.getparent() for item in result)
    unique = {nodes[hit].order: nodes[hit] for hit in hits if hit in nodes}
    return [unique[order] for order in sorted(unique)]


@lru_cache(maxsize=4)
def _as_elements(tree: Tree, plain: bool) -> tuple[etree._Element, dict[etree._Element, Node]]:
    """Copy the tree into lxml elements, all named ``node`` if ``plain``; the mapping keeps them alive."""
    root = etree.Element("hierarchy")
    elements: list[etree._Element] = []
    for node in tree.nodes:
        parent = elements[node.parent.order] if node.parent is not None else root
        element = etree.SubElement(parent, "node" if plain else _element_name(node))
        for name, value in node.attributes.items():
            if ":" not in name:
                element.set(name, _ILLEGAL.sub("", value))
        elements.append(element)
    return root, dict(zip(elements, tree.nodes, strict=True))


def _element_name(node: Node) -> str:
    name = _NOT_NAME.sub(".", node.class_name)
    return name if name and (name[0].isalpha() or name[0] == "_") else "node"
