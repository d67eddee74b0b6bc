"""Whatever character or level is lost, every entry of the file is still there, with its id and text."""

from __future__ import annotations

import pytest

from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_room import INJECTION_TEXT, LIBRARY_TEXT, SUCCESS_TEXT

RULES = INJECTION_TEXT + INJECTION_TEXT.partition("rules:\n")[2].replace("on_results", "second")
SUCCESS = SUCCESS_TEXT + SUCCESS_TEXT.replace("bought", "second")
LIBRARY = LIBRARY_TEXT + LIBRARY_TEXT.partition("library:\n")[2].replace("low_battery", "second")
NAMES = ("second", *("second"[:at] + "second"[at + 1 :] for at in range(6)))
"""The id of the second entry, and what a slip in it leaves."""
FILES = {
    "injection": (lambda text: RuleDocument(text, "injection.yaml", "injection"), RULES),
    "success": (lambda text: RuleDocument(text, "success.yaml", "success"), SUCCESS),
    "library": (lambda text: AnomalyDocument(text, "library.yaml"), LIBRARY),
}


def slips(text: str) -> list[str]:
    """The text without each of its characters, apart from the ends of entries, and each of its levels."""
    starts = [at for at in range(len(text)) if text.startswith(("  - id: second", "second:"), at)]
    lost = [text[:at] + text[at + 1 :] for at in range(len(text)) if at + 1 not in starts]
    levels = [text[:at] + text[at + 2 :] for at in range(len(text)) if text.startswith("  ", at)]
    return [*lost, *levels]


@pytest.mark.parametrize("kind", FILES)
def test_no_entry_leaves_the_list(kind):
    make, text = FILES[kind]
    whole = make(text)
    assert len(whole.parsed.entries) == 2
    for slip in slips(text):
        document = make(slip)
        entries = document.parsed.entries
        assert len(entries) >= 2, slip
        shown = "".join(slip[entry.start : entry.end] for entry in entries)
        assert any(name in shown for name in NAMES), slip
        document.set_text(text)
        assert list(document.parsed.by_key) == list(whole.parsed.by_key)


@pytest.mark.parametrize("text", ["rule:\n  - id: a\n    conditions: []\n", "only words", "rules: {a: 1}\n"])
def test_a_file_without_any_rule_is_one_that_can_be_chosen(text):
    document = RuleDocument(text, "injection.yaml", "injection")
    (entry,) = document.parsed.entries
    assert entry.rule is None
    assert document.place_of(entry.key).start == entry.start


@pytest.mark.parametrize("text", ["", "# only a comment\n", "rules:\n"])
def test_a_file_with_nothing_wrong_has_no_entry(text):
    assert RuleDocument(text, "injection.yaml", "injection").parsed.entries == ()
