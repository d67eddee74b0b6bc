"""Differences as marks on both screens, and an agent's touch against that of the reference."""

from __future__ import annotations

from collector.hierarchy.difference_groups import NodeDifferenceKind
from collector.model.action import Complete, Swipe, Tap
from collector.model.geometry import Point, Size
from collector.model.trajectory import State, Step
from studio.widgets.device_view.highlight import HighlightStyle, TraceMark
from studio.widgets.device_view.trace_painter import distance_in_words
from studio.widgets.state_difference.difference_overlay import marks_after, marks_before, reference_trace
from tests.helpers.compared_screens import comparison

SCREEN = Size(1080, 2400)


def step(action, size=SCREEN) -> Step:
    return Step(0, 0, "", State(size=size), action)


def test_nodes_are_marked_on_the_screen_that_has_them_once_for_all_that_differ_together(qapp):
    nodes = comparison().nodes
    assert [mark.style for mark in marks_before(nodes)] == [HighlightStyle.CHANGED, HighlightStyle.REMOVED]
    assert [mark.style for mark in marks_after(nodes)] == [HighlightStyle.CHANGED, HighlightStyle.ADDED]
    assert str(marks_after(nodes)[1].bounds) == "[10,190][110,260]"


def test_each_kind_has_a_line_of_its_own():
    styles = (HighlightStyle.ADDED, HighlightStyle.CHANGED, HighlightStyle.REMOVED, HighlightStyle.MOVED)
    assert len({(style.look.line, style.look.color) for style in styles}) == len(NodeDifferenceKind)


def test_the_touch_of_the_reference_is_scaled_to_the_screen(qapp):
    shown = step(Tap(700, 500))
    trace = reference_trace(shown, step(Tap(360, 250), Size(540, 1200)))
    assert (trace.mark, trace.action) == (TraceMark.GOLDEN, Tap(720, 500))
    swipe = Swipe(10, 20, 30, 40, 300, ((0, 10, 20), (300, 30, 40)))
    assert reference_trace(shown, step(swipe, Size(540, 1200))).action.path == ((0, 20, 40), (300, 60, 80))
    assert reference_trace(shown, step(Tap(5, 5), Size(0, 0))).action == Tap(5, 5), "an unknown size"


def test_what_touches_nothing_has_no_trace(qapp):
    assert reference_trace(step(Tap(1, 1)), step(None)) is None
    assert reference_trace(step(Tap(1, 1)), step(Complete())) is None


def test_a_distance_is_said_in_pixels_and_in_dp_where_the_density_is_known(qapp):
    assert distance_in_words(Point(0, 0), Point(30, 40)) == "50 px"
    assert distance_in_words(Point(0, 0), Point(30, 40), 480) == "50 px, 17 dp"
