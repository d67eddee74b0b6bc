"""The search box over a tree: words, an attribute or an XPath."""

from __future__ import annotations

import re

from collector.hierarchy.selectors import parse_selector
from collector.hierarchy.xpath import looks_like_xpath
from collector.model.tree import Node, Tree

_ATTRIBUTE = re.compile(r"([A-Za-z_][\w:.-]*)\s*[*^$]?=")
_SEARCHED = ("text", "content-desc", "resource-id", "class", "hint")


def search(tree: Tree, query: str) -> list[Node]:
    """Nodes that answer ``query``, in document order.

    A query that starts as XPath or with ``attribute=`` (of an attribute this tree has) is read as
    a selector; anything else is looked for in texts, descriptions, ids and classes, whatever the
    case. Raises SelectorError for a selector or XPath that cannot be read.
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
