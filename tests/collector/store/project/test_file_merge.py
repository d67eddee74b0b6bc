"""Two versions of a file are merged entry by entry, and key by key within an entry."""

from __future__ import annotations

import pytest
import yaml

from collector.model.essential_state import own_state_id
from collector.store.files.errors import Damaged
from collector.store.project.file_merge import merge_file

BASE = """# head
version: 2
tasks:
  - id: a
    instruction: A
    level: easy
  # about b
  - id: b
    instruction: B
"""
MINE = BASE.replace("easy", "hard") + "  - id: c  # mine\n    instruction: C\n"
THEIRS = BASE.replace("instruction: A", "instruction: AA") + "  - id: d  # theirs\n    instruction: D\n"


def test_entries_and_keys_of_both_are_there_with_their_comments() -> None:
    merged = merge_file(BASE, MINE, THEIRS, "tasks.yaml")
    assert merged.conflicts == ()
    assert merged.text == (
        BASE.replace("easy", "hard").replace("instruction: A", "instruction: AA")
        + "  - id: c  # mine\n    instruction: C\n  - id: d  # theirs\n    instruction: D\n"
    )


def test_what_both_changed_stands_between_marks() -> None:
    ours, theirs = (BASE.replace("instruction: B", f"instruction: {word}") for word in ("ours", "theirs"))
    merged = merge_file(BASE, ours, theirs, "tasks.yaml")
    assert merged.text == ours
    assert [conflict.rule_id for conflict in merged.conflicts] == ["b"]
    marked = merged.with_markers
    assert [line[:8] for line in marked.splitlines() if line[0] in "<>"] == ["<<<<<<< ", ">>>>>>> "]
    assert marked.index("instruction: ours") < marked.index("=======") < marked.index("instruction: theirs")


def test_two_people_add_a_state_to_one_task() -> None:
    ours, theirs = (own_state_id("a", sentence, ()) for sentence in ("The cart is open", "It is paid"))
    base = "tasks:\n  - id: a\n    essential_states: [a-1]\n"
    merged = merge_file(
        base, *(base.replace("a-1", f"a-1, {state}") for state in (ours, theirs)), "tasks.yaml"
    )
    assert merged.conflicts == ()
    assert set(yaml.safe_load(merged.text)["tasks"][0]["essential_states"]) == {"a-1", ours, theirs}
    base = "states:\n  - id: a-1\n"
    merged = merge_file(base, *(f"{base}  - id: {state}\n" for state in (ours, theirs)), "states.yaml")
    assert (merged.conflicts, len(yaml.safe_load(merged.text)["states"])) == ((), 3)
    drawn = {own_state_id("a", "", ()) for _number in range(3)}
    assert len(drawn) > 1, "states without a sentence are told apart, too"
    assert own_state_id("a", "It is paid", {theirs}) != theirs


def test_comments_that_both_added_are_no_conflict() -> None:
    base = "states:\n  # shop-01\n"
    merged = merge_file(base, f"{base}  # shop-02\n", f"{base}  # shop-03\n", "states.yaml")
    assert (merged.conflicts, merged.text.count("# shop-0")) == ((), 3)


def test_both_add_the_first_entry_of_an_empty_list() -> None:
    base = "version: 2\ntasks: []\n"
    ours, theirs = (f"version: 2\ntasks:\n  - id: {name}\n" for name in "ab")
    for start in (base, ""):
        merged = merge_file(start, ours, theirs, "tasks.yaml")
        assert (merged.text, merged.conflicts) == ("version: 2\ntasks:\n  - id: a\n  - id: b\n", ())
    assert merge_file("", base, theirs, "tasks.yaml").text == theirs


def test_success_rules_are_merged_by_their_names() -> None:
    base = "bought:\n  conditions: []\n"
    merged = merge_file(
        base, f"{base}sent:\n  conditions: []\n", f"{base}seen:\n  conditions: []\n", "success.yaml"
    )
    assert (merged.conflicts, {"bought:", "sent:", "seen:"} - set(merged.text.split())) == ((), set())


def test_a_version_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Damaged, match=r"tasks\.yaml"):
        merge_file(BASE, MINE, "tasks: [", "tasks.yaml")
