"""A watcher learns over the socket what a person sees, and where to put the mouse."""

from __future__ import annotations

import json

import pytest

from collector.model.errors import UserError
from studio.widgets.device_view.view import DeviceView
from tests.helpers.sample_screen import SCREEN, sample_frame, sample_tree


def named(studio, name):
    return [control for control in studio.answer({"ask": "controls"}) if control["name"] == name]


def test_the_state_says_which_workspace_theme_and_context_hold(studio):
    studio.commander.set_context(project__open=True)
    state = studio.answer({"ask": "state"})
    assert state["workspace"] == studio.window.current.scope
    assert state["theme"] == "dark"
    assert state["context"]["project.open"] is True
    json.dumps(state)


def test_controls_in_sight_have_names_and_places_inside_the_window(studio):
    field = named(studio, "Project")[0]
    left, top, width, height = field["place"]
    assert width > 0
    assert height > 0
    assert 0 <= left < studio.window.width()
    assert 0 <= top < studio.window.height()


def test_a_control_that_is_hidden_is_not_named(studio):
    assert not named(studio, "set a key...")
    studio.commander.run("view.palette")
    assert named(studio, "set a key...")


def test_a_message_in_the_corner_and_its_button_are_named_on_every_page(studio):
    studio.window.toasts.show("err", "1 recording was cut short", action="Go on with it", act=lambda: None)
    assert named(studio, "1 recording was cut short")
    assert named(studio, "Go on with it")
    studio.window.show_settings()
    assert named(studio, "Go on with it")


def test_a_page_that_scrolls_names_only_what_is_in_sight(studio):
    studio.window.show_settings()
    assert named(studio, "Theme")
    assert not named(studio, "Rotate the phone")


def test_nodes_of_the_mirrored_phone_have_their_place_in_the_window(studio):
    view = DeviceView()
    view.setParent(studio.window)
    view.setGeometry(100, 50, 400, 800)
    view.show_frame(sample_frame())
    view.selection.set_tree(sample_tree())
    view.show()
    screen = studio.answer({"ask": "screen"})
    placed = [node for node in screen["nodes"] if "at" in node]
    assert placed
    for node in placed:
        x, y = (value - offset for value, offset in zip(node["at"], (100, 50), strict=True))
        position = view.transform.position_at(x, y)
        assert position is not None
        left, top, right, bottom = node["bounds"]
        assert left - 4 <= position.point.x <= right + 4
        assert top - 4 <= position.point.y <= bottom + 4
    assert screen["size"] == [SCREEN.width, SCREEN.height]


def test_an_unknown_question_is_answered_with_a_sentence(studio):
    with pytest.raises(UserError, match="cannot be asked"):
        studio.answer({"ask": "weather"})
