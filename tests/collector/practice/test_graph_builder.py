"""The graph of recorded screens: which states are one screen, and where recorded actions lead."""

from __future__ import annotations

import pytest

from collector.model.action import Complete, Invalid, Key, OpenApp, Swipe, Tap, Type, Wait
from collector.model.errors import UserError
from collector.model.geometry import Point, Rect, Size
from collector.practice.coverage import coverage
from collector.practice.graph_builder import build_graph
from tests.helpers.recorded_path import LAUNCHER, SHOP, RecordedPath, field, written

GO = Tap(80, 70)


def test_recordings_of_two_people_join_where_they_show_the_same(tmp_path):
    lin = RecordedPath("lin").on("Start", GO).on("List", Key("back")).on("Start", Complete()).on("Start")
    sara = RecordedPath("sara").on("Start", Swipe(100, 400, 100, 250)).on("Other", GO).on("List")
    graph = build_graph(written(tmp_path, [lin, sara]))
    assert [[(at.recording, at.step) for at in screen.moments] for screen in graph.screens] == [
        [(0, 0), (0, 2), (0, 3), (1, 0)], [(0, 1), (1, 2)], [(1, 1)],
    ]  # fmt: skip
    found = [(edge.source, edge.target, edge.action.kind) for edge in graph.transitions]
    assert found == [(0, 1, "tap"), (1, 0, "key"), (0, 2, "swipe"), (2, 1, "tap")]
    assert graph.paths == ((0, 1), (2, 3)), "what says that the task is done leads nowhere"
    assert graph.recordings == ("lin", "sara")


def test_a_recording_that_does_not_name_activities_joins_one_that_does(tmp_path):
    lin = RecordedPath("lin").on("Start", GO).on("List", GO, activity=".List").on("Start", activity=".Other")
    sara = RecordedPath("sara").on("Start", GO, activity="").on("List", activity="")
    graph = build_graph(written(tmp_path, [lin, sara]))
    assert [len(screen.moments) for screen in graph.screens] == [2, 2, 1], "a known activity is told apart"


def test_one_transition_done_twice_is_one(tmp_path):
    path = RecordedPath().on("Start", GO).on("List", Key("back")).on("Start", Tap(100, 75)).on("List")
    graph = build_graph(written(tmp_path, [path]))
    assert len(graph.transitions) == 2, "both taps hit the button"
    assert [moment.step for moment in graph.transitions[0].moments] == [0, 2]
    assert graph.paths == ((0, 1, 0),)


def test_screens_that_differ_in_a_word_or_in_the_picture_alone_are_two(tmp_path):
    path = RecordedPath().on("A", GO).on("B", GO, shade=65).on("A", GO, shade=30).on("A", GO)
    assert [len(screen.moments) for screen in build_graph(written(tmp_path, [path])).screens] == [2, 1, 1]


def test_without_trees_pictures_decide_and_without_anything_a_state_is_left_out(tmp_path):
    path = RecordedPath()
    for screen in ("A", "B", "A"):
        path.on(screen, GO, with_tree=False)
    path.on("C", GO, with_tree=False, with_picture=False).on("B", with_tree=False)
    graph = build_graph(written(tmp_path, [path]))
    assert [len(screen.moments) for screen in graph.screens] == [2, 2]
    assert [(edge.source, edge.target) for edge in graph.transitions] == [(0, 1), (1, 0)]
    assert graph.transitions[0].area is None
    assert graph.screens[0].tree() == b""


def test_what_was_touched_is_the_node_that_takes_touches_or_what_scrolls(tmp_path):
    path = RecordedPath().on("A", GO).on("B", Swipe(100, 400, 100, 250)).on("C", Tap(10, 100)).on("D")
    areas = [edge.area for edge in build_graph(written(tmp_path, [path])).transitions]
    assert areas[:2] == [Rect(60, 60, 120, 80), Rect(0, 240, 240, 480)]
    assert areas[2] is None, "the root is no target"


def test_a_recording_of_another_size_is_brought_to_the_screen_of_the_first(tmp_path):
    small = RecordedPath("small").on("Start", GO).on("List")
    large = (
        RecordedPath("large", Size(480, 960)).on("Start", Tap(200, 150)).on("New", Swipe(200, 900, 200, 600))
    )
    graph = build_graph(written(tmp_path, [small, large.on("Newer", size=Size(960, 480))]))
    assert [str(screen.size) for screen in graph.screens] == ["240x480", "240x480", "240x480", "480x240"]
    swipe = graph.transitions[-1].action
    assert isinstance(swipe, Swipe)
    assert (swipe.point, swipe.end) == (Point(100, 450), Point(100, 300))
    dump = graph.screens[2].tree().decode()
    assert 'bounds="[60,60][120,80]"' in dump, "the tree is of the same screen"
    assert "[120,120][240,160]" not in dump


def test_a_screen_that_changed_without_an_action_changes_by_itself(tmp_path):
    path = RecordedPath().on("Loading").on("Start", GO).on("List").on("List")
    graph = build_graph(written(tmp_path, [path]))
    assert [(edge.source, edge.target, edge.action) for edge in graph.transitions] == [
        (0, 1, Wait(100)), (1, 2, GO),
    ]  # fmt: skip


def test_home_screens_and_packages_are_known(tmp_path):
    path = RecordedPath().on("Home", OpenApp(SHOP), package=LAUNCHER).on("Start", Key("home"))
    graph = build_graph(written(tmp_path, [path.on("Desk", Invalid(), package="com.example.desk")]))
    assert graph.packages == (LAUNCHER, SHOP, "com.example.desk")
    assert graph.launchers == {LAUNCHER, "com.example.desk"}


def test_text_fields_are_known(tmp_path):
    path = RecordedPath().on("Find", Type("mug", 3), field()).on("Find", None, field("mug"), shade=3)
    fields = [screen.fields for screen in build_graph(written(tmp_path, [path])).screens]
    assert [[(str(area.bounds), area.focused, area.password) for area in found] for found in fields] == [
        [("[20,180][220,220]", True, False)]
    ] * 2


def test_what_has_no_screen_is_refused(tmp_path):
    path = RecordedPath().on("A", GO, with_tree=False, with_picture=False)
    with pytest.raises(UserError, match="nothing to practise on: none of the trajectories has a screenshot"):
        build_graph(written(tmp_path, [path]))


def test_the_coverage_names_each_action_where_it_leads_and_the_ends(tmp_path):
    path = RecordedPath().on("Start", GO).on("List", Key("back")).on("Start", GO).on("List")
    document = coverage(build_graph(written(tmp_path, [path, RecordedPath("more").on("List", GO).on("End")])))
    rows = [
        (edge["from"], edge["action"], edge["to"], len(edge["recorded_in"]))
        for edge in document["transitions"]
    ]
    assert rows == [(1, "Tap 'Go'", 2, 2), (2, "Press Back", 1, 1), (2, "Tap 'Go'", 3, 1)]
    assert document["states"] == 6
    assert document["ends"] == [3]
    assert document["transitions"][0]["recorded_in"][1] == {"trajectory": "golden", "step": 2}
    assert document["screens"][2]["states"] == [{"trajectory": "more", "step": 1}]
