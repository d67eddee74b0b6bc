"""The queue groups, filters and counts tasks, and keeps its selection through every renewal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from collector.model.task import Task
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.views.record.queue.queue_model import ROW_ROLE, QueueGroupRow
from studio.views.record.queue.queue_panel import QueuePanel
from tests.helpers.shown_texts import says

TASKS = (
    Task("shop-1", "Find a print", "Shop"),
    Task("shop-2", "Sort posters", "Shop", golden_wanted=1),
    Task("todo-1", "Add milk", "To-do"),
)


def snapshot(golden, damaged=()):
    return ProjectSnapshot(Path("p"), "p", False, TASKS, dict(golden), {}, (), {}, dict(damaged))


@pytest.fixture
def queue(dressed, qtbot):
    panel = QueuePanel()
    qtbot.addWidget(panel)
    panel.show_snapshot(snapshot({"shop-1": 1, "shop-2": 1}, {"todo-1": "A file is gone"}))
    return panel


def rows(queue):
    return [queue.rows.index(number).data(ROW_ROLE) for number in range(queue.rows.rowCount())]


def test_groups_count_what_is_done(queue):
    heads = [row for row in rows(queue) if isinstance(row, QueueGroupRow)]
    assert [(head.app, head.done, head.total) for head in heads] == [("Shop", 1, 2), ("To-do", 0, 1)]
    assert says(queue, "1 of 3 done")


def test_nothing_is_counted_before_the_trajectories_were_read(queue):
    queue.show_snapshot(replace(snapshot({}), is_read=False))
    assert [row.count for row in rows(queue) if isinstance(row, QueueGroupRow)] == ["2", "1"]
    assert not any("golden" in row.detail for row in rows(queue) if not isinstance(row, QueueGroupRow))
    assert says(queue, "3 tasks")
    assert not says(queue, "done")


def test_icons_say_how_far_a_task_is(queue):
    queue.show_recording("shop-1")
    icons = {row.task.id: row.icon for row in rows(queue) if not isinstance(row, QueueGroupRow)}
    assert icons == {"shop-1": "state-rec", "shop-2": "state-ok", "todo-1": "state-warn"}
    queue.show_recorded_elsewhere(frozenset({"shop-2"}))
    elsewhere = [row for row in rows(queue) if not isinstance(row, QueueGroupRow) and row.task.id == "shop-2"]
    assert [(row.icon, row.is_recorded) for row in elsewhere] == [("state-rec", False)]


def test_the_filter_looks_for_all_words(queue):
    queue.field.setText("shop sort")
    assert [row.task.id for row in rows(queue) if not isinstance(row, QueueGroupRow)] == ["shop-2"]


def test_only_open_tasks_are_left_when_asked_for(queue):
    queue.only_open.setChecked(True)
    assert [row.task.id for row in rows(queue) if not isinstance(row, QueueGroupRow)] == ["shop-1", "todo-1"]


def test_the_chosen_task_stays_selected_through_filter_and_renewal(queue, qtbot):
    with qtbot.assertNotEmitted(queue.task_chosen):
        queue.select("todo-1")
    queue.field.setText("print")
    queue.field.setText("")
    queue.show_snapshot(snapshot({}))
    assert queue.list.currentIndex().data(ROW_ROLE).task.id == "todo-1"


def test_a_click_on_a_task_is_emitted(queue, qtbot):
    with qtbot.waitSignal(queue.task_chosen) as chosen:
        queue.list.setCurrentIndex(queue.rows.index(queue.rows.row_of("todo-1")))
    assert chosen.args == ["todo-1"]
    assert queue.task_id == "todo-1"


def test_a_folded_group_keeps_its_head(queue):
    queue.list.folded.emit("Shop")
    shown = rows(queue)
    assert [row.app for row in shown if isinstance(row, QueueGroupRow)] == ["Shop", "To-do"]
    assert queue.rows.row_of("shop-1") == -1
