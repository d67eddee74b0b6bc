"""The search over tasks: words and key:value terms, all of which must match."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.essential_state import EssentialState
from collector.model.expected_answer import ExpectedAnswer
from collector.model.finding import Finding
from collector.model.task import Task
from collector.model.verdicts.state_progress import StateProgress
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.views.project.relative_time import relative_time
from studio.views.project.tasks.task_filter import matching, parse
from studio.views.project.tasks.task_model import states_text
from studio.views.project.tasks.task_rows import task_rows

TASKS = (
    Task("shop-1", "Buy a poster", app="Shop", package="com.example.shop", level="hard", type="state",
         app_category="Shopping", language="en", human_validation=True),
    Task("shop-2", "Compare frames", app="Shop", level="easy", essential_states=("shop-2-1",),
         type="process", expected_answer=ExpectedAnswer(("12",), "number")),
    Task("todo-1", "把任务标记为完成", app="To-do", level="easy", golden_wanted=1, language="zh"),
)  # fmt: skip
STATES = {"shop-2-1": EssentialState("shop-2-1", "Both seen")}
PROBLEMS = (Finding("hash-differs", "error", "0001.png is not the file", where="trajectories/shop-2/a"),)


@pytest.fixture
def rows(tmp_path):
    seen = frozenset(("shop-2-1",))
    progress = {"shop-2": StateProgress(1, 0, "audited", golden=2, verified=2, reached=seen)}
    snapshot = ProjectSnapshot(tmp_path, "Mine", False, TASKS, {"shop-2": 2, "todo-1": 1}, {"golden": 3}, (),
                               states=STATES, state_progress=progress)  # fmt: skip
    return task_rows(snapshot, TASKS, PROBLEMS)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", "shop-1 shop-2 todo-1"),
        ("app:shop", "shop-1 shop-2"),
        ("app:com.example", "shop-1"),
        ("app:shop level:easy", "shop-2"),
        ("-app:shop", "todo-1"),
        ("golden:<2", "shop-1 todo-1"),
        ("golden:>=2", "shop-2"),
        ("golden:<", "shop-1 shop-2 todo-1"),
        ("states:none", "shop-1 todo-1"),
        ("states:audited", "shop-2"),
        ("states:verified", "shop-2"),
        ("-states:verified", "shop-1 todo-1"),
        ("states:people", ""),
        ("states:1", "shop-2"),
        ("states:>0", "shop-2"),
        ("reached:shop-2", "shop-2"),
        ("missed:shop-2", ""),
        ("problem:any", "shop-1 shop-2"),
        ("problem:none", "todo-1"),
        ('problem:"not the file"', "shop-2"),
        ("status:unreviewed poster", "shop-1"),
        ("标记", "todo-1"),
        ("both SEEN", "shop-2"),
        ("text:frames", "shop-2"),
        ("type:process", "shop-2"),
        ("-type:process language:zh", "todo-1"),
        ("app-category:shop human:yes", "shop-1"),
        ("goal-style:casual", ""),
        ("goal-style:none human:yes", "shop-1"),
        ("answer:number", "shop-2"),
        ("answer:none human:no", "todo-1"),
        ("http://x", ""),
    ],
)
def test_a_query_finds_these_tasks(rows, query, ids):
    assert " ".join(row.task.id for row in matching(rows, parse(query))) == ids


@given(st.text(max_size=40))
def test_no_text_breaks_the_search(text):
    for part in parse(text):
        assert part.text


def test_the_worst_problem_of_a_task_is_shown(rows):
    assert [row.state for row in rows] == ["todo", "err", ""]
    assert rows[1].problem == "0001.png is not the file"
    assert rows[2].is_complete


@pytest.mark.parametrize(
    ("past", "text"),
    [
        (timedelta(seconds=5), "now"),
        (timedelta(minutes=12), "12 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=3), "Wed"),
        (timedelta(days=30), "2026-03-19"),
    ],
)
def test_times_are_shown_relative_to_now(past, text):
    now = datetime(2026, 4, 18, 12, 0, tzinfo=UTC)
    assert relative_time((now - past).isoformat(), now) == text
    assert relative_time("not a time", now) == ""


def test_the_column_of_states_says_their_number_and_status(rows):
    shown = [states_text(row) for row in rows]
    assert shown == ["0", "1 · audited", "0"]
    assert [row.has_verified_states for row in rows] == [False, True, False]
    mixed = replace(rows[1], states=StateProgress(2, 1, "agreed", golden=2, verified=1, unjudged=1))
    assert states_text(mixed) == "2 + 1 · agreed"
    assert not mixed.has_verified_states
    assert mixed.states.sentences()[-1] == "1 golden trajectory was not judged by the present rules"
