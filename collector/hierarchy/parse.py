"""Read a UI hierarchy dump, as found in the wild, into a tree.

A dump is tried with these readers, each kept for one reason; all give the same nodes for the same text:

- :mod:`~collector.hierarchy.fast_reader`: exactly the XML uiautomator writes. It reads attributes on demand
  and is three to four times as fast as expat: the mirror parses a tree whenever the screen rests, in 8 ms.
- expat with :mod:`~collector.hierarchy.tree_builder`: any other well-formed XML, as from Appium and XCUITest.
  It never recurses and opens no entity, and is six times as fast as the lenient reader.
- :mod:`~collector.hierarchy.lenient_reader`: what expat refuses. It repairs the text and reports each repair.
- :mod:`~collector.hierarchy.json_views`: JSON lists of views, which are not XML at all.

More modules stand beside the trees. :mod:`~collector.hierarchy.flat_reader` gives attribute lists without
nodes, several times as fast as reading all attributes of a tree, for back-tests over thousands of dumps.
Those whose nodes all have the same attributes are split at their quotes by
:mod:`~collector.hierarchy.uniform_dump`.
:mod:`~collector.hierarchy.xpath` copies a tree into lxml elements to evaluate XPath; it parses no text.
D-GARA's semantics reads dumps with ElementTree because D-GARA does: its verdicts depend on what that refuses.
"""

from __future__ import annotations

import logging
from xml.parsers import expat

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.fast_reader import read_fast
from collector.hierarchy.json_views import looks_like_views, parse_views
from collector.hierarchy.lenient_reader import LenientReader, without_status_lines
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.i18n import _
from collector.model.tree import Tree

MAX_BYTES = 16 * 1024 * 1024
"""Of a dump; the largest real ones have some hundred thousand."""
_ERROR_MESSAGES = {
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
    """Read a dump of uiautomator, uiautomator2, Appium, XCUITest or a JSON list of views, repairing it.

    ``source`` names the dialect when the caller knows it; otherwise it is recognized. ``tree.repairs``
    has a sentence for each repair. Raises HierarchyError when no node can be read, or when the dump
    is over 16 MB, has more nodes than a tree may have, or is too damaged.
    """
    if len(data) > MAX_BYTES:
        raise HierarchyError(
            _("The dump is too large to read"),
            _("It has {size} MB and the limit is {limit} MB", size=len(data) >> 20, limit=MAX_BYTES >> 20),
        )
    text, repairs = decode(data) if isinstance(data, bytes) else (data.removeprefix("\ufeff"), [])
    tree = parse_views(text, source) if looks_like_views(text) else _well_formed(text, source, repairs)
    if tree is None:
        trimmed, removed = without_status_lines(text)
        tree = _well_formed(trimmed, source, repairs + removed) if removed else None
    if tree is None:
        builder = TreeBuilder()
        repairs = repairs + LenientReader(text, builder).read()
        if not builder.nodes or not builder.is_hierarchy:
            raise _no_hierarchy(text)
        tree = builder.finish(source, repairs)
        _log.debug("repaired a dump of %d nodes: %s", len(tree), "; ".join(tree.repairs))
    return tree


def _well_formed(text: str, source: str | None, repairs: list[str]) -> Tree | None:
    shown = text.strip()
    if shown[:1] != "<" or shown[-1:] != ">":
        return None  # text around it: no XML reader accepts that
    tree = _fast(text, source, repairs)
    return tree if tree is not None else _strict(text, source, repairs)


def _fast(text: str, source: str | None, repairs: list[str]) -> Tree | None:
    try:
        return read_fast(text.encode("utf-8"), text, source, repairs)
    except UnicodeEncodeError:  # a lone surrogate
        return None


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
        repairs = [*repairs, _("The UI tree is empty: it was dumped without a single node")]
    return builder.finish(source, list(repairs))


def _no_hierarchy(text: str) -> HierarchyError:
    head = text[:4000]
    for mark, (what, why) in _ERROR_MESSAGES.items():
        if mark in head:
            return HierarchyError(_(what), _(why), _("Dump the UI tree again when the screen does not move"))
    if not text.strip():
        return HierarchyError(_("The dump is empty"), "", _("Dump the UI tree again"))
    shown = " ".join(head.split())[:60]
    return HierarchyError(
        _("No UI tree was found in the file"),
        _("It begins with: {text}", text="".join(c if c.isprintable() else "\ufffd" for c in shown)),
        _("Give it the XML that uiautomator, uiautomator2 or Appium writes"),
    )
