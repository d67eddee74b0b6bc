"""An export as LlamaTouch: a trace for each golden trajectory, with essential states as annotations."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.exchange.exports.exporting import ExportResult, export_project
from collector.exchange.imports.importing import import_into
from collector.model.action import Action, Answer, Key, OpenApp, Scroll, Swipe, Tap, Type, Wait
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import State, Target, TrajectoryHeader
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.steps import png, step, xml

SIZE = Size(40, 80)
ACTIONS: tuple[Action | None, ...] = (
    OpenApp("a", "Shop"), Tap(10, 5), Type("一 lamp", 6), Swipe(5, 70, 5, 10), Scroll(20, 40, "down"),
    Key("back"), Wait(500), Answer("42"), None,
)  # fmt: skip
WORDS = ("Shop", "Search", "", "Lamps", "Lamps", "Lamp 3", "Lamp 3", "In cart", "Done")
STATES = r"""
- id: t-1
  task: t
  sentence: The search is used
  conditions:
    - {type: action_was, action: tap, selector: "text='Search'"}
    - {type: current_activity_is, value: a/a.Main}
- id: t-2
  task: t
  sentence: The lamp is open
  after: [t-1]
  conditions:
    - {type: element_exists, selector: "text='Lamp 3'"}
    - not: [{type: element_exists, selector: "text='Sold out'"}]
- id: t-3
  task: t
  sentence: It is in the cart
  conditions: [{type: element_exists, selector: "resource-id='a:id/ok' text='In cart'"}]
"""


def exported(folder: Path) -> ExportResult:
    project = Project.create(folder / "p")
    states = "states:" + STATES.replace("\n", "\n  ")
    (project.folder / "rules").mkdir(exist_ok=True)
    (project.folder / "rules" / "states.yaml").write_text(states, encoding="utf-8")
    project = Project.open(project.folder)
    project.save_tasks([Task("t", "Buy\nit", app="Shop", essential_states=("t-1", "t-2", "t-3"))])
    with project.new_trajectory(TrajectoryHeader("g", "t")) as writer:
        for index, (action, words) in enumerate(zip(ACTIONS, WORDS, strict=True)):
            state = State(package="a", activity="a.Main" if index != 3 else "", size=SIZE)
            target = Target((0,), Rect(0, 0, 40, 20), (), {}) if action is not None and action.point else None
            each = replace(step(index, index=index, state=state, target=target), action=action)
            writer.append(each, png(40, 80, index), xml(words, "[0,0][40,20]"))
        writer.finish()
    return export_project(project, "llamatouch", folder / "out")


def read(folder: Path, name: str) -> str:
    return (folder / "generated" / "trace_0" / name).read_text("utf-8")


def test_files_and_events_are_those_of_its_dataset(tmp_path: Path) -> None:
    result = exported(tmp_path)
    trace = result.path / "generated" / "trace_0"
    table = (result.path / "llamatouch_task_metadata.tsv").read_text("utf-8")
    rows = list(csv.DictReader(table.splitlines(), delimiter="\t"))
    assert rows == [{
        "episode": "t", "category": "generated", "path": "generated/trace_0", "description": "Buy it",
        "nsteps": "9", "app": "Shop",
    }]  # fmt: skip
    assert read(result.path, "instruction.txt") == "t\nBuy it\n"
    screen = "Screen Resolution (40, 80)"
    assert read(result.path, "eventStructs.txt").splitlines() == [
        f"[Click] {screen}, Click Position (20, 10)",  # the app, where the screen shows its name
        f"[Click] {screen}, Click Position (10, 5)",
        "[Input] 一 lamp",
        f"[Swipe] {screen}, Start Position (5, 70), End Position (5, 10)",
        f"[Swipe] {screen}, Start Position (20, 60), End Position (20, 20)",
        "[Back]",
        "[Unknown] wait",
    ]
    assert (trace / "3.png").read_bytes() == png(40, 80, 3)
    assert (trace / "3.xml").read_bytes() == xml("Lamps", "[0,0][40,20]")
    assert [read(result.path, f"{index}.activity") for index in (1, 3)] == ["a/a.Main", "null"]
    lost = {finding.code: list(finding.steps) for finding in result.losses}
    assert lost["action-unknown-there"] == ["6"]
    assert lost["end-lost"] == ["7"]


def test_states_are_annotated_where_they_are_reached_first(tmp_path: Path) -> None:
    result = exported(tmp_path)
    trace = result.path / "generated" / "trace_0"
    found = {path.name: path.read_text("utf-8") for path in trace.glob("*.ess")}
    assert found == {
        "1.ess": "click<0>", "2.ess": "activity<-1>", "5.ess": "fuzzy<0>", "7.ess": "exact<0>",
    }  # fmt: skip
    assert json.loads(read(result.path, "1.json"))[0]["xpath"] == "//*[@resource-id='a:id/ok']"
    node: dict[str, Any] = json.loads(read(result.path, "7.json"))[0]
    assert (node["id"], node["text"], node["bounds"]) == (0, "In cart", "[0,0][40,20]")
    assert node["clickable"] is True
    assert node["checked"] is False
    left_out = [finding.what for finding in result.losses if finding.code == "condition-left-out"]
    assert left_out == [
        "A condition of the kind all | any | not is not annotated: LlamaTouch has no word for it "
        "(The lamp is open)"
    ]


def test_annotations_come_back_as_states(tmp_path: Path) -> None:
    back = Project.create(tmp_path / "back")
    result = import_into(back, exported(tmp_path).path)
    assert result.format.id == "llamatouch"
    stored = open_trajectory(result.folders[0])
    assert [each.action for each in stored.steps][1:3] == [Tap(10, 5), Type("一 lamp", 6)]
    assert [each.state.activity for each in stored.steps][2:4] == ["a.Main", ""]
    states = [
        Project.open(back.folder).states[name] for name in Project.open(back.folder).tasks[0].essential_states
    ]
    assert [state.sentence for state in states] == [
        "'Search' is tapped", "a/a.Main is in front", "'Lamp 3' is shown", "'In cart' is shown",
    ]  # fmt: skip
