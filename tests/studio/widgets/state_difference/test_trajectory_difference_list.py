"""The differences of a trajectory as rows, with what became of it after an anomaly."""

from __future__ import annotations

from PySide6.QtCore import Qt

from collector.comparison.alignment.differences import AnomalyRecovery, DifferenceKind, TrajectoryDifference
from studio.widgets.state_difference.trajectory_difference_list import TrajectoryDifferenceList, entries_of

DIFFERENCES = [
    TrajectoryDifference(DifferenceKind.ANOMALY, 2, 2, 4, "3 steps under the anomaly battery_low"),
    *(TrajectoryDifference(kind, 2, slot, slot, "Because") for slot, kind in enumerate(DifferenceKind, 6)),
]
RECOVERIES = [
    AnomalyRecovery("battery_low", 2, 5, 3, "It is back on the path of the reference at step 6"),
    AnomalyRecovery("app_crash", 9, None, 1, "It never comes back to the path of the reference"),
]


def test_rows_stand_in_the_order_of_their_slots_and_a_click_leads_there(hosted, qtbot):
    widget = hosted(TrajectoryDifferenceList(), 340, 500)
    widget.show_entries(entries_of(2, DIFFERENCES, RECOVERIES))
    titles = [(entry.title, entry.place) for entry in widget.entries]
    assert titles[:3] == [("Anomaly", "3-5"), ("Back on path · battery_low", "6"), ("Anomaly", "7")]
    assert ("Not back on path · app_crash", "10") in titles
    assert [entry.is_first_divergence for entry in widget.entries].index(True) == 0
    assert len({(entry.icon, entry.tone) for entry in widget.entries}) >= 8, "each kind has a look of its own"
    went = []
    widget.opened.connect(lambda entry: went.append(entry.slot))
    row = widget.visualRect(widget.model().index(0, 0))
    qtbot.mouseClick(widget.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    qtbot.keyClick(widget, Qt.Key.Key_Down)
    qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert went == [2, 5]
    widget.show_slot(3)
    assert widget.currentIndex().row() == 0
    assert went == [2, 5], "the cursor of the window chooses a row without leading anywhere"
    widget.show_slot(0)
    assert not widget.currentIndex().isValid()
    assert not widget.grab().isNull()
