"""Verdicts of the open trajectory: one that does not reach the disk is said, and leaves no undo."""

from __future__ import annotations

from collector.store.judgements import path_of
from collector.store.labels import Labels, write_labels
from studio.views.record.trajectory_judgements import TrajectoryJudgements


def test_a_verdict_that_does_not_reach_the_disk_is_said_and_leaves_no_undo(runner, folder, qtbot):
    judgements = TrajectoryJudgements(runner)
    judgements.open(folder)
    with qtbot.waitSignal(judgements.saved):
        judgements.give("lin", "success")
    assert judgements.history.undo_title == "verdict success"
    path = path_of(folder, "lin")
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":99', 1))
    with qtbot.waitSignal(judgements.failed) as failed:
        judgements.give("lin", "failure")
    assert "later Waymark Studio" in str(failed.args[0])
    assert judgements.history is None
    assert b"failure" not in path.read_bytes()
    judgements.read()
    qtbot.waitUntil(lambda: bool(judgements.problems))
    judgements.open(None)
    assert judgements.judgements == ()
    judgements.undo()


def test_labels_of_people_are_judgements_and_who_submitted_is_known(runner, folder, qtbot):
    judgements = TrajectoryJudgements(runner)
    write_labels(folder, Labels("sara", submitted="2026-11-23").with_reached("seen", 1).with_missed("paid"))
    judgements.open(folder)
    qtbot.waitUntil(lambda: bool(judgements.judgements))
    said = {
        (item.judge, item.subject.state): (item.verdict, item.subject.last) for item in judgements.judgements
    }
    assert said == {("sara", "seen"): ("reached", 1), ("sara", "paid"): ("missed", None)}
    assert judgements.submitted == {"sara"}
    write_labels(folder, Labels("lin").with_missed("seen"))  # another program: the folder is watched
    qtbot.waitUntil(lambda: any(item.judge == "lin" for item in judgements.judgements))
    judgements.open(None)
    assert judgements.submitted == frozenset()
