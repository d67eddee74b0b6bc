"""Essential states in the linter: what names them, what they name, and states that people judge."""

from __future__ import annotations

import pytest

from collector.rules.lint.indexes import TaskIndex
from tests.helpers.linting import apply_fixes, lint, names

TASKS = "version: 2\ntasks:\n- id: shop-1\n  essential_states: [shop-1-1, shop-1-2]\n"
STATES = """
states:
  - id: shop-1-1
    sentence: The poster is in the cart
    status: audited
  - id: shop-1-2
    description: The order is placed
    after: [shop-1-1]
    alternatives: [shop-1-3]
    optional: true
    conditions:
  - id: shop-1-3
    status: agreed
    conditions: []
"""


def test_states_without_conditions_are_no_finding() -> None:
    assert lint(STATES, tasks=TaskIndex.read(TASKS, "tasks")) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "what", "fixed"),
    [
        ("alternatives: [shop-1-3]", "alternatives: [shop-1-4]", "W204", "no essential state shop-1-4", 2),
        ("after: [shop-1-1]", "after: [shop-1-8, shop-1-1]", "W204", "no essential state shop-1-8", 2),
        ("after: [shop-1-1]", "after: [shop-1-1, shop-1-1]", "W215", "shop-1-1 is named twice", 1),
        ("alternatives: [shop-1-3]", "alternatives: [shop-1-2, shop-1-3]", "W214", "of itself", 1),
        ("alternatives: [shop-1-3]", "alternatives: [shop-1-3, shop-1-1]", "W214", "comes before", 1),
        ("after: [shop-1-1]", "after: [shop-1-2]", "W210", "depend on each other", 1),
        ("- id: shop-1-3", "- id: shop-1-1", "W208", "has the id shop-1-1 already", 0),
        ("status: agreed", "status: agred", "W104", "There is no status agred", 1),
        ("status: agreed", "state: agreed", "W105", "state", 1),
        ("[shop-1-3]", "[shop-1-1]", "W213", "No task names the essential state shop-1-3", 1),
    ],
)
def test_what_is_wrong_with_a_state_is_found_and_mended(
    old: str, new: str, code: str, what: str, fixed: int
) -> None:
    assert old in STATES
    text, tasks = STATES.replace(old, new), TaskIndex.read(TASKS, "tasks")
    diagnostics = [diagnostic for diagnostic in lint(text, tasks=tasks) if diagnostic.code == code]
    assert any(what in diagnostic.sentence for diagnostic in diagnostics), lint(text, tasks=tasks)
    fixes = list(apply_fixes(text, diagnostics))
    assert len(fixes) == fixed
    for _diagnostic, _title, better in fixes:
        assert code not in names(lint(better, tasks=tasks))


def test_a_task_names_states_that_exist_once_each() -> None:
    tasks = TASKS.replace("shop-1-2", "shop-1-22, shop-1-2, shop-1-2")
    diagnostics = lint(STATES, tasks=TaskIndex.read(tasks, "tasks"))
    assert names(diagnostics) == ["W204", "W215"]
    assert diagnostics[0].what == "Task shop-1 names the state shop-1-22, which does not exist"
    ((_diagnostic, _title, better),) = apply_fixes(tasks, diagnostics[:1])
    assert "W204" not in names(lint(STATES, tasks=TaskIndex.read(better, "tasks")))


def test_without_a_file_of_states_every_name_leads_nowhere() -> None:
    tasks = TaskIndex.read(TASKS, "tasks")
    assert names(lint(tasks=tasks, has_every_file=True)) == ["W204", "W204"]
    assert lint(tasks=tasks) == []  # the files of states were not given


def test_version_1_of_the_tasks_names_sentences() -> None:
    text = "tasks:\n- {id: shop-1, essential_states: [shop-1-1, Paid, 已付款, shop-1-9]}\n"
    diagnostics = lint(STATES, tasks=TaskIndex.read(text, "tasks"))
    assert [diagnostic.what for diagnostic in diagnostics] == [
        "Task shop-1 names the state shop-1-9, which does not exist"
    ]
    assert lint(tasks=TaskIndex.read(text, "tasks"), has_every_file=True) == []
