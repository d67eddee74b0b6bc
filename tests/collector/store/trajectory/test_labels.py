"""Labels of a person are kept in the person's own file, follow their screens, and count as judgements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.geometry import Rect
from collector.model.trajectory import Target, TrajectoryHeader
from collector.model.verdicts.judgement import PERSON, Judgement, Subject
from collector.store.trajectory.achieved_states import AchievedState
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews import annotations
from collector.store.trajectory.reviews.label_judgements import read_judgements_that_count
from collector.store.trajectory.reviews.labels import (
    Comment,
    Labels,
    labels_of,
    labels_values,
    placed,
    read_all_labels,
    read_labels,
)
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.person_files import write_labels
from tests.helpers.steps import png, step, xml

names = st.sampled_from(["seen", "paid", "买单", "a b"])
texts = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() == text and text.strip())
targets = st.builds(
    Target,
    st.lists(st.integers(0, 9), max_size=4).map(tuple),
    st.none() | st.builds(Rect, *[st.integers(0, 2000)] * 4),
    st.lists(texts, max_size=2).map(tuple),
    st.dictionaries(texts, texts, max_size=2),
)
comments = st.builds(Comment, texts, st.none() | st.integers(0, 99), texts, st.none() | targets, texts)


@st.composite
def labels(draw):
    reached = draw(st.dictionaries(names, st.integers(0, 99), max_size=3))
    missed = draw(st.lists(names.filter(lambda name: name not in reached), unique=True, max_size=3))
    marks = tuple(AchievedState(at, name, f"states/{at:04}.png") for name, at in reached.items())
    return Labels(
        "lin", marks, tuple(missed), tuple(draw(st.lists(comments, max_size=3))), draw(st.just("") | texts)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("r-1", "t-1")) as writer:
        for number in range(3):
            writer.append(step(number), png(), xml())
        writer.finish()
    return writer.folder


@given(labels())
def test_labels_survive_the_file(given_labels):
    document = json.loads(json.dumps(labels_values(given_labels)))
    assert labels_of("lin", document) == given_labels


def test_other_keys_of_the_file_stay_and_an_empty_label_leaves_none(folder):
    annotations.write_annotations(folder, "lin", {"review": "accepted", "tags": ["slow"]})
    said = Labels("lin").with_reached("seen", 1, "states/0001.png").with_missed("paid")
    write_labels(folder, said)
    assert read_labels(folder, "lin") == said
    stored = annotations.read_annotations(folder, "lin")
    assert (stored["review"], stored["tags"], stored["missed_states"]) == ("accepted", ["slow"], ["paid"])
    write_labels(folder, Labels("lin"))
    assert "missed_states" not in annotations.read_annotations(folder, "lin")
    assert read_all_labels(folder) == {}


def test_a_state_is_reached_or_missed_never_both(folder):
    write_labels(folder, Labels("lin").with_missed("seen", "paid"))
    write_labels(folder, read_labels(folder, "lin").with_reached("seen", 2))
    assert read_labels(folder, "lin").missed == ("paid",)
    assert [mark.state for mark in read_labels(folder, "lin").reached] == ["seen"]
    twice = labels_of(
        "lin", {"achieved_states": [{"step": 0, "state": "a"}], "missed_states": ["a", "b", "b", 3]}
    )
    assert twice.missed == ("b",)


def test_labels_and_comments_follow_their_screens_and_one_without_has_no_step():
    said = Labels("lin").with_reached("seen", 1, "b").with_comment(Comment("here", 2, "c"))
    said = said.with_comment(Comment("all"))
    moved = placed(said, ["b", "c"])
    assert moved.step_of("seen") == 0
    assert [comment.step for comment in moved.comments] == [1, None]
    gone = placed(said, ["a"])
    assert gone.step_of("seen") is None
    assert gone.labelled == {"seen"}


def test_damaged_entries_are_left_out():
    document = {
        "achieved_states": [{"step": "x"}, 4, {"step": 1, "state": "seen"}],
        "missed_states": "paid",
        "comments": ["text", {"text": " "}, {"text": "kept", "step": -1, "node": {"path": ["x"]}}],
        "submitted": None,
    }
    read = labels_of("lin", document)
    assert [mark.state for mark in read.reached] == ["seen"]
    assert (read.missed, read.comments, read.submitted) == ((), (Comment("kept"),), "")


def test_labels_count_as_judgements_above_a_stored_verdict_of_the_same_person(folder):
    add_judgements(folder, [Judgement("lin", PERSON, "", Subject("state", "seen"), "missed")])
    add_judgements(folder, [Judgement("lin", PERSON, "", Subject(), "success")])
    write_labels(folder, Labels("lin", submitted="2026").with_reached("seen", 1).with_missed("paid"))
    write_labels(folder, Labels("sara").with_missed("seen"))
    counted = {
        (item.judge, item.subject.state): (item.kind, item.verdict, item.subject.last)
        for item in read_judgements_that_count(folder)
    }
    assert counted == {
        ("lin", ""): (PERSON, "success", None),
        ("lin", "seen"): (PERSON, "reached", 1),
        ("lin", "paid"): (PERSON, "missed", None),
        ("sara", "seen"): (PERSON, "missed", None),
    }


def test_a_label_whose_screen_was_deleted_says_nothing_until_it_is_back(folder):
    write_labels(folder, Labels("lin").with_reached("seen", 1, "states/0001.png"))
    with TrajectoryWriter.open(folder) as writer:
        writer.delete(1)
        assert read_judgements_that_count(folder) == []
        writer.undo()
    assert [item.subject.last for item in read_judgements_that_count(folder)] == [1]
