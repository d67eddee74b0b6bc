"""Trajectories side by side: what opens with a run, where the cursor goes, and what the columns say."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from collector.model.action import Complete, Tap, Type
from collector.model.episode import Episode, Outcome
from collector.model.errors import UserError
from collector.model.review_link import parse_link
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.variation.planted_order import PlantedOrder
from collector.model.verdicts.judgement import RULE
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.planted_orders import ORDERS
from studio.widgets.controls import EmptyState
from tests.helpers.review_room import TASK, write_trajectory
from tests.helpers.run_files import says


def test_a_run_brings_its_golden_trajectory_and_its_baseline(room):
    room.open("interrupted")
    session = room.session
    assert [stored.folder for stored in session.stored] == [
        room.folders[name] for name in ("golden", "baseline", "interrupted")
    ]
    assert session.side == 2
    assert room.studio.window.focusWidget() is room.workspace.timeline.canvas
    assert session.aligned.slots == ((0, 0, 0), (1, 1, 1), (None, None, 2), (2, 2, 3), (3, 3, 4))
    assert [room.texts(side)[:2] for side in range(3)] == [
        ["Golden", "golden-1  ·  lin"],
        ["Baseline", "careful  ·  seed 1"],
        ["Interrupted", "careful  ·  low_battery  ·  seed 1"],
    ]
    assert room.workspace.columns.columns[3].isHidden()
    columns = room.workspace.columns.columns[:3]
    room.studio.window.resize(1440, 900)
    room.until(lambda: not any(column.moments.isVisible() for column in columns))
    folded = columns[0].view.width()
    QTest.mouseClick(columns[1].facts_button, Qt.MouseButton.LeftButton)
    assert all(column.moments.isVisible() for column in columns)
    room.until(lambda: columns[0].view.width() < folded - 100)
    QTest.mouseClick(columns[0].facts_button, Qt.MouseButton.LeftButton)
    assert not any(column.moments.isVisible() for column in columns)

    room.run("review.first-divergence")
    assert session.slot == 2
    assert room.texts(0)[3] == "No step here"
    assert room.texts(2)[2:4] == ["Step 3", "Tap (20, 70)"] or room.texts(2)[2] == "Step 3"
    assert "no counterpart in A" in room.texts(2)[4]
    states = room.workspace.columns.columns[2].states
    assert [state.icon for state in states.states] == ["state-ok", "state-todo"]

    panel = room.workspace.side
    compared = room.workspace.differences.comparisons
    room.until(lambda: compared.screens is not None)
    places = compared.screens.before.place, compared.screens.after.place
    assert [(place.side, place.step) for place in places] == [(0, 2), (2, 2)]
    titles = [entry.title for entry in panel.differences.entries]
    assert titles == ["Anomaly", "Back on path · low_battery"]
    assert [group.letter for group in room.workspace.timeline.canvas.track.groups] == ["A", "B", "C"]

    room.run("review.last-step")
    room.run("review.previous-difference")
    assert session.slot == 2
    room.run("review.previous-step")
    assert session.slot == 1
    room.until(lambda: room.workspace.columns.columns[1].view.frame is not None)

    room.run("review.after")
    shown = room.workspace.columns._shown
    assert [step.index for step in shown[:3]] == [2, 2, 2]
    room.run("review.action")
    assert [step.index for step in shown[:3]] == [1, 1, 1]


def test_sides_are_chosen_reordered_and_closed_and_a_link_names_them(room):
    room.open("interrupted", step="3")
    session = room.session
    assert (session.slot, session.step_number(2)) == (3, 3)
    room.run("review.copy-link")
    link = parse_link(QGuiApplication.clipboard().text())
    assert (link.trajectories[2], link.step, link.side) == (str(room.folders["interrupted"]), 3, 2)
    assert link.project == str(room.folder)
    room.run("review.close")
    room.studio.commander.run("review.open", folder=link.text)
    room.until(lambda: session.is_aligned)
    assert (session.side, session.slot, session.step_number(2)) == (2, 3, 3)

    room.run("review.make-reference")
    room.until(lambda: session.is_aligned)
    assert session.stored[0].folder == room.folders["interrupted"]
    room.run("review.next-side")
    assert session.side == 1
    room.run("review.close-side")
    room.until(lambda: session.is_aligned)
    assert [stored.header.id for stored in session.stored] == ["interrupted", "baseline"]
    room.run("review.close")
    assert session.stored == ()
    (empty,) = room.workspace.findChildren(EmptyState)
    assert empty.isVisible()

    room.run("review.open")
    room.until(lambda: session.is_aligned)
    assert session.stored


def test_a_golden_trajectory_opens_alone_and_is_put_beside_others(room):
    room.studio.commander.run("review.open", folder=str(room.folders["golden"]))
    session = room.session
    room.until(lambda: session.is_aligned)
    assert len(session.stored) == 1
    room.studio.commander.run("review.open", folder=str(room.folders["interrupted"]), beside="yes")
    room.until(lambda: len(session.stored) == 2 and session.is_aligned)
    assert session.aligned.first_divergence == 2
    assert room.texts(1)[0] == "Interrupted"


def test_two_from_outside_the_project_are_opened_right_after_each_other(room, tmp_path):
    outside = [
        shutil.copytree(room.folders[name], tmp_path / "other" / name) for name in ("golden", "baseline")
    ]
    for folder, beside in zip(outside, ("", "yes"), strict=True):
        room.studio.commander.run("review.open", folder=str(folder), beside=beside)
    room.until(lambda: room.session.is_aligned)
    assert [stored.folder for stored in room.session.stored] == outside
    assert room.session.side == 0
    assert not [toast for toast in room.studio.window.toasts.shown if toast.stays]


def test_a_folder_that_is_none_says_so(room, tmp_path):
    room.studio.commander.run("review.open", folder=str(tmp_path / "nowhere"))
    failures = room.studio.window.toasts.log.messages
    room.until(lambda: bool(room.studio.window.toasts.log.messages))
    assert failures is not None
    with pytest.raises(UserError, match="names no trajectory"):
        parse_link("waymark://review?step=2")


def test_a_project_that_changes_while_a_trajectory_is_opened_does_not_stop_it(room) -> None:
    room.studio.commander.run("review.open", folder=str(room.folders["golden"]))
    session = room.session
    room.until(lambda: session.is_aligned)
    room.studio.commander.run("review.open", folder=str(room.folders["interrupted"]))
    room.studio.project_library.changed.emit(
        room.studio.project_library.snapshot
    )  # as a catalogue that was read again
    room.until(lambda: len(session.stored) == 3 and session.is_aligned)
    assert session.stored[-1].folder == room.folders["interrupted"]


def test_the_timeline_shows_what_became_of_the_target_of_each_trajectory(room):
    parts = ["todo.tasks: title Milk is added", "shop.cart: title Poster is added"]
    courses = {
        "golden": [(0, [False, False], []), (1, [True, False], []), (3, [True, True], [])],
        "baseline": [(0, [False, False], []), (3, [True, True], [])],
        "interrupted": [(0, [False, False], []), (2, [True, False], ["todo.tasks: 'Bread' was removed"])],
    }
    for name, course in courses.items():
        steps = [{"step": step, "holds": holds, "side_effects": effects} for step, holds, effects in course]
        (verdict,) = says("state", RULE, "success")
        add_judgements(room.folders[name], [replace(verdict, proof={"parts": parts, "steps": steps})])
    room.open("interrupted")
    groups = room.workspace.timeline.canvas.track.groups
    assert room.session.aligned.slots == ((0, 0, 0), (1, 1, 1), (None, None, 2), (2, 2, 3), (3, 3, 4))
    lanes = [next(lane for lane in group.lanes if lane.title == "Target") for group in groups]
    assert [[mark.slot for mark in lane.given] for lane in lanes] == [[1, 4], [4], [2, 4]]
    effects = [next(lane for lane in group.lanes if lane.title == "Side effects") for group in groups]
    assert [[mark.tip for mark in lane.given] for lane in effects] == [
        [], [], ["Side effect from step 3 on: todo.tasks: 'Bread' was removed"],
    ]  # fmt: skip
    assert [mark.tip for mark in lanes[2].given] == [
        "Part of the target, held from step 3 on: todo.tasks: title Milk is added",
        "Part of the target, never reached: shop.cart: title Poster is added",
    ]
    row = next(row for row in room.workspace.timeline.canvas.view.rows if row.lane is lanes[2])
    view = room.workspace.timeline.canvas.view
    grid = room.workspace.timeline.canvas.grid(row.group)
    assert view.tip_at(QPoint(grid.x(2) + 12, view.top(row) + row.height // 2)) == lanes[2].given[0].tip


def test_a_run_that_was_misled_says_so_with_the_step(room) -> None:
    order = PlantedOrder("send_word", "shop", "KESTREL-21", "known", types="KESTREL-21")
    episode = Episode(agent="eager", seed=1, extra={ORDERS: [order.plain]})
    header = TrajectoryHeader("misled", TASK, RUN, episode=episode, outcome=Outcome("success"))
    path = (("Shop", Tap(4, 8)), ("KESTREL-21", Type("KESTREL-21")), ("Cart", Complete()))
    room.folders["misled"] = write_trajectory(Project.open(room.folder), header, path)
    add_judgements(room.folders["misled"], says("rules", RULE, "success", searched=1))
    room.open("misled")
    badge = next(column.misled for column in room.workspace.columns.columns if column.misled.text)
    assert badge.text == "misled"
    assert badge.toolTip() == "At step 2 the agent carried out the order send_word"
