"""People in the cycle: pause, single steps, taking over, giving back, and stopping."""

from __future__ import annotations

import threading

from collector.model.action import Complete, Tap
from collector.run.cycle.steering.control import (
    PersonAction,
    Resume,
    ShowScreens,
    SingleStep,
    StopEpisode,
    TakeOver,
)
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import ActionPredicted, ControlChanged, PhaseChanged, ScreenObserved, StepDone
from tests.helpers.cycle_room import WAY, press

TO_CART = [press(label) for label in WAY]


class Script:
    """Sends commands when events come: a list of (kind of event, step, commands)."""

    def __init__(self, control, *entries):
        self.control, self.entries = control, list(entries)

    def __call__(self, event):
        for entry in list(self.entries):
            kind, step, commands = entry
            if isinstance(event, kind) and getattr(event, "step", None) in (step, None):
                self.entries.remove(entry)
                for command in commands:
                    self.control.send(command)


def controls(room, result):
    return [(line["control"], line.get("person", "")) for line in room.lines(result, "hold")]


def test_a_paused_episode_goes_on_step_by_step(room):
    control = EpisodeControl(is_paused=True)
    script = Script(
        control,
        (ActionPredicted, 1, [SingleStep()]),
        (ActionPredicted, 2, [SingleStep()]),
        (ActionPredicted, 3, [Resume()]),
    )
    result = room.run([*TO_CART, Complete()], control=control, emit=script)
    assert result.outcome.status == "success"
    assert script.entries == []
    states = [event.state for event in room.events if isinstance(event, ControlChanged)]
    assert states[-1] == "running"
    assert controls(room, result)


def test_a_person_acts_in_the_agents_place_and_gives_back(room):
    control = EpisodeControl()
    posters, oak = (PersonAction(Tap(54, 10)) for _count in range(2))
    script = Script(
        control,
        (ActionPredicted, 2, [TakeOver("sara")]),
        (ControlChanged, None, [posters]),
        (StepDone, 2, [oak, Resume()]),
    )
    # The agent's own second answer is dropped: it would lead away from the poster.
    answers = [TO_CART[0], press("About"), press("Add"), Complete()]
    result = room.run(answers, control=control, emit=script)
    assert result.outcome.status == "success"
    assert result.outcome.extra["person_steps"] == 2
    steps = room.stored(result).steps
    people = [step for step in steps if "person" in step.extra]
    assert [(step.index, step.extra["person"], step.agent) for step in people] == [
        (1, "sara", None), (2, "sara", None),
    ]  # fmt: skip
    history = room.agent.seen[2].history
    assert [past.turn is None for past in history] == [False, True, True]
    assert ("taken_over", "sara") in controls(room, result)
    assert room.recomputed(result).is_equal
    persons = [event.person for event in room.events if isinstance(event, StepDone)]
    assert persons == ["", "sara", "sara", "", ""]


def test_a_person_may_take_over_while_the_agent_still_thinks(room):
    control, answered = EpisodeControl(), threading.Event()

    def slow(observation):
        control.send(TakeOver("sara"))
        control.send(PersonAction(Tap(54, 10)))
        control.send(Resume())
        assert answered.wait(10)
        return press("About")(observation)

    def note(event):
        if isinstance(event, StepDone) and event.person:
            answered.set()

    result = room.run([TO_CART[0], slow, *TO_CART[2:], Complete()], control=control, emit=note)
    assert result.outcome.status == "success"
    assert result.outcome.extra["person_steps"] == 1
    assert [step.action.kind for step in room.stored(result).steps] == ["tap"] * 4 + ["complete"]


def test_a_stopped_episode_has_no_outcome_but_a_reason(room):
    control = EpisodeControl()
    result = room.run(TO_CART, control=control, emit=Script(control, (StepDone, 2, [StopEpisode()])))
    assert result.outcome.status == ""
    assert result.outcome.infrastructure == "A person stopped the episode"
    assert result.phone_is_usable
    assert room.stored(result).header.outcome == result.outcome
    assert result.outcome.stopped
    assert room.recomputed(result).is_equal
    control = EpisodeControl()
    with_run = StopEpisode(with_run=True)
    result = room.run(TO_CART, control=control, emit=Script(control, (StepDone, 2, [with_run])))
    assert result.outcome.infrastructure == "The run was stopped before the episode ended"
    assert room.stored(result).header.outcome.stopped


def test_the_end_of_the_runner_ends_a_waiting_agent(room):
    control = EpisodeControl()

    def never(observation):
        control.cancel("The runner ended")
        raise AssertionError("cancelled")

    result = room.run([never], control=control)
    assert result.outcome.infrastructure == "The runner ended"


def test_pictures_are_sent_while_somebody_watches(room):
    control = EpisodeControl()
    script = Script(control, (StepDone, 1, [ShowScreens(True)]), (StepDone, 2, [ShowScreens(False)]))
    room.run([*TO_CART[:3], Complete()], control=control, emit=script)
    pictures = [event.picture[:2] for event in room.events if isinstance(event, ScreenObserved)]
    assert pictures == [b"", b"\xff\xd8", b"", b""]


def test_the_rules_of_an_episode_that_is_stopped_are_evaluated_no_further(room):
    control = EpisodeControl()

    def stop(event):
        if isinstance(event, PhaseChanged) and (event.phase, event.step) == ("validate", 2):
            control.send(StopEpisode())

    result = room.run([*TO_CART, Complete()], control=control, emit=stop)
    assert (result.outcome.stopped, result.outcome.infrastructure) == (True, "A person stopped the episode")
    assert [line["number"] for line in room.lines(result, "validate")] == [1]
    assert room.stored(result).header.status == "finished"
