"""Values of the session of the Rules workspace: a rule's newest back-test, and what the next window needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.rules.backtest.backtest import BackTestResult
from studio.views.variations.session import VariationSessionState


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The newest back-test of a rule; ``is_pending`` while that of the rule as it is now is not done."""

    result: BackTestResult | None = None
    is_pending: bool = False


@dataclass(frozen=True, slots=True)
class RulesSessionState:
    """What is selected, and how rules are read and compared."""

    kind: str
    rule_id: str
    file: str
    files: tuple[Path, ...]
    semantics: str
    is_comparing: bool
    opened_texts: Mapping[str, str]
    recordings_query: str
    place: tuple[str, int] | None
    """Trajectory and index of the recorded state on show; None while something else is."""
    variations: VariationSessionState | None = None
    """Those of the tab Variations; None when it was never open."""
