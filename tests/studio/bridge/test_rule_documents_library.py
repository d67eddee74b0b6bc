"""The library of anomalies is a document beside the rule files: saved, undone, renamed and watched too."""

from __future__ import annotations

import weakref
from pathlib import Path

import pytest

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.rules.grammar.model import INJECTION
from collector.store.files.layout import LIBRARY_FILE, RULE_FILES
from rule_editor.document.anomalies import anomaly_edits
from studio.bridge import JobRunner
from studio.bridge.rules.rule_documents import RuleDocuments

RULES = """rules:
  - id: one
    conditions: []
    actions:
      - {type: inject_interference, interference_id: low}
"""
LIBRARY = """# mine
interference_library:
  - id: low
    description: Low
    target_activity: LoginActivity
"""
_SLOW = 20_000


@pytest.fixture
def book(qapp, qtbot, tmp_path):
    runner = JobRunner()
    rule_documents = RuleDocuments(runner)
    for name, text in ((RULE_FILES[INJECTION], RULES), (LIBRARY_FILE, LIBRARY)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with qtbot.waitSignal(rule_documents.opened, timeout=_SLOW):
        rule_documents.open_project(tmp_path)
    yield rule_documents
    rule_documents.close()
    runner.close()
    rule_documents.deleteLater()
    runner.deleteLater()
    qtbot.wait(0)


def _describe(book: RuleDocuments, text: str) -> None:
    book.anomalies.change("low", lambda piece: anomaly_edits.set_field(piece, "description", text))


def test_an_edit_of_an_anomaly_is_written_by_itself(book, qtbot, tmp_path):
    with qtbot.waitSignal(book.saved, timeout=_SLOW):
        _describe(book, "Empty")
    assert (tmp_path / LIBRARY_FILE).read_text("utf-8") == LIBRARY.replace("n: Low", "n: Empty")
    assert book.offered.anomalies[0].description == "Empty"
    assert not book.dirty


def test_documents_that_are_read_again_are_gone_at_once(book, qtbot, tmp_path):
    """They waited for a collection of cycles: 40, of 7,000 objects each, after an hour of a window."""
    with qtbot.waitSignal(book.saved, timeout=_SLOW):
        _describe(book, "Empty")
    before = [weakref.ref(document) for document in book.every]
    with qtbot.waitSignal(book.opened, timeout=_SLOW):
        book.open_project(tmp_path)
    qtbot.waitUntil(lambda: not any(document() for document in before))
    assert len(before) == 5


def test_undo_runs_over_rules_and_anomalies_in_the_order_of_the_edits(book):
    _describe(book, "Empty")
    book.documents[INJECTION].set_field("one", "priority", 3)
    book.history.undo()
    assert book.documents[INJECTION].text == RULES
    book.history.undo()
    assert book.library == LIBRARY
    book.history.redo()
    assert "Empty" in book.library


def test_a_rule_follows_the_new_name_of_its_anomaly_in_one_step(book):
    book.rename_anomaly("low", "battery_low")
    assert book.anomalies.anomaly("battery_low") is not None
    assert "interference_id: battery_low" in book.documents[INJECTION].text
    book.history.undo()
    assert (book.library, book.documents[INJECTION].text) == (LIBRARY, RULES)
    assert not book.history.undo_title
    book.history.redo()
    assert "interference_id: battery_low" in book.documents[INJECTION].text


def test_what_another_program_writes_into_the_library_is_taken_in(book, qtbot, tmp_path):
    with qtbot.waitSignal(book.changed, timeout=_SLOW):
        (tmp_path / LIBRARY_FILE).write_text(LIBRARY.replace("Low", "Other"), encoding="utf-8")
    assert "Other" in book.library


def test_a_library_that_cannot_be_read_is_told_and_keeps_no_rule_away(book, qtbot, tmp_path):
    other = tmp_path / "other"
    (other / LIBRARY_FILE).parent.mkdir(parents=True)
    (other / LIBRARY_FILE).write_bytes(b"\xff\xfe")
    with qtbot.waitSignal(book.failed, timeout=_SLOW) as emitted:
        book.open_project(Path(other))
    assert isinstance(emitted.args[0], DocumentError)
    assert set(book.documents) == set(RULE_FILES)
    assert book.anomalies is None
