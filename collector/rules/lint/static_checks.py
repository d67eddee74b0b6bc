"""The checks of a rule file that need neither a project nor recordings."""

from __future__ import annotations

from collections.abc import Iterator

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.cancellation import check_cancelled
from collector.rules.grammar.model import WAYMARK
from collector.rules.lint.attributes import attributes
from collector.rules.lint.contradictions import contradictions
from collector.rules.lint.dgara_differences import dgara_differences
from collector.rules.lint.follow_ups import follow_ups
from collector.rules.lint.rule_text import LintContext, RuleText
from collector.rules.lint.thresholds import thresholds


def static_checks(
    file: RuleText, semantics: str = WAYMARK, seen: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Diagnostics of each rule by itself; ``seen`` are attributes recordings have beyond the known ones.

    Raises Cancelled between two rules.
    """
    for rule in file.file.rules:
        check_cancelled()
        context = LintContext(file, rule)
        yield from thresholds(context, semantics)
        yield from attributes(context, seen)
        yield from contradictions(context)
        yield from follow_ups(context)
        yield from dgara_differences(context, semantics)
