"""``semantic_element_exists``: enough of some keywords are on the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from collector.model.cancellation import check_cancelled
from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.rules.conditions.condition_type import ConditionType, DgaraInjectionColumns
from collector.rules.evaluation.dgara_semantics import FAULTS, NO_TREE, DgaraInjection, dgara_screen
from collector.rules.evaluation.explanation_text import LONGEST_TAG, cut, quote, tag
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.near_miss import nearest_word
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import SHARE, TEXTS

if TYPE_CHECKING:
    from collector.rules.columns.dgara_state_columns import DgaraStateColumns
    from collector.rules.columns.node_columns import Flags
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns

_ROUNDING = 1e-9
_MOST_TRIED = 12
"""Keywords up to which a threshold is tried for every count of them."""
_MOST_NAMED = 4
"""Missing keywords that an explanation names."""


@dataclass(frozen=True, kw_only=True)
class SemanticElementExists(Condition):
    """Enough of the keywords are somewhere on the screen."""

    type: ClassVar[str] = "semantic_element_exists"
    keywords: tuple[str, ...] = field(
        metadata=key(TEXTS, N_("Words looked for in texts, ids and descriptions, in any case"))
    )
    match_threshold: float = field(
        default=1.0, metadata=key(SHARE, N_("Share of the keywords that must be there"), "threshold")
    )


class SemanticElementExistsType(ConditionType[SemanticElementExists]):
    """Keywords are looked for in texts, ids and descriptions of all nodes, in any case."""

    needs_tree = True
    condition = SemanticElementExists
    doc = N_("Enough of the keywords are on the screen")
    origin = "injection"
    example = "{type: semantic_element_exists, keywords: [Drive, Nearby, Metro, Mine], threshold: 0.75}"

    def starter(self, view: StateView | None) -> SemanticElementExists:
        return SemanticElementExists(keywords=(_("keyword"),))

    def prove(self, condition: SemanticElementExists, view: StateView, images: ImageFinder | None) -> Proof:
        missing = tuple(word for word in condition.keywords if not view.has_keyword(word))
        count = len(condition.keywords)
        have, need = count - len(missing), keywords_needed(count, condition.match_threshold)
        holds = have >= need and count > 0
        return Proof(
            condition, holds, have=have, need=need, missing=missing,
            deficit=0 if holds else max(1, need - have), evidence=have,
        )  # fmt: skip

    def columns(self, condition: SemanticElementExists, states: StateColumns) -> VerdictColumns:
        import numpy as np

        have = np.zeros(states.columns.trees, np.int32)
        for word in condition.keywords:
            check_cancelled()
            have += states.columns.having_keyword(word)
        count = len(condition.keywords)
        need = keywords_needed(count, condition.match_threshold)
        return states.of_trees(states.verdicts_by_count(have, need, possible=count > 0))

    def sentence(self, condition: SemanticElementExists) -> str:
        words = ", ".join(map(quote, condition.keywords))
        needed = keywords_needed(len(condition.keywords), condition.match_threshold)
        if needed >= len(condition.keywords):
            return _("The screen shows {words}", words=words)
        return _("The screen shows {count} of {words}", count=needed, words=words)

    def explain(self, proof: Proof, condition: SemanticElementExists, view: StateView) -> str:
        count = proof.have + len(proof.missing)  # D-GARA takes a single text letter by letter
        if not count:
            return _("It has no keywords")
        counts = _("{have} of {count} keywords, needs {need}", have=proof.have, count=count, need=proof.need)
        if proof.holds:
            return counts
        if proof.need > count:
            return _("{said}, which is more than there are", said=counts)
        for word in proof.missing:
            if miss := nearest_word(word, view):
                label = quote(cut(miss.node.label))
                return _(
                    "{said}; nearest miss: {word} (the screen has {label})",
                    said=counts, word=quote(word), label=label,
                )  # fmt: skip
        words = ", ".join(quote(cut(word, LONGEST_TAG)) for word in proof.missing[:_MOST_NAMED])
        return _("{said}; not seen: {words}", said=counts, words=words)

    def matching_nodes(self, proof: Proof, condition: SemanticElementExists, view: StateView) -> list[Node]:
        """Every node that has one of the keywords."""
        seen = [word for word in condition.keywords if word not in proof.missing]
        nodes = {node.order: node for word in seen for node in view.nodes_with(word)}
        return [nodes[order] for order in sorted(nodes)]

    def near_nodes(
        self, proof: Proof, condition: SemanticElementExists, view: StateView
    ) -> Iterator[tuple[Node, str]]:
        misses = (nearest_word(word, view) for word in proof.missing)
        return ((miss.node, tag(miss.wanted, miss.actual)) for miss in misses if miss is not None)

    def other_thresholds(
        self, condition: SemanticElementExists, proof: Proof | None
    ) -> Iterator[tuple[float, SemanticElementExists]]:
        count = len(condition.keywords)
        for need in range(1, min(count, _MOST_TRIED) + 1):
            share = shortest_share(need, count)
            yield share, replace(condition, match_threshold=share, raw=None)

    class Dgara(DgaraInjectionColumns):
        """Keywords are looked for in one text of all nodes, so a phrase may reach from one into the next."""

        def prove(self, condition: Condition, raw: Mapping[str, Any], view: StateView) -> Proof:
            words = dgara_screen(view).words
            if words is None:
                return Proof(condition, False, note=NO_TREE, deficit=1)
            keywords = list(raw.get("keywords", []))
            missing = tuple(word for word in keywords if word.lower() not in words)
            have = len(keywords) - len(missing)
            holds, deficit, need = _enough(raw, have)
            return Proof(
                condition, holds, have=have, need=need, missing=missing, deficit=deficit, evidence=have
            )  # fmt: skip

        def columns(self, raw: Mapping[str, Any], columns: DgaraStateColumns) -> VerdictColumns:
            import numpy as np

            verdicts = columns.blank_trees()
            try:
                keywords = list(raw.get("keywords", []))
                hits = [_columns_with(word, columns) for word in keywords]
                enough = [_enough(raw, have) for have in range(len(keywords) + 1)]
            except FAULTS:
                pass  # the original fails wherever there is a text to look at, and holds nowhere else
            else:
                have = np.sum(hits, axis=0, dtype=np.int32) if hits else np.zeros_like(verdicts.deficit)
                worded = columns.worded
                verdicts.holds[:] = np.array([holds for holds, _lacking, _need in enough])[have] & worded
                lacking = np.array([lacking for _holds, lacking, _need in enough])[have]
                verdicts.deficit[:] = np.where(worded, lacking, 1)
                verdicts.evidence[:] = have * worded
            states = columns.states
            states.prove_trees(columns.odd, lambda view: DgaraInjection(view, {}).condition(raw), verdicts)
            return states.of_trees(verdicts)

    dgara = Dgara()


def keywords_needed(count: int, threshold: float) -> int:
    """The least number of ``count`` keywords that makes the share; rounding faults of floats are forgiven."""
    return math.ceil(count * threshold - _ROUNDING)


def shortest_share(need: int, count: int) -> float:
    """The roundest threshold that wants exactly ``need`` of ``count`` keywords."""
    for digits in range(2, 7):
        scale = 10**digits
        share: float = need * scale // count / scale
        if keywords_needed(count, share) == need:
            return share
    return need / count


def _columns_with(keyword: Any, columns: DgaraStateColumns) -> Flags:
    """Whether each tree has a keyword. Raises Cancelled, and one of ``FAULTS`` where the original does."""
    check_cancelled()
    return columns.with_keyword(keyword.lower())


def _enough(raw: Mapping[str, Any], have: int) -> tuple[bool, int, int]:
    """Whether so many keywords are enough for D-GARA, how many are lacking, and how many it takes.

    Raises one of ``FAULTS`` where the original does.
    """
    count, threshold = len(raw.get("keywords", [])), raw.get("match_threshold", 1.0)
    if not isinstance(threshold, (int, float)):
        raise TypeError  # the original multiplies first, also a text, and compares then
    share = count * threshold
    holds = bool(have >= share)
    need = count + 1  # more than there are, as NaN is
    if share < 0:
        need = 0
    elif share <= count:
        need = math.ceil(share)
    return holds, 0 if holds else max(1, need - have), need
