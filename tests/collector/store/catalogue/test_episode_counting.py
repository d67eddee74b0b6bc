"""What the catalogue keeps of a run, counted by hand on constructed steps and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from collector.model.action import (
    HALLUCINATED,
    MALFORMED,
    Action,
    Answer,
    Complete,
    Invalid,
    Key,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.episode import ACTING_PERSON, BEFORE_START, Episode, Outcome
from collector.model.geometry import Rect
from collector.model.trajectory import RUN, State, Step, Target, TrajectoryHeader
from collector.model.usage import Usage
from collector.store.catalogue.catalogue_reader import read_entry
from collector.store.catalogue.episode_counting import facts_of_episode, run_step_from_step
from collector.store.catalogue.episode_facts import UNKNOWN, EpisodeFacts
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.interruptions import anomalies_in, planned_anomalies
from tests.helpers.run_files import anomaly_event, steps_of, write_run
from tests.helpers.steps import step

BUTTON, TITLE = (
    Target((0,), Rect(0, 0, 9, 9), (), {"class": "android.widget.Button"}),
    Target((1,), Rect(0, 0, 9, 9), (), {"class": "android.widget.TextView"}),
)
EPISODE, OUTCOME = Episode(), Outcome()
TREE = State(package="com.example.adbsmarttest", tree="states/0.xml")


def facts(
    *actions: Action | None, events: Sequence[Mapping[str, Any]] = (), steps: Sequence[Step] | None = None,
    episode: Episode = EPISODE, outcome: Outcome | None = OUTCOME, **header: Any,
) -> EpisodeFacts:  # fmt: skip
    taken = [run_step_from_step(item) for item in (steps or steps_of(*actions))]
    values = {"kind": RUN, "status": "finished", "episode": episode, "outcome": outcome, **header}
    whole = TrajectoryHeader("r", "t", **values)
    return facts_of_episode(whole, taken, anomalies_in(events, taken), planned_anomalies(events))


# -- steps and loops -------------------------------------------------------------
def test_steps_are_all_answers_and_actions_only_those_on_the_phone() -> None:
    found = facts(Tap(1, 1), Invalid("x"), Wait(), Answer("7"), Complete(), None)
    assert (found.steps, found.actions, found.by_person) == (5, 2, 0)


def test_what_a_person_does_is_no_step_of_the_agent_and_ends_a_loop() -> None:
    by_ann = {"extra": {ACTING_PERSON: "ann"}}
    taken = [step(0, Tap(1, 1)), step(1, Tap(1, 1)), step(2, Tap(1, 1), **by_ann), step(3, Tap(1, 1))]
    found = facts(steps=taken)
    assert (found.steps, found.by_person, found.loop_length, found.loop_steps) == (3, 1, 2, 1)


def test_what_was_done_before_the_agent_began_is_no_step_of_it_and_no_loop() -> None:
    copied = {"extra": {BEFORE_START: "golden-1@1"}}
    taken = [step(0, Tap(1, 1), **copied), step(1, Tap(1, 1), **copied), step(2, Tap(1, 1))]
    found = facts(steps=taken)
    assert (found.steps, found.actions, found.by_person, found.loop_length) == (1, 1, 0, 1)


@pytest.mark.parametrize(
    ("actions", "longest", "repeated"),
    [
        ((), 0, 0),
        ((Tap(1, 1),), 1, 0),
        # Fingers do not hit the same pixel twice, nor does a press take as long.
        ((Tap(100, 100, 50), Tap(112, 88, 90), Tap(100, 100)), 3, 2),
        # Each is compared with the first of its row: a drift of 8 pixels a step ends it.
        ((Tap(0, 0), Tap(8, 0), Tap(16, 0), Tap(24, 0)), 2, 2),
        ((Tap(0, 0), Tap(90, 0), Tap(0, 0), Tap(90, 0)), 1, 0),
        ((Wait(100), Wait(9000)), 2, 1),
        ((Key("back"), Key("home")), 1, 0),
        ((Type("a"), Type("a"), Type("b")), 2, 1),
        ((Swipe(0, 0, 0, 90, 100), Swipe(3, 0, 0, 95, 800, ((0, 1, 1),))), 2, 1),
        # An answer that is no action repeats none: it counts as invalid.
        ((Invalid("?!"), Invalid("?!"), Invalid("?!")), 0, 0),
        ((Wait(), Wait(), Invalid("?!"), Wait()), 2, 1),
        ((Answer("a"), Answer("a"), Complete(), Complete()), 0, 0),
        ((Key("back"), Key("back"), Answer("a"), Key("back")), 2, 1),
    ],
)
def test_a_loop_is_the_same_action_again_and_again(
    actions: tuple[Action, ...], longest: int, repeated: int
) -> None:
    found = facts(*actions)
    assert (found.loop_length, found.loop_steps) == (longest, repeated)


def test_invalid_answers_are_malformed_or_hallucinated() -> None:
    invalid = [Invalid("{", MALFORMED), Invalid("tap(9)", HALLUCINATED), Invalid("x", HALLUCINATED)]
    found = facts(Tap(1, 1), *invalid)
    assert (found.malformed, found.hallucinated, found.steps, found.actions) == (1, 2, 4, 1)


# -- the app -----------------------------------------------------------------------
def in_apps(*packages: str) -> list[Step]:
    return [step(at, Tap(at * 50, 0), state=State(package=name)) for at, name in enumerate(packages)]


@pytest.mark.parametrize(
    ("packages", "app"),
    [
        (("com.shop", "com.chat", "com.shop"), "com.shop"),
        (("com.google.android.apps.nexuslauncher",) * 3 + ("com.shop",), "com.shop"),
        (("com.miui.home", "com.android.systemui", "android"), ""),
        (("com.example.adbsmarttest", "com.example.adbsmarttest", "com.shop"), "com.shop"),
        (("com.android.permissioncontroller",) * 2 + ("com.android.settings",), "com.android.settings"),
        (("", "", "com.shop"), "com.shop"),
        # Of two apps with as many steps the one that came first.
        (("com.chat", "com.shop", "com.shop", "com.chat"), "com.chat"),
        ((), ""),
    ],
)
def test_the_app_of_a_run_is_where_most_steps_were_taken(packages: tuple[str, ...], app: str) -> None:
    assert facts(steps=in_apps(*packages)).package == app


# -- anomalies -----------------------------------------------------------------------
def test_an_answered_dialog_was_met_before_a_step_and_is_over_before_another() -> None:
    events = [anomaly_event("injected", 150), anomaly_event("answered", 320, answer="deny")]
    found = facts(*[Tap(at * 50, 0) for at in range(6)], events=events, episode=Episode(condition="c"))
    assert (found.met, found.met_at, found.over_at) == (1, 2, 4)
    assert found.answers == "\nlow_battery=deny"
    # Without a plan the condition is the name of an anomaly.
    assert found.anomalies == "c, low_battery"


def test_a_dialog_that_stays_open_is_never_over_and_has_no_answer() -> None:
    found = facts(Tap(1, 1), Tap(99, 1), events=[anomaly_event("injected", 50)])
    assert (found.met, found.met_at, found.over_at, found.answers) == (1, 1, UNKNOWN, "\nlow_battery=")


def test_an_anomaly_that_is_taken_back_after_the_last_step_never_ended_for_the_agent() -> None:
    events = [anomaly_event("injected", 50, native=True), anomaly_event("undone", 900)]
    assert facts(Tap(1, 1), Tap(99, 1), None, events=events).over_at == UNKNOWN
    undone_before = [anomaly_event("injected", 50, native=True), anomaly_event("undone", 90)]
    assert facts(Tap(1, 1), Tap(99, 1), events=undone_before).over_at == 1
    answered_last = [anomaly_event("injected", 50), anomaly_event("answered", 150, answer="accept")]
    assert facts(Tap(1, 1), Tap(99, 1), events=answered_last).over_at == 2


def test_of_several_anomalies_the_first_is_met_and_the_last_is_over() -> None:
    events = [
        anomaly_event("injected", 110), anomaly_event("dismissed", 210, answer="dismiss"),
        anomaly_event("injected", 310, "call"), anomaly_event("unclear", 410, "call"),
        anomaly_event("injected", 420, "gps", native=True), anomaly_event("undone", 430, "gps"),
    ]  # fmt: skip
    found = facts(*[Tap(at * 50, 0) for at in range(6)], events=events)
    assert (found.met, found.met_at, found.over_at) == (3, 2, 5)
    # A change of the phone asks nothing; a dialog may be gone and nobody knows how.
    assert found.answers == "\nlow_battery=dismiss\ncall=unclear"
    assert found.anomalies == "low_battery, call, gps"


def test_a_planned_anomaly_that_never_appeared_is_one_of_the_condition() -> None:
    plan = {"kind": "cycle", "settings": {"condition": {"id": "evening", "injections": [["low_battery", 2]]}}}
    found = facts(Tap(1, 1), events=[plan], episode=Episode(condition="evening"))
    assert (found.condition, found.anomalies, found.met) == ("evening", "low_battery", 0)
    by_rules = {"kind": "cycle", "settings": {"condition": {"id": "rules", "injections": []}}}
    assert facts(Tap(1, 1), events=[by_rules], episode=Episode(condition="rules")).anomalies == ""


def test_a_header_says_that_an_anomaly_appeared_when_the_events_are_gone() -> None:
    found = facts(Tap(1, 1), extra={"interrupted": ["low_battery", {"anomaly": "call"}, 7]})
    assert (found.met, found.anomalies, found.met_at) == (2, "low_battery, call", UNKNOWN)


@pytest.mark.parametrize(
    ("action", "target", "covered"),
    [
        (Tap(5, 5), BUTTON, 0),
        (Tap(5, 5), TITLE, 1),
        (Tap(5, 5), None, 1),
        (Swipe(0, 9, 0, 1), None, 1),
        (Type("poster"), None, 1),
        (Key("back"), None, 0),
        (Complete(), None, 0),
        (Invalid("?"), None, 0),
    ],
)
def test_what_is_aimed_at_under_a_dialog(action: Action, target: Target | None, covered: int) -> None:
    """The touch on a button is the dialog's; any other, and a text, is for what the dialog covers."""
    under = {"anomaly": {"injection": "low_battery", "over": "com.shop"}}
    taken = [
        step(0, Tap(1, 1), target=None, state=TREE),
        step(1, action, target=target, state=TREE, extra=under),
        step(2, Key("back"), state=TREE, extra=under),
        step(3, Tap(1, 1), target=None, state=TREE),
    ]
    events = [anomaly_event("injected", 50), anomaly_event("dismissed", 250, answer="dismiss")]
    assert facts(steps=taken, events=events).covered_steps == covered
    # A change of the phone covers nothing.
    events = [anomaly_event("injected", 50, native=True), anomaly_event("undone", 250)]
    assert facts(steps=taken, events=events).covered_steps == 0


def test_where_no_tree_was_recorded_nobody_knows_what_was_covered_and_an_answer_is_none() -> None:
    under = {"anomaly": {"injection": "low_battery"}}
    blind = [step(at, Tap(at * 50, 1), target=None, state=State(), extra=under) for at in range(3)]
    events = [anomaly_event("injected", 0), anomaly_event("answered", 250, answer="accept")]
    assert facts(steps=blind, events=events).covered_steps == 0
    seen = [step(at, Tap(at * 50, 1), target=None, state=TREE, extra=under) for at in range(3)]
    assert facts(steps=seen, events=events).covered_steps == 2  # The third one closed the dialog.


# -- header --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("status", "outcome", "is_finished", "is_fault", "is_stopped"),
    [
        ("finished", Outcome("success"), 1, 0, 0),
        ("finished", Outcome(), 1, 0, 0),
        ("imported", Outcome("failure"), 1, 0, 0),
        ("imported", None, 1, 0, 0),
        ("recording", None, 0, 0, 0),
        ("recovered", None, 0, 0, 0),
        ("recovered", Outcome(infrastructure="The runner was killed"), 1, 1, 0),
        ("finished", Outcome(infrastructure="The phone was lost"), 1, 1, 0),
        ("finished", Outcome(infrastructure="A person stopped the episode", stopped=True), 0, 0, 1),
    ],
)
def test_which_runs_ended_and_which_by_a_fault_or_by_people(
    status: str, outcome: Outcome | None, is_finished: int, is_fault: int, is_stopped: int
) -> None:
    found = facts(Tap(1, 1), status=status, outcome=outcome)
    assert (found.is_finished, found.is_fault, found.is_stopped) == (is_finished, is_fault, is_stopped)


def test_what_is_not_known_is_unknown_and_not_zero() -> None:
    found = facts(outcome=None)
    names = ("seed", "buttons", "input_tokens", "time_ms", "duration_ms", "started_ms")
    assert {getattr(found, name) for name in names} == {UNKNOWN}
    assert found.cost != found.cost
    usage = Usage(0, 0, 0.0, "USD", 0)
    zero = facts(outcome=Outcome(usage=usage), episode=Episode(seed=0), started="1970-01-01T00:00:00.001Z")
    assert (zero.seed, zero.input_tokens, zero.output_tokens, zero.cost, zero.time_ms) == (0, 0, 0, 0, 0)
    assert zero.started_ms == 1
    in_china, in_utc = facts(started="2026-03-01T12:00:00+08:00"), facts(started="2026-03-01T04:00")
    assert in_china.started_ms == in_utc.started_ms
    assert facts(started="yesterday").started_ms == UNKNOWN


# -- files ---------------------------------------------------------------------------
def test_plain_files_and_files_with_something_unusual_give_the_same_facts(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    plan = {"kind": "cycle", "settings": {"condition": {"injections": [["low_battery", 1]]}}}
    events = [plan, anomaly_event("injected", 50), anomaly_event("answered", 150, answer="accept")]
    taken = [*steps_of(Tap(1, 1), Tap(2, 2), Tap(1, 1), state=TREE, target=None), step(4, Complete())]
    outcome = Outcome("success", claimed="complete", extra={"ended_by": "signal"}, usage=Usage(5, 6))
    episode = Episode("e", "cell", "a", condition="c", seed=3)
    folder = write_run(project, "r", episode, outcome, steps=taken, events=events)
    plain = read_entry(str(folder)).episode
    assert plain is not None
    assert (plain.steps, plain.loop_length, plain.covered_steps, plain.ended_by) == (4, 3, 0, "signal")
    with (folder / layout.STEPS).open("ab") as file:
        file.write(b'{"torn')
    with (folder / layout.EVENTS).open("ab") as file:
        file.write(b'{"kind": "anomaly", "transition"\n[1]\n')
    unusual = read_entry(str(folder)).episode
    assert codec.dump_line(dict(vars_of(unusual))) == codec.dump_line(dict(vars_of(plain)))


def vars_of(facts_: EpisodeFacts | None) -> dict[str, Any]:
    assert facts_ is not None
    return {name: getattr(facts_, name) for name in facts_.__dataclass_fields__}
