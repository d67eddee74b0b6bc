"""AITZ episodes: recognised elements made flat dumps, touches in shares made pixels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.exchange_log import sentence_of
from collector.exchange.formats.aitw_actions import action_from
from collector.exchange.imports.importing import import_into
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Complete, Impossible, Key, Swipe, Tap, Type
from collector.model.geometry import Rect, Size
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.steps import png

SCREEN = Size(40, 80)
NOWHERE = [-1.0, -1.0]


@pytest.mark.parametrize(
    ("kind", "text", "touch", "lift", "action"),
    [
        (3, "你好", NOWHERE, NOWHERE, Type("你好", 2)),
        (4, "", [0.5, 0.25], [0.51, 0.26], Tap(10, 40)),
        (4, "", [0.5, 0.5], [0.1, 0.5], Swipe(20, 40, 20, 8)),
        (4, "", [1.0, 1.02], [1.0, 1.0], Tap(39, 79)),
        (5, "", NOWHERE, NOWHERE, Key("back")),
        (6, "", NOWHERE, NOWHERE, Key("home")),
        (7, None, None, None, Key("enter")),
        (10, "", NOWHERE, NOWHERE, Complete()),
        (11, "", NOWHERE, NOWHERE, Impossible()),
    ],
)
def test_each_kind_becomes_its_action(kind: int, text: Any, touch: Any, lift: Any, action: Action) -> None:
    assert action_from(kind, text, touch, lift, screen=SCREEN) == action


@pytest.mark.parametrize(
    ("kind", "touch", "screen"),
    [
        (4, NOWHERE, SCREEN),
        (4, "[0.5", SCREEN),
        (4, [0.5], SCREEN),
        (4, [float("nan"), 0.5], SCREEN),
        (4, [0.5, 0.5], None),
        (8, NOWHERE, SCREEN),
        ("4", [0.5, 0.5], SCREEN),
        (True, NOWHERE, SCREEN),
    ],
)
def test_what_says_too_little_is_refused(kind: Any, touch: Any, screen: Size | None) -> None:
    with pytest.raises(ValueError, match=r"touch|action type"):
        action_from(kind, "", touch, touch, screen=screen)


def entry(number: int, kind: int = 6, **values: object) -> dict[str, object]:
    """A step with a word and an icon."""
    return {
        "episode_id": "7",
        "step_id": number,
        "instruction": "Buy bread",
        "ui_positions": "[[10, 4, 6, 20], [70, 30, 8, 8]]",
        "ui_text": '["Basket", ""]',
        "ui_types": '["TEXT", "ICON_PLUS"]',
        "result_action_type": kind,
        "result_action_text": "",
        "result_touch_yx": "[-1.0, -1.0]",
        "result_lift_yx": "[-1.0, -1.0]",
        "image_path": f"shops/SHOP-7/SHOP-7_{number}.png",
        "coat_action_think": "There is a basket",
        **values,
    }


def write(folder: Path, entries: list[Any]) -> Path:
    place = folder / "source" / "SHOP-7"
    place.mkdir(parents=True)
    for number in range(len(entries)):
        (place / f"SHOP-7_{number}.png").write_bytes(png(40, 80, number))
    (place / "SHOP-7.json").write_text(json.dumps(entries))
    return place


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


def only(project: Project, source: Path) -> tuple[StoredTrajectory, dict[str, str]]:
    result = import_into(project, source)
    assert result.format.id == "aitz"
    return open_trajectory(result.folders[0]), {
        finding.code: sentence_of(finding) for finding in result.findings
    }


def test_elements_become_a_flat_dump_that_claims_no_more(project: Project, tmp_path: Path) -> None:
    touch = entry(0, 4, result_touch_yx="[0.16, 0.3]", result_lift_yx="[0.16, 0.3]")
    source = write(tmp_path, [touch, entry(1, 10)])
    stored, output = only(project, source)
    first = stored.steps[0]
    tree = parse_tree(stored.tree(first) or b"")
    assert [(node.path, node.attributes.get("class"), node.text, node.bounds) for node in tree] == [
        ((0,), "SCREEN", "", Rect(0, 0, 40, 80)),
        ((0, 0), "TEXT", "Basket", Rect(4, 10, 24, 16)),
        ((0, 1), "ICON_PLUS", "", Rect(30, 70, 38, 78)),
    ]
    assert not any("clickable" in node.attributes for node in tree)
    assert (first.action, first.description) == (Tap(12, 12), "Tap 'Basket'")
    assert first.intention == "There is a basket"
    assert first.state.source["tree"] == "converted from aitz"
    assert (stored.folder / "originals" / "SHOP-7.json").read_bytes() == (source / "SHOP-7.json").read_bytes()
    assert stored.header.instruction == "Buy bread"
    assert project.tasks[0].category == "shops"
    assert {"recognised", "trees-converted"} <= set(output)
    assert check_project(project) == []


def test_places_in_shares_and_plain_lists_are_read_too(project: Project, tmp_path: Path) -> None:
    shares = entry(0, ui_positions=[[0.5, 0.25, 0.1, 0.5], "x"], ui_text=["Go"], ui_types=None)
    stored, output = only(project, write(tmp_path, [shares]))
    tree = parse_tree(stored.tree(stored.steps[0]) or b"")
    assert [(node.text, node.bounds) for node in tree][1:] == [("Go", Rect(10, 40, 30, 48))]
    assert "1" in output["tree-repaired"]


def test_steps_are_ordered_by_number_and_gaps_are_said(project: Project, tmp_path: Path) -> None:
    stored, output = only(project, write(tmp_path, [entry(2, 10), entry(0, 6), "x"]))
    assert stored.trajectory.actions == (Key("home"), Complete())
    assert "1" in output["gap"]


def test_without_its_screenshot_a_touch_has_no_pixels(project: Project, tmp_path: Path) -> None:
    source = write(tmp_path, [entry(0, 4, result_touch_yx="[0.5, 0.5]", result_lift_yx="[0.5, 0.5]")])
    (source / "SHOP-7_0.png").unlink()
    stored, output = only(project, source)
    assert stored.trajectory.actions == ()
    assert parse_tree(stored.tree(stored.steps[0]) or b"").nodes[0].bounds == Rect(0, 0, 38, 78)
    assert "action-unknown" in output


def test_a_step_without_elements_has_no_tree(project: Project, tmp_path: Path) -> None:
    stored, output = only(project, write(tmp_path, [entry(0, ui_positions=None), entry(1)]))
    assert [bool(step.state.tree) for step in stored.steps] == [False, True]
    assert "no-tree" in output


def test_a_torn_episode_is_said(project: Project, tmp_path: Path) -> None:
    source = write(tmp_path, [entry(0)])
    path = source / "SHOP-7.json"
    path.write_bytes(path.read_bytes()[:-4])
    assert "record-unreadable" in {finding.code for finding in import_into(project, source).findings}


VALUES = (
    st.none()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.integers() | st.floats(), max_size=5)
)


@given(VALUES, VALUES, VALUES)
def test_any_values_make_an_action_or_are_refused(kind: object, touch: object, lift: object) -> None:
    try:
        action = action_from(kind, "", touch, lift, screen=SCREEN)
    except ValueError:
        return
    assert isinstance(action, Action)
