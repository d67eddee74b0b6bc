"""Suggest selectors for a node: unique first, then stable, then readable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from collector.hierarchy.selectors import Selector, parse_selector, quote
from collector.model.i18n import N_, _, ngettext
from collector.model.tree import Node, Tree

_MAX_TEXT = 60
MOST_STABILITY = 20
"""Points for a selector that no new text or layout breaks, or that is unambiguous on all other screens."""


@dataclass(frozen=True, slots=True)
class RankedSelector:
    """A selector for one node: its score from 0 to 100, its number of matches in the tree, and the reason."""

    text: str
    score: int
    matches: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """Points a kind of selector gets for stability and for independence of the language."""

    stability: int
    language: int
    reason: str


_ID = _Kind(MOST_STABILITY, 12, N_("Its id, which survives translation and new texts"))
_DESCRIPTION = _Kind(15, 3, N_("Its description, which changes with the language"))
_TEXT = _Kind(12, 2, N_("Its text, as a person would name it; it changes with the language"))
_ID_TEXT = _Kind(14, 2, N_("Its id and text together"))
_CLASS_LABEL = _Kind(10, 2, N_("Its class and words together"))
_RELATED = _Kind(9, 8, N_("Its place in a node that has an id"))
_HOLDING = _Kind(10, 2, N_("What it holds, which changes with the language"))
_NTH = _Kind(4, 10, N_("Its number among its like; another item above it shifts it"))
_PATH = _Kind(0, 10, N_("Its exact place in the tree; any change of layout breaks it"))


def rank_selectors(tree: Tree, node: Node, others: Iterable[Tree] = ()) -> list[RankedSelector]:
    """Return selectors that match ``node`` in ``tree``, best first; at least one matches nothing else.

    ``others`` are trees of other states: a selector that is unambiguous in them scores higher.
    """
    elsewhere = tuple(others)
    ranked: dict[str, RankedSelector] = {}
    for text, kind in _candidates(tree, node):
        if kind is _PATH:
            ranked[text] = _score(text, kind, 1, ())  # matches one node by construction
        elif text not in ranked:
            matches = parse_selector(text).find(tree)
            if node in matches:
                ranked[text] = _score(text, kind, len(matches), elsewhere)
    return sorted(ranked.values(), key=lambda selector: (-selector.score, len(selector.text)))


def _score(text: str, kind: _Kind, matches: int, others: Sequence[Tree]) -> RankedSelector:
    unique = 55 if matches == 1 else max(0, 30 - 5 * matches)
    stability, seen = _stability(parse_selector(text), kind, others)
    readable = max(0, 13 - len(text) // 12)
    if matches == 1:
        reason = _(kind.reason)
    else:
        reason = _("{reason}; {count} nodes share it here", reason=_(kind.reason), count=matches)
    if seen:
        screens = ngettext("one other screen", "{count} other screens", seen)
        reason = _("{reason}; unambiguous on {screens}", reason=reason, screens=screens)
    return RankedSelector(text, min(100, unique + stability + kind.language + readable), matches, reason)


def _stability(selector: Selector, kind: _Kind, others: Sequence[Tree]) -> tuple[int, int]:
    """Return its points, and the number of other trees in which it matches exactly one node."""
    counts = [len(selector.find(tree)) for tree in others]
    present = [count for count in counts if count]
    if not present:
        return kind.stability, 0
    unambiguous = sum(count == 1 for count in present)
    return round((kind.stability + MOST_STABILITY * unambiguous / len(present)) / 2), unambiguous


def _candidates(tree: Tree, node: Node) -> Iterator[tuple[str, _Kind]]:
    by_id = _term(node, "resource-id")
    by_class = _term(node, "class")
    labels = [term for term in (_term(node, "text"), _term(node, "content-desc")) if term]
    if by_id:
        yield by_id, _ID
    for label in labels:
        yield label, _TEXT if label.startswith("text") else _DESCRIPTION
    for label in labels:
        if by_id:
            yield f"{by_id} and {label}", _ID_TEXT
        if by_class:
            yield f"{by_class} and {label}", _CLASS_LABEL
    yield from _by_surroundings(node, by_id or by_class)
    likes = by_id or by_class
    if likes:
        matches = parse_selector(likes).find(tree)
        yield f"{likes} [{matches.index(node) + 1}]", _NTH
    yield _absolute(node), _PATH


def _by_surroundings(node: Node, own: str) -> Iterator[tuple[str, _Kind]]:
    if not own:
        return
    for below in node.descendants():
        inner = _term(below, "text") or _term(below, "content-desc")
        if inner and not node.label:
            yield f"{own} holding {inner}", _HOLDING
            break
    for above in node.ancestors():
        outer = _term(above, "resource-id")
        if outer:
            yield f"{own} within {outer}", _RELATED
            break


def _term(node: Node, name: str) -> str:
    value = node.attributes.get(name, "")
    return f"{name}={quote(value)}" if value and len(value) <= _MAX_TEXT + 60 * (name != "text") else ""


def _absolute(node: Node) -> str:
    steps = [f"node[{position + 1}]" for position in node.path]
    return "/hierarchy/" + "/".join(steps)
