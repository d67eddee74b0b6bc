"""Verdicts of the open trajectory: labels of people count, and what other programs write is followed."""

from __future__ import annotations

from collector.store.trajectory.reviews.labels import Labels
from studio.views.record.trajectory_judgements import TrajectoryJudgements
from tests.helpers.person_files import write_labels


def test_labels_of_people_are_judgements_and_followed(runner, folder, qtbot):
    judgements = TrajectoryJudgements(runner)
    write_labels(folder, Labels("sara", submitted="2026-11-23").with_reached("seen", 1).with_missed("paid"))
    judgements.open(folder)
    qtbot.waitUntil(lambda: bool(judgements.judgements))
    said = {
        (item.judge, item.subject.state): (item.verdict, item.subject.last) for item in judgements.judgements
    }
    assert said == {("sara", "seen"): ("reached", 1), ("sara", "paid"): ("missed", None)}
    write_labels(folder, Labels("lin").with_missed("seen"))  # another program: the folder is watched
    qtbot.waitUntil(lambda: any(item.judge == "lin" for item in judgements.judgements))
    judgements.open(None)
    assert judgements.judgements == ()
