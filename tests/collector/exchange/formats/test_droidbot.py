"""DroidBot and Kea runs: events laid beside states, view lists made dumps, the rest said."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.exchange_log import sentence_of
from collector.exchange.formats.droidbot_events import DroidbotEvent, action_from, align, event_from, walk
from collector.exchange.imports.importing import import_into
from collector.model.action import Action, Invalid, Key, LongPress, OpenApp, Scroll, Swipe, Tap, Type
from collector.model.geometry import Size
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from tests.helpers.steps import png

SCREEN = Size(40, 80)
BUTTON = {"bounds": [[4, 10], [20, 20]], "children": [], "text": 'Buy "now" & here', "clickable": True}


def event(start: str = "", stop: str = "", **values: object) -> DroidbotEvent:
    return DroidbotEvent("", values, "", start, stop)


@pytest.mark.parametrize(
    ("values", "action"),
    [
        ({"event_type": "touch", "x": None, "y": None, "view": BUTTON}, Tap(12, 15, 200)),
        ({"event_type": "touch", "x": 3.4, "y": 7, "view": BUTTON}, Tap(3, 7, 200)),
        ({"event_type": "long_touch", "view": BUTTON, "duration": 900}, LongPress(12, 15, 900)),
        ({"event_type": "scroll", "direction": "DOWN"}, Scroll(20, 40, "down")),
        ({"event_type": "scroll", "view": BUTTON, "direction": "UP"}, Scroll(12, 15, "up")),
        (
            {"event_type": "swipe", "start_x": 1, "start_y": 2, "end_view": BUTTON},
            Swipe(1, 2, 12, 15, duration_ms=1000),
        ),
        ({"event_type": "set_text", "view": BUTTON, "text": "你好"}, Type("你好", 2)),
        ({"event_type": "key", "name": "BACK"}, Key("back")),
        ({"event_type": "key", "name": "KEYCODE_DEL"}, Key("delete")),
        ({"event_type": "key", "name": "BRIGHTNESS"}, None),
        ({"event_type": "intent", "intent": "am start -n a.b/a.b.Main"}, OpenApp("a.b")),
        ({"event_type": "intent", "intent": "am force-stop a.b"}, None),
        ({"event_type": None}, None),
    ],
)
def test_each_event_becomes_the_action_droidbot_made(
    values: dict[str, object], action: Action | None
) -> None:
    assert action_from(event(**values), SCREEN) == action


@pytest.mark.parametrize(
    "values",
    [
        {"event_type": "touch"},
        {"event_type": "touch", "view": {"bounds": 3}},
        {"event_type": "scroll", "direction": "IN", "view": BUTTON},
        {"event_type": "swipe", "start_x": float("nan"), "start_y": 1},
    ],
)
def test_an_event_that_says_too_little_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=values["event_type"]):
        action_from(event(**values), SCREEN)


def test_an_event_goes_to_the_last_of_the_same_states_that_leads_on() -> None:
    events = [event("b", "b"), event("b", "c"), event("c", "a")]
    assert align(events, ["a", "b", "b", "b", "c"]) == {0: 2, 1: 3, 2: 4}


def test_events_of_states_that_were_not_kept_have_no_place() -> None:
    assert align([event("x", "y"), event("a", "b"), event("", "")], ["a", "b"]) == {1: 0}


@given(
    st.text("abc", max_size=12),
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=9),
)
def test_events_keep_their_order_and_their_states(states: str, pairs: list[tuple[str, str]]) -> None:
    placed = align([event(*pair) for pair in pairs], list(states))
    assert sorted(placed.values()) == [placed[row] for row in sorted(placed)]
    assert len(set(placed.values())) == len(placed)
    assert all(states[column] == pairs[row][0] for row, column in placed.items())


def test_a_long_run_is_laid_out_whole() -> None:
    states = [str(number % 7) for number in range(1500)]
    events = [event(before, after) for before, after in pairwise(states)]
    assert align(events, states) == {number: number for number in range(1499)}


@pytest.mark.parametrize("places", [(0, 1, 2), (2997, 2998, 2999), (5, 1500, 2990)])
def test_few_events_find_their_places_among_many_states(places: tuple[int, ...]) -> None:
    events = [event(str(place), str(place + 1)) for place in places]
    placed = align(events, [str(number) for number in range(3000)])
    assert tuple(placed[row] for row in sorted(placed)) == places


def write_run(folder: Path, states: str, events: list[dict[str, object]]) -> Path:
    """A run whose states are the letters of ``states``, each a screen with one button."""
    (folder / "states").mkdir(parents=True)
    (folder / "events").mkdir()
    for number, letter in enumerate(states):
        tag = f"2024-01-01_10000{number}"
        root = {"bounds": [[0, 0], [40, 80]], "children": [1], "class": "F", "package": "a", "editable": True}
        state = {"state_str": letter, "tag": tag, "foreground_activity": "a/.Main", "width": 40, "height": 80}
        (folder / f"states/state_{tag}.json").write_text(json.dumps({**state, "views": [root, BUTTON]}))
        (folder / f"states/screen_{tag}.png").write_bytes(png(40, 80, number))
    for number, values in enumerate(events):
        (folder / f"events/event_2024-01-01_10000{number}.json").write_text(json.dumps(values))
    graph = {"app_package": "a", "device_model_number": "Phone"}
    (folder / "utg.js").write_text("var utg = \n" + json.dumps(graph) + ";\n")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "project")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    touch = {"event_type": "touch", "view": BUTTON}
    turn = {"event_type": None}
    return write_run(
        tmp_path / "run",
        "abc",
        [
            {"event": touch, "start_state": "a", "stop_state": "b", "event_str": "TouchEvent()"},
            {"event": turn, "start_state": "b", "stop_state": "c", "event_str": "TurnEvent()"},
            {"event": touch, "start_state": "z", "stop_state": "z", "event_str": "TouchEvent(z)"},
        ],
    )


def only(project: Project, source: Path) -> tuple[StoredTrajectory, dict[str, str]]:
    result = import_into(project, source)
    assert result.format.id == "droidbot"
    return open_trajectory(result.folders[0]), {
        finding.code: sentence_of(finding) for finding in result.findings
    }


def test_view_lists_become_dumps_and_are_kept_beside(project: Project, run: Path) -> None:
    stored, output = only(project, run)
    assert (stored.header.episode.agent, stored.header.kind, stored.header.device) == (
        "DroidBot",
        "run",
        {"model": "Phone"},
    )
    step = stored.steps[0]
    assert (step.action, step.description) == (Tap(12, 15, 200), "Tap 'Buy \"now\" & here'")
    assert step.target is not None
    assert step.target.path == (0, 0)
    assert step.state.source == {"frame": "imported", "tree": "converted from droidbot"}
    dump = stored.tree(step) or b""
    assert b'text="Buy &quot;now&quot; &amp; here"' in dump
    assert b"editable" not in dump
    name = step.extra["source_tree"]
    assert (stored.folder / "originals" / name).read_bytes() == (run / "states" / name).read_bytes()
    assert [step.t_ms for step in stored.steps] == [0, 1000, 2000]
    assert "trees-converted" in output
    assert {finding.code for finding in check_project(project)} == {"action-missing"}


def test_what_has_no_action_or_no_state_is_said(project: Project, run: Path) -> None:
    stored, output = only(project, run)
    assert stored.steps[1].action is None
    assert stored.steps[1].extra["source_action"]["event_str"] == "TurnEvent()"
    assert "TurnEvent" in output["no-such-action"]
    assert output["event-without-state"].endswith("was not saved (number 3)")


def test_a_turned_screen_is_told_by_its_size(project: Project, run: Path) -> None:
    (run / "states/screen_2024-01-01_100001.png").write_bytes(png(80, 40))
    stored, _said = only(project, run)
    assert [step.state.rotation for step in stored.steps] == [0, 1, 0]


@pytest.mark.parametrize("text", ["{", "[1]", '{"views": 3}', "[]"])
def test_a_broken_state_costs_only_itself(project: Project, run: Path, text: str) -> None:
    (run / "states/state_2024-01-01_100001.json").write_text(text)
    (run / "events/event_2024-01-01_100001.json").write_text(text)
    stored, output = only(project, run)
    assert [bool(step.state.tree) for step in stored.steps] == [True, False, True]
    assert {"state-unreadable", "tree-unreadable"} & set(output)


def test_kea_names_what_it_did_without_an_event(project: Project, run: Path) -> None:
    (run / "states").rename(run / "all_states")
    entries = [{"event": "click", "screen_shoot": "screen_2024-01-01_100002.png"}, 7]
    (run / "report_screenshot.json").write_text(json.dumps(entries))
    stored, output = only(project, run)
    assert stored.header.episode.agent == "Kea"
    assert stored.steps[2].extra["source_action"] == entries[0]
    assert "click" in output["no-event-file"]
    assert "drawn-on" in output


def test_importing_a_run_again_changes_nothing(project: Project, run: Path) -> None:
    only(project, run)
    assert {finding.code for finding in import_into(project, run).findings} >= {"imported-before"}


@given(
    st.dictionaries(st.sampled_from(["event", "tag", "start_state"]), st.integers() | st.text() | st.none())
)
def test_any_event_file_is_read(values: dict[str, object]) -> None:
    assert event_from(values).values == {}


def run_as_droidbot_writes_it(folder: Path, passed: str) -> Path:
    """A run through the states ``passed``, of which each is saved once, the first time it is seen."""
    events = [
        {"event": {"event_type": "touch", "view": BUTTON}, "start_state": start, "stop_state": stop,
         "tag": f"2024-01-01_1001{number:02}", "event_str": f"TouchEvent({number})"}
        for number, (start, stop) in enumerate(pairwise(passed))
    ]  # fmt: skip
    return write_run(folder, "".join(dict.fromkeys(passed)).replace("?", ""), events)


def test_every_event_of_a_run_that_saves_each_state_once_is_kept(project: Project, tmp_path: Path) -> None:
    stored, output = only(project, run_as_droidbot_writes_it(tmp_path / "run", "abababcaab?a"))
    assert [step.extra["source_action"]["event_str"] for step in stored.steps if step.action] == [
        f"TouchEvent({number})" for number in (*range(10),)
    ]
    assert output["event-without-state"].endswith("the state they began in was not saved (number 11)")
    assert "share its screen" in output["states-shared"]
    screens = [step.state.screenshot for step in stored.steps]
    assert screens == [f"states/000{'abc'.index(letter)}.png" for letter in "abababcaaba"]
    assert sorted(path.name for path in (stored.folder / "states").iterdir()) == [
        f"000{number}.{ending}" for number in range(3) for ending in ("png", "xml")
    ]
    assert [step.t_ms for step in stored.steps[:3]] == [0, 1000, 2000]
    assert all(step.target for step in stored.steps if step.action)
    assert not [finding for finding in check_project(project) if finding.code != "action-missing"]


@given(st.text("abcde?", max_size=30), st.text("abcde", max_size=5))
def test_a_walk_keeps_every_event_whose_state_was_saved(passed: str, unseen: str) -> None:
    states = "".join(dict.fromkeys((passed + unseen).replace("?", "")))
    events = [event(*pair) for pair in pairwise(passed)]
    placed, without_state = walk(events, states)
    rows = [row for _place, row in placed if row is not None]
    assert rows == [row for row, one in enumerate(events) if one.start in states]
    assert sorted([*rows, *without_state]) == list(range(len(events)))
    assert all(states[place] == events[row].start for place, row in placed if row is not None)
    assert {place for place, _row in placed} == set(range(len(states)))


def test_many_alike_are_one_finding(project: Project, tmp_path: Path) -> None:
    events = [{"event": {"event_type": "touch"}, "start_state": "z"} for _ in range(9)]
    events += [{"event": {"event_type": "touch"}, "start_state": "a"} for _ in range(9)]
    source = write_run(tmp_path / "run", "a", [])
    for number, values in enumerate(events):
        (source / f"events/event_{number}.json").write_text(json.dumps(values))
    for number in range(20, 25):
        (source / f"events/event_{number}.json").write_text("{")
    result = import_into(project, source)
    assert sorted(finding.code for finding in result.losses) == [
        "action-unknown", "event-unreadable", "event-without-state"
    ]  # fmt: skip
    action = open_trajectory(result.folders[0]).steps[0].action
    assert isinstance(action, Invalid)
    assert (json.loads(action.raw), action.problem) == ({"event_type": "touch"}, "malformed")
