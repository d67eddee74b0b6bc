"""``text_similar``: a node has a text or description like this one, letter by letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import Match, SequenceMatcher
from typing import TYPE_CHECKING, ClassVar

from collector.model.cancellation import check_cancelled
from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.explanation_text import cut, nodes_match, quote, tag, tagged
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof, orders_of
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import SELECTOR, SHARE, TEXT

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns

_ATTRIBUTES = ("text", "content-desc")
_LONGEST = 500
"""Letters of a text that are compared."""
_MOST_READ = 5000
"""Letters of a text that are read, with its spaces."""
_MOST_PAIRS = 3_000_000
"""Pairs of letters looked at to compare two texts: paragraphs take a third of it, made texts far more."""


@dataclass(frozen=True, kw_only=True)
class TextSimilar(Condition):
    """A node has a text or description like this one."""

    type: ClassVar[str] = "text_similar"
    text: str = field(metadata=key(TEXT, N_("The text that one is like; case and spaces do not count")))
    threshold: float = field(
        default=0.85, metadata=key(SHARE, N_("How like it must be: 1 is the same, 0 has no letter in common"))
    )
    selector: str = field(
        default="", metadata=key(SELECTOR, N_("Only nodes that match it are read; all when left out"))
    )


class TextSimilarType(ConditionType[TextSimilar]):
    """Compares letters, as Ratcliff and Obershelp do: no model is asked, so every machine says the same."""

    needs_tree = True
    condition = TextSimilar
    doc = N_("A node has a text or description like this one")
    example = "{type: text_similar, text: Order confirmed, threshold: 0.8}"

    def starter(self, view: StateView | None) -> TextSimilar:
        label = next((node.label for node in view.nodes if node.label), "") if view is not None else ""
        return TextSimilar(text=label or _("text"))

    def prove(self, condition: TextSimilar, view: StateView, images: ImageFinder | None) -> Proof:
        nodes = view.find(condition.selector) if condition.selector else view.nodes
        best, likest, good = 0.0, None, []
        for node in nodes:
            check_cancelled()
            for name in _ATTRIBUTES:
                floor = min(best, condition.threshold)
                score = similarity(condition.text, node.attributes.get(name, ""), floor)
                if is_like(score, condition) and node not in good:
                    good.append(node)
                if score > best:
                    best, likest = score, node
        return Proof(
            condition, bool(good), nodes=orders_of(good), have=len(good), score=best,
            near=orders_of([likest] if likest is not None and not good else []),
            deficit=not good, evidence=bool(good),
        )  # fmt: skip

    def columns(self, condition: TextSimilar, states: StateColumns) -> VerdictColumns:
        import numpy as np

        nodes = None
        if condition.selector and (nodes := states.selected(condition.selector)) is None:
            return states.prove_dumps(lambda view: prove(condition, view))

        def fits(text: str) -> bool:
            check_cancelled()
            return is_like(similarity(condition.text, text, condition.threshold), condition)

        matched = np.zeros(states.columns.trees, np.bool_)
        for name in _ATTRIBUTES:
            hits = np.flatnonzero(states.values_fit(name, nodes, fits))
            matched |= states.with_nodes(hits if nodes is None else nodes[hits])
        return states.of_trees(states.verdicts_where(matched, matched))

    def sentence(self, condition: TextSimilar) -> str:
        return _("A text is like {text}", text=quote(condition.text))

    def explain(self, proof: Proof, condition: TextSimilar, view: StateView) -> str:
        if proof.holds:
            return nodes_match(proof.have)
        score, least = f"{proof.score or 0:.2f}", f"{condition.threshold:g}"
        text = quote(cut(condition.text))
        return _("The text that is most like {text} scores {score}, needs {least}",
                 text=text, score=score, least=least)  # fmt: skip

    def near_nodes(self, proof: Proof, condition: TextSimilar, view: StateView) -> Iterable[tuple[Node, str]]:
        return [
            named
            for order in proof.near
            for named in tagged([order], view, tag(condition.text, view.nodes[order].label))
        ]

    def other_thresholds(
        self, condition: TextSimilar, proof: Proof | None
    ) -> Iterator[tuple[float, TextSimilar]]:
        """The one that just changes the verdict on the state that was asked about."""
        if proof is not None and proof.score:
            score = proof.score
            threshold = round(int(score * 100) / 100 + 0.01 * (score >= condition.threshold), 2)
            if 0 < threshold <= 1:
                yield threshold, replace(condition, threshold=threshold, raw=None)


def is_like(score: float, condition: TextSimilar) -> bool:
    """Whether a score is enough; a text without a letter in common never is."""
    return 0 < score >= condition.threshold


def similarity(first: str, second: str, floor: float = 0.0) -> float:
    """How like two texts are, 0 to 1: twice the letters in common over all letters. Empty texts are not.

    Below ``floor`` it may say 0 without looking closer, and for texts that take too long to compare.
    """
    one, other = _plain(first), _plain(second)
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    # The matcher is not symmetric: the longer text goes first, whichever was asked about.
    longer, shorter = (one, other) if (len(one), one) >= (len(other), other) else (other, one)
    matcher = _CountedMatcher(longer, shorter)
    if matcher.real_quick_ratio() < floor or matcher.quick_ratio() < floor:
        return 0.0
    try:
        return matcher.ratio()
    except _TooManyPairsError:
        return 0.0


class _TooManyPairsError(Exception):
    """The comparison is given up."""


class _CountedMatcher(SequenceMatcher[str]):
    """Gives up a comparison after a number of pairs, the same on every machine."""

    def __init__(self, longer: str, shorter: str) -> None:
        super().__init__(None, longer, shorter, autojunk=False)
        self._longer, self._shorter = len(longer), len(shorter)
        self._left = _MOST_PAIRS

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """As the base class. Raises _TooManyPairsError."""
        rows, columns = (self._longer if ahi is None else ahi), (self._shorter if bhi is None else bhi)
        self._left -= (rows - alo) * (columns - blo)
        if self._left < 0:
            raise _TooManyPairsError
        return super().find_longest_match(alo, ahi, blo, bhi)


def _plain(text: str) -> str:
    return " ".join(text[:_MOST_READ].split()).casefold()[:_LONGEST]
