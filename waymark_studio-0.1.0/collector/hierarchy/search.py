"""Search a tree by words, an attribute or an XPath, as the search box does."""

from __future__ import annotations

import re

from collector.hierarchy.selectors import parse_selector
from collector.hierarchy.xpath.find import looks_like_xpath
from collector.model.tree import Node, Tree

_ATTRIBUTE = re.compile(r"([A-Za-z_][\w:.-]*)\s*[*^$]?=")
_SEARCHED = ("text", "content-desc", "resource-id", "class", "hint")


def search(tree: Tree, query: str) -> list[Node]:
    """Return the nodes that match ``query``, in document order.

    A query that begins as XPath, or with ``attribute=`` for an attribute of this tree, is a selector.
    Anything else is searched in texts, descriptions, ids and classes, ignoring case.
    Raises SelectorError for a selector or XPath that cannot be parsed.
    """
    query = query.strip()
    if not query:
        return []
    if looks_like_xpath(query):
        return parse_selector(query).find(tree)
    match = _ATTRIBUTE.match(query)
    if match and any(match[1] in node.attributes for node in tree.nodes):
        return parse_selector(query).find(tree)
    words = query.casefold()
    return [
        node
        for node in tree.nodes
        if any(words in node.attributes.get(name, "").casefold() for name in _SEARCHED)
    ]
