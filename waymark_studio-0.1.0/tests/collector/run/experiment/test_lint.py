"""What the linter says of an experiment as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from collector.agents.registry import agent_kinds
from collector.model.task import Task
from collector.run.experiment.lint import lint
from tests.collector.run.experiment.scopes import TASKS, experiment_scope, read

USUAL = {"tasks": "all", "agents": "[golden]"}
NO_GOLDEN = {"golden_counts": lambda: {"shop-1": 1}}
NO_RULES: dict[str, Any] = {"rules": ()}


@pytest.mark.parametrize(
    ("line", "changes", "code", "says"),
    [
        ("agents: [golden, {id: again, kind: golden}]", {}, "W612", "again is the same agent as golden"),
        ("conditions: [low_double, {id: b, anomaly: low_double}]", {}, "W612", "b is the same as low_double"),
        ("repeats: 3", {}, "W612", "Use more seeds"),
        ("modality: [screenshot, tree]", {}, "W612", "No agent is run with screenshot"),
        ("modality: [screenshot]", {}, "W615", "screenshot+tree, tree"),
        ("conditions: [{anomaly: low_double, at: 30}]", {}, "W607", "The longest has 20 steps"),
        ("conditions: [{anomalies: [low_single, {anomaly: low_double, at: 18}]}]", {}, "W608",
         "beyond the budget of shop-1, todo-1"),
        ("agents: [golden, monkey]", NO_GOLDEN, "W609", "2 tasks have none: shop-2, todo-1"),
        ("agents: [{id: mine, kind: careful}]", NO_GOLDEN, "W609", "mine needs a golden"),
        ("tasks: [shop-1]", NO_RULES, "W610", "No rule can judge 1 task: shop-1"),
        ("conditions: [rules]", NO_RULES, "W613", "the project has none"),
        ("phones: {serials: [a1]}\nvariations: [dark_theme]", {}, "W611", "Only virtual phones"),
        ("phones: {avd: Pixel}\nreset: phone", {}, "W611", "reset whole"),
        ("agents: [{kind: golden, skip: true}]", {}, "W613", "All agents are left out"),
        ("semantics: dgara\nends: claim", {}, "W307", "as soon as the task is done"),
        ("seeds: {count: 10000}\nrepeats: 10000", {}, "W614", "300,000,000 episodes"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_said_at_its_line(
    line: str, changes: dict[str, Any], code: str, says: str
) -> None:
    key = line.partition(":")[0]
    text = "".join(f"{name}: {value}\n" for name, value in USUAL.items() if name != key) + line + "\n"
    scope = experiment_scope(**changes)
    matching = [item for item in lint(read(text, scope), scope) if item.code == code]
    assert any(says in item.sentence for item in matching), lint(read(text, scope), scope)
    assert matching[0].path == "trial.yaml"
    first = text[: text.index(line)].count("\n") + 1
    assert matching[0].place.line >= (first if code != "W614" else 1)


def test_nothing_is_said_of_an_experiment_that_can_run() -> None:
    scope = experiment_scope()
    text = "tasks: all\nagents: [golden, monkey]\nconditions: [baseline, low_double, rules]\nseeds: [1, 2]\n"
    assert lint(read(text, scope), scope) == ()
    assert lint(read("tasks: [a]\nagents: [golden]\n", experiment_scope(has_project=False)), scope)[0].code


def test_marks_without_a_tree_are_named_before_the_run() -> None:
    """The model's own kind: its options have to fit each modality."""
    scope = experiment_scope(kinds=agent_kinds().kinds)
    agent = "{id: numbered, kind: openai, model: m, base_url: 'http://127.0.0.1:9/v1', set_of_marks: %s}"
    text = f"tasks: all\nagents: [{agent}]\nmodality: [screenshot, screenshot+tree]\n"
    [found] = [item for item in lint(read(text % "true", scope), scope) if item.code == "W615"]
    assert found.place.line == 2
    assert "numbered: Marks cannot be drawn in the modality screenshot" in found.sentence
    assert [item for item in lint(read(text % "false", scope), scope) if item.code == "W615"] == []


def test_tasks_are_chosen_by_the_words_of_the_search() -> None:
    scope = experiment_scope(golden_counts=lambda: {"shop-2": 2})
    chosen = {
        "app:shop": ["shop-1", "shop-2"], "-app:shop": ["todo-1"],
        "level:=easy app:com.waymark.shop": ["shop-1"],
        "golden:>1": ["shop-2"], "golden:none": ["shop-1", "todo-1"], "print": ["shop-1", "shop-2"],
        'text:"add note"': ["todo-1"], "human:yes": [], "states:0": ["shop-1", "shop-2", "todo-1"],
        "task:*-1 -app:todo": ["shop-1"], "": ["shop-1", "shop-2", "todo-1"],
    }  # fmt: skip
    assert {query: scope.select(query) for query in chosen} == chosen


def test_chinese_words_are_found_inside_a_sentence() -> None:
    tasks = {task.id: task for task in (*TASKS, Task("shop-3", "收藏睡猫海报"))}
    assert experiment_scope(tasks=tasks).select("海报") == ["shop-3"]
