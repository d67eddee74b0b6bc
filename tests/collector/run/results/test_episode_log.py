"""The log of an episode in words, from what a cycle writes and from what a runner says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from collector.comparison.steps.app_changes import AppChange
from collector.model.action import Invalid, Key, Tap
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.run.events import ControlChanged, EpisodeBegan, EpisodeEnded
from collector.run.results.episode_log import live_log, log_text, stored_log, trace
from tests.helpers.run_feed import RunFeed, sample_cells

EPISODE = Episode("pilot", "c", "gpt", "gpt-4o", condition="battery", seed=7)


def cycle(number: int, phase: str, **data: Any) -> dict[str, Any]:
    return {"kind": "cycle", "t_ms": 10, "phase": phase, "number": number, **data}


def texts(events: list[dict[str, Any]], steps: list[Step], outcome: Outcome | None = None) -> list[str]:
    header = TrajectoryHeader("t", "buy", instruction="Buy a poster", episode=EPISODE, outcome=outcome)
    return [line.whole for line in stored_log(header, steps, events)]


def step(index: int, action: Any, caption: str = "", thought: str = "", **extra: Any) -> Step:
    turn = AgentTurn(thought) if thought else None
    state = State(package="com.shop", activity="com.shop.Main")
    return Step(index, index * 1000, "", state, action, description=caption, agent=turn, extra=extra)


def test_a_step_under_an_anomaly_in_words() -> None:
    steps = [step(0, Tap(1, 2), "Tap 'Ignore'", "A warning covers the list")]
    fired = {"rule": "at-step-1-low", "outcome": "fired", "anomaly": "low", "draw": 0.25}
    late = {"rule": "r2", "outcome": "suppressed", "reason": "outranked", "draw": 0.5}
    near = {"rule": "r3", "outcome": "near"}
    anomaly = {"kind": "anomaly", "anomaly": "low", "step": 0}
    events = [
        cycle(0, "prepare", settings={}),
        cycle(1, "observe", ms=2500),
        cycle(1, "validate", done=False, reached=[], steps=0),
        cycle(1, "decide", dialog=False, rules=[fired, late, near], silent=["r4"]),
        {**anomaly, "transition": "injected"},
        cycle(1, "inject", rule="at-step-1-low", anomaly="low"),
        cycle(1, "observe_again", ms=90),
        cycle(1, "think", ms=6200),
        cycle(1, "act", ms=50, same=3, action="tap"),
        {**anomaly, "transition": "answered", "answer": "deny", "button": "Ignore"},
        {**anomaly, "transition": "followed", "command": "svc wifi enable"},
        cycle(2, "validate", done=True, reached=["sorted"], steps=1, end="signal"),
    ]
    assert texts(events, steps, Outcome("failure", "The cart is empty")) == [
        "gpt · gpt-4o begins under battery: Buy a poster",
        "Observed the screen: 2.5 s",
        "The success rule does not hold",
        "low is planned for this step: draw 0.250",
        "Rule r2 held and was not applied: Another rule went first · draw 0.500",
        "Rule r3 almost held",
        "Injected low",
        "Observed the screen again, with the anomaly: com.shop/.Main · 90 ms",
        "Thought for 6.2 s: A warning covers the list",
        "Tap 'Ignore'",
        "The same action 3 times in a row",
        "low was answered: Ignore",
        "A follow-up of low ran: svc wifi enable",
        "Reached sorted",
        "The success rule holds",
        "The agent said that it is finished",
        "Outcome: failure: The cart is empty",
    ]


def test_people_invalid_answers_and_faults_in_words() -> None:
    steps = [
        step(0, Invalid("tap here", "malformed", "No action was found")),
        step(1, Key("back"), person="lin"),
    ]
    events = [
        cycle(1, "act", same=1),
        cycle(2, "hold", control="paused"),
        cycle(2, "hold", control="taken_over", person="lin"),
        cycle(2, "act", same=1),
        cycle(3, "hold", control="running"),
        {"kind": "anomaly", "anomaly": "low", "step": 2, "transition": "failed", "reason": "No window"},
        {"kind": "phone_lost", "reason": "The cable was pulled"},
    ]
    fault = Outcome(infrastructure="The phone is gone")
    assert texts(events, steps, fault)[1:] == [
        "The answer is no action, nothing was done: No action was found",
        "Paused",
        "lin took over",
        "lin did: Press Back",
        "The agent goes on",
        "low failed: No window",
        "The phone was lost: The cable was pulled",
        "Ended by a fault of the machine; it counts for nothing and is run again on resume: "
        "The phone is gone",
    ]
    stopped = texts([], steps, Outcome(infrastructure="A person stopped the episode", stopped=True))
    assert stopped[-1] == (
        "Stopped by people; it counts for nothing and is run again on resume: A person stopped the episode"
    )


def test_lines_of_a_damaged_or_later_file_are_left_out() -> None:
    events = [
        {"kind": "cycle"},
        {"kind": "cycle", "phase": "dance", "number": "x"},
        cycle(9, "act"),
        cycle(1, "decide", rules=[3, {"rule": 5}], silent="ab"),
        {"kind": "anomaly", "transition": 4, "step": None},
        {"t_ms": 1},
        cycle(1, "validate", reached=None, end="later"),
    ]
    assert len(texts(events, [])) == 2  # the first line, and a decision without words


def test_the_log_of_a_run_elsewhere() -> None:
    feed = RunFeed(sample_cells(1, (1,))[1:], 1, lambda worker, number: b"", lambda: 1000.0)
    events = [event for moment in feed.episode(0, 4) for event in moment]
    cell = feed.cells[0].id
    events.insert(-1, ControlChanged(worker="virt-1", cell=cell, state="taken_over", person="lin"))
    lines = live_log(events)
    words = [line.text for line in lines]
    assert words[0] == "UI-TARS 7B begins under Low battery"
    began = replace(next(event for event in events if isinstance(event, EpisodeBegan)), condition="baseline")
    assert live_log([began])[0].text == "UI-TARS 7B begins without an anomaly"
    assert {"Injected Low battery", "Low battery was answered: denied", "lin took over"} <= set(words)
    assert next(line for line in lines if line.text == "Reached signed-in").step == 2
    assert lines[-1].text == "Outcome: success"
    assert log_text(lines[:2]).startswith("-\tUI-TARS 7B begins")
    faulty = live_log([EpisodeEnded(worker="w", cell=cell, trajectory="", infrastructure="No space left")])
    assert faulty[0].detail == "No space left"


def test_violations_and_changes_in_apps_are_said_once() -> None:
    header = TrajectoryHeader("t", "buy", instruction="Buy a poster", episode=EPISODE)
    seen = {"done": False, "reached": []}
    events = [
        cycle(1, "validate", **seen),
        cycle(2, "validate", **seen, violated=["pays"]),
        cycle(3, "validate", **seen, violated=["pays"]),
    ]
    changes = [AppChange(1, "shop.orders: 'a' was added"), AppChange(7, "never validated")]
    lines = [line.whole for line in stored_log(header, [], events, changes)]
    assert lines[1:] == [
        "The success rule does not hold",
        "In an app: shop.orders: 'a' was added",
        "pays happened, which must never happen",
    ]


def test_a_trace_has_all_kinds_of_lines_also_of_a_trajectory_that_no_runner_wrote() -> None:
    request = {
        "model": "m",
        "messages": [{"role": "user", "text": "Go", "picture": {"step": 1, "size": [1, 1]}}],
    }
    turn = AgentTurn("I tap", '{"tap": 1}', extra={"request": request})
    asked = replace(step(0, Tap(1, 2), "Tap 'A'"), agent=turn)
    steps = [asked, step(1, Key("home"), "Press Home")]
    header = TrajectoryHeader("t", "buy")
    lines = trace(header, steps, [], [AppChange(1, "shop.cart: 'mug' was added")])
    assert [(line.step, line.kind, line.whole) for line in lines] == [
        (1, "request", "Asked the model: [m] user: Go (the screen of step 1)"),
        (1, "thought", "Thought: I tap"),
        (1, "answer", 'Answer as received: {"tap": 1}'),
        (1, "action", "Tap 'A'"),
        (2, "event", "In an app: shop.cart: 'mug' was added"),
        (2, "action", "Press Home"),
    ]
    events = [cycle(1, "think", ms=100), cycle(1, "act")]
    kinds = [line.kind for line in trace(header, steps, events) if line.step]
    assert kinds == ["request", "thought", "answer", "action"]
