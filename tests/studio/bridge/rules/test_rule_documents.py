"""Rule files are edited here and written behind; nobody's change is lost, whoever wrote last."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.rules.grammar.model import INJECTION, SUCCESS
from collector.store.files.layout import LIBRARY_FILE, RULE_FILES
from studio.bridge import JobRunner
from studio.bridge.rules.rule_documents import RuleDocuments

TEXT = """# kept
rules:
  - id: one
    conditions:
      all:
        - {type: element_exists, selector: text='A'}
    actions:
      - {type: inject_interference, interference_id: x}
"""
_SLOW = 20_000


@pytest.fixture
def book(qapp, qtbot, tmp_path):
    runner = JobRunner()
    rule_documents = RuleDocuments(runner)
    (tmp_path / "rules").mkdir()
    (tmp_path / RULE_FILES[INJECTION]).write_text(TEXT, encoding="utf-8")
    with qtbot.waitSignal(rule_documents.opened, timeout=_SLOW):
        rule_documents.open_project(tmp_path)
    yield rule_documents
    rule_documents.close()
    runner.close()
    rule_documents.deleteLater()
    runner.deleteLater()
    qtbot.wait(0)


def injection(tmp_path: Path) -> str:
    return (tmp_path / RULE_FILES[INJECTION]).read_text(encoding="utf-8")


def test_a_project_without_files_has_empty_documents_and_makes_no_files(book, tmp_path) -> None:
    assert [rule.id for rule in book.rules] == ["one"]
    assert book.documents[SUCCESS].text == ""
    assert not (tmp_path / RULE_FILES[SUCCESS]).exists()


def test_a_project_without_a_library_is_offered_the_studios_own(book, qtbot, tmp_path) -> None:
    assert book.library == ""
    assert book.offered.anomalies == builtin_library().anomalies
    (tmp_path / LIBRARY_FILE).parent.mkdir()
    (tmp_path / LIBRARY_FILE).write_text("interference_library: []", encoding="utf-8")
    with qtbot.waitSignal(book.opened, timeout=_SLOW):
        book.open_project(tmp_path)
    assert book.library == "interference_library: []"
    assert book.offered.anomalies == ()


def test_what_was_read_fills_the_window_in_a_turn_of_its_own(qapp, qtbot, tmp_path) -> None:
    """The window has just built its panels, and paints them before they are filled."""
    runner, painted = JobRunner(), []
    documents = RuleDocuments(runner)
    documents.opened.connect(lambda: painted.append("filled"))
    (tmp_path / "rules").mkdir()
    (tmp_path / RULE_FILES[INJECTION]).write_text(TEXT, encoding="utf-8")
    documents.open_project(tmp_path)
    (job,) = runner.jobs
    job.succeeded.connect(lambda _result: painted.append("read"))
    with qtbot.waitSignal(documents.opened, timeout=_SLOW):
        pass
    assert painted == ["read", "filled"]
    documents.close()
    runner.close()


def test_an_edit_is_written_by_itself_and_keeps_the_rest_to_the_byte(book, qtbot, tmp_path) -> None:
    with qtbot.waitSignal(book.saved, timeout=_SLOW):
        book.documents[INJECTION].set_field("one", "priority", 3)
    assert injection(tmp_path) == TEXT.replace("id: one\n", "id: one\n    priority: 3\n")
    assert not book.dirty


def test_undo_and_redo_run_over_all_files_in_the_order_of_the_edits(book, qtbot) -> None:
    book.documents[INJECTION].set_field("one", "priority", 3)
    book.documents[SUCCESS].replace(0, 0, "done:\n  conditions: []\n")
    assert book.documents[SUCCESS].rules[0].id == "done"
    book.history.undo()
    assert book.documents[SUCCESS].text == ""
    assert "priority" in book.documents[INJECTION].text
    book.history.undo()
    assert book.documents[INJECTION].text == TEXT
    assert book.history.undo_title == ""
    book.history.redo()
    assert "priority" in book.documents[INJECTION].text
    assert book.history.redo_title


def test_what_another_program_writes_comes_in(book, qtbot, tmp_path) -> None:
    with qtbot.waitSignal(book.changed, timeout=_SLOW):
        (tmp_path / RULE_FILES[INJECTION]).write_text(TEXT.replace("one", "two"), encoding="utf-8")
    assert book.rule(INJECTION, "two") is not None


def test_when_both_changed_one_rule_this_one_is_kept_and_the_other_offered(
    book, qtbot, tmp_path, monkeypatch
) -> None:
    document = book.documents[INJECTION]
    # The edit here is still on its way when the other comes.
    monkeypatch.setattr("studio.bridge.rules.rule_documents.SAVE_AFTER_MS", 10**6)
    document.set_field("one", "priority", 3)
    with qtbot.waitSignal(book.conflicted, timeout=_SLOW) as emitted:
        theirs = TEXT.replace("id: one\n", "id: one\n    priority: 9\n")
        (tmp_path / RULE_FILES[INJECTION]).write_text(theirs, encoding="utf-8")
    assert "priority: 3" in document.text
    document.take_theirs(emitted.args[0].conflicts[0])
    assert "priority: 9" in document.text


def test_a_write_takes_in_what_another_program_wrote_just_before(book, qtbot, tmp_path) -> None:
    """The file changed, and this program writes before it heard of that: neither edit is lost."""
    document, path = book.documents[INJECTION], tmp_path / RULE_FILES[INJECTION]
    for number, last in ((3, False), (4, True)):
        theirs = path.read_text(encoding="utf-8").replace("# kept", f"# kept {number}")
        document.set_field("one", "priority", number)
        path.write_text(theirs, encoding="utf-8")
        with qtbot.waitSignal(book.saved, timeout=_SLOW):
            book.close() if last else book.save()
        qtbot.waitUntil(lambda: not book.dirty, timeout=_SLOW)
        for text in (document.text, path.read_text(encoding="utf-8")):
            assert f"priority: {number}" in text or last
            assert f"# kept {number}" in text or last
    assert "priority: 4" in path.read_text(encoding="utf-8")
    assert "# kept 4" in path.read_text(encoding="utf-8")


def test_several_files_of_one_kind_open_outside_a_project(book, qtbot, tmp_path) -> None:
    files = [tmp_path / RULE_FILES[INJECTION], tmp_path / "other.yaml", tmp_path / "broken.yaml"]
    files[1].write_text(TEXT.replace("id: one", "id: two"), encoding="utf-8")
    files[2].write_bytes(b"\xff\xfe")
    with qtbot.waitSignals([book.opened, book.failed], timeout=_SLOW):
        book.open_files(files)
    assert [document.path for document in book.of_kind(INJECTION)] == [str(path) for path in files[:2]]
    assert [rule.id for rule in book.rules] == ["one", "two"]
    assert book.holder(INJECTION, "two") is book.file(str(files[1]))


def test_its_own_writing_is_no_change_from_outside(book, qtbot, tmp_path) -> None:
    seen: list[str] = []
    book.changed.connect(lambda changed: seen.append(changed.change.reason))
    for number in range(4):
        with qtbot.waitSignal(book.saved, timeout=_SLOW):
            book.documents[INJECTION].set_field("one", "priority", number)
            book.save()
    qtbot.wait(50)
    assert set(seen) == {"edit"}


def test_a_disk_that_cannot_be_written_is_told_and_the_text_stays_to_be_saved(book, qtbot, tmp_path) -> None:
    folder = tmp_path / "rules"
    (tmp_path / RULE_FILES[INJECTION]).unlink()
    folder.rmdir()
    folder.write_text("in the way", encoding="utf-8")
    with qtbot.waitSignal(book.failed, timeout=_SLOW):
        book.documents[INJECTION].set_field("one", "priority", 3)
        book.save()
    assert book.dirty
    folder.unlink()


def test_closing_writes_what_is_left(book, qtbot, tmp_path) -> None:
    book.documents[INJECTION].set_field("one", "priority", 3)
    with qtbot.waitSignal(book.saved, timeout=_SLOW):
        book.close()
    assert "priority: 3" in injection(tmp_path)


def test_without_a_project_no_anomaly_is_offered(book, qtbot) -> None:
    with qtbot.waitSignal(book.opened, timeout=_SLOW):
        book.open_project(None)
    assert book.offered.anomalies == ()
    assert book.known == {}


PROPOSAL = """format: waymark-proposal
# kept
states:
  - id: '1'
    sentence: Signed in
acts: []
"""


def test_the_states_of_an_open_proposal_are_edited_beside_the_rule_files(book, qtbot, tmp_path) -> None:
    path = tmp_path / "proposals" / "shop-1" / "lin.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(PROPOSAL, encoding="utf-8")
    with qtbot.waitSignal(book.files_changed, timeout=_SLOW):
        book.open_proposal(path)
    assert [rule.description for rule in book.proposal.rules] == ["Signed in"]
    assert book.proposal not in book.rule_files  # nobody else's rule may name its states
    book.proposal.set_field("1", "description", "Logged in")
    assert book.history.undo_title == "Change description of 1"
    book.open_proposal(None)  # what is not written yet is written first
    assert book.proposal is None
    assert book.history.undo_title == ""
    qtbot.waitUntil(lambda: "sentence: Logged in" in path.read_text(encoding="utf-8"), timeout=_SLOW)
    assert path.read_text(encoding="utf-8").startswith("format: waymark-proposal\n# kept\n")
