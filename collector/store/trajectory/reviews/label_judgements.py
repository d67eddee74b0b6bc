"""All verdicts on a trajectory that count: stored judgements, and the labels of people as judgements."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collector.model.verdicts.judgement import MISSED, PERSON, REACHED, STATE, Judgement, Subject
from collector.store.trajectory.judgements import StoredJudgements, read_judgements
from collector.store.trajectory.reviews.labels import Labels, read_all_labels


def label_judgements(labels: Labels) -> list[Judgement]:
    """The labels of a person on essential states, each as the judgement it is.

    A label whose screen was deleted says nothing until an undo brings its screen back.
    """
    reached = [
        _judgement(labels, Subject(STATE, mark.state, mark.step, mark.step), REACHED)
        for mark in labels.reached
        if mark.state and mark.has_step
    ]
    return [*reached, *(_judgement(labels, Subject(STATE, state), MISSED) for state in labels.missed)]


def judgements_that_count(
    stored: StoredJudgements, people: Iterable[Labels] = ()
) -> dict[tuple[str, Subject], Judgement]:
    """The newest judgement of each judge on each subject; a person's label stands above a stored verdict."""
    newest = stored.newest()
    for labels in people:
        for judgement in label_judgements(labels):
            newest[judgement.judge, Subject(STATE, judgement.subject.state)] = judgement
    return newest


def read_judgements_that_count(folder: Path) -> list[Judgement]:
    """Read a folder's counting judgements; what cannot be read is left out."""
    return list(judgements_that_count(read_judgements(folder), read_all_labels(folder).values()).values())


def _judgement(labels: Labels, subject: Subject, verdict: str) -> Judgement:
    return Judgement(labels.who, PERSON, "", subject, verdict, time=labels.submitted)
