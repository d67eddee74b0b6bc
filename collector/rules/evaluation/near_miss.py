"""Find the node that comes nearest to what a clause did not find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.selectors import Compound, Selector, Term
from collector.located_yaml.nearest_word import MIN_SIMILARITY, nearest
from collector.model.tree import Node
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.value_reader import compiled_selector

_LONGEST_LABEL = 200
_SHORT = 5
"""Letters under which like words need not have two letters in a row in common."""
_NO_SPACES = "\u2e80"
"""From here on: scripts that put no spaces between words."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A node that nearly matches: its ``attribute`` is ``actual`` instead of ``wanted``.

    For keywords ``attribute`` is empty and ``actual`` is the part of its text that is like the keyword.
    For a node that matches but lacks its relation to another, ``attribute`` is that relation.
    """

    node: Node
    attribute: str
    wanted: str
    actual: str


def nearest_word(word: str, view: StateView) -> NearMiss | None:
    """The node with the words most like ``word``, by spelling, also inside a longer text.

    Cached in the view, because several panels ask the same about one screen.
    """
    known: dict[str, NearMiss | None] = view.__dict__.setdefault("_nearest", {})
    if word not in known:
        known[word] = _nearest_word(word, view)
    return known[word]


def _nearest_word(word: str, view: StateView) -> NearMiss | None:
    places: dict[str, tuple[Node, str]] = {}
    for node in view.nodes:
        for piece in _pieces(node.label[:_LONGEST_LABEL], word):
            places.setdefault(piece.lower(), (node, piece))
    wanted = word.lower()
    best = places.get(nearest(wanted, [piece for piece in places if _may_be_like(piece, wanted)]))
    return NearMiss(best[0], "", word, best[1]) if best is not None else None


def _may_be_like(piece: str, word: str) -> bool:
    """Whether a comparison letter by letter is worth its time: alike in length, two letters in common."""
    shorter, longer = sorted((len(piece), len(word)))
    if 2 * shorter < MIN_SIMILARITY * (shorter + longer):
        return False
    return shorter < _SHORT or any(word[at : at + 2] in piece for at in range(len(word) - 1))


def _pieces(label: str, word: str) -> Iterator[str]:
    """The parts of a label that a keyword can be like: all of it, and as many words as the keyword has."""
    if not label:
        return
    yield label
    words, count = label.split(), max(1, len(word.split()))
    for at in range(len(words) - count + 1):
        yield " ".join(words[at : at + count])
    if any(character >= _NO_SPACES for character in word):
        for at in range(len(label) - len(word) + 1):
            yield label[at : at + len(word)]


def nearest_node(selector: str, view: StateView) -> NearMiss | None:
    """The node that fails ``selector`` in one thing only; None when there is none. Cached in the view."""
    known: dict[str, NearMiss | None] = view.__dict__.setdefault("_nearest_nodes", {})
    if selector not in known:
        known[selector] = _nearest_node(selector, view)
    return known[selector]


def _nearest_node(selector: str, view: StateView) -> NearMiss | None:
    try:
        parsed = compiled_selector(selector)
    except SelectorError:
        return None
    compound = parsed.compound
    if compound is None or view.tree is None:
        return None
    if compound.anchor is not None and (
        elsewhere := _find(replace(compound, relation="", anchor=None), view)
    ):
        return NearMiss(elsewhere[0], compound.relation, selector, "")
    if len(compound.terms) > 1:
        return next((miss for miss in _without_one_term(compound, view)), None)
    return _alike(compound.terms[0], view)


def _without_one_term(compound: Compound, view: StateView) -> Iterator[NearMiss]:
    """Nodes on which every test but one holds; tests that stand first in the selector are kept longest."""
    for at in range(len(compound.terms) - 1, -1, -1):
        term = compound.terms[at]
        others = compound.terms[:at] + compound.terms[at + 1 :]
        for node in _find(replace(compound, terms=others, position=None), view)[:1]:
            yield NearMiss(node, term.attribute, term.value, node.get(term.attribute))


def _alike(term: Term, view: StateView) -> NearMiss | None:
    """The node whose attribute is spelled most like the one wanted; of an id its name, not its package."""
    have = view.by_attribute(term.attribute)
    by_spelling = {_spelling(term.attribute, value): value for value in reversed(list(have)) if value}
    best = by_spelling.get(nearest(_spelling(term.attribute, term.value), by_spelling))
    return NearMiss(have[best][0], term.attribute, term.value, best) if best is not None else None


def _spelling(attribute: str, value: str) -> str:
    """The part of a value that is compared; of an id its name, because all ids of an app begin alike."""
    return (value.rpartition("/")[2] if attribute == "resource-id" else value).lower()


def _find(compound: Compound, view: StateView) -> list[Node]:
    return Selector("", compound).find(view.tree) if view.tree is not None else []
