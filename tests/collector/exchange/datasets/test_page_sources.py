"""Appium's page source as JSON: its children in their order, and what is no tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.imports.importing import detect, import_into
from collector.hierarchy.parse import parse_tree
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dataset_samples import DATASET_SAMPLES
from tests.helpers.source_samples import write_source
from tests.helpers.steps import xml

SAMPLE = "page-source-json"


def imported(folder: Path, files: dict[str, Any]) -> Any:
    project = Project.create(folder / "p")
    result = import_into(project, write_source(folder / "s", files))
    return result, open_trajectory(result.folders[0])


def test_children_are_in_the_order_of_their_indices(tmp_path: Path) -> None:
    _result, stored = imported(tmp_path, DATASET_SAMPLES[SAMPLE])
    nodes = parse_tree(stored.tree(stored.steps[0])).nodes
    assert [node.attributes["text"] for node in nodes if node.attributes.get("text")] == [
        "Buy",
        "Bread",
        "Sell",
    ]
    assert nodes[0].attributes["class"] == "android.widget.FrameLayout"


@pytest.mark.parametrize("value", [None, [], {"hierarchy": "@class"}, {"@class": {"hierarchy": 1}}, "x"])
def test_a_file_without_a_tree_is_reported(tmp_path: Path, value: Any) -> None:
    files = {**DATASET_SAMPLES[SAMPLE], "shop/34/view_tree.json": {"hierarchy": [], "@class": value}}
    result, stored = imported(tmp_path, files)
    assert "tree-unreadable" in {finding.code for finding in result.findings}
    assert len(stored.steps) == 2


def test_a_tree_may_be_deep(tmp_path: Path) -> None:
    node: dict[str, Any] = {"@bounds": "[0,0][40,80]"}
    for _level in range(300):
        node = {"@bounds": "[0,0][40,80]", "android.view.View": node}
    text = json.dumps({"hierarchy": {"@class": "hierarchy", "android.view.View": node}})
    files = {**DATASET_SAMPLES[SAMPLE], "shop/34/view_tree.json": text.encode()}
    _result, stored = imported(tmp_path, files)
    assert max(node.depth for node in parse_tree(stored.tree(stored.steps[0])).nodes) == 300


def test_weditors_names_are_those_of_uiautomator(tmp_path: Path) -> None:
    _result, stored = imported(tmp_path, DATASET_SAMPLES["weditor"])
    assert [step.extra["source_step"] for step in stored.steps] == ["1", "2", "10"]
    assert [(step.state.package, step.state.activity) for step in stored.steps][1] == ("a.shop", ".Main")
    nodes = parse_tree(stored.tree(stored.steps[0])).nodes
    assert [(node.attributes["class"], node.attributes["bounds"]) for node in nodes] == [
        ("android.widget.FrameLayout", "[0,0][40,80]"),
        ("android.widget.Button", "[4,10][20,20]"),
        ("android.widget.ImageView", "[4,30][20,40]"),
    ]
    named = {"resource-id": "a.shop:id/buy", "text": "Buy", "long-clickable": "false", "clickable": "true"}
    assert named.items() <= nodes[1].attributes.items()
    assert nodes[2].attributes["content-desc"] == "Sell"
    assert stored.tree(stored.steps[2]) == xml("Bread")


@pytest.mark.parametrize("value", [None, [], "x", {"children": 7}, {"jsonHierarchy": [1]}])
def test_a_file_of_weditor_without_a_tree_is_reported(tmp_path: Path, value: Any) -> None:
    sample = DATASET_SAMPLES["weditor"]
    marked = {"jsonHierarchy": value, "_type": 1, "rect": 2, "_id": 3}
    result, stored = imported(tmp_path, {**sample, "shop/2.json": marked})
    assert "tree-unreadable" in {finding.code for finding in result.findings}
    assert len(stored.steps) == 3


@pytest.mark.parametrize(("name", "encoding"), [("a.xml", "utf-16"), ("a.txt", "utf-8-sig")])
def test_a_single_dump_is_taken_in_any_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    source = write_source(tmp_path / "s", {name: xml("Buy").decode().encode(encoding)})
    project = Project.create(tmp_path / "p")
    stored = open_trajectory(import_into(project, source / name).folders[0])
    assert "Buy" in {node.attributes["text"] for node in parse_tree(stored.tree(stored.steps[0])).nodes}


def test_a_single_dump_and_dumps_alone_are_taken(tmp_path: Path) -> None:
    source = write_source(tmp_path / "s", {"a.xml": xml("Buy"), "b/page_source.xml": xml("Sell")})
    assert [entry.id for entry, _certainty in detect(source)] == ["plain"]
    assert [entry.id for entry, _certainty in detect(source / "a.xml")] == ["plain"]
    project = Project.create(tmp_path / "p")
    assert len(import_into(project, source / "a.xml").folders) == 1
    assert len(import_into(project, source).folders) == 2


def test_other_xml_is_no_dump(tmp_path: Path) -> None:
    source = write_source(tmp_path / "s", {"pom.xml": b"<project><name>bounds</name></project>"})
    assert detect(source) == []
    assert detect(source / "pom.xml") == []
