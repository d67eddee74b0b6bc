"""A library read entry by entry comes to what reading it whole comes to, whatever is typed where."""

from __future__ import annotations

import random

import pytest

from collector.anomalies.builtin_library import builtin_library_text
from collector.anomalies.check import check_library
from collector.anomalies.reader import read_library
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.library_reader import LibraryReader

ENTRY = """- id: one
  target_activity: DialogActivity
  params: {param_title: Low, param_allow_btn_text: Yes}
"""
NATIVE = """- id: two
  kind: native
  commands:
    - {apply: ["rm -rf /"], undo: [a]}
"""
_TYPED = ("x", " ", "\n", ":", '"', "- ", "\n  - id: q\n", "#", "&a ", "*a", "\t", "{")


def assert_same(document: AnomalyDocument) -> None:
    """The document says what the whole text says, places included."""
    whole = read_library(document.text, document.path)
    assert document.library.anomalies == whole.anomalies
    assert sorted(map(repr, document.library.diagnostics)) == sorted(map(repr, whole.diagnostics))
    assert [repr(diagnostic) for diagnostic in document.diagnostics] == [
        repr(diagnostic) for diagnostic in check_library(whole)
    ]


def is_alone(document: AnomalyDocument) -> bool:
    return all(entry.parsed is not None for entry in document.parsed.entries)


def test_any_letter_anywhere_in_the_studios_own_library() -> None:
    document = AnomalyDocument(builtin_library_text(), "library.yaml")
    chance = random.Random(5)
    assert is_alone(document)
    alone = 0
    for _turn in range(30):
        at = chance.randrange(len(document.text))
        document.replace(at, at + chance.choice((0, 0, 2)), chance.choice(_TYPED))
        assert_same(document)
        alone += is_alone(document)
        document.undo()
    assert alone > 10


@pytest.mark.parametrize("text", [
    ENTRY + NATIVE, "interference_library:\n" + ENTRY, "# why\n\nanomalies: # all\n" + ENTRY + NATIVE,
    ENTRY.replace("\n", "\r\n"), ENTRY + ENTRY, ENTRY + "- text\n", ENTRY + "- \n" + NATIVE,
])  # fmt: skip
def test_entries_that_stand_for_themselves_are_read_alone(text: str) -> None:
    document = AnomalyDocument(text, "library.yaml")
    assert is_alone(document)
    assert_same(document)


@pytest.mark.parametrize("text", [
    ENTRY.replace("{param_title", "&shared {param_title") + "- id: two\n  params: *shared\n",
    "name: x\nanomalies:\n" + ENTRY, "anomalies:\n" + ENTRY + "other: 1\n", "\ufeff" + ENTRY, "[]", "",
    "---\n" + ENTRY,
])  # fmt: skip
def test_all_other_files_are_read_whole(text: str) -> None:
    document = AnomalyDocument(text, "library.yaml")
    assert not document.parsed.entries or not is_alone(document)
    assert_same(document)


@pytest.mark.parametrize("root", ["", "anomalies:\n", "\ninterference_library: # ours\n"])
@pytest.mark.parametrize(
    "slip",
    [
        '- id: "open\n', "- id: [a, b\n  kind: native\n", "- id: x\n\tkind: native\n",
        "- id: a\n   kind: b\n", "-\n  - id: [\n", "- id\n  kind: {\n", "- id: *nothing\n",
        "- id: a\n  params: {b: 'c}\n - id: d\n", "  kind: 'native\n", "words\n",
        "- id: 2026-99-99\n", "- id: a: b\n- id: c: d\n",
    ],
)  # fmt: skip
def test_a_broken_library_is_read_by_its_entries(root: str, slip: str) -> None:
    document = AnomalyDocument(root + ENTRY + slip + NATIVE + ENTRY.replace("one", "three"), "library.yaml")
    assert_same(document)
    assert not document.parsed.is_whole
    assert is_alone(document)
    assert {"two", "three"} <= {anomaly.id for anomaly in document.library.anomalies}
    before = document.parsed.by_key["three"].parsed
    document.replace(len(root) + len(ENTRY) + 6, len(root) + len(ENTRY) + 6, "x")
    assert document.parsed.by_key["three"].parsed is before
    assert_same(document)


def test_a_quote_that_is_closed_further_down_breaks_nothing() -> None:
    document = AnomalyDocument('- id: "one\n- id: two"\n' + NATIVE, "library.yaml")
    assert document.parsed.is_whole
    assert [anomaly.id for anomaly in document.library.anomalies] == ["one - id: two", "two"]
    assert_same(document)


def test_an_entry_that_did_not_change_is_not_read_again() -> None:
    reader = LibraryReader()
    before = reader.read(ENTRY + NATIVE).library.anomalies
    after = reader.read(ENTRY + NATIVE.replace("two", "three")).library.anomalies
    assert after[0] is before[0]
    assert after[1].id == "three"


def test_places_are_those_of_the_file() -> None:
    document = AnomalyDocument("anomalies:\n" + ENTRY + NATIVE)
    place = document.place_of("two")
    assert place is not None
    assert document.text[place.start :].startswith("id: two")
    assert place.line == 5
    command = document.library.anomalies[1].native[0].apply[0]
    assert document.path_of("two", command.place) == ("commands", 0, "apply", 0)
    assert document.anomaly_at(command.place.start) == "two"


def test_an_edit_by_the_form_keeps_the_entries_beside_it() -> None:
    document = AnomalyDocument("anomalies:\n" + ENTRY + "\n" + NATIVE)
    document.rename("two", "three")
    assert document.text == "anomalies:\n" + ENTRY + "\n" + NATIVE.replace("two", "three")
    document.delete("one")
    assert [anomaly.id for anomaly in document.library.anomalies] == ["three"]
    assert_same(document)


@pytest.mark.parametrize(
    "root", ["anomalies:#", "anomalies: # mine", "anomalies :", "interference_library:\t# tab"]
)
def test_any_way_to_begin_the_list_reads_as_the_whole_does(root: str) -> None:
    assert_same(AnomalyDocument(f"{root}\n  - id: a\n  - id: b\n", "library.yaml"))


def test_a_key_after_a_question_mark_reads_as_the_whole_does() -> None:
    text = builtin_library_text().replace("    commands:\n", "    ? commands:\n", 1)
    assert_same(AnomalyDocument(text, "library.yaml"))
