"""Labelled windows are exported as A3 trains its reward model: one positive window a reached state."""

from __future__ import annotations

import json

import pytest

from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.judge.windows import training_windows
from collector.model.action import Complete, Tap
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.voted_subject import VotedSubject
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.steps import png, step, xml


def subject(votes: dict[str, int | None], **more) -> VotedSubject:
    """A state with the step each person names; None for one who saw it missed."""
    verdicts = {who: "missed" if at is None else "reached" for who, at in votes.items()}
    steps = {who: at for who, at in votes.items() if at is not None}
    return VotedSubject("t", "task", "state", "s", verdicts, steps, tuple(sorted(votes)), **more)


@pytest.mark.parametrize(
    ("votes", "positive"),
    [
        ({"lin": 2}, [1]),
        ({"lin": 0}, [0]),  # reached before anything was done: the first window shows it
        ({"lin": 1}, [0]),
        ({"lin": 4}, [3]),
        ({"lin": None}, []),
        ({"lin": 3, "sara": 3, "jo": 1}, [2]),
        ({"lin": 3, "sara": 2, "jo": None}, [1]),  # reached, at the earliest of the steps named equally often
    ],
)
def test_the_window_that_reaches_a_state_is_positive(votes, positive):
    samples, split = training_windows([subject(votes)], 5)
    assert split == []
    assert [(sample.window.first, sample.window.last) for sample in samples] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert [sample.window.first for sample in samples if sample.is_positive] == positive


def test_a_state_that_people_are_split_on_gives_no_window_unless_it_is_settled():
    assert training_windows([subject({"lin": 1, "sara": None})], 3) == ([], ["s"])
    settled = subject({"lin": 1, "sara": None}, settled="missed")
    assert [sample.is_positive for sample in training_windows([settled], 3)[0]] == [False, False]


def test_windows_are_written_with_their_pictures(tmp_path):
    project = Project.create(tmp_path / "p")
    states = [
        StateChange(None, EssentialState("seen", "It is seen")),
        StateChange(None, EssentialState("paid", "Paid")),
    ]
    project.save_tasks([Task("shop", "Buy it", essential_states=("seen", "paid"))], states=states)
    for name in ("r1", "r2"):
        with project.new_trajectory(TrajectoryHeader(name, "shop", RUN)) as writer:
            for number in range(3):
                writer.append(step(number), png(shade=number), xml())
            writer.finish()
    write_labels(project.find("r1"), Labels("lin").with_reached("seen", 1).with_missed("paid"))
    result = export_project(project, "a3rm", tmp_path / "out")
    lines = [
        json.loads(line) for line in (tmp_path / "out" / "windows.jsonl").read_text("utf-8").splitlines()
    ]
    assert [(line["state"], line["first"], line["positive"]) for line in lines] == [
        ("seen", 0, True), ("seen", 1, False), ("paid", 0, False), ("paid", 1, False),
    ]  # fmt: skip
    assert (lines[0]["instruction"], lines[0]["sentence"], lines[0]["labelled_by"]) == (
        "Buy it",
        "It is seen",
        ["lin"],
    )
    assert lines[0]["actions"][0]["kind"] == "tap"
    for line in lines:
        for name in line["pictures"]:
            assert (tmp_path / "out" / name).read_bytes().startswith(b"\x89PNG")
    assert result.written.trajectories == ["trajectories/shop/r1"]
    again = export_project(project, "a3rm", tmp_path / "out", ExportChoice(replace=True))
    assert len(again.written.trajectories) == 1


def test_what_was_recorded_after_the_signal_gives_no_window(tmp_path):
    project = Project.create(tmp_path / "p")
    seen = StateChange(None, EssentialState("seen", "It is seen"))
    project.save_tasks([Task("shop", "Buy it", essential_states=("seen",))], states=[seen])
    with project.new_trajectory(TrajectoryHeader("r1", "shop", RUN)) as writer:
        for number, action in enumerate((Tap(1, 1), Complete(), Tap(1, 1), Tap(1, 1))):
            writer.append(step(number, action), png(shade=number), xml())
        writer.finish()
    write_labels(project.find("r1"), Labels("lin").with_reached("seen", 1))
    export_project(project, "a3rm", tmp_path / "out")
    (line,) = (tmp_path / "out" / "windows.jsonl").read_text("utf-8").splitlines()
    assert (json.loads(line)["first"], json.loads(line)["last"]) == (0, 1)
