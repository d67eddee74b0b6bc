"""Indentation by levels, also in files that others indented in their own way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rule_editor.document.text.indentation import (
    dedented,
    indent_after,
    indent_of,
    indented,
    level_below,
    step_of,
)

TWO = ["rules:", "  - id: a", "    conditions:", "      all:", "        - type: x", "          selector: y"]
FOUR = ["rules:", "    -   id: a", "        conditions:", "            all:", "                -   type: x"]
FLUSH = ["rules:", "- id: a", "  conditions: []"]


@pytest.mark.parametrize(
    ("lines", "column", "levels"),
    [
        (TWO, 10, [8, 6, 4, 2, 0]),
        (TWO, 9, [8, 6, 4, 2, 0]),
        (TWO, 40, [10, 8, 6, 4, 2, 0]),
        (FOUR, 20, [16, 12, 8, 4, 0]),
        (FLUSH, 4, [2, 0]),
        ([], 5, [4, 2, 0]),
        (["# only", "", "   "], 3, [2, 0]),
    ],
)
def test_levels_are_where_enclosing_keys_and_items_begin(lines, column, levels):
    found = []
    while column:
        column = level_below(lines, column)
        found.append(column)
    assert found == levels


@pytest.mark.parametrize(
    ("line", "following", "indent"),
    [
        ("rules:", [], 2),
        ("rules:", ["- id: a"], 0),
        ("  - id: a", [], 4),
        ("  - conditions:", [], 6),
        ("    conditions:  # all of them", ["", "        - type: x"], 8),
        ("    text: |", [], 6),
        ("    text: >-", [], 6),
        ("    text: a:b", [], 4),
        ("    # a comment:", [], 4),
        ("        ", [], 8),
        ("    - ", [], 6),
    ],
)
def test_a_new_line_keeps_its_level_or_opens_one(line, following, indent):
    assert indent_after(line, following, 2) == indent


def test_a_step_is_what_the_file_uses():
    assert step_of(TWO) == 2
    assert step_of(FOUR) == 4
    assert step_of(["a: 1"]) == 2


@given(
    st.lists(
        st.builds(
            lambda by, rest: " " * by + rest, st.integers(0, 9), st.sampled_from(["", "x", "- y", "# z"])
        )
    )
)
def test_a_block_stays_in_shape_whatever_its_lines_are(lines):
    deeper = indented(lines, 2)
    assert dedented(deeper, 2) == lines
    back = dedented(lines, 2)
    changes = {indent_of(old) - indent_of(new) for old, new in zip(lines, back, strict=True) if old.strip()}
    assert len(changes) <= 1
    assert [line.strip() for line in back] == [line.strip() for line in lines]
