"""The adapter of docs/examples: agents that were written for BrowserGym act on a phone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.scripts import script

example = script("docs/examples/browsergym", "click_agent")
KEYS = {
    "chat_messages", "goal", "goal_object", "open_pages_urls", "open_pages_titles", "active_page_index",
    "url", "screenshot", "axtree_object", "axtree_txt", "extra_element_properties", "focused_element_bid",
    "last_action", "last_action_error", "elapsed_time",
}  # fmt: skip


@pytest.fixture
def phone():
    made = example.PhoneAsBrowser()
    yield made
    made.close()


def bid_of(observation, name, role=""):
    lines = (line.strip() for line in observation["axtree_txt"].splitlines())
    found = next(line for line in lines if line.partition("] ")[2].startswith(role) and repr(name) in line)
    return found[1 : found.index("]")]


def done(phone, action):
    observation, *_result = phone.step(action)
    assert observation["last_action_error"] == ""
    assert observation["last_action"] == action
    return observation


@pytest.mark.parametrize("task", ["code-add-folder", "maps-remove-bistro"])
def test_an_agent_that_knows_no_phones_does_a_task(phone, capsys, task):
    assert example.run_episode(phone, example.ClickAgent(), task) == 1.0
    assert "click(" in capsys.readouterr().out


def test_the_observation_has_the_keys_and_the_tree_of_browsergym(phone):
    observation, _info = phone.reset("todo-add-batteries")
    assert set(observation) == KEYS
    assert observation["goal_object"] == ({"type": "text", "text": observation["goal"]},)
    assert (observation["screenshot"].shape, observation["screenshot"].dtype) == ((1064, 480, 3), np.uint8)
    observation = done(phone, "goto('android-app://com.waymark.todo')")
    assert observation["url"].startswith("android-app://com.waymark.todo/")
    nodes = {node["nodeId"]: node for node in observation["axtree_object"]["nodes"]}
    children = [child for node in nodes.values() for child in node["childIds"]]
    assert sorted(children) == sorted(set(nodes) - {"root"})  # each hangs in one place
    milk = nodes[bid_of(observation, "Buy milk", "checkbox")]
    assert milk["properties"] == [{"name": "checked", "value": {"value": "false"}}]
    assert milk["nodeId"] in nodes[bid_of(observation, "Buy milk", "button")]["childIds"]
    left, top, width, height = observation["extra_element_properties"][milk["browsergym_id"]]["bbox"]
    assert 0 <= left < left + width <= 480
    assert 0 <= top < top + height <= 1064


def test_fields_are_filled_cleared_and_typed_into(phone):
    observation = done(phone, f"click({bid_of(phone.reset()[0], 'To-do')!r})")
    observation = done(phone, f"click({bid_of(observation, 'Add task')!r})")
    field = observation["focused_element_bid"]

    def value(observation):
        nodes = observation["axtree_object"]["nodes"]
        return next(node["value"]["value"] for node in nodes if node["nodeId"] == field)

    assert value(done(phone, f"fill({field!r}, 'Oat milk', True)")) == "Oat milk"
    assert value(done(phone, f"fill({field!r}, value='Rye bread')")) == "Rye bread"
    assert value(done(phone, f"type({field!r}, '!')")) == "Rye bread!"
    assert value(done(phone, "keyboard_press('Backspace')")) == "Rye bread"
    observation = done(phone, f"press({field!r}, 'ControlOrMeta+a')\nkeyboard_type('Two \"lines\"')")
    assert value(observation) == 'Two "lines"'
    assert "Two" not in value(done(phone, f"clear({field!r})"))


def test_the_phone_scrolls_goes_back_and_ends_an_episode(phone):
    observation, _info = phone.reset()
    home = observation["axtree_txt"]
    observation = done(phone, f"```\nclick({bid_of(observation, 'Shop')!r})\n```")
    top = observation["axtree_txt"]
    below = done(phone, "I look further down.\n```python\nscroll(0, 500)\n```")["axtree_txt"]
    assert below != top
    assert done(phone, "scroll(0, -500)")["axtree_txt"] == top
    assert done(phone, "go_back()")["axtree_txt"] == home
    observation, reward, terminated, truncated, _info = phone.step("report_infeasible('no such shop')")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert observation["chat_messages"][-1]["role"] == "infeasible"
    assert phone.step("noop()")[0]["last_action_error"] == "ValueError: the episode is over"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("click('999')", 'ValueError: no element has the bid "999"'),
        ("hover('1')", "NameError: a phone has no action hover"),
        ("click()", "TypeError"),
        ("click('1', colour='red')", "TypeError"),
        ("I would click the shop.", "SyntaxError"),
        ("", "ValueError: the answer calls no action"),
        ("__import__('os').system('true')", "ValueError: an answer is one or several calls"),
        ("noop(__import__('time').sleep(9))", "ValueError"),
        ("keyboard_press('F7')", "ValueError: a phone has no key F7"),
        ("mouse_click(5000, 5)", "ValueError"),
        ("goto('http://www.example.com')", "ValueError: a phone opens android-app://PACKAGE"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(phone, answer, said):
    before, _info = phone.reset()
    after, reward, terminated, truncated, _info = phone.step(answer)
    assert after["last_action_error"].startswith(said)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert after["axtree_txt"] == before["axtree_txt"]
