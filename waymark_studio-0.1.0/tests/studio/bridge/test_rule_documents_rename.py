"""A rule renamed in a project: every document that names it follows, and one undo takes it all back."""

import pytest

from collector.located_yaml.yaml_patch.errors import DocumentError
from studio.bridge.jobs import JobRunner
from studio.bridge.rules.rule_documents import RuleDocuments

STATES = "states:\n  - id: cart\n    conditions: []\n  - id: paid\n    after: [cart]\n    conditions: []\n"
INJECTION = "rules:\n  - id: low\n    conditions:\n      all:\n        - {type: state_reached, state: cart}\n"


@pytest.fixture
def book(qapp, qtbot, tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/states.yaml").write_text(STATES, encoding="utf-8")
    (tmp_path / "rules/injection.yaml").write_text(INJECTION, encoding="utf-8")
    runner = JobRunner()
    book = RuleDocuments(runner)
    with qtbot.waitSignal(book.opened):
        book.open_project(tmp_path)
    yield book
    book.close()
    runner.close()
    book.deleteLater()
    runner.deleteLater()
    qtbot.wait(0)


def texts(book):
    return [book.documents[kind].text for kind in ("state", "injection")]


def test_references_in_other_documents_follow_and_are_undone_as_one(book):
    book.documents["state"].set_field("paid", "optional", True)
    before = texts(book)
    book.rename(book.documents["state"], "cart", "basket")
    assert not any("cart" in text for text in texts(book))
    after = texts(book)
    book.history.undo()
    assert texts(book) == before
    book.history.redo()
    assert texts(book) == after
    book.history.undo()
    book.history.undo()
    assert texts(book) == [STATES, INJECTION]
    assert book.history.undo_title == ""


def test_a_name_that_is_taken_is_refused(book):
    with pytest.raises(DocumentError):
        book.rename(book.documents["state"], "cart", "paid")
    assert texts(book) == [STATES, INJECTION]


def test_of_two_rules_with_one_id_only_one_is_renamed(book):
    book.documents["state"].set_text(
        "states:\n  - id: a\n    conditions: []\n  - id: a\n    conditions: []\n"
    )
    book.rename(book.documents["state"], "a", "b")
    assert [rule.id for rule in book.documents["state"].rules] == ["a", "b"]


def test_a_reference_in_another_file_of_the_same_kind_follows(book, qtbot, tmp_path):
    other = INJECTION.replace("id: low", "id: high")
    with qtbot.waitSignal(book.files_changed, timeout=20_000):
        (tmp_path / "rules/travel.yaml").write_text(other, encoding="utf-8")
    assert [rule.id for rule in book.rules_of("injection")] == ["low", "high"]
    book.rename(book.documents["state"], "cart", "basket")
    travel = book.file(str(tmp_path / "rules/travel.yaml"))
    assert travel.text == other.replace("cart", "basket")
    book.history.undo()
    assert travel.text == other

    travel.set_field("high", "priority", 3)
    book.save()
    qtbot.waitUntil(lambda: not book.dirty, timeout=20_000)
    with qtbot.waitSignal(book.files_changed, timeout=20_000):
        (tmp_path / "rules/travel.yaml").unlink()
    assert [rule.id for rule in book.rules_of("injection")] == ["low"]
    assert book.history.undo_title == ""
