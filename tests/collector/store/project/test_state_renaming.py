"""A state that got another id keeps its marks and verdicts, and every other byte of their files stays."""

from __future__ import annotations

import json
from pathlib import Path

from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.project.project import Project
from collector.store.project.state_renaming import rename_in_labels
from collector.store.trajectory.achieved_states import AchievedState
from collector.store.trajectory.judgements import add_judgements, path_of, read_judgements
from collector.store.trajectory.reviews.annotations import write_annotations
from tests.helpers.person_files import marks_in


def test_marks_and_verdicts_follow_a_renamed_state(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    folders = []
    for name in ("a", "b"):
        with project.new_trajectory(TrajectoryHeader(name, "t")) as writer:
            folders.append(writer.folder)
    first, second = folders
    marks = [{"step": 1, "state": "购物车", "later": 1}, {"step": 2, "state": "paid"}]
    says = {"achieved_states": marks, "missed_states": ["购物车", "sent"], "comments": ["购物车"]}
    write_annotations(first, "ann", says)
    write_annotations(second, "ben", {"achieved_states": [{"step": 0, "state": "paid"}]})
    (first / "annotations/old.json").write_text(
        json.dumps({"version": 1, "achieved_states": [{"step": 1, "state": "购物车"}]})
    )
    (first / "annotations/torn.json").write_text('"购物车" {')
    subjects = (Subject("state", "购物车", 1, 1), Subject("state", "paid"), Subject("task"))
    verdicts = ("reached", "missed", "failure")
    add_judgements(
        first, [Judgement("m", "model", "", *pair) for pair in zip(subjects, verdicts, strict=True)]
    )
    torn = path_of(first, "m")
    torn.write_bytes(torn.read_bytes() + b'{"subject": "\xe8\xb4\xad", "\n')
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    assert rename_in_labels(project, "购物车", "cart") == 2
    assert marks_in(first, "ann") == (AchievedState(1, "cart"), AchievedState(2, "paid"))
    said = json.loads((first / "annotations/ann.json").read_text("utf-8"))
    assert (said["achieved_states"][0]["later"], said["missed_states"]) == (1, ["cart", "sent"])
    assert said["comments"] == ["购物车"], "the words of a person are not an id"
    assert [judgement.subject.state for judgement in read_judgements(first).judgements] == [
        "cart", "paid", "",
    ]  # fmt: skip
    assert rename_in_labels(project, "cart", "购物车") == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
