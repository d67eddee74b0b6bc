"""Essential states of LlamaTouch and MobiFlow become conditions, and exported ones are imported again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exporting import export_project
from collector.exchange.formats import llamatouch_states
from collector.exchange.imports.importing import import_into
from collector.exchange.imports.state_files import FORMATS, written
from collector.exchange.imports.state_import import import_states
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Complete
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.rule_reader import read_rules
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.judged import first_steps, judge_screens
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.steps import png
from tests.helpers.tasks import put_task


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("t", "Do"))
    return project


NODES = {
    0: [("Home", "h:id/home", False)],
    1: [("Search", "h:id/box", True), ("Go", "h:id/go", True), ("", "", False)],
    2: [("Results for Lamp", "h:id/title", False), ("Lamp 3", "h:id/row", True), ("Sort", "", True)],
    3: [("Lamp 3", "h:id/title", False), ("", "h:id/heart", True)],
}
"""Screen -> text, id and clickable of its nodes, 100 by 10 pixels below each other."""
ESS = {
    1: "activity<0>|exact<0>|click<1>",
    2: "fuzzy<-1>|type<lamp>|check_install<Excel>|uninstall<An app of mine>",
    3: "fuzzy<0>|exclude<0>|exact<1>|exact<9>|shake<3>|fuzzy<-2>",
}
EVENTS = """[Home]
[Click] Screen Resolution (100, 100), Click Position (50, 15)
[Input] lamp
"""


def write_trace(folder: Path, ess: dict[int, str]) -> Path:
    folder.mkdir(parents=True)
    for number, nodes in NODES.items():
        entries, dump = [], ""
        for at, (text, resource, clickable) in enumerate(nodes):
            bounds = f"[0,{at * 10}][100,{at * 10 + 10}]"
            entries.append({"id": at, "class": "V", "text": text, "resource-id": resource, "content-desc": "",
                            "bounds": bounds, "clickable": clickable, "visible": True})  # fmt: skip
            dump += (f'<node class="V" text="{text}" resource-id="{resource}" content-desc="" package="h"'
                     f' clickable="{str(clickable).lower()}" bounds="{bounds}"/>')  # fmt: skip
        (folder / f"{number}.json").write_text(json.dumps(entries), encoding="utf-8")
        (folder / f"{number}.xml").write_text(f'<hierarchy rotation="0">{dump}</hierarchy>', encoding="utf-8")
        (folder / f"{number}.png").write_bytes(png(100, 100, number))
        (folder / f"{number}.activity").write_text("h/h.Main" if number else "null", encoding="utf-8")
    for number, text in ess.items():
        (folder / f"{number}.ess").write_text(text, encoding="utf-8")
    (folder / "instruction.txt").write_text("t7\nFind a lamp", encoding="utf-8")
    (folder / "eventStructs.txt").write_text(EVENTS, encoding="utf-8")
    return folder


def test_annotated_screens_of_llamatouch_become_states_in_order(project: Project, tmp_path: Path) -> None:
    result = import_into(project, write_trace(tmp_path / "trace_0", ESS))
    task = project.task("t7")
    assert task is not None
    states = [project.states[name] for name in task.essential_states]
    assert [(state.id, state.after) for state in states] == [
        ("t7-1", ()), ("t7-2", ("t7-1",)), ("t7-3", ("t7-2",)), ("t7-4", ("t7-3",)), ("t7-5", ("t7-4",)),
    ]  # fmt: skip
    conditions: list[Any] = [state.extra["conditions"] for state in states]
    assert conditions[0] == [
        {"type": "current_activity_is", "value": "h/h.Main"},
        {"type": "element_exists",
         "selector": "class='V' text='Search' resource-id='h:id/box' clickable='true'"},
    ]  # fmt: skip
    assert conditions[1] == [
        {"type": "action_was", "action": "tap", "selector": "class='V' text='Go' resource-id='h:id/go'"}
    ]
    assert conditions[2][0]["keywords"] == ["Results for Lamp", "Lamp 3", "Sort"]
    assert conditions[2][1] == {"type": "app_is_installed", "value": "com.microsoft.office.excel"}
    assert conditions[3] == [{"type": "action_was", "action": "type", "text": "lamp", "exact": True}]
    assert [condition["type"] for condition in conditions[4]] == [
        "element_exists", "element_not_exists", "element_exists",
    ]  # fmt: skip
    assert conditions[4][2]["selector"] == "class='V' resource-id='h:id/heart' clickable='true'"
    assert [state.sentence for state in states] == [
        "h/h.Main is in front; 'Search' is shown", "'Go' is tapped",
        "A screen like screen 2 is shown; Excel is installed",
        "'lamp' is typed", "'Lamp 3' is shown; 'Lamp 3' is not shown; 'h:id/heart' is shown",
    ]  # fmt: skip
    lost = [(finding.what, finding.steps) for finding in result.findings if finding.code == "state-lost"]
    assert [(what.partition(" ")[0], steps) for what, steps in lost] == [
        ("check_uninstall<An", ("2",)), ("exact<9>", ("3",)), ("shake<3>", ("3",)),
    ]  # fmt: skip
    assert {"picture-not-compared", "exclude-counts", "screen-by-words", "letters-differ"} <= {
        finding.code for finding in result.findings
    }


@pytest.mark.parametrize(
    ("annotated", "apps", "verdict"),
    [
        ("check_install<Duolingo>", ("a.b", "com.duolingo"), 0),
        ("check_install<Duolingo>", ("a.b",), "missed"),
        ("install<com.my.app>", ("com.my.app",), 0),
        ("check_uninstall<Duolingo>", ("a.b",), 0),
        ("check_uninstall<Duolingo>", ("com.duolingo",), "missed"),
        ("check_uninstall<Duolingo>", None, "undecided"),  # the recording does not say which apps there are
    ],
)
def test_llamatouch_s_checks_of_installed_apps_are_judged(
    tmp_path: Path, annotated: str, apps: tuple[str, ...] | None, verdict: int | str
) -> None:
    (tmp_path / "0.ess").write_text(annotated, encoding="utf-8")
    (state,) = llamatouch_states.read_states(tmp_path, ExchangeLog()).states
    rules = read_rules(yaml.safe_dump({"states": [{"id": "s", **state.extra}]})).rules
    recording = MemoryTrajectory("t", [RecordedScreen(b"", apps=apps)])
    judged = JudgedTrajectory.of(recording, [Task("t", "Do", essential_states=("s",))], rules)
    given = next(iter(RuleJudge().judge(judged)))
    assert (given.verdict if given.subject.first is None else given.subject.first) == verdict


def test_the_trace_reaches_its_own_states_at_the_annotated_screens(project: Project, tmp_path: Path) -> None:
    ess = {**ESS, 2: "fuzzy<-1>|type<lamp>", 3: "fuzzy<0>|exact<1>|fuzzy<-2>"}
    (folder,) = import_into(project, write_trace(tmp_path / "trace_0", ess)).folders
    rules = ProjectRules.open(project.folder).rules()
    judged = JudgedTrajectory.of(open_trajectory(folder), project.tasks, rules)
    found = {item.subject.state or "task": item for item in RuleJudge().judge(judged)}
    assert first_steps(found) == {"t7-1": 1, "t7-2": 2, "t7-3": 2, "t7-4": 3, "t7-5": 3}
    assert found["task"].verdict == "success"


def test_a_whole_dataset_says_app_and_category_of_its_tasks(project: Project, tmp_path: Path) -> None:
    write_trace(tmp_path / "dataset" / "groundtruth-traces" / "general" / "trace_0", ESS)
    table = "episode\tcategory\tpath\tdescription\tnsteps\tapp\nt7\tgeneral\tx\tFind a lamp\t3\tShop\n"
    (tmp_path / "dataset" / "llamatouch_task_metadata.tsv").write_text(table, encoding="utf-8")
    result = import_into(project, tmp_path / "dataset")
    task = project.task("t7")
    assert (task.app, task.category, len(task.essential_states)) == ("Shop", "general", 5)
    assert not [item for item in result.findings if "metadata" in item.what]


def test_states_of_a_trace_are_imported_into_a_task_once(project: Project, tmp_path: Path) -> None:
    trace = write_trace(tmp_path / "trace_0", {1: "click<//node[@text='Go']>|exact<2>"})
    first = import_states(project, [trace / "1.ess"], "t")
    assert [state.id for state in first.new] == ["t-1"]
    assert first.new[0].extra["conditions"][0]["selector"] == "//node[@text='Go']"
    again = import_states(project, [trace], "t")
    assert (again.new, again.named, [item.code for item in again.findings][-1]) == ([], [], "state-there")
    with pytest.raises(ExchangeError, match="no ids"):
        import_states(project, [trace])
    with pytest.raises(ExchangeError, match="no task"):
        import_states(project, [trace], "gone")


FLOW = """
task_id: follow
nodes:
  - {id: search, name: Search, condition: {type: text_match, params: {any: [Search, Find]}}, next: [results]}
  - id: results
    condition: {type: regex_match, params: {pattern: '[0-9]+ RESULTS', ignore_case: true}}
    next: [profile, follow]
  - id: profile
    condition: {type: escalate, params: {ocr: {all: [Profile]}, llm: {prompt: "?"}}}
    next: [follow]
  - id: follow
    condition:
      type: juxtaposition
      params: {text: {any: [Following]}, action: {type: click}}
  - {id: star, deps: [results], condition: {type: icons_match, params: {any: [icon_star]}}}
success: {any_of: [follow, star]}
"""


def test_milestones_of_mobiflow_keep_their_and_and_their_or(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "flow.yaml"
    path.write_text(FLOW, encoding="utf-8")
    result = import_states(project, [path], "t")
    states = {state.id: state for state in result.new}
    assert result.named == ["t-4"]
    assert (states["t-2"].after, states["t-4"].after, states["t-5"].after) == (("t-1",), (), ("t-2",))
    assert states["t-4"].alternatives == ("t-5",)
    assert states["t-4"].extra["conditions"][0] == {
        "any": [{"type": "state_reached", "state": "t-2"}, {"type": "state_reached", "state": "t-3"}]
    }
    assert "conditions" not in states["t-5"].extra
    assert [(item.severity, item.steps) for item in result.findings if item.code == "state-lost"] == [
        ("note", ("profile",)), ("loss", ("star",)),
    ]  # fmt: skip
    rules, task = ProjectRules.open(project.folder).rules(), project.task("t")
    for screens, follow in ((["Search", "9 results", "Following"], 2), (["Search", "x", "Following"], None),
                            (["Find", "9 Results", "Profile", "Following"], 3)):  # fmt: skip
        found = judge_screens(screens, rules, task=task)
        assert first_steps(found)["t-4"] == follow
        assert found["task"].verdict == ("success" if follow else "uncompleted")
    done = judge_screens(["Search", "9 results", "x"], rules, task=task, actions=[Complete()])
    assert done["task"].verdict == "failure"


def test_milestones_go_out_to_mobiflow_as_they_came(project: Project, tmp_path: Path) -> None:
    """But for what no condition of ours says: pictures, and models that are asked."""
    path = tmp_path / "flow.yaml"
    path.write_text(FLOW, encoding="utf-8")
    import_states(project, [path], "t")
    exported = export_project(project, "mobiflow", tmp_path / "out")
    assert exported.losses == []
    flow = yaml.safe_load((exported.path / "tasks" / "t.yaml").read_text("utf-8"))
    nodes = {node["id"]: node for node in flow["nodes"]}
    assert (flow["task_id"], flow["success"]) == ("t", {"any_of": ["t-4", "t-5"]})
    assert nodes["t-1"]["condition"] == {"type": "text_match", "params": {"any": ["Search", "Find"]}}
    assert nodes["t-2"]["condition"] == {
        "type": "regex_match", "params": {"pattern": "[0-9]+ RESULTS", "ignore_case": True},
    }  # fmt: skip
    assert nodes["t-4"]["condition"] == {
        "type": "juxtaposition", "params": {"text": {"all": ["Following"]}, "action": {"type": "click"}},
    }  # fmt: skip
    assert (nodes["t-2"]["deps"], nodes["t-2"]["next"], nodes["t-3"]["next"]) == (["t-1"], ["t-4"], ["t-4"])
    assert "condition" not in nodes["t-5"]
    other = Project.create(tmp_path / "other")
    put_task(other, Task("t", "Do"))
    again = import_states(other, [exported.path / "tasks" / "t.yaml"], "t")
    states = {state.label: state for state in again.new}
    assert set(states) == {state.label for state in project.states.values()}
    assert [states[each.label].extra.get("conditions", [])[1:] for each in project.states.values()] == [
        each.extra.get("conditions", [])[1:] for each in project.states.values()
    ]


def test_what_mobiflow_cannot_look_for_is_named(project: Project, tmp_path: Path) -> None:
    states = [
        EssentialState("a", "Seen", optional=True, extra={"conditions": {"all": [
            {"type": "element_exists", "selector": "resource-id='x' and text='Paid'"},
            {"type": "current_activity_is", "value": ".Main"}]}}),
        EssentialState("b", "Odd", after=("a",), extra={"conditions": {"type": "min_step", "value": 3}}),
    ]  # fmt: skip
    changes = [StateChange(None, state) for state in states]
    project.save_tasks([Task("t", "Do", essential_states=("a", "b")), Task("u", "None")], states=changes)
    exported = export_project(project, "mobiflow", tmp_path / "out")
    assert exported.written.tasks == ["t"]
    assert {(one.code, one.where, one.steps) for one in exported.losses} == {
        ("condition-weakened", "t", ("a",)), ("optional-lost", "t", ("a",)), ("state-lost", "t", ("b",)),
        ("no-states", "u", ()),
    }  # fmt: skip
    flow = yaml.safe_load((exported.path / "tasks" / "t.yaml").read_text("utf-8"))
    assert [node.get("condition") for node in flow["nodes"]] == [
        {"type": "text_match", "params": {"all": ["Paid"]}}, None,
    ]  # fmt: skip
    assert flow["success"] == {"all_of": ["a", "b"]}


STATES = """states:
- id: seen
  description: 'The "poster", shown'
  status: audited
  conditions: {any: [{type: element_exists, selector: "text='Poster'"}, {type: min_step, value: 3}]}
- {id: paid, task: t, after: [seen, liked], optional: true, alternatives: [seen],
   conditions: [{type: text_matches, pattern: 'Thank|谢谢', min_step: 2}]}
- {id: liked}
"""


@pytest.mark.parametrize("format_id", FORMATS)
def test_what_is_exported_is_imported_again(project: Project, tmp_path: Path, format_id: str) -> None:
    (project.folder / "rules").mkdir(exist_ok=True)
    project.paths.rule_file("state").write_text(STATES, encoding="utf-8")
    path = tmp_path / f"states.{format_id}"
    path.write_text(written(project.states.values(), format_id), encoding="utf-8")
    other = Project.create(tmp_path / "other")
    put_task(other, Task("t", "Do", essential_states=("liked",)))
    result = import_states(other, [path], "t")
    assert dict(other.states) == dict(project.states)
    assert (len(result.new), result.named) == (3, ["seen", "paid"])
    assert other.task("t").essential_states == ("liked", "seen", "paid")
    rules = {rule.id: rule for rule in ProjectRules.open(other.folder).rules()}
    assert rules == {rule.id: rule for rule in ProjectRules.open(project.folder).rules()}
    path.write_text(path.read_text(encoding="utf-8").replace("poster", "lamp"), encoding="utf-8")
    kept = import_states(other, [path])
    assert [(item.code, item.steps) for item in kept.findings] == [
        ("state-known", ("seen",)), ("state-there", ("paid", "liked")),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.yaml", "states: []", "holds no essential states"),
        ("s.yaml", "nothing: 1", "holds no essential states"),
        ("s.json", "{", "cannot be read"),
        ("s.csv", "id,conditions\na,[{", "line 2 are no JSON"),
        ("s.yaml", "- a\n", "no list of states"),
    ],
)
def test_a_file_without_states_is_refused_in_a_sentence(
    project: Project, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=re.escape(said)):
        import_states(project, [tmp_path / name])
    assert not project.states


def test_a_written_file_is_plain_yaml(project: Project) -> None:
    project.paths.rule_file("state").parent.mkdir(exist_ok=True)
    project.paths.rule_file("state").write_text(STATES, encoding="utf-8")
    assert yaml.safe_load(written(project.states.values(), "yaml")) == yaml.safe_load(STATES)
