"""Saving: byte for byte, only when there is something to save, and never half."""

import codecs

import pytest

from collector.model.errors import UserError
from collector.store.files.disk import Disk
from rule_editor.document.rules.rule_document import RuleDocument

TEXTS = {
    "windows": b"rules:\r\n  - id: a\r\n    actions: []\r\n",
    "byte order mark": codecs.BOM_UTF8 + b"rules:\n  - id: a\n    actions: []\n",
    "no last line end": b"rules:\n  - id: a\n    actions: []",
    "tabs in comments": b"rules:\t# a\tb\n  - id: a\t\t# c\n    actions: []\n",
    "chinese": "rules:\n  - id: a\n    description: '电量 🔋'\n    actions: []\n".encode(),
    "broken": b"rules:\n  - id: [a\n",
    "empty": b"",
}


@pytest.fixture(params=TEXTS, ids=list(TEXTS))
def file(request, tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_bytes(TEXTS[request.param])
    return path


def test_a_file_opened_and_saved_is_the_same_file(file):
    before = file.read_bytes(), file.stat().st_mtime_ns
    document = RuleDocument.load(file)
    assert not document.dirty
    assert not document.save()
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_an_edit_and_its_undo_save_the_same_bytes(file):
    before = file.read_bytes()
    document = RuleDocument.load(file)
    document.replace(0, 0, "# new\n")
    assert document.dirty
    assert document.save()
    assert file.read_bytes().endswith(before.removeprefix(codecs.BOM_UTF8))
    document.undo()
    assert document.dirty
    document.save()
    assert file.read_bytes() == before
    assert not document.dirty


def test_a_save_that_fails_leaves_the_file_and_says_so(tmp_path):
    class Full(Disk):
        def _sync(self, path):
            raise OSError(28, "No space left on device")

    path = tmp_path / "rules.yaml"
    path.write_text("rules: []\n", encoding="utf-8")
    document = RuleDocument.load(path)
    document.replace(0, 0, "# x\n")
    with pytest.raises(UserError):
        document.save(Full())
    assert path.read_text(encoding="utf-8") == "rules: []\n"
    assert [path.name for path in tmp_path.iterdir()] == ["rules.yaml"]
    assert document.dirty


def test_the_file_behind_a_link_is_written_and_the_link_stays(tmp_path):
    path, link = tmp_path / "rules.yaml", tmp_path / "link.yaml"
    path.write_text("rules: []\n", encoding="utf-8")
    link.symlink_to(path)
    document = RuleDocument.load(link)
    document.replace(0, 0, "# x\n")
    document.save()
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8").startswith("# x")


def test_what_cannot_be_opened_or_saved_is_one_sentence(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_bytes(b"rules: \xff\xfe")
    with pytest.raises(UserError, match="not UTF-8"):
        RuleDocument.load(path)
    with pytest.raises(UserError, match="cannot be read"):
        RuleDocument.load(tmp_path / "nowhere.yaml")
    document = RuleDocument("")
    document.replace(0, 0, "x")
    with pytest.raises(UserError, match="no file yet"):
        document.save()
    half = RuleDocument("", str(tmp_path / "half.yaml"))
    half.replace(0, 0, "\ud83d")
    with pytest.raises(UserError, match="half a character"):
        half.save()


def test_a_save_is_told_and_the_next_typing_is_a_step_of_its_own(tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text("rules: []\n", encoding="utf-8")
    document = RuleDocument.load(path)
    reasons = []
    document.changed.subscribe(lambda change: reasons.append(change.reason))
    document.replace(0, 0, "#", merge_key="k")
    document.save()
    document.replace(1, 1, "\n", merge_key="k")
    assert reasons == ["edit", "save", "edit"]
    assert len(document.history.done) == 2
