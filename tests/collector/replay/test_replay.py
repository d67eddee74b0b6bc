"""The machine that replays: its order, its patience, and each way it ends."""

from __future__ import annotations

import dataclasses
import json
import re
import threading

import pytest

from collector.device.errors import CommandFailed, DumpFailed
from collector.device.transport.shell_result import ShellResult
from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.replay_verdict import BY_LAST_STATE, BY_RULE, BY_STATES, BY_STEPS, SuccessVerdict
from collector.model.action import HALLUCINATED, Invalid, Key, OpenApp, Pinch, Tap, Type
from collector.model.geometry import Rect
from collector.replay.outcomes import ReplayResult, ReplayStage, ReplayStatus, why_of
from collector.replay.replay import Replay
from collector.replay.replay_options import ReplayOptions
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.grammar.model import SUCCESS, Group, Rule
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_phone import APP, SCREEN, FakePhone, recorded_step
from tests.helpers.judged import shows, states_of
from tests.helpers.memory_trajectory import MemoryTrajectory

BOX = Rect(0, 100, 400, 200)


def button(text):
    return node(text=text, clickable="true", bounds=str(BOX))


SCREENS = {"Home": (button("Shop"),), "List": (button("Poster"),), "Item": (node(text="Thank you"),)}
ORDER = {"Home": "List", "List": "Item", "Item": "Item"}


def tap(text, index, activity):
    return recorded_step(Tap(50, 150), (f"text='{text}'",), BOX, index=index, activity=activity, text=text)


STEPS_MADE = [
    tap("Shop", 0, ".Home"),
    tap("Poster", 1, ".List"),
    recorded_step(None, index=2, activity=".Item"),
]


class RecordedScreens(MemoryTrajectory):
    """A recording of given steps, their trees those of SCREENS in order."""

    def __init__(self, steps, screens=("Home", "List", "Item")) -> None:
        super().__init__("task", ())
        self.given_steps, self.names = steps, screens

    steps = property(lambda self: self.given_steps)

    def tree(self, step):
        return hierarchy(*SCREENS[self.names[step.index]]).encode()


@pytest.fixture
def phone():
    return FakePhone(dict(SCREENS), "Home", led=lambda shown, what: ORDER[shown])


def replay_of(phone, steps=STEPS_MADE, rules=None, **options):
    return Replay(RecordedScreens(steps), phone.phone, ReplayOptions(**{"patience_s": 0.5, **options}), rules)


def test_steps_are_done_each_on_its_own_screen_and_every_stage_is_told(phone):
    replay = replay_of(phone)
    events = []
    replay.events.subscribe(lambda event: events.append((event.stage, event.step)))
    result = replay.run()
    assert result.status is ReplayStatus.DONE
    assert [outcome.selector for outcome in result.steps] == ["text='Shop'", "text='Poster'"]
    assert (result.verdict.by, result.verdict.share, result.verdict.holds) == (BY_LAST_STATE, 1.0, True)
    stages = [ReplayStage.LOOKING, ReplayStage.FOUND, ReplayStage.ACTING, ReplayStage.ACTING]
    assert events == [
        (ReplayStage.PREPARING, 0),
        *((stage, 0) for stage in stages),
        *((stage, 1) for stage in stages),
        (ReplayStage.JUDGING, 1),
        (ReplayStage.ENDED, 1),
    ]
    assert any(f"force-stop {APP}" in line for line in phone.commands)
    assert any(f"-n {APP}/.Main" in line for line in phone.commands)


@pytest.mark.parametrize("steps", [[], STEPS_MADE[2:]])
def test_a_recording_that_does_nothing_is_refused(phone, steps):
    result = replay_of(phone, steps).run()
    assert (result.status, result.last.why) == (ReplayStatus.REFUSED, "The recording does nothing")
    assert phone.commands == []


def test_a_phone_that_plays_the_recording_meets_its_interruption_too(phone):
    answered = dataclasses.replace(STEPS_MADE[1], extra={"anomaly": {"over": APP}})
    steps, shell = [STEPS_MADE[0], answered, STEPS_MADE[2]], phone.shell
    replay = replay_of(phone, steps)
    replay.prepare()
    assert ([step.index for step in replay.steps], replay.left_out) == ([0], (1,))

    def plays(command, **more):
        played = {"trajectory": RecordedScreens(steps).header.id, "followed": 0, "of": 2}
        text = json.dumps({"recordings": [played], "off_path": 0})
        return ShellResult(text.encode(), b"", 0) if "practice" in str(command) else shell(command, **more)

    phone.shell = plays
    replay.prepare()
    assert ([step.index for step in replay.steps], replay.left_out) == ([0, 1], ())


@pytest.mark.parametrize("app", ["com.foo; reboot", "应用"])
def test_an_app_that_is_no_package_is_refused(phone, app):
    result = replay_of(phone, app=app).run()
    assert (result.status, result.last.why) == (ReplayStatus.REFUSED, f"{app} is no package")


@pytest.mark.parametrize(
    ("action", "status", "why"),
    [
        (Invalid("dance", HALLUCINATED, "no such word"), ReplayStatus.REFUSED, "no such word"),
        (OpenApp("no package; reboot"), ReplayStatus.REFUSED, "cannot be opened"),
        (Pinch(5, 5), ReplayStatus.FAULT, "takes 2 fingers"),
    ],
)
def test_what_no_phone_could_do_is_told_from_what_this_setup_cannot(phone, action, status, why):
    outcome = replay_of(phone, [recorded_step(action)]).advance()
    assert outcome.status is status
    assert why in outcome.why


def test_a_command_that_fails_on_a_phone_that_is_there_is_a_fault(phone, monkeypatch):
    def refuse(*_words, **_options):
        raise CommandFailed("The phone is busy")

    monkeypatch.setattr(phone, "key", refuse)
    outcome = replay_of(phone, [recorded_step(Key("back"))]).advance()
    assert (outcome.status, outcome.why) == (ReplayStatus.FAULT, "The phone is busy")


def test_a_recording_that_began_at_home_is_not_begun_in_its_app(phone):
    steps = [recorded_step(Key("home"), package="com.launcher")]
    replay_of(phone, steps, app=APP).prepare()
    assert any(f"force-stop {APP}" in line for line in phone.commands)
    assert not any("am start" in line for line in phone.commands)


def test_a_screen_that_comes_late_is_waited_for(phone):
    phone.led = lambda shown, what: "Wait"
    phone.screens["Wait"] = (node(text="Loading"),)
    snapshot = phone.snapshot

    def later(cancel):
        if phone.shown == "Wait" and phone.looks > 6:
            phone.shown = "List"
        return snapshot(cancel)

    phone.snapshot = later
    replay = replay_of(phone, patience_s=30)
    assert replay.advance().status is ReplayStatus.DONE
    assert replay.advance().status is ReplayStatus.DONE


def test_what_stays_another_screen_diverges_at_its_step(phone):
    phone.led = lambda shown, what: "Offer"
    phone.screens["Offer"] = (node(text="Buy now", package="com.ads"),)
    phone.packages["Offer"] = "com.ads"
    result = replay_of(phone).run()
    assert (result.status, result.stopped_at) == (ReplayStatus.DIVERGED, 1)
    assert result.last.divergence.reason == "app"
    assert "'Buy now'" in result.last.problem
    assert result.last.waited_ms >= 500


def test_a_screen_that_cannot_be_read_is_tried_again_and_then_told(phone):
    def failing(cancel):
        raise DumpFailed("no tree today", "not idle")

    phone.snapshot = failing
    result = replay_of(phone).run()
    assert (result.status, result.last.divergence.reason) == (ReplayStatus.DIVERGED, "tree")
    assert "no tree today" in result.last.problem


def test_a_phone_that_goes_away_is_lost(phone):
    replay = replay_of(phone)
    assert replay.advance().status is ReplayStatus.DONE
    phone.gone = True
    outcome = replay.advance()
    assert (outcome.index, outcome.status) == (1, ReplayStatus.LOST)
    assert "offline" in outcome.why


def test_hidden_text_is_asked_for_and_typed_when_given(phone):
    phone.screens["Home"] = (node(class_="android.widget.EditText", focused="true"),)
    steps = [recorded_step(Type("", 8, redacted=True), activity=".Home")]
    outcome = replay_of(phone, steps).advance()
    assert outcome.status is ReplayStatus.FAULT
    assert "--text 1=TEXT" in outcome.why
    assert replay_of(phone, steps, texts={0: "hunter22"}).advance().status is ReplayStatus.DONE
    assert phone.typed == ["hunter22"]


def test_it_is_cancelled_while_it_waits(phone):
    phone.shown = "Item"
    replay = replay_of(phone, patience_s=600)
    replay.events.subscribe(lambda event: threading.Timer(0.1, replay.cancel).start())
    assert replay.look().status is ReplayStatus.CANCELLED


def verdict_of(phone, steps=STEPS_MADE, **rules):
    return replay_of(phone, steps, TaskRules(**rules)).run()


def test_the_success_rule_of_the_task_goes_before_similarity(phone):
    def rule(activity):
        return Rule(
            id="paid", kind=SUCCESS, conditions=Group(conditions=(CurrentActivityIs(value=activity),))
        )

    result = verdict_of(phone, success=rule(".Item"))
    assert (result.status, result.verdict.by, result.verdict.rule) == (ReplayStatus.DONE, BY_RULE, "paid")
    phone.shown = "Home"
    assert verdict_of(phone, success=rule(".Cart")).status is ReplayStatus.FAILED


STATES = states_of(
    "- {id: touched, conditions: [{type: action_was, action: tap, selector: \"text='Poster'\"}]}\n"
    f"- {{id: thanked, after: [touched], {shows('Thank you')}}}"
)


def test_without_a_success_rule_the_essential_states_go_before_similarity(phone):
    # The node that was touched is looked for on the live screen, which has another above it now.
    phone.screens["List"] = (node(text="Sale"), button("Poster"))
    result = verdict_of(phone, states=STATES)
    assert (result.status, result.verdict.by) == (ReplayStatus.DONE, BY_STATES)
    phone.shown = "Home"
    sorry = states_of(f"- {{id: sorry, {shows('Sorry')}}}")
    result = verdict_of(phone, states=(*STATES, *sorry))
    assert (result.status, result.verdict.detail) == (ReplayStatus.FAILED, "Not reached: sorry")
    assert "Not reached: sorry" in why_of(result)


def test_an_end_without_words_is_not_said_to_have_all_of_them():
    verdict = SuccessVerdict(True, BY_LAST_STATE, share=None)
    assert "no words to compare with" in why_of(ReplayResult(ReplayStatus.DONE, (), verdict))


def test_a_goal_that_was_reached_on_the_way_counts_as_the_judge_counts_it(phone):
    rule = Rule(id="listed", kind=SUCCESS, conditions=Group(conditions=(CurrentActivityIs(value=".List"),)))
    result = verdict_of(phone, success=rule)
    assert (result.status, result.verdict.by) == (ReplayStatus.DONE, BY_RULE)


def test_another_end_is_no_success(phone):
    phone.led = lambda shown, what: "Sold" if shown == "List" else ORDER[shown]
    phone.screens["Sold"] = (node(text="Sold out"),)
    result = verdict_of(phone)
    assert (result.status, result.verdict.holds, result.stopped_at) == (ReplayStatus.FAILED, False, None)
    assert "Sold out" in result.verdict.detail


def test_without_a_final_state_the_steps_are_all_there_is(phone):
    assert verdict_of(phone, STEPS_MADE[:2]).verdict.by == BY_STEPS


def test_an_app_with_a_name_alone_is_recorded_with_its_package_and_what_was_asked(phone, monkeypatch):
    icon = "1 activities found:\n  Activity #0:\n      name=a.b.Main\n      packageName=a.b\n"
    label = "      labelRes=0x0 nonLocalizedLabel=Shop icon=0x0\n"
    shell = phone.shell

    def answer(command, **more):
        if "query-activities" in command:
            return ShellResult(f"{icon}{label}".encode(), b"", 0)
        return shell(command, **more)

    monkeypatch.setattr(phone, "shell", answer)
    recorded = []

    class Run:
        def step(self, _screen, action, _acted_ns, *, predicted, **_more):
            recorded.append((action, predicted))

    replay = Replay(RecordedScreens(STEPS_MADE), phone.phone, run=Run())
    replay.do(OpenApp(name="shop"), replay.observer.look())
    assert recorded == [(OpenApp("a.b", "shop"), OpenApp(name="shop"))]
    assert phone.commands[-1].endswith("-n a.b/.Main")


class TurnedPhone(FakePhone):
    """A phone that turns as its settings say."""

    quarters = 0

    def shell(self, command, **more):
        result = super().shell(command, **more)
        line = self.commands[-1]
        if found := re.search(r"user_rotation (\d)", line):
            self.quarters = int(found[1])
        if "wm size" in line:
            return ShellResult(
                f"Physical size: {SCREEN}\nmCurrentRotation={self.quarters}\n".encode(), b"", 0
            )
        return result


def test_a_phone_is_turned_as_it_lay_when_the_step_was_recorded():
    phone = TurnedPhone(dict(SCREENS), "Home", led=lambda shown, what: ORDER[shown])
    upright, wide, end = STEPS_MADE
    state = dataclasses.replace(wide.state, size=SCREEN.transposed, rotation=1)
    result = replay_of(phone, [upright, dataclasses.replace(wide, state=state), end]).run()
    assert result.status is ReplayStatus.DONE
    turns = [line for line in phone.commands if "user_rotation" in line]
    assert turns == ["settings put system accelerometer_rotation 0; settings put system user_rotation 1"]
    assert phone.quarters == 1


class TurningPhone(TurnedPhone):
    """A phone that turns by itself some looks after a touch, as the recorded one did."""

    since = 0

    def screen(self):
        self.since += bool(self.touched)
        if self.since > 6:
            self.quarters = 1
        moment = super().screen()
        xml = hierarchy(*self.screens[self.shown], rotation=self.quarters).encode()
        return dataclasses.replace(
            moment, snapshot=dataclasses.replace(moment.snapshot, xml=xml, tree=parse_tree(xml))
        )


@pytest.mark.parametrize("turns_s", [60, 0])
def test_a_phone_that_turned_by_itself_is_given_time_before_it_is_turned(monkeypatch, turns_s):
    monkeypatch.setattr("collector.replay.replay.TURNS_BY_ITSELF_S", turns_s)
    phone = TurningPhone(dict(SCREENS), "Home", led=lambda shown, what: ORDER[shown])
    wide = dataclasses.replace(STEPS_MADE[1].state, size=SCREEN.transposed, rotation=1)
    steps = [
        STEPS_MADE[0],
        recorded_step(None, index=1, activity=".List"),
        dataclasses.replace(STEPS_MADE[1], index=2, state=wide),
    ]
    replay = Replay(
        RecordedScreens(steps, ("Home", "List", "List")), phone.phone, ReplayOptions(patience_s=9)
    )
    assert replay.prepare() is None
    assert [replay.advance().status for _step in range(2)] == [ReplayStatus.DONE] * 2
    assert any("user_rotation" in line for line in phone.commands) == (turns_s == 0)


def test_an_app_that_does_not_turn_is_asked_once(phone):
    upright, wide, end = STEPS_MADE
    state = dataclasses.replace(wide.state, size=SCREEN.transposed, rotation=3)
    replay_of(phone, [upright, dataclasses.replace(wide, state=state), end]).run()
    assert sum("user_rotation 3" in line for line in phone.commands) == 1
