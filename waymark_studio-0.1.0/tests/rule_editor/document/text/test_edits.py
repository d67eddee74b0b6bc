"""Text edits: the smallest one between two texts leads from the first to the second."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.located_yaml.diagnostics import apply_edits
from rule_editor.document.text.edits import smallest_edit


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
def test_the_smallest_edit_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    edits = smallest_edit(before, after)
    assert apply_edits(before, edits) == after
    assert len(edits) == (before != after)
