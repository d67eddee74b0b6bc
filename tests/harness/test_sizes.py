"""A file of the product is read in one sitting: none has over 500 lines."""

from __future__ import annotations

from pathlib import Path

MOST_LINES = 500
ROOT = Path(__file__).resolve().parents[2]


def test_no_file_of_the_product_has_over_500_lines() -> None:
    files = [path for room in ("collector", "studio", "rule_editor") for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 1000
    lines = {path.relative_to(ROOT).as_posix(): path.read_bytes().count(b"\n") for path in files}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
