"""A project exported for D-GARA is read by its code as it is meant here; everything else is named."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collector.cli.main import main
from collector.exchange.dgara.conditions import NotInDgara, engine_conditions, validator_conditions
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_reports import read_reports
from collector.exchange.exports.exporting import ExportChoice, ExportResult, export_project
from collector.exchange.format import TASKS, Format
from collector.exchange.imports.importing import import_into
from collector.exchange.registry import FORMATS_GROUP, formats
from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.model.task_parameter import Parameter
from collector.model.trajectory import TrajectoryHeader
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.rule_reader import read_rules
from collector.store.files.errors import DiskFull
from collector.store.project.project import Project
from collector.store.tasks.task_values import values_of
from collector.store.trajectory.reader import open_trajectory
from tests.helpers import dgara_oracle as oracle
from tests.helpers.steps import png, step, xml

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not at hand")
FILES = {
    "rules/injection.yaml": "ReactBench/rules.yaml",
    "rules/success.yaml": "SuccessValidator/success_conditions.yaml",
    "anomalies/library.yaml": "ReactBench/interference_library.yaml",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


def put(project: Project, name: str, text: str) -> None:
    path = project.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def exported(project: Project, name: str) -> Any:
    result = export_project(project, "dgara", project.folder.parent / "out", ExportChoice(replace=True))
    return yaml.safe_load((result.path / name).read_text("utf-8"))


def findings(project: Project) -> dict[str, tuple[str, ...]]:
    result = export_project(project, "dgara", project.folder.parent / "out", ExportChoice(replace=True))
    return steps_by_code(result)


def steps_by_code(result: ExportResult) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for finding in result.findings:
        found[finding.code] = (*found.get(finding.code, ()), *map(str, finding.steps))
    return found


def golden(project: Project, task: str, trajectory_id: str, started: str = "2026-01-01") -> Path:
    header = TrajectoryHeader(trajectory_id, task, started=started)
    with project.new_trajectory(header) as writer:
        writer.append(step(0, Tap(1, 2)), png(), xml("A"))
        writer.append(step(1, None), png(shade=1), xml("B"))
        writer.finish()
        return writer.folder


# -- whole folders -----------------------------------------------------------


@needs_data
@pytest.mark.parametrize("semantics", ["waymark", "dgara"])
def test_d_garas_own_files_come_back_to_the_byte(tmp_path: Path, semantics: str) -> None:
    first = Project.create(tmp_path / "first", semantics=semantics)
    import_into(first, DATA / "d-gara")
    result = export_project(first, "dgara", tmp_path / "out")
    for name in ("rules.yaml", "interference_library.yaml"):
        assert (result.path / "ReactBench" / name).read_bytes() == (DATA / "d-gara" / name).read_bytes()
    success = result.path / FILES["rules/success.yaml"]
    assert success.read_bytes() == (DATA / "d-gara/success_conditions.yaml").read_bytes()
    tasks = json.loads((result.path / "D-GARA-152.json").read_text("utf-8"))
    assert tasks == json.loads((DATA / "d-gara/D-GARA-152.json").read_text("utf-8"))
    # The selector of the map task is one that the validator cannot read.
    assert {finding.code for finding in result.losses} <= {"selector-unread"}
    second = Project.create(tmp_path / "second", semantics=semantics)
    import_into(second, result.path)
    assert second.tasks == first.tasks


@needs_data
def test_collected_recordings_come_back_to_the_byte(tmp_path: Path) -> None:
    source = next((DATA / "layouts/D-GARA/Collected_trajs").iterdir())
    first = Project.create(tmp_path / "first")
    import_into(first, source.parent)
    result = export_project(first, "dgara", tmp_path / "out")
    written = result.path / "Collected_trajs" / source.name
    assert {path.name: path.read_bytes() for path in written.iterdir()} == {
        path.name: path.read_bytes() for path in source.iterdir()
    }
    assert result.losses == []
    second = Project.create(tmp_path / "second")
    import_into(second, result.path)
    assert second.tasks == first.tasks
    before, after = (open_trajectory(next(project.trajectory_folders())) for project in (first, second))
    assert [entry.state for entry in before.steps] == [entry.state for entry in after.steps]


_NAME = st.text("abcdefgh_1", min_size=1, max_size=8)
_WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=10)
_QUOTABLE = st.text("abz 稻香:/._-", min_size=1, max_size=10)
_SELECTOR = st.builds("{}='{}'".format, st.sampled_from(("text", "resource-id", "content-desc")), _QUOTABLE)
_ELEMENT = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(("element_exists", "element_not_exists")), "selector": _SELECTOR}
    ),
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(("element_property", "element_property_contains")),
            "selector": _SELECTOR,
            "attribute": st.sampled_from(("selected", "text")),
            "value": _WORDS,
        }
    ),
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(("element_text_equals", "element_text_contains")),
            "selector": _SELECTOR,
            "text": _WORDS,
        }
    ),
)
_CONDITION = st.recursive(
    _ELEMENT,
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("any_of"), "sub_conditions": st.lists(inner, min_size=1, max_size=3)}
    ),
    max_leaves=4,
)
_SUCCESS = st.dictionaries(
    _NAME,
    st.fixed_dictionaries(
        {"conditions": st.lists(_CONDITION, min_size=1, max_size=3)}, optional={"description": _WORDS}
    ),
    max_size=3,
)
_ENGINE = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.just("semantic_element_exists"),
            "keywords": st.lists(_WORDS.filter(bool), min_size=1, max_size=3),
        },
        optional={"match_threshold": st.floats(0, 1), "min_step": st.integers(0, 9)},
    ),
    st.fixed_dictionaries(
        {"type": st.just("current_activity_is"), "value": st.sampled_from((".Main", "a.B"))}
    ),
)
_RULE = st.fixed_dictionaries(
    {
        "id": _NAME,
        "conditions": st.fixed_dictionaries({"all": st.lists(_ENGINE, min_size=1, max_size=3)}),
        "actions": st.lists(
            st.fixed_dictionaries(
                {"type": st.just("inject_interference"), "interference_id": _NAME},
                optional={"trigger_probability": st.floats(0, 1)},
            ),
            min_size=1,
            max_size=2,
        ),
    },
    optional={"description": _WORDS, "priority": st.integers(0, 999), "once": st.booleans()},
)
_ANOMALY = st.fixed_dictionaries(
    {
        "id": _NAME,
        "target_activity": st.sampled_from(("LowBatteryActivity", "LocationPermissionActivity")),
        "params": st.dictionaries(st.sampled_from(("param_title", "param_log_event")), _WORDS),
    },
    optional={
        "description": _WORDS,
        "post_actions": st.dictionaries(
            _NAME.map("EVENT:{}".format),
            st.lists(
                st.fixed_dictionaries({"type": st.just("adb"), "command": st.just("input keyevent 4")})
                | st.fixed_dictionaries({"type": st.just("log"), "message": _WORDS}),
                min_size=1,
                max_size=2,
            ),
            min_size=1,
            max_size=2,
        ),
    },
)
_TASK = st.fixed_dictionaries(
    {
        "id": st.integers(0, 999),
        "description": _WORDS.filter(lambda text: bool(text.strip()) and text == text.strip()),
        "app": st.sampled_from(("", "com.example.shop")),
        "rule_key": _NAME | st.just(""),
        "target_rule_ids": st.lists(_NAME, max_size=2),
    }
)


@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(
    st.lists(_TASK, min_size=1, max_size=3, unique_by=lambda task: task["id"]),
    st.lists(_RULE, min_size=1, max_size=3, unique_by=lambda rule: rule["id"]),
    _SUCCESS,
    st.lists(_ANOMALY, min_size=1, max_size=2, unique_by=lambda anomaly: anomaly["id"]),
)
def test_import_export_import_gives_the_same(
    tasks: list[Any], rules: list[Any], success: dict[str, Any], anomalies: list[Any]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        documents = {
            "ReactBench/rules.yaml": {"rules": rules},
            "ReactBench/interference_library.yaml": {"interference_library": anomalies},
            "SuccessValidator/success_conditions.yaml": success,
        }
        for name, document in documents.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
        (source / "D-GARA-152.json").write_text(json.dumps(tasks), "utf-8")
        first = Project.create(Path(folder) / "first")
        import_into(first, source, "dgara")
        result = export_project(first, "dgara", Path(folder) / "out")
        for name, document in documents.items():
            assert yaml.safe_load((result.path / name).read_text("utf-8")) == document
        assert json.loads((result.path / "D-GARA-152.json").read_text("utf-8")) == tasks
        second = Project.create(Path(folder) / "second")
        import_into(second, result.path, "dgara")
        assert second.tasks == first.tasks


def test_a_project_without_rules_comes_back_without_rule_files(project: Project, tmp_path: Path) -> None:
    project.save_tasks([Task("3", "Do", human_validation=True), Task("4", "Do more", rule_key="k")])
    project.set(reset={"commands": ["svc wifi enable"]})
    result = export_project(Project.open(project.folder), "dgara", tmp_path / "out")
    assert [finding.code for finding in result.losses] == ["reset-lost"]
    entries = json.loads((result.path / "D-GARA-152.json").read_text("utf-8"))
    assert [entry["rule_key"] for entry in entries] == ["human_validation", "k"]
    again = Project.create(tmp_path / "again")
    report = import_into(again, result.path)
    assert (report.format.id, report.rules, report.losses) == ("dgara", [], [])
    assert again.tasks == project.tasks


# -- conditions ----------------------------------------------------------------

_A, _B, _C = ({"type": "element_exists", "selector": f"text='{name}'"} for name in "abc")
_NOT_A = {**_A, "type": "element_not_exists"}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ([_A, {"all": [_B, _C]}], [_A, _B, _C]),
        ({"any": [_A, _B]}, [{"type": "any_of", "sub_conditions": [_A, _B]}]),
        ([{"not": [_A, _B]}], [_NOT_A, {**_B, "type": "element_not_exists"}]),
        (
            [{"any": [{"all": [_A, _B]}, _C]}],
            [{"type": "any_of", "sub_conditions": [_A, _C]}, {"type": "any_of", "sub_conditions": [_B, _C]}],
        ),
        ([{"not": [{"not": [_A]}]}], [_A]),
        (
            [{"type": "element_exists", "selector": "resource-id=a:id/b"}],
            [{"type": "element_exists", "selector": "resource-id='a:id/b'"}],
        ),
    ],
)
def test_success_conditions_are_said_in_d_garas_words(ours: Any, theirs: Any) -> None:
    rule = read_rules(yaml.safe_dump({"k": {"conditions": ours}}), kind="success").rules[0]
    assert validator_conditions(rule.conditions) == theirs


@pytest.mark.parametrize(
    "condition",
    [
        {"type": "text_matches", "pattern": "x"},
        {"type": "current_package_is", "value": "a"},
        {"type": "state_reached", "value": "s"},
        {**_A, "min_step": 2},
        {"type": "element_exists", "selector": "text='a' and class='b'"},
        {"type": "element_exists", "selector": "//node[@text='a']"},
        {"type": "element_exists", "selector": "text='it\\'s'"},
        {"type": "element_exists", "selector": "text='a' [2]"},
        {"type": "element_not_exists", "selector": "text*='a'"},
        {"not": [{"type": "element_text_equals", "selector": "text='a'", "text": "b"}]},
        {"type": "no_such_type"},
    ],
)
def test_what_the_validator_would_read_as_something_else_is_not_written(condition: Any) -> None:
    rule = read_rules(yaml.safe_dump({"k": {"conditions": [condition]}}), kind="success").rules[0]
    with pytest.raises(NotInDgara):
        validator_conditions(rule.conditions)


def engine(*conditions: Any, group: str = "all") -> list[Any]:
    text = yaml.safe_dump({"rules": [{"id": "r", "conditions": {group: list(conditions)}, "actions": []}]})
    return engine_conditions(read_rules(text).rules[0].conditions)


def test_injection_conditions_are_said_in_d_garas_words() -> None:
    words = {"type": "semantic_element_exists", "keywords": ["a", "b"]}
    assert engine({**words, "threshold": 0.5}) == [{**words, "match_threshold": 0.5}]
    assert engine({"all": [words]}, {"type": "min_step", "value": 3}) == [{**words, "min_step": 3}]
    assert engine({**words, "min_step": 5}, {"type": "min_step", "value": 3}) == [{**words, "min_step": 5}]
    assert engine({"type": "current_activity_is", "value": "a/.Main"}) == [
        {"type": "current_activity_is", "value": ".Main"}
    ]
    (alone,) = engine({"type": "min_step", "value": 3})
    for number, holds in ((2, False), (3, True)):
        rule = {"id": "r", "conditions": {"all": [alone]}}
        assert oracle.injects(rule, xml(), step=number) is holds
    for group, condition in (("any", (words, words)), ("not", (words,)), ("all", (_A,))):
        with pytest.raises(NotInDgara):
            engine(*condition, group=group)


def _random_group(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.4:
        selector = rng.choice(("text='a'", "text='b'", "class='c'", "resource-id=d"))
        return {"type": rng.choice(("element_exists", "element_not_exists")), "selector": selector}
    parts = [_random_group(rng, depth - 1) for _part in range(rng.randint(1, 3))]
    return {rng.choice(("all", "any", "not")): parts}


def test_d_garas_validator_gives_the_verdicts_of_this_program() -> None:
    rng = random.Random(11)
    for _round in range(150):
        document = {"k": {"conditions": [_random_group(rng, 3) for _part in range(rng.randint(1, 2))]}}
        rule = read_rules(yaml.safe_dump(document), kind="success").rules[0]
        try:
            written = {"conditions": validator_conditions(rule.conditions)}
        except NotInDgara:  # more alternatives than a person can read
            continue
        for _dump in range(4):
            nodes = "".join(
                f'<node text="{rng.choice("abx")}" class="{rng.choice("cy")}" '
                f'resource-id="{rng.choice("dz")}" bounds="[0,0][1,1]" />'
                for _node in range(rng.randint(1, 3))
            )
            dump = f'<hierarchy rotation="0">{nodes}</hierarchy>'.encode()
            view = StateView(parse_tree(dump), dump)
            assert oracle.passes(written, dump) is prove(rule.conditions, view).holds, (document, dump)


# -- rules and anomalies -------------------------------------------------------


def test_rules_d_gara_cannot_say_are_left_out_and_named(project: Project) -> None:
    words = "{type: semantic_element_exists, keywords: [a], threshold: 0.5}"
    action = (
        "actions: [{type: inject_interference, interference_id: battery_low_double_en, follow_up: {deny: x}}]"
    )
    put(
        project,
        "rules/injection.yaml",
        f"rules:\n  - {{id: said, conditions: {{all: [{words}]}}, {action}}}\n"
        f"  - {{id: unsaid, conditions: {{any: [{words}, {words}]}}, actions: []}}\n",
    )
    put(
        project,
        "rules/success.yaml",
        "good:\n  conditions: [{type: element_exists, selector: \"text='a'\"}]\n"
        "bad:\n  conditions: [{type: text_matches, pattern: a}]\n",
    )
    put(project, "rules/states.yaml", "states:\n  - {id: home, conditions: [{type: min_step, value: 1}]}\n")
    rules = exported(project, "ReactBench/rules.yaml")["rules"]
    assert [rule["id"] for rule in rules] == ["said"]
    assert rules[0]["conditions"]["all"][0] == {
        "type": "semantic_element_exists", "keywords": ["a"], "match_threshold": 0.5,
    }  # fmt: skip
    assert [*exported(project, FILES["rules/success.yaml"])] == ["good"]
    library = exported(project, FILES["anomalies/library.yaml"])["interference_library"]
    assert [anomaly["id"] for anomaly in library] == ["battery_low_double_en"]
    assert library[0]["params"]["param_deny_log_event"] == "BATTERY_LOW_DENIED"
    found = findings(project)
    assert found["rule-left-out"] == ("unsaid", "bad")
    assert found["rule-key-lost"] == ("said",)
    assert found["states-lost"] == ("home",)


LIBRARY = """
anomalies:
  - id: quiet
    kind: native
    commands: [{apply: [svc wifi disable]}]
  - id: ask
    category: Permission Control
    target_activity: LocationPermissionActivity
    params:
      param_title: {type: text, value: Where?}
      param_allow_btn_text: Yes please
    follow_up:
      accept: [{type: adb, command: "am force-stop {package}"}]
      deny: [{type: log, message: fine}]
      dismiss: [{type: log, message: gone}]
"""


def test_a_library_is_written_as_dialogs_of_the_companion_app(project: Project) -> None:
    put(project, "anomalies/library.yaml", LIBRARY)
    rule = "conditions: {all: [{type: semantic_element_exists, keywords: [a]}]}, actions: "
    put(
        project,
        "rules/injection.yaml",
        "rules:\n"
        + "".join(
            f"  - {{id: r{number}, {rule}[{{type: inject_interference, interference_id: {name}}}]}}\n"
            for number, name in enumerate(("quiet", "ask"))
        ),
    )
    project.save_tasks([Task("1", "Do", package="com.example.shop", target_rule_ids=("r0", "r1"))])
    (ask,) = exported(project, FILES["anomalies/library.yaml"])["interference_library"]
    assert ask["params"] == {
        "param_title": "Where?", "param_allow_btn_text": "Yes please",
        "param_allow_log_event": "ASK_ACCEPT", "param_deny_log_event": "ASK_DENY",
    }  # fmt: skip
    assert ask["post_actions"] == {
        "EVENT:ASK_ACCEPT": [{"type": "adb", "command": "am force-stop com.example.shop"}],
        "EVENT:ASK_DENY": [{"type": "log", "message": "fine"}],
    }
    assert "kind" not in ask
    found = findings(project)
    assert found["anomaly-left-out"] == ("quiet",)
    assert found["rule-injects-nothing"] == ("r0",)
    assert found["follow-up-lost"] == ("ask",)
    project.save_tasks([*project.tasks, Task("2", "Do more", package="b", target_rule_ids=("r1",))])
    assert "EVENT:ASK_ACCEPT" not in {
        event
        for event, actions in exported(project, FILES["anomalies/library.yaml"])["interference_library"][0][
            "post_actions"
        ].items()
        if actions
    }


def test_what_d_garas_companion_app_cannot_show_is_named(project: Project) -> None:
    put(
        project,
        "anomalies/library.yaml",
        """interference_library:
  - {id: stars, target_activity: RatingActivity, params: {param_accept_log_event: A, param_deny_log_event: B}}
  - id: again
    target_activity: LowBatteryActivity
    params: {param_log_event: C, param_returns: {type: integer, value: 2}, param_theme: dark}
""",
    )
    (again,) = exported(project, FILES["anomalies/library.yaml"])["interference_library"]
    assert again["id"] == "again"
    found = findings(project)
    assert found["anomaly-left-out"] == ("stars: RatingActivity",)
    assert found["anomaly-key-lost"] == ("again", "again")


def test_rules_that_d_gara_judges_differently_on_the_recordings_are_named(project: Project) -> None:
    two = xml("A").replace(b"</hierarchy>", xml("B").partition(b'"0">')[2])
    project.save_tasks([Task("1", "Do")])
    with project.new_trajectory(TrajectoryHeader("one", "1")) as writer:
        writer.append(step(0, None), png(), two)
        writer.finish()
    test = "{type: element_text_equals, selector: \"resource-id='a:id/ok'\", text: %s}"
    put(
        project,
        "rules/success.yaml",
        f"first:\n  conditions: [{test % 'A'}]\nsecond:\n  conditions: [{test % 'B'}]\n",
    )
    found = findings(project)
    assert found["verdict-differs"] == ("second",)
    assert found["first-match"] == ("first", "second")


# -- recordings ------------------------------------------------------------------


def test_the_newest_recording_of_a_task_is_written_and_the_rest_named(project: Project) -> None:
    project.save_tasks([Task("shop", "Buy a/b: \n now?" + "稻" * 200), Task("7", "Sell")])
    old, new = golden(project, "shop", "old"), golden(project, "shop", "new", "2026-02-01")
    result = export_project(project, "dgara", project.folder.parent / "out")
    (folder,) = (result.path / "Collected_trajs").iterdir()
    assert folder.name.startswith("8_Buy a_b_ _ now_稻")
    assert len(folder.name.encode()) <= 240
    assert {path.name for path in folder.iterdir()} == {
        f"step_{number}_{name}" for number in (1, 2) for name in ("screenshot.png", "ui.xml")
    }
    assert (folder / "step_2_screenshot.png").read_bytes() == png(shade=1)
    assert result.written.trajectories == [project.paths.relative(new)]
    where = {finding.code: finding.where for finding in result.findings}
    assert where["another-recording"] == project.paths.relative(old)
    assert {"actions-lost", "times-lost", "texts-lost"} <= where.keys()
    assert steps_by_code(result)["task-numbered"] == ("shop > 8",)
    again = Project.create(project.folder.parent / "again")
    import_into(again, result.path)
    assert [(task.id, task.instruction) for task in again.tasks] == [
        ("8", project.tasks[0].instruction), ("7", "Sell"),
    ]  # fmt: skip


def test_numbers_that_d_gara_left_out_stay_left_out(tmp_path: Path, project: Project) -> None:
    source = tmp_path / "Collected_trajs" / "7_Sell: a/b".replace("/", "_")
    source.mkdir(parents=True)
    for number in (2, 5, 10):
        (source / f"step_{number}_ui.xml").write_bytes(xml(str(number)))
    import_into(project, source.parent)
    result = export_project(project, "dgara", tmp_path / "out")
    (folder,) = (result.path / "Collected_trajs").iterdir()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in source.iterdir()
    }


# -- whole or not at all -----------------------------------------------------------


def test_an_export_that_fails_leaves_nothing(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.save_tasks([Task("1", "a"), Task("2", "b")])
    golden(project, "1", "one")
    golden(project, "2", "two")
    before = sorted(path.name for path in tmp_path.iterdir())

    def stop(_name: str, count: int, total: int) -> None:
        assert total == 2
        if count == 2:
            raise ExchangeError("stopped")

    with pytest.raises(ExchangeError, match="stopped"):
        export_project(project, "dgara", tmp_path / "out", progress=stop)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    earlier = export_project(project, "dgara", tmp_path / "out").path
    (earlier / "D-GARA-152.json").write_text("mine", "utf-8")
    with pytest.raises(ExchangeError, match="stopped"):
        export_project(project, "dgara", earlier, ExportChoice(replace=True), progress=stop)
    assert (earlier / "D-GARA-152.json").read_text("utf-8") == "mine"

    def full(_source: object, _target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DiskFull, match="no room"):
        export_project(project, "dgara", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_only_an_earlier_export_is_replaced(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_project(project, "dgara", out)
    with pytest.raises(ExchangeError, match="--force"):
        export_project(project, "dgara", out)
    (out / "D-GARA-152.json").write_text("old", "utf-8")
    export_project(project, "dgara", out, ExportChoice(replace=True))
    assert json.loads((out / "D-GARA-152.json").read_text("utf-8")) == []
    (out / "main.py").write_text("mine", "utf-8")
    with pytest.raises(ExchangeError, match="would be lost"):
        export_project(project, "dgara", out, ExportChoice(replace=True))
    assert (out / "main.py").read_text("utf-8") == "mine"
    with pytest.raises(ExchangeError, match="already"):
        export_project(project, "dgara-tasks", out, ExportChoice(replace=True))
    link = tmp_path / "link"
    link.symlink_to(out)
    with pytest.raises(ExchangeError, match="already"):
        export_project(project, "dgara", link, ExportChoice(replace=True))
    for place in (project.folder, project.paths.trajectories / "out", tmp_path):
        with pytest.raises(ExchangeError):
            export_project(project, "dgara", place, ExportChoice(replace=True))


def _write_half(_part: object, path: Path, _log: object) -> None:
    path.mkdir()
    (path / "half").write_text("x", "utf-8")
    raise RuntimeError("broken")


ODD = Format(id="odd", title="Odd", holds=(TASKS,), files="half", write=_write_half)


@pytest.fixture
def odd_format(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The format above, as a plug-in."""
    plugin = metadata.EntryPoint("odd", f"{__name__}:ODD", FORMATS_GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [plugin] * (group == FORMATS_GROUP))
    formats.cache_clear()
    yield
    formats.cache_clear()


@pytest.mark.usefixtures("odd_format")
def test_a_format_that_breaks_says_so_and_leaves_nothing(project: Project, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="broken"):
        export_project(project, "odd", tmp_path / "out")
    assert not [path for path in tmp_path.iterdir() if path.name != "project"]


# -- the command line ----------------------------------------------------------------


def test_the_project_of_the_current_folder_is_exported_and_its_report_kept(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.save_tasks([Task("a", "Do", note="n")])
    monkeypatch.chdir(project.folder)
    assert main(["project", "exports"]) == 0
    assert "was not exported yet" in capsys.readouterr().out
    assert main(["project", "export", "dgara", "../out"]) == 0
    printed = capsys.readouterr().out
    assert "1 task" in printed
    assert "loss: D-GARA-152.json: The format has no place for `note` (a)" in printed
    assert main(["project", "export", "dgara", "../out"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["project", "export", "dgara", "../out", "--force", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tasks"] == ["a"]
    (newest, oldest) = read_reports(project, of_exports=True)
    assert (document["report"], oldest.is_export) == (newest.id, True)
    assert main(["project", "exports", "--show", "last"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Export to ../out as D-GARA")
    assert all(line in shown.splitlines() for line in printed.splitlines() if line.startswith("loss: "))
    assert main(["project", "exports", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["exports"]) == 2
    assert main(["project", "exports", "--show", "nosuch"]) == 1
    assert main(["project", "export", "dgara", "a", "b", "c"]) == 2
    assert main(["project", "check"]) == 0
    assert read_reports(project) == []
    shutil.rmtree(tmp_path / "out")
    assert main(["project", "export", "dgara", str(tmp_path / "out"), "--project", str(project.folder)]) == 0


def test_tasks_with_parameters_are_written_with_the_values_of_the_usual_seed(project: Project) -> None:
    title = Parameter("title", options=("Milk", "Bread"))
    asked = Task("7", "Buy {title}", rule_key="bought", parameters=(title,))
    project.save_tasks([asked, Task("8", "Buy tea", rule_key="tea")])
    condition = "{type: element_exists, selector: \"text='%s'\"}"
    rules = f"bought: {{conditions: [{condition % '{title}'}]}}\ntea: {{conditions: [{condition % 'Tea'}]}}\n"
    put(project, "rules/success.yaml", rules)
    value = values_of(asked, DEFAULT_SEED)["title"]
    assert [task["description"] for task in exported(project, "D-GARA-152.json")] == [
        f"Buy {value}",
        "Buy tea",
    ]
    written = exported(project, "SuccessValidator/success_conditions.yaml")
    assert [rule["conditions"][0]["selector"] for rule in written.values()] == [
        f"text='{value}'",
        "text='Tea'",
    ]
    assert findings(project)["parameters-fixed"] == ("7",)
    lines = export_project(project, "aitk-tasks", project.folder.parent / "tasks.jsonl").path.read_text()
    assert f'"Buy {value}"' in lines
    other = next(
        seed for seed in range(9) if values_of(replace(asked, id=str(seed)), DEFAULT_SEED)["title"] != value
    )
    project.save_tasks([asked, replace(asked, id=str(other))])
    assert "bought" in findings(project)["rule-left-out"]
