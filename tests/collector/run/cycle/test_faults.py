"""Faults in the cycle: each ends in a sentence that is no failure of the agent, and in a whole run."""

from __future__ import annotations

import json
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.agents.agent import AgentUnavailable
from collector.cli.main import main
from collector.device.errors import CallCancelled, CommandFailed, DeviceOffline, DeviceTimeout, DumpFailed
from collector.device.health.phone_health import PhoneHealth
from collector.model.action import Answer, Complete, Impossible, Invalid, Key, Scroll, Swipe, Tap, Type, Wait
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.usage import Usage
from collector.run.cycle.steering.control import (
    Pause,
    PersonAction,
    Resume,
    SingleStep,
    StopEpisode,
    TakeOver,
)
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import ActionPredicted, StepDone, to_line
from collector.run.experiment.model import RunCondition
from collector.store.files.disk import Disk
from collector.store.files.errors import DiskFull
from tests.helpers.cycle_phone import CyclePhone
from tests.helpers.cycle_room import SHOP, TWO_BUTTONS, WAY, ListAgent, planned, press

TO_CART = [press(label) for label in WAY]


def test_a_phone_that_goes_away_is_a_fault_and_not_usable(room):
    def unplug(observation):
        room.phone.gone = True
        return press("Posters")(observation)

    result = room.run([TO_CART[0], unplug])
    assert "offline" in result.outcome.infrastructure
    assert (result.outcome.status, result.phone_is_usable, result.may_help_to_retry) == ("", False, True)
    stored = room.stored(result)
    assert stored.header.outcome.infrastructure == result.outcome.infrastructure
    assert "phone_lost" in [line["kind"] for line in stored.events()]
    assert room.recomputed(result).is_equal


def test_a_phone_that_is_gone_before_the_episode_leaves_no_run(room):
    room.phone.gone = True
    result = room.run([Complete()])
    assert result.trajectory == ""
    assert "offline" in result.outcome.infrastructure


@pytest.mark.parametrize("is_done", [False, True])
def test_a_screen_that_went_black_is_no_failure_of_the_agent(room, monkeypatch, is_done):
    checked = []

    def check(device):
        checked.append(device)
        return PhoneHealth("The screen is black")

    monkeypatch.setattr("collector.run.cycle.episode.check_phone", check)
    room.phone.is_black = True
    result = room.run([*(TO_CART if is_done else []), Complete()])
    if is_done:
        assert (result.outcome.status, checked) == ("success", [])
        return
    assert (result.outcome.status, result.outcome.infrastructure) == ("", "The screen is black")
    assert not result.phone_is_usable
    assert room.stored(result).header.outcome.infrastructure == "The screen is black"
    assert room.recomputed(result).is_equal


def test_a_dump_that_fails_once_is_read_again(room, monkeypatch):
    monkeypatch.setattr("collector.run.cycle.episode_screens.PAUSE_S", 0.0)

    def fail_next(observation):
        room.phone.failing[room.phone.calls + 4] = DumpFailed("The phone gave no tree")
        return press("Posters")(observation)

    result = room.run([TO_CART[0], fail_next, *TO_CART[2:], Complete()])
    assert result.outcome.status == "success"
    assert room.phone.failing == {}


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("is_frozen", "picture of the phone's screen stands still"),
        ("without_picture", "no readable screenshot"),
    ],
)
@pytest.mark.parametrize("modality", ["screenshot", "tree"])
def test_a_picture_that_stalls_is_no_failure_of_the_agent(room, monkeypatch, fault, sentence, modality):
    monkeypatch.setattr("collector.run.cycle.episode_screens.PAUSE_S", 0.0)

    def stall(_observation):
        setattr(room.phone, fault, True)
        return AgentTurn(predicted=Tap(54, 10))

    result = room.run([TO_CART[0], stall, Impossible("nothing changes")], modality=modality)
    assert sentence in result.outcome.infrastructure
    assert (result.outcome.status, result.phone_is_usable, result.may_help_to_retry) == ("", False, True)
    assert [step.action is None for step in room.stored(result).steps][:2] == [False, False]
    assert room.recomputed(result).is_equal


def test_a_picture_that_stands_still_for_a_moment_or_is_forbidden_is_no_fault(room, monkeypatch):
    pauses = []

    def pause(_observer, seconds):
        if seconds == 7.0:
            pauses.append(seconds)
            room.phone.is_frozen = False

    monkeypatch.setattr("collector.run.cycle.episode_screens.PAUSE_S", 7.0)
    monkeypatch.setattr("collector.recorder.observer.Observer.pause", pause)

    def freeze(observation):
        room.phone.is_frozen = True
        return press("Posters")(observation)

    assert room.run([TO_CART[0], freeze, *TO_CART[2:], Complete()]).outcome.status == "success"
    assert pauses == [7.0]
    room.phone = CyclePhone(SHOP, without_picture=True, is_secure=True)
    result = room.run([*TO_CART, Complete()])
    assert result.outcome.status == "success"
    assert {observation.screen.frame for observation in room.agent.seen} == {None}


def test_a_phone_that_reacts_late_is_seen_as_it_is_then(room, monkeypatch):
    monkeypatch.setattr("collector.run.cycle.episode_screens.EFFECT_S", 30.0)
    touch, late = room.phone.touch, []

    def touch_later(action, pointer, position):
        late.append((room.phone.calls, action, pointer, position))

    def snapshot(cancel, read=room.phone.snapshot):
        while late and room.phone.calls > late[0][0] + 6:  # two equal screens have been read by then
            touch(*late.pop(0)[1:])
        return read(cancel)

    monkeypatch.setattr(room.phone, "touch", touch_later)
    monkeypatch.setattr(room.phone, "snapshot", snapshot)
    result = room.run([*TO_CART, Complete()])
    assert result.outcome.status == "success"
    assert [step.state.activity for step in room.stored(result).steps[:4]] == [
        ".Home", ".front", ".posters", ".poster",
    ]  # fmt: skip


def test_a_full_disk_is_a_fault_with_a_usable_phone(room, monkeypatch):
    append, write_all = Disk.append, Disk.write_all
    full = threading.Event()

    # With the second state, whatever the agent does meanwhile: between the files of a state and the line
    # of its step, the files would belong to no step.
    def write_until_full(disk, files):
        if any(path.stem == "0001" for path in files):
            full.set()
            raise DiskFull("The disk is full")
        write_all(disk, files)

    def append_until_full(disk, path, data, at):
        if full.is_set():
            raise DiskFull("The disk is full")
        append(disk, path, data, at)

    monkeypatch.setattr(Disk, "write_all", write_until_full)
    monkeypatch.setattr(Disk, "append", append_until_full)
    result = room.run([TO_CART[0], TO_CART[1], Wait(1), Wait(1)])
    monkeypatch.undo()
    assert "disk is full" in result.outcome.infrastructure
    assert result.phone_is_usable
    stored = room.stored(result)
    assert stored.header.outcome is None
    assert len(stored.steps) == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            AgentUnavailable("The model cannot be reached", "no route"),
            "The model cannot be reached: no route",
        ),
        (ValueError("a b"), "The agent failed: ValueError: a b"),
        (SystemExit(3), "The agent failed: SystemExit: 3"),
        (CallCancelled("by itself"), "The agent failed: CallCancelled"),
        (DeviceOffline("its own phone"), "The agent failed: DeviceOffline"),
    ],
)
def test_an_agent_that_raises_ends_its_episode_alone(room, error, said):
    result = room.run([TO_CART[0], error])
    assert result.outcome.infrastructure.startswith(said)
    assert (result.phone_is_usable, result.may_help_to_retry) == (True, True)
    assert not result.phone_is_suspect
    assert [step.action is None for step in room.stored(result).steps] == [False, True]


def test_an_answer_that_is_no_turn_is_the_agents_fault_in_words(room):
    result = room.run([lambda _observation: "tap 1 2"])
    assert result.outcome.infrastructure == "The agent answered a str, and no AgentTurn"


def test_an_agent_that_refuses_an_episode_is_not_asked_again(room):
    agent = ListAgent([Complete()])

    def refuse(_episode):
        raise UserError("There is no golden trajectory")

    agent.begin = refuse
    result = room.run([], agent=agent)
    assert result.outcome.infrastructure == "There is no golden trajectory"
    assert not result.may_help_to_retry


def test_an_agent_that_never_answers_is_left_behind(room, monkeypatch):
    monkeypatch.setattr("collector.run.cycle.agent_thread.ANSWER_LIMIT_S", 0.1)
    monkeypatch.setattr("collector.run.cycle.agent_thread.GRACE_S", 0.1)
    waits = threading.Event()
    result = room.run([lambda _observation: waits.wait(30)])
    waits.set()
    assert "did not answer within" in result.outcome.infrastructure
    assert room.stored(result).header.outcome is not None


def test_what_an_agent_says_cannot_break_the_run(room):
    odd = AgentTurn(
        3, b"raw", Tap(1.6, 20.4), Usage("a", 1), {"x": "y", "z": 1.5},
        {"set": {1}, "nan": float("nan"), 4: "x", "focus": ["a", None]},
    )  # fmt: skip
    worse = [Tap("a", 1), Swipe(0, 0, float("inf"), 1), Wait(10**12), Type(None), Scroll(1, 1, "away"), 7]
    turns = [AgentTurn(predicted=action) for action in (worse[0], worse[1], worse[3], worse[4], worse[5])]
    result = room.run([odd, *turns, Key("no such key"), Complete()], budget=12)
    assert result.outcome.infrastructure == ""
    steps = room.stored(result).steps
    assert steps[0].action == Tap(2, 20)
    assert [type(step.action) for step in steps[1:]] == [Invalid] * 6 + [Complete]
    assert room.recomputed(result).is_equal


def test_recompute_compares_a_whole_experiment_on_the_command_line(room, capsys):
    room.run([*TO_CART, Complete()])
    result = room.run([Complete()])
    events = room.stored(result).folder / "events.jsonl"
    assert main(["experiment", "recompute", "pilot", "--project", str(room.folder)]) == 0
    assert "2 of 2 episodes are the same" in capsys.readouterr().out
    events.write_text(events.read_text().replace('"done":false', '"done":true'))
    arguments = ["experiment", "recompute", result.trajectory, "--project", str(room.folder), "--json"]
    assert main(arguments) == 1
    (episode,) = json.loads(capsys.readouterr().out)["episodes"]
    assert [item["what"] for item in episode["differences"]] == ["validation", "validation"]


# -- any episode -------------------------------------------------------------
PLACES = st.builds(Tap, st.integers(0, 120), st.sampled_from([10, 30, 50, 150]))
ANSWERS = st.one_of(
    PLACES,
    PLACES,
    st.sampled_from([press(label) for label in (*WAY, "Not now", "Open battery saver", "Front")]),
    st.sampled_from(
        [
            Wait(1), Key("back"), Key("home"), Type("oak", 3), Type("", 0), Swipe(5, 5, 90, 90, 1),
            Complete(), Impossible("no"), Answer("42"), Invalid("?", "malformed", "odd"), Key("code:x"),
            AgentTurn(predicted=None), AgentTurn(predicted=Tap("?", 1)), None, "text",
            AgentUnavailable("gone"), ValueError("broken"), SystemExit(), KeyboardInterrupt(),
        ]
    ),
)  # fmt: skip
FAULTS = st.dictionaries(
    st.integers(1, 60),
    st.sampled_from(
        [
            DeviceOffline("fake"),
            DeviceTimeout("dump", 1),
            DumpFailed("no tree"),
            CommandFailed("no"),
            OSError(5),
        ]
    ),
    max_size=1,
)
COMMANDS = st.lists(
    st.tuples(
        st.sampled_from([ActionPredicted, StepDone]),
        st.integers(1, 5),
        st.sampled_from(
            [
                [Pause(), SingleStep(), Resume()], [SingleStep(), Resume()], [StopEpisode()],
                [TakeOver("sara"), PersonAction(Tap(54, 10)), Resume()],
                [TakeOver("sara"), PersonAction(Complete()), Resume()],
            ]
        ),
    ),
    max_size=2,
)  # fmt: skip
CONDITIONS = st.sampled_from(
    [
        RunCondition("baseline"), planned(TWO_BUTTONS, 1), planned(TWO_BUTTONS, 3, buttons=1),
        RunCondition("rules", rules=()), RunCondition("maybe", rules=("maybe",), limit=3),
    ]
)  # fmt: skip


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answers=st.lists(ANSWERS, min_size=1, max_size=8), faults=FAULTS, condition=CONDITIONS, commands=COMMANDS,
    changes=st.fixed_dictionaries(
        {"semantics": st.sampled_from(["waymark", "dgara"]), "ends": st.sampled_from(["claim", "success"])}
    ),
)  # fmt: skip
def test_any_answers_and_faults_end_in_one_outcome_and_a_whole_record(
    room, expected_log, monkeypatch, answers, faults, condition, commands, changes
):
    expected_log("an episode failed", "collector.run.cycle.episode", required=False)
    expected_log("a job of the recorder failed", "collector.recorder", required=False)
    expected_log("could not be taken back", "collector.run.cycle.episode", required=False)
    monkeypatch.setattr("collector.run.cycle.episode_screens.PAUSE_S", 0.0)
    monkeypatch.setattr("collector.run.cycle.episode_anomalies.WATCH_S", 0.0)
    room.phone, control, left = CyclePhone(SHOP, failing=dict(faults)), EpisodeControl(), list(commands)

    def steer(event):
        for entry in list(left):
            if isinstance(event, entry[0]) and event.step == entry[1]:
                left.remove(entry)
                for command in entry[2]:
                    control.send(command)

    result = room.run(answers, condition, control=control, emit=steer, **changes)
    assert bool(result.outcome.status) != bool(result.outcome.infrastructure)
    if not result.trajectory:
        assert result.outcome.infrastructure
        return
    stored = room.stored(result)
    assert stored.header.outcome == result.outcome
    assert stored.header.status == "finished"
    assert room.phone.dialog is None or not result.phone_is_usable or result.outcome.infrastructure
    again = room.recomputed(result)
    assert again.is_equal, (again.problem, [str(item) for item in again.differences])


def test_what_an_agent_must_not_leave_is_in_no_event_and_no_file(room):
    secret = "hunter22-open-sesame"

    def think_and_type(_observation):
        return AgentTurn(f"I type {secret} now", predicted=Type(secret, len(secret)))

    agent = ListAgent([think_and_type, Complete()])
    agent.secrets = (secret,)
    result = room.run([], agent=agent)
    assert any(isinstance(event, ActionPredicted) for event in room.events)
    assert secret not in json.dumps([to_line(event) for event in room.events])
    folder = room.stored(result).folder
    assert not [path for path in folder.rglob("*.json*") if secret in path.read_text(encoding="utf-8")]
