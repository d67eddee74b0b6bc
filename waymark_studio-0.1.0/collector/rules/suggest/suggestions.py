"""Suggestions, ranked by how unique, stable, free of language and readable they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.model.geometry import Rect
from collector.model.i18n import _, join_sentences, ngettext
from collector.model.tree import Node
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.element_text import ElementTextEquals
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.explanation import sentence, title
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import Condition, Group
from collector.rules.suggest import candidates
from collector.rules.suggest.samples import Samples, Standing

MOST = 8
_PATH = "/hierarchy"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A condition, its score from 0 to 100, its title and why."""

    condition: Condition
    score: int
    title: str
    reason: str
    standing: Standing
    nodes: tuple[int, ...] = ()
    """Nodes it matches on this state."""
    region: Rect | None = None
    """Part of the screen whose image has to be saved for it."""

    @property
    def sentence(self) -> str:
        """What the condition says, in words."""
        return _("The screen shows this image") if self.region is not None else sentence(self.condition)


def suggest_for_node(node: Node, samples: Samples) -> list[Suggestion]:
    """Conditions for one node of the samples' view, best first."""
    return _ranked(candidates.for_node(samples.view, node), samples)


def suggest_for_nodes(nodes: Sequence[Node], samples: Samples) -> list[Suggestion]:
    """Conditions for several nodes together, best first."""
    if len(nodes) == 1:
        return suggest_for_node(nodes[0], samples)
    return _ranked(candidates.for_nodes(samples.view, nodes), samples)


def suggest_for_region(region: Rect, nodes: Sequence[Node], samples: Samples) -> list[Suggestion]:
    """Conditions for a part of the screen and the nodes wholly inside it, best first."""
    return _ranked(candidates.for_region(samples.view, nodes), samples, region)


def _ranked(
    conditions: Iterable[Condition], samples: Samples, region: Rect | None = None
) -> list[Suggestion]:
    ranked: dict[Condition, Suggestion] = {}
    for condition in conditions:
        if condition in ranked:
            continue
        if isinstance(condition, ImageMatches):
            ranked[condition] = _picture(condition, samples, region)
            continue
        proof = prove(condition, samples.view)
        if proof.holds:
            standing = samples.standing(condition)
            matches = max(1, proof.have) if not isinstance(condition, SemanticElementExists) else 1
            score = _score(condition, standing, matches)
            ranked[condition] = Suggestion(
                condition, score, title(condition), _reason(standing, matches), standing, proof.nodes
            )
    best = sorted(ranked.values(), key=lambda suggestion: (-suggestion.score, len(suggestion.title)))
    return _without_twins(best)[:MOST]


def _without_twins(ranked: list[Suggestion]) -> list[Suggestion]:
    """At most three suggestions of one condition type."""
    chosen: list[Suggestion] = []
    for suggestion in ranked:
        twins = [other for other in chosen if type(other.condition) is type(suggestion.condition)]
        if len(twins) < 3:
            chosen.append(suggestion)
    return chosen


def _picture(condition: ImageMatches, samples: Samples, region: Rect | None) -> Suggestion:
    standing = Standing(0, len(samples.same), 0, len(samples.others), 0, 0, 0)
    reason = _("How it looks; holds in any language, breaks with a new design")
    return Suggestion(condition, 45, _("this picture is seen"), reason, standing, region=region)


def _score(condition: Condition, standing: Standing, matches: int) -> int:
    unique = 22 if matches == 1 else max(0, 14 - 2 * matches)
    stable = 28 * standing.same / standing.of_same if standing.of_same else 18
    runs = 12 * standing.runs / standing.of_runs if standing.of_runs else 8
    precise = 22 / (1 + standing.screens_elsewhere) if standing.of_elsewhere else 14
    readable = max(0, 6 - len(title(condition)) // 25)
    return max(0, min(100, round(unique + stable + runs + precise + _language(condition) + readable)))


def _language(condition: Condition) -> int:
    """Points for not depending on the phone's language, from 0 to 10."""
    if isinstance(condition, (CurrentActivityIs, CurrentPackageIs)):
        return 10
    if isinstance(condition, (SemanticElementExists, TextMatches, ElementTextEquals)):
        return 2
    if isinstance(condition, ElementProperty):
        return 1 if condition.attribute == "content-desc" or "text=" in condition.selector else 10
    if isinstance(condition, ElementExists):
        if condition.selector.startswith(_PATH):
            return 0
        return 2 if "text=" in condition.selector or "content-desc=" in condition.selector else 9
    if isinstance(condition, Group):
        return min((_language(part) for part in condition.conditions), default=0)
    return 5


def _reason(standing: Standing, matches: int) -> str:
    parts = [_where(standing)]
    if matches > 1:
        parts.append(ngettext("one node matches here", "{count} nodes match here", matches))
    return join_sentences(*parts)


def _where(standing: Standing) -> str:
    if not standing.of_same and not standing.of_elsewhere:
        return _("Holds here; nothing is recorded yet to compare with")
    if not standing.of_same:
        runs = _("This screen was not recorded yet")
    else:
        runs = _("{count} of {total} runs", count=standing.runs, total=standing.of_runs)
        if standing.same < standing.of_same and standing.runs == standing.of_runs:
            runs = _(
                "{runs}, {count} of {total} states", runs=runs, count=standing.same, total=standing.of_same
            )
    if not standing.screens_elsewhere:
        return _("{runs}, only this screen", runs=runs)
    others = ngettext("one other screen too", "{count} other screens too", standing.screens_elsewhere)
    return f"{runs}, {others}"
