"""The order in which cells are handed out, and who waits after faults."""

from __future__ import annotations

import threading

from collector.run.experiment.model import Cell
from collector.run.runner.cell_queue import Backoff, CellQueue

BACKOFF = Backoff(first_s=10.0, factor=2.0, longest_s=60.0)


class FakeClock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def queue_of(*agents):
    clock = FakeClock()
    cells = [Cell(f"task-{number}", agent, "baseline", "tree") for number, agent in enumerate(agents)]
    return CellQueue(cells, BACKOFF, clock=clock), clock


def test_an_agent_that_fails_again_and_again_holds_only_its_own_cells():
    queue, clock = queue_of("broken", "broken", "broken", "broken", "good", "broken", "good")
    for _fault in range(3):
        queue.give_up(queue.take(), whose="broken")
    first, second = queue.take(), queue.take()
    assert [entry.cell.task for entry in (first, second)] == ["task-4", "task-6"]
    queue.finish(first)
    queue.finish(second)
    assert queue.left == 2
    clock.now += 10.0
    assert queue.take().cell.task == "task-3", "its pause is over"


def test_a_success_of_an_agent_ends_its_pause():
    queue, _clock = queue_of("a", "a", "a", "a", "a", "b")
    cells = [queue.take() for _cell in range(4)]
    for cell in cells[:3]:
        queue.give_up(cell, whose="a")
    queue.finish(cells[3])
    assert queue.take().cell.agent == "a"


def test_faults_that_any_agent_may_meet_hold_all_until_one_succeeds():
    queue, _clock = queue_of("a", "a", "b", "b", "b")
    cells = [queue.take() for _cell in range(4)]
    for cell in cells[:3]:
        queue.give_up(cell)
    taken = []
    thread = threading.Thread(target=lambda: taken.append(queue.take()), daemon=True)
    thread.start()
    queue.finish(cells[3])
    thread.join(10)
    assert [entry.cell.task for entry in taken] == ["task-4"]


def test_a_cell_that_is_tried_again_waits_longer_each_time():
    queue, clock = queue_of("a")
    for number, pause in enumerate((10.0, 20.0, 40.0)):
        cell = queue.take()
        assert cell.faults == number
        queue.retry(cell, whose="a")
        clock.now += pause
    assert queue.take().faults == 3
