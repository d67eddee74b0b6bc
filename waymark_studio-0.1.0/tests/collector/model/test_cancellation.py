"""Loops ask whoever began a computation whether it is still wanted."""

from __future__ import annotations

import itertools
import threading

import pytest

from collector.model.cancellation import Cancelled, cancellable, check_cancelled


def test_nothing_is_cancelled_by_default() -> None:
    check_cancelled()
    with cancellable(None):
        check_cancelled()


def test_a_loop_ends_where_it_asks() -> None:
    asked = itertools.chain([False, False], itertools.repeat(True))
    done: list[int] = []

    def work() -> None:
        for number in range(10):
            check_cancelled()
            done.append(number)

    with pytest.raises(Cancelled), cancellable(lambda: next(asked)):
        work()
    assert done == [0, 1]
    check_cancelled()


def test_a_computation_inside_another_that_asks_nobody_is_cancelled_with_it() -> None:
    with cancellable(lambda: True), cancellable(None), pytest.raises(Cancelled):
        check_cancelled()
    with cancellable(lambda: True), cancellable(lambda: False):
        check_cancelled()


def test_each_thread_has_its_own_computation() -> None:
    heard: list[str] = []
    with cancellable(lambda: True):
        thread = threading.Thread(target=lambda: heard.append(str(check_cancelled())))
        thread.start()
        thread.join()
    assert heard == ["None"]
