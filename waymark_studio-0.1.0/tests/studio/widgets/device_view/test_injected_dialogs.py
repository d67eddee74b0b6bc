"""The dialog an anomaly put on the screen is outlined, as long as its window is in the tree."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay
from studio.widgets.device_view.injected_dialogs import injected_dialogs, system_dialogs
from studio.widgets.device_view.view import DeviceView

DIALOG = b"""<hierarchy rotation="0"><node package="%s" bounds="[40,300][680,900]">
<node package="%s" text="Battery low" bounds="[60,320][660,400]"/></node></hierarchy>"""
COMPANION, OTHER = b"com.example.adbsmarttest", b"com.waymark.shop"


@pytest.mark.parametrize(("package", "marked"), [(COMPANION, 1), (OTHER, 0)])
def test_the_window_of_the_companion_app_is_marked(package, marked):
    marks = injected_dialogs(parse_tree(DIALOG % (package, package)))
    assert [(mark.bounds, mark.style) for mark in marks] == [
        (Rect(40, 300, 680, 900), HighlightStyle.INJECTED)
    ] * marked


def test_without_a_tree_nothing_is_marked():
    assert injected_dialogs(None) == []


def test_it_is_a_layer_of_its_own_that_is_on_by_default(hosted):
    view = hosted(DeviceView(), 400, 800)
    view.selection.set_tree(parse_tree(DIALOG % (COMPANION, COMPANION)))
    assert [highlight.tag for highlight in view.highlights()] == ["injected"]
    view.set_overlay(Overlay.INJECTED, False)
    assert view.highlights() == []


def test_a_dialog_of_the_phone_itself_is_marked_for_a_screen_on_which_it_was_injected():
    crash = b"""<hierarchy rotation="0"><node package="com.waymark.shop" bounds="[0,0][720,1280]"/>
    <node package="android" bounds="[40,300][680,900]"><node package="android" bounds="[40,500][680,600]"
    resource-id="android:id/aerr_close" text="Close app"/></node></hierarchy>"""
    (mark,) = system_dialogs(parse_tree(crash))
    assert (mark.bounds, mark.style) == (Rect(40, 300, 680, 900), HighlightStyle.INJECTED)
    assert system_dialogs(parse_tree(DIALOG % (OTHER, OTHER))) == []
    assert system_dialogs(None) == []


def test_an_injected_dialog_is_not_outlined_as_added_too(hosted):
    view = hosted(DeviceView(), 400, 800)
    view.selection.set_tree(parse_tree(DIALOG % (COMPANION, COMPANION)))
    window, other = Rect(40, 300, 680, 900), Rect(0, 0, 50, 50)
    view.set_marks(Overlay.DIFFERENCES, [Highlight(each, HighlightStyle.ADDED) for each in (window, other)])
    view.set_marks(Overlay.INJECTED, [Highlight(other, HighlightStyle.INJECTED)])
    assert [mark.style for mark in view.highlights()] == [HighlightStyle.INJECTED] * 2
    view.set_overlay(Overlay.INJECTED, False)
    assert [mark.style for mark in view.highlights()] == [HighlightStyle.ADDED] * 2
