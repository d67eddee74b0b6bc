"""Docstrings say what a thing does, not that it does the same as its neighbour."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("collector", "rule_editor", "studio", "tests", "packaging", "docs")
_THE_SAME = re.compile(r'^\s*"""The same\b', re.MULTILINE)


def test_no_docstring_begins_with_the_same() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.end()) + 1}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for text in [path.read_text(encoding="utf-8")]
        for match in _THE_SAME.finditer(text)
    ]
    assert found == []
