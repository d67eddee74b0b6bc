"""An export as AndroidControl: a record for each trajectory, as its README says, with trees as forests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exporting import export_project
from collector.exchange.tfrecord.accessibility_forest import forest_of, read_forest
from collector.exchange.tfrecord.examples import Example, read_example
from collector.exchange.tfrecord.frames import read_records
from collector.exchange.tfrecord.wire import fields, message, signed
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Complete, Key, LongPress, OpenApp, Tap
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.record_samples import android_control
from tests.helpers.steps import png, step, xml
from tests.helpers.viewed_project import viewed_project, viewed_trajectories


def examples(folder: Path) -> list[Example]:
    log = ExchangeLog()
    found = [read_example(record) for record in read_records(folder / "android_control-00000-of-00001", log)]
    assert log.findings == []
    return found


def test_a_record_has_the_fields_of_the_readme(tmp_path: Path) -> None:
    project = viewed_project(tmp_path / "p")
    result = export_project(project, "androidcontrol-records", tmp_path / "out")
    stored = list(viewed_trajectories(project).values())
    for number, (example, one) in enumerate(zip(examples(result.path), stored, strict=True), start=1):
        assert (example.whole("episode_id"), example.texts("goal")) == (number, ["Find the number"])
        assert list(map(bytes, example.blobs("screenshots"))) == [one.screenshot(each) for each in one.steps]
        assert example.numbers("screenshot_widths") == [4] * len(one.steps)
        assert example.numbers("screenshot_heights") == [8] * len(one.steps)
        assert [json.loads(text) for text in example.texts("actions")] == [
            {"action_type": "click", "x": 1, "y": 2},
            {"action_type": "scroll", "direction": "up"},
            {"action_type": "input_text", "text": "héllo"},
            {"action_type": "answer", "text": "42"},
            {"action_type": "status", "goal_status": "complete"},
        ]
        assert len(example.texts("step_instructions")) == len(one.steps) - 1
        for forest, each in zip(example.blobs("accessibility_trees"), one.steps, strict=True):
            tree = one.tree(each)
            assert tree is not None
            assert [node.text for node in read_forest(bytes(forest))] == [
                node.text for node in parse_tree(tree)
            ]
    lost = {finding.what for finding in result.losses}
    assert "AndroidControl has no word for all of an action: swipe" in lost
    assert "AndroidControl has no place for times, apps, verdicts, agents and other values of a task" in lost


def test_places_are_in_pixels_of_the_picture_and_what_has_no_picture_is_left_out(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("a", "Do it"), Task("b", "Do that")])
    actions: tuple[Action | None, ...] = (
        Tap(2, 6), LongPress(9, 90), OpenApp("com.shop", "Shop"), Key("enter"), Complete(),
    )  # fmt: skip
    for task, has_pictures in (("a", True), ("b", False)):
        with project.new_trajectory(TrajectoryHeader(task, task)) as writer:
            for index, action in enumerate(actions):
                state = State(size=Size(8, 16))
                picture = png(4, 8, index) if has_pictures or index else None
                writer.append(step(index, action, index=index, state=state), picture, None)
            writer.finish()
    result = export_project(project, "androidcontrol-records", tmp_path / "out")
    (example,) = examples(result.path)
    assert [json.loads(text) for text in example.texts("actions")] == [
        {"action_type": "click", "x": 1, "y": 3},
        {"action_type": "long_press", "x": 3, "y": 7},
        {"action_type": "open_app", "app_name": "Shop"},
        {"action_type": "keyboard_enter"},
    ]
    assert [bytes(forest) for forest in example.blobs("accessibility_trees")] == [b""] * 5
    assert [(one.code, one.where) for one in result.losses if one.code == "no-screenshot"] == [
        ("no-screenshot", "trajectories/b/b")
    ]


def test_a_published_forest_is_read_and_written_alike() -> None:
    """Its ids, bounds, texts, flags and children are those of its own messages."""
    (record,) = read_records_of(android_control())
    given = bytes(read_example(record).blobs("accessibility_trees")[0])
    tree = read_forest(given)
    again = read_forest(forest_of(tree))
    assert [node.attributes for node in again] == [node.attributes for node in tree]
    assert [node.path for node in again] == [node.path for node in tree]
    ((_number, window),) = fields(forest_of(tree))
    assert isinstance(window, memoryview)
    assert [number for number, _value in fields(window)] == [1, 4, 6, 11]


def read_records_of(data: bytes) -> list[bytes]:
    content = gzip.decompress(data)
    length = int.from_bytes(content[:8], "little")
    return [content[12 : 12 + length]]


def test_attributes_that_a_forest_has_no_field_for_are_named(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    with project.new_trajectory(TrajectoryHeader("t", "t")) as writer:
        dump = xml("A").replace(b'index="0"', b'index="0" NAF="true" drawing-order="3" hint="h"')
        writer.append(step(0, Tap(1, 1)), png(), dump)
        writer.append(step(1, Complete(), index=1), png(shade=1), dump)
        writer.finish()
    result = export_project(project, "androidcontrol-records", tmp_path / "out")
    assert "Accessibility forests have no field for NAF" in {finding.what for finding in result.losses}
    (example,) = examples(result.path)
    (node,) = read_forest(bytes(example.blobs("accessibility_trees")[0]))
    assert (node.get("hint"), node.get("drawing-order"), node.get("visible-to-user")) == ("h", "3", "true")


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**31 - 1, 2**63 - 1, -1, -(2**31)])
def test_numbers_are_written_as_they_are_read(value: int) -> None:
    ((number, written),) = fields(message((7, value)))
    assert isinstance(written, int)
    assert (number, signed(written)) == (7, value)
