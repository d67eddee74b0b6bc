"""What names what: D-GARA's own files with the counts known of them, and small projects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.rules.grammar.model import DGARA, SUCCESS
from collector.rules.grammar.rule_text import rule_text
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from tests.helpers.linting import apply_fixes, lint, names

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "d-gara"
RULE = """
rules:
  - id: wifi
    conditions: {all: [{type: current_package_is, value: com.x}]}
    actions: [{type: inject_interference, interference_id: %s}]
"""
STATES = """
states:
  - {id: one, task: t, after: [two], conditions: [{type: min_step, value: 2}]}
  - {id: two, after: [%s, zero], conditions: [{type: min_step, value: 2}]}
  - {id: zero, conditions: [{type: state_reached, state: %s}]}
"""
LIBRARY = """
interference_library:
  - id: stop_en
    target_activity: A
    params: {param_title: 停止, param_log_event: X}
    post_actions:
      EVENT:X:
        - {type: adb, command: 'am force-stop com.y'}
        - {type: adb, command: am start -a android.settings.WIFI_SETTINGS}
  - id: unused
"""


@pytest.fixture(scope="module")
def dgara() -> dict[str, str]:
    if not SHARED.is_dir():
        pytest.skip("D-GARA's files are not here")
    return {path.name: path.read_text(encoding="utf-8") for path in SHARED.iterdir()}


def test_dgaras_own_files_have_the_faults_that_are_known_of_them(dgara: dict[str, str]) -> None:
    diagnostics = lint(
        dgara["rules.yaml"],
        dgara["success_conditions.yaml"],
        semantics=DGARA,
        tasks=TaskIndex.read(dgara["D-GARA-152.json"], "tasks"),
        library=AnomalyIndex.read(dgara["interference_library.yaml"], "library"),
    )
    by_code = {
        code: [diagnostic for diagnostic in diagnostics if diagnostic.code == code]
        for code in set(names(diagnostics))
    }
    assert len(by_code["W202"]) == 22  # tasks whose rule does not exist
    assert (
        len([diagnostic for diagnostic in by_code["W206"] if diagnostic.path == "0.yaml"]) == 19
    )  # rules no task names
    assert (
        len([diagnostic for diagnostic in by_code["W206"] if diagnostic.path == "1.yaml"]) == 12
    )  # success keys nobody uses
    assert len(by_code["W207"]) == 4  # library entries nobody uses
    assert len(by_code["W209"]) == 12  # human_validation
    assert [diagnostic.rule_id for diagnostic in by_code["W312"]] == [
        "task_gmaps_search_save_location"
    ]  # content-desc*=
    assert ["com.ctrip," in diagnostic.what for diagnostic in by_code["W211"]] == [True, False]
    assert len(by_code["W212"]) == 1  # "_en" in Chinese
    assert {diagnostic.path for diagnostic in by_code["W202"] + by_code["W209"]} == {"tasks"}
    assert "W203" not in by_code
    titles = [
        fix.title for diagnostic in by_code["W202"] for fix in diagnostic.fixes if "39" in diagnostic.what
    ]
    assert titles == ["Change to rule_facebook_low_battery_double_39"]


def test_fixes_of_the_list_of_tasks_leave_json_that_names_rules_that_exist(dgara: dict[str, str]) -> None:
    text, rules = dgara["D-GARA-152.json"], rule_text(dgara["rules.yaml"], "0.yaml")
    diagnostics = lint(rules, tasks=TaskIndex.read(text, "tasks"))
    for _diagnostic, _title, better in apply_fixes(
        text, [diagnostic for diagnostic in diagnostics if diagnostic.code == "W202"]
    ):
        json.loads(better)
        again = lint(rules, tasks=TaskIndex.read(better, "tasks"))
        assert names(again).count("W202") == 21


def test_names_that_lead_nowhere_are_found_and_mended() -> None:
    entry = "{id: t, package: com.x, rule_key: don, target_rule_ids: [wify], essential_states: [on]}"
    tasks = f"version: 2\ntasks:\n- {entry}\n"
    texts = (
        RULE % "stop_eng", "done: {conditions: [{type: min_step, value: 2}]}", STATES % ("thre", "ones"),
    )  # fmt: skip
    kinds = ("", SUCCESS, "")
    library = AnomalyIndex.read(LIBRARY, "library")
    diagnostics = lint(*texts, kinds=kinds, tasks=TaskIndex.read(tasks, "tasks"), library=library)
    diagnostics = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.code[:2] == "W2" and diagnostic.code not in ("W206", "W207", "W212")
    ]
    assert sorted(names(diagnostics)) == ["W201", "W202", "W203", "W204", "W204", "W204"]
    assert "W201" not in names(lint(RULE % "stop_eng"))
    (fix,) = apply_fixes(texts[0], [diagnostic for diagnostic in diagnostics if diagnostic.code == "W201"])
    assert "W201" not in names(lint(fix[2], library=library))
    for diagnostic, _title, better in apply_fixes(
        tasks, [diagnostic for diagnostic in diagnostics if diagnostic.path == "tasks"]
    ):
        after = lint(*texts, kinds=kinds, tasks=TaskIndex.read(better, "tasks"), library=library)
        assert names(after).count(diagnostic.code) == names(diagnostics).count(diagnostic.code) - 1


def test_a_rule_that_cannot_be_read_is_not_called_missing() -> None:
    tasks = TaskIndex.read("[{id: 1, target_rule_ids: [broken]}]", "tasks")
    text = RULE % "a" + "  - id: broken\n    conditions: [}\n"
    diagnostics = names(lint(text, tasks=tasks))
    assert "W101" in diagnostics
    assert "W202" not in diagnostics


def test_states_that_wait_for_each_other_are_told_once_and_mended() -> None:
    text = STATES % ("one", "one")
    diagnostics = [diagnostic for diagnostic in lint(text) if diagnostic.code == "W210"]
    assert [diagnostic.what for diagnostic in diagnostics] == [
        "These states depend on each other: one -> two -> one"
    ]
    ((_diagnostic, _title, better),) = apply_fixes(text, diagnostics)
    assert "W210" not in names(lint(better))


def test_an_id_is_unique_across_files() -> None:
    diagnostics = [diagnostic for diagnostic in lint(RULE % "a", RULE % "b") if diagnostic.code == "W208"]
    assert [(diagnostic.path, diagnostic.rule_id) for diagnostic in diagnostics] == [("1.yaml", "wifi")]
    assert "0.yaml" in diagnostics[0].why


def test_commands_and_words_of_an_anomaly_fit_the_tasks_that_meet_it() -> None:
    tasks = TaskIndex.read("[{id: 1, app: com.x, target_rule_ids: [wifi]}]", "tasks")
    diagnostics = lint(RULE % "stop_en", tasks=tasks, library=AnomalyIndex.read(LIBRARY, "library"))
    assert sorted(diagnostic.code for diagnostic in diagnostics if diagnostic.path == "library") == [
        "W207",
        "W211",
        "W212",
    ]
    ((_diagnostic, _title, better),) = apply_fixes(
        LIBRARY, [diagnostic for diagnostic in diagnostics if diagnostic.code == "W211"]
    )
    assert "force-stop com.x'" in better
    own = TaskIndex.read("[{id: 1, app: com.y, target_rule_ids: [wifi]}]", "tasks")
    assert "W211" not in names(lint(RULE % "stop_en", tasks=own, library=AnomalyIndex.read(LIBRARY)))


def test_indexes_of_any_text_are_made() -> None:
    for text in (
        "",
        "5",
        "[",
        "[1, [2], {id: []}]",
        "tasks: 3",
        "interference_library: [{post_actions: [1]}]",
    ):
        TaskIndex.read(text)
        AnomalyIndex.read(text)
