"""Rule files linted in a line, and quick fixes tried as a person would: applied, and linted again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, apply_edits
from collector.rules.grammar.model import WAYMARK
from collector.rules.grammar.rule_text import RuleText, rule_text
from collector.rules.lint.rule_linter import RuleLinter


def lint(
    *texts: str | RuleText, semantics: str = WAYMARK, kinds: Sequence[str] = (), **known: Any
) -> list[Diagnostic]:
    """What is found in files of these texts, named ``0.yaml`` and so on; one may have been read before."""
    files = [
        text
        if isinstance(text, RuleText)
        else rule_text(dedent(text), f"{number}.yaml", kinds[number] if kinds else "")
        for number, text in enumerate(texts)
    ]
    return RuleLinter(files, semantics=semantics, **known).diagnostics()


def names(diagnostics: Sequence[Diagnostic]) -> list[str]:
    return [diagnostic.code for diagnostic in diagnostics]


def apply_fixes(text: str, diagnostics: Sequence[Diagnostic]) -> Iterator[tuple[Diagnostic, str, str]]:
    """Every quick fix of findings in ``text``: the finding, the fix's title and the text it makes."""
    for diagnostic in diagnostics:
        for fix in diagnostic.fixes:
            yield diagnostic, fix.title, apply_edits(text, fix.edits)
