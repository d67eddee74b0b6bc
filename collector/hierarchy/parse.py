"""A UI hierarchy dump, as found in the wild, to a tree.

Dumps exactly as uiautomator writes them take a fast way. The strict reader for all
others is expat: it never recurses, opens nothing and hands over attributes as one
mapping a node. What it refuses goes to the lenient reader, which says what it mended.
"""

from __future__ import annotations

import logging
from xml.parsers import expat

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.fast_reader import read_fast
from collector.hierarchy.json_views import looks_like_views, parse_views
from collector.hierarchy.lenient_reader import LenientReader, without_status_lines
from collector.hierarchy.tree_builder import TreeBuilder, rotation_of
from collector.model.i18n import _
from collector.model.tree import Tree

MAX_BYTES = 64 * 1024 * 1024
_TROUBLES = {
    "null root node": (
        "The phone gave no hierarchy: uiautomator found no root node",
        "This happens while windows switch, on the lock screen and on secure screens",
    ),
    "could not get idle state": (
        "The phone gave no hierarchy: the screen never came to rest",
        "uiautomator waits for the screen to be still, and something on it keeps moving",
    ),
}
_log = logging.getLogger(__name__)


def parse_tree(data: bytes | str, *, source: str | None = None) -> Tree:
    """Read a dump of uiautomator, uiautomator2, Appium, XCUITest or a JSON list of views, strict or repaired.

    ``source`` names the dialect when the caller knows it; else it is told from the dump.
    ``tree.repairs`` has a sentence for each thing mended. Raises HierarchyError when not one
    node can be read, or when the dump is over 64 MB.
    """
    if len(data) > MAX_BYTES:
        raise HierarchyError(
            _("The dump is too large to read"),
            _("It has {size} MB and the limit is {limit} MB", size=len(data) >> 20, limit=MAX_BYTES >> 20),
        )
    text, repairs = decode(data) if isinstance(data, bytes) else (data.removeprefix("\ufeff"), [])
    tree = parse_views(text, source) if looks_like_views(text) else _whole(text, source, repairs)
    if tree is None:
        trimmed, said = without_status_lines(text)
        tree = _whole(trimmed, source, repairs + said) if said else None
    if tree is None:
        builder = TreeBuilder()
        repairs = repairs + LenientReader(text, builder).read()
        if not builder.nodes or not builder.is_hierarchy:
            raise _nothing_in(text)
        tree = builder.finish(source, repairs)
        _log.debug("repaired a dump of %d nodes: %s", len(tree), "; ".join(tree.repairs))
    return tree


def _whole(text: str, source: str | None, repairs: list[str]) -> Tree | None:
    shown = text.strip()
    if shown[:1] != "<" or shown[-1:] != ">":
        return None  # words around it: no reader of XML would take it
    return _canonical(text, source, repairs) or _strict(text, source, repairs)


def _canonical(text: str, source: str | None, repairs: list[str]) -> Tree | None:
    try:
        found = read_fast(text.encode("utf-8"), text)
    except UnicodeEncodeError:  # half a character
        return None
    if found is None:
        return None
    nodes, attributes = found
    dialect = "uiautomator2" if "visible-to-user" in nodes[0].attributes else "uiautomator"
    return Tree(
        nodes=tuple(nodes),
        rotation=rotation_of(attributes),
        source=source or dialect,
        repairs=tuple(repairs),
        attributes=attributes,
    )


def _strict(text: str, source: str | None, repairs: list[str]) -> Tree | None:
    if "<!DOCTYPE" in text:
        return None
    builder = TreeBuilder()
    reader = expat.ParserCreate("utf-8")
    reader.StartElementHandler = builder.start
    reader.EndElementHandler = builder.end
    try:
        reader.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return None
    if not builder.is_hierarchy:
        return None
    if not builder.nodes:
        repairs = [*repairs, _("The hierarchy is empty: it was dumped without a single node")]
    return builder.finish(source, list(repairs))


def _nothing_in(text: str) -> HierarchyError:
    head = text[:4000]
    for mark, (what, why) in _TROUBLES.items():
        if mark in head:
            return HierarchyError(_(what), _(why), _("Take the hierarchy again once the screen is at rest"))
    if not text.strip():
        return HierarchyError(_("The dump is empty"), "", _("Take the hierarchy again"))
    shown = " ".join(head.split())[:60]
    return HierarchyError(
        _("No UI hierarchy was found in the file"),
        _("It begins with: {text}", text="".join(c if c.isprintable() else "\ufffd" for c in shown)),
        _("Give it the XML that uiautomator, uiautomator2 or Appium writes"),
    )
