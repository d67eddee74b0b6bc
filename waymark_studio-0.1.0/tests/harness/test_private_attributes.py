"""Tests use what the product offers to everybody: the private attributes that they touch only get fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 22
"""As many accesses as there are. Lower it when you take one away; it is never raised."""
_NAME = re.compile(r"\b_[A-Za-z]\w*")
_ACCESS = re.compile(r"(?<!\bself)(?<!\bcls)(?<!\bsuper\(\))\.(_[A-Za-z]\w*)")
"""An attribute of another object than the test's own, and not one that a test's class overrides."""


def texts(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def test_tests_touch_no_more_private_attributes_than_before() -> None:
    product = texts("collector", "rule_editor", "studio")
    private = {name for _path, text in product for name in _NAME.findall(text)}
    found = [
        f"{path}:{number}: {name}"
        for path, text in texts("tests")
        for number, line in enumerate(text.splitlines(), start=1)
        for name in _ACCESS.findall(line)
        if name in private
    ]
    assert len(found) <= MOST, "\n".join(found)
