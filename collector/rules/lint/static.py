"""What a rule file says about itself: findings that need neither a project nor recordings."""

from __future__ import annotations

from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic
from collector.rules.grammar.model import WAYMARK
from collector.rules.lint.attributes import attributes
from collector.rules.lint.contradictions import contradictions
from collector.rules.lint.dgara import dgara_differences
from collector.rules.lint.follow_ups import follow_ups
from collector.rules.lint.text import RuleText, Spot
from collector.rules.lint.thresholds import thresholds


def static(
    file: RuleText, semantics: str = WAYMARK, seen: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Findings on each rule by itself; ``seen`` are attributes recordings have beyond the known ones."""
    for rule in file.file.rules:
        spot = Spot(file, rule)
        yield from thresholds(spot, semantics)
        yield from attributes(spot, seen)
        yield from contradictions(spot)
        yield from follow_ups(spot)
        yield from dgara_differences(spot, semantics)
