"""Whoever judges asks the registry of judges; no other code makes a judge by itself."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = re.compile(r"\bRuleJudge\(")
HOME = "collector/judge/rule_judge.py"


def test_the_judge_by_rules_is_made_in_its_module_alone() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("collector", "rule_editor", "studio", "packaging")
        for path in (ROOT / package).rglob("*.py")
        if MADE.search(path.read_text("utf-8"))
    }
    assert found == {HOME}
