"""A verdict has one home: those of annotation files of version 1 are judgements, and stay when rewritten."""

from __future__ import annotations

import json

import pytest

from collector.store.files.errors import UnsafePath
from collector.store.trajectory.judgements import path_of as judgements_of
from collector.store.trajectory.judgements import read_judgements, remove_judgement
from collector.store.trajectory.reviews.annotations import path_of, read_annotations, write_annotations
from tests.helpers.person_files import give_verdict, verdict_in


def _version_1(folder, who, **says):
    path = path_of(folder, who)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format": "waymark-annotations", "version": 1, "who": who, **says}))


def _said(folder):
    return [(one.judge, one.kind, one.verdict, one.reason) for one in read_judgements(folder).judgements]


def test_a_verdict_of_version_1_is_a_judgement_and_stays_one_when_the_file_is_written_anew(tmp_path):
    _version_1(tmp_path, "ann", verdict="failed", reason="No cart", review="submitted")
    _version_1(tmp_path, "imported", verdict="Success")
    _version_1(tmp_path, "sara", verdict="nearly", reason="one step")
    _version_1(tmp_path, "zoe", comments=[])
    said = [
        ("ann", "person", "failure", "No cart"),
        ("imported", "rule", "success", ""),
        ("sara", "person", "undecided", "nearly: one step"),
    ]
    assert _said(tmp_path) == said
    assert "verdict" not in read_annotations(tmp_path, "ann")
    for who in ("ann", "ann", "imported", "sara", "zoe"):
        write_annotations(tmp_path, who, dict(read_annotations(tmp_path, who)))
    assert _said(tmp_path) == said
    assert read_annotations(tmp_path, "ann")["review"] == "submitted"
    assert json.loads(path_of(tmp_path, "ann").read_bytes())["version"] == 2


def test_a_newer_judgement_of_the_same_person_counts_before_and_after_the_old_file_is_written_anew(tmp_path):
    _version_1(tmp_path, "ann", verdict="success")
    give_verdict(tmp_path, "ann", "uncompleted", "cut off")
    for _time in range(2):
        assert verdict_in(tmp_path, "ann").verdict == "uncompleted"
        write_annotations(tmp_path, "ann", {"comments": []})
    # What was undecidable JSON is left for the check to name.
    path_of(tmp_path, "bob").write_bytes(b"{")
    assert len(_said(tmp_path)) == 1


def test_a_verdict_is_changed_and_taken_out_beside_a_damaged_line(tmp_path):
    first = give_verdict(tmp_path, "lin", "success")
    second = give_verdict(tmp_path, "lin", "failure", "The cart is empty")
    path = judgements_of(tmp_path, "lin")
    head, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([head, b"{broken\n", *lines]))
    remove_judgement(tmp_path, second)
    assert verdict_in(tmp_path, "lin") == first
    remove_judgement(tmp_path, second)  # it is gone already
    assert path.read_bytes() == head + b"{broken\n" + lines[0]
    third = give_verdict(tmp_path, "lin", "uncompleted")
    assert b"{broken\n" in path.read_bytes()
    for given in (third, first):
        remove_judgement(tmp_path, given)
    assert verdict_in(tmp_path, "lin") is None


def test_judgements_are_not_written_through_a_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "judgements").symlink_to(outside, target_is_directory=True)
    with pytest.raises(UnsafePath):
        give_verdict(folder, "lin", "success")
    assert list(outside.iterdir()) == []
