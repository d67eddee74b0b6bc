"""Reading experiments: what a file says, and what is reported with its line."""

from __future__ import annotations

import pytest

from collector.model.geometry import Size
from collector.run.experiment.model import PlannedInjection, RunCondition
from tests.collector.run.experiment.scopes import experiment_scope, read

HEAD = "format: waymark-experiment\nversion: 1\n"


def codes(text: str) -> list[tuple[int, str]]:
    """Line and code of each diagnostic of a text."""
    return [(item.place.line, item.code) for item in read(text).diagnostics]


def test_the_shortest_file_has_the_usual_values() -> None:
    file = read(f"{HEAD}tasks: all\nagents: [golden]\n")
    experiment = file.experiment
    assert file.diagnostics == ()
    assert experiment.tasks == ("shop-1", "shop-2", "todo-1")
    assert [(entry.id, entry.kind) for entry in experiment.agents] == [("golden", "golden")]
    assert experiment.conditions == (RunCondition("baseline"),)
    assert (experiment.seeds, experiment.repeats, experiment.budget) == ((1,), 1, 0)
    assert (experiment.semantics, experiment.ends) == ("waymark", "claim")


def test_every_key_is_read() -> None:
    file = read(f"""{HEAD}
description: All of it
tasks: {{where: "app:shop", except: [shop-2]}}
agents:
  - golden
  - {{id: later, kind: careful, policy: later, modality: tree}}
  - {{id: inner, kind: careful, options: {{policy: accept}}}}
conditions:
  - baseline
  - low_double
  - {{id: low, anomaly: low_double, at: 3, buttons: 1}}
  - {{id: both, anomalies: [{{anomaly: low_double, at: 5}}, low_single]}}
  - {{id: ruled, rules: [on-list], limit: 2}}
  - rules
modality: [screenshot+tree, tree]
variations: [default, large_text+dark_theme]
languages: [default, zh-CN]
seeds: {{count: 2, from: 7}}
repeats: 3
budget: 12
early_stop: 0
retries: 1
semantics: dgara
reset: phone
phones: {{virtual: 2, size: 720x1280, density: 320}}
""")
    assert file.diagnostics == ()
    experiment = file.experiment
    assert experiment.tasks == ("shop-1",)
    assert [dict(entry.options) for entry in experiment.agents] == [
        {},
        {"policy": "later"},
        {"policy": "accept"},
    ]
    assert experiment.agent("later").modalities == ("tree",)
    conditions = {condition.id: condition for condition in experiment.conditions}
    assert conditions["low_double"].injections == (PlannedInjection("low_double", 2),)
    assert conditions["low"].injections == (PlannedInjection("low_single", 3),)
    assert conditions["low"].category == "System Resource"
    assert conditions["both"].injections == (
        PlannedInjection("low_single", 2),
        PlannedInjection("low_double", 5),
    )
    assert (conditions["ruled"].rules, conditions["ruled"].limit) == (("on-list",), 2)
    assert conditions["rules"].rules == ()
    assert experiment.modalities == ("screenshot+tree", "tree")
    assert experiment.variations == ("", "dark_theme+large_text")
    assert experiment.languages == ("", "zh-CN")
    assert (experiment.seeds, experiment.repeats, experiment.budget) == ((7, 8), 3, 12)
    assert (experiment.early_stop, experiment.retries, experiment.ends) == (0, 1, "success")
    assert (experiment.phones.virtual, experiment.phones.size) == (2, Size(720, 1280))


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("tasks: [shop-3]", "W602", "Did you mean shop-"),
        ("tasks: {where: 'level:none'}", "W613", "No task"),
        ("tasks: {where: 'colour:red'}", "W103", "no search key colour"),
        ("tasks: [shop-1, shop-1]", "W208", "twice"),
        ("tasks: 7", "W602", "no task 7"),
        ("agents: [goldn]", "W603", "Did you mean golden?"),
        ("agents: [golden, golden]", "W208", "Two agents"),
        ("agents: [{id: a}]", "W106", "kind is missing"),
        ("agents: [{kind: careful, polcy: later}]", "W604", "Did you mean policy?"),
        ("agents: [{kind: careful, policy: perhaps}]", "W604", "perhaps"),
        ("agents: [{kind: careful, waits: soon}]", "W604", "whole number"),
        ("agents: [{kind: asked}]", "W604", "needs the option model"),
        ("agents: [{kind: asked, model: x, api_key: hunter22hunter}]", "W605", "keyring"),
        ("agents: [{kind: careful, header: 'Bearer abcdef0123456789abcd'}]", "W605", "environment"),
        ("conditions: [low_doubel]", "W602", "Did you mean low_double?"),
        ("conditions: [{anomaly: low_double, at: 0}]", "W110", "at is 0"),
        ("conditions: [{anomaly: only_double, buttons: 1}]", "W606", "Its forms have 2"),
        ("conditions: [{anomaly: low_double, rules: all}]", "W103", "either"),
        ("conditions: [{id: x, limit: 2}]", "W601", "no effect"),
        ("conditions: [{rules: [on-lst]}]", "W602", "Did you mean on-list?"),
        ("conditions: [baseline, baseline]", "W208", "Two conditions"),
        ("conditions: []", "W613", "empty"),
        ("modality: [screenshots]", "W104", "Did you mean screenshot?"),
        ("variations: [dark-theme]", "W602", "Did you mean dark_theme?"),
        ("variations: [german@shop+mandarin@shop]", "W602", "both set shop.language"),
        ("languages: [chinese]", "W103", "no language"),
        ("seeds: 3", "W103", "{count: 3}"),
        ("seeds: [1, two]", "W103", "whole number"),
        ("seeds: {count: 0}", "W110", "count is 0"),
        ("repeats: 0", "W110", "repeats is 0"),
        ("repeats: yes", "W103", "whole number"),
        ("budget: ~", "W103", "has no value"),
        ("semantics: d-gara", "W104", "Did you mean dgara?"),
        ("reset: everything", "W104", "app-data"),
        ("phones: 4", "W103", "{virtual: 2}"),
        ("phones: {virtual: 2, serials: [emulator-5554]}", "W601", "not virtual"),
        ("phones: {virtual: 1, size: 10x10}", "W103", "240"),
        ("phones: {ask_permissions: sometimes}", "W103", "true or false"),
        ("phones: {avd: Pixel, ask_permissions: true}", "W601", "no effect"),
        ("sedes: [1]", "W601", "Did you mean seeds?"),
        ("version: 2", "W103", "Update Waymark"),
        ("format: waymark-tasks", "W103", "no experiment"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_reported_at_its_line(line: str, code: str, says: str) -> None:
    key = line.partition(":")[0]
    usual = {"format": "waymark-experiment", "version": "1", "tasks": "all", "agents": "[golden]"}
    lines = [f"{name}: {value}" for name, value in usual.items() if name != key]
    file = read("\n".join([*lines, line]) + "\n")
    matching = [item for item in file.diagnostics if item.code == code and item.place.line == len(lines) + 1]
    assert matching, file.diagnostics
    assert any(says in item.sentence for item in matching), [item.sentence for item in matching]
    assert file.errors


def test_text_that_is_no_mapping_or_no_yaml_is_reported() -> None:
    assert codes("") == [(1, "W103")]
    assert codes("- golden\n") == [(1, "W103")]
    broken = read("tasks: [a\nagents: b\n")
    assert [item.code for item in broken.diagnostics] == ["W101"]
    assert broken.diagnostics[0].to_do == "Correct the line"
    assert codes(f"{HEAD}agents: [golden]\n") == [(1, "W106")]


def test_names_are_not_checked_outside_a_project() -> None:
    file = read(
        f"{HEAD}tasks: [mine]\nagents: [golden]\nconditions: [mine, {{rules: [mine-too]}}]\n",
        experiment_scope(has_project=False),
    )
    assert file.diagnostics == ()
    assert [condition.id for condition in file.experiment.conditions] == ["mine", "mine-too"]


def test_numbers_of_tokens_and_names_of_variables_are_no_secrets() -> None:
    text = (
        f"{HEAD}tasks: all\nagents: [{{kind: asked, model: x, max_tokens: 40000, key_env: OPENAI_API_KEY}}]\n"
    )
    assert codes(text) == []
