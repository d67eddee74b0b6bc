"""What people say of trajectories, written into their files as another program would, and read back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from collector.model.verdicts.judgement import PERSON, TASK, Judgement, Subject
from collector.review.review_clock import now_stamp
from collector.store.trajectory.achieved_states import AchievedState
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reviews.labels import Labels, labels_values, read_labels, replace_values


def write_labels(folder: Path, labels: Labels) -> None:
    """Replace the labels of a person; other annotations stay."""
    replace_values(folder, labels.who, labels_values(labels))


def write_marks(folder: Path, who: str, marks: Sequence[AchievedState]) -> None:
    """Replace the states that ``who`` marked as reached."""
    write_labels(folder, Labels(who, tuple(marks)))


def marks_in(folder: Path, who: str) -> tuple[AchievedState, ...]:
    """The states that ``who`` marked as reached."""
    return read_labels(folder, who).reached


def give_verdict(folder: Path, who: str, verdict: str, reason: str = "") -> Judgement:
    """Add the verdict of a person on the task."""
    judgement = Judgement(who, PERSON, "", Subject(TASK), verdict, reason=reason, time=now_stamp())
    add_judgements(folder, [judgement])
    return judgement


def verdict_in(folder: Path, who: str) -> Judgement | None:
    """The verdict of a person on the task that counts."""
    return read_judgements(folder).newest().get((who, Subject(TASK)))
