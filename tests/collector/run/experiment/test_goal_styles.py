"""Goal styles: rewordings of a task, the axis of an experiment, and what an episode is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.errors import UserError
from collector.model.task import read_rewordings, reworded, rewording_lines
from collector.run.experiment.lint import lint
from collector.run.experiment.matrix import cell_count, cells, in_run_order
from tests.collector.run.experiment.scopes import KINDS, TASKS, experiment_scope, read

WORDS = {"casual": ("Get me a poster", "A poster, please"), "formal": ("Kindly order one poster",)}
TASK = replace(TASKS[0], rewordings=WORDS)

_TASKS = {task.id: task for task in (*TASKS, TASK)}


def test_the_seed_chooses_among_the_wordings_of_a_style_and_a_number_names_one() -> None:
    assert reworded(TASK, "", 5) == TASK
    assert [reworded(TASK, "casual", seed).instruction for seed in (0, 1, 2)] == [
        "Get me a poster", "A poster, please", "Get me a poster",
    ]  # fmt: skip
    assert reworded(TASK, "casual:2", 0).instruction == "A poster, please"
    for style in ("casual:3", "formal:2", "unrelated_context"):
        with pytest.raises(UserError, match=f"Task shop-1 has no wording {style}"):
            reworded(TASK, style, 0)


def test_lines_of_rewordings_are_read_as_they_are_written() -> None:
    assert read_rewordings(rewording_lines(TASK)) == WORDS
    assert read_rewordings(["", " casual :  With: a colon "]) == {"casual": ("With: a colon",)}
    for line in ("casual", "casual:", ": text", "default: text", "two words: text"):
        with pytest.raises(ValueError, match="is no style and wording"):
            read_rewordings([line])


def test_goal_styles_multiply_the_matrix_and_leave_the_keys_of_others_as_they_were() -> None:
    scope = experiment_scope(tasks=_TASKS)
    text = "tasks: [shop-1]\nagents: [golden]\ngoal_styles: [default, casual, 'casual:2']\nseeds: [0, 1]\n"
    file = read(text, scope)
    assert lint(file, scope) == ()
    made = list(cells(file.experiment, KINDS))
    assert len(made) == cell_count(file.experiment, KINDS) == 6
    assert len({cell.id for cell in made}) == 6
    assert {cell.key for cell in made if not cell.goal_style} == {
        "shop-1 / golden / baseline / screenshot+tree / - / -"
    }
    assert {cell.key for cell in made if cell.goal_style == "casual:2"} == {
        "shop-1 / golden / baseline / screenshot+tree / - / - / casual:2"
    }
    assert [(cell.goal_style, cell.seed) for cell in in_run_order(made)] == [
        ("", 0), ("casual", 0), ("casual:2", 0), ("", 1), ("casual", 1), ("casual:2", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "code", "says"),
    [
        ("[casual]", "W618", "2 tasks have no wording casual: shop-2, todo-1"),
        ("['formal:2']", "W618", "3 tasks have no wording formal:2"),
        ("['casual:0']", "W103", "casual:0 is no goal style"),
        ("['default:2']", "W103", "default:2 is no goal style"),
        ("[casual, casual]", "W208", "twice"),
    ],
)
def test_a_style_that_cannot_be_used_is_said_at_its_line(written: str, code: str, says: str) -> None:
    scope = experiment_scope(tasks=_TASKS)
    found = lint(read(f"tasks: all\nagents: [golden]\ngoal_styles: {written}\n", scope), scope)
    (one,) = [item for item in found if item.code == code]
    assert says in one.sentence
    assert one.place.line == 3


def test_tasks_are_chosen_by_the_styles_they_have() -> None:
    scope = experiment_scope(tasks=_TASKS)
    assert scope.select("goal-style:formal") == ["shop-1"]
    assert scope.select("goal-style:none") == ["shop-2", "todo-1"]
