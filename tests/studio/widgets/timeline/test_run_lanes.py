"""The lanes of a run: thoughts as long as they held, and the verdicts of each judge."""

from __future__ import annotations

from dataclasses import replace

from collector.model.predictions import invalid_of, was_changed
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.trajectory.recorded_moments import RecordedDeviceEvent, RecordedRuleHit
from studio.widgets.captions.step_text import step_badges
from studio.widgets.timeline.lanes import MarkPart
from studio.widgets.timeline.run_lanes import LatencyLane, device_event_lane, rule_hit_lane
from studio.widgets.timeline.thoughts import thought_lane
from studio.widgets.timeline.verdicts import judgement_line, verdict_lanes
from studio.widgets.wrapped_text import tooltip_text
from tests.helpers.aligned_steps import agent_steps
from tests.helpers.sample_run import INVALID, run_judgements, run_steps
from tests.helpers.steps import step


def test_a_thought_is_a_bar_until_the_next_one_and_ends_before_the_final_state(dressed):
    lane = thought_lane(run_steps())
    assert [(mark.slot, mark.bar, mark.is_plain_bar) for mark in lane.given] == [
        (0, 1, True), (1, 2, True), (3, 1, True),
    ]  # fmt: skip
    assert thought_lane([step(number) for number in range(3)]).is_empty()
    same = run_steps()
    same[1] = replace(same[1], agent=same[0].agent)
    assert [mark.bar for mark in thought_lane(same).given] == [3, 1]
    long = replace(same[0], agent=replace(same[0].agent, thought="so much to think about\n" * 10_000))
    (mark,) = thought_lane([long]).given
    assert len(mark.text) < 500
    assert len(tooltip_text(mark.tip).splitlines()) == 20


def test_a_rule_that_fired_has_its_name_and_what_follows_from_it_is_no_news():
    hits = [
        RecordedRuleHit(1, "b", "near"),
        RecordedRuleHit(1, "low_on_results", "fired", anomaly="battery_low"),
        RecordedRuleHit(2, "low_on_results", "suppressed", "once"),
        RecordedRuleHit(3, "low_on_results", "suppressed", "chance"),
    ]
    first, second = rule_hit_lane(hits).given
    assert (first.slot, first.text, first.icon, first.tone) == (1, "low_on_results", "state-fire", "accent")
    assert first.parts == (MarkPart("state-near", ""),)
    assert first.tip == "low_on_results: fires · battery_low\nb: near miss"
    assert (second.slot, second.text, second.icon) == (3, "", "state-never")
    assert second.tip == "low_on_results: suppressed · The draw went against it"


def test_device_events_are_named_and_a_lost_phone_stands_out():
    events = [
        RecordedDeviceEvent(2, "rotated", "90"),
        RecordedDeviceEvent(2, "taken_over", "lin"),
        RecordedDeviceEvent(4, "phone_lost", "It is gone"),
    ]
    first, lost = device_event_lane(events).given
    assert (first.text, [part.text for part in first.parts]) == ("screen turned", ["taken over"])
    assert first.tip == "screen turned: 90°\ntaken over: lin"
    assert (lost.icon, lost.tone, lost.tip) == ("state-err", "err", "phone lost: It is gone")


def test_latency_is_a_column_as_high_as_its_share_of_the_longest():
    steps = agent_steps(4)
    lane = LatencyLane([*steps, step(4)], 800)
    assert [(mark.slot, mark.level, mark.text) for mark in lane.marks(0, 9)] == [
        (0, 0.125, "0.1 s"), (1, 0.25, "0.2 s"), (2, 0.375, "0.3 s"), (3, 0.5, "0.4 s"),
    ]  # fmt: skip
    assert next(iter(lane.marks(1, 1))).tip == "think: 0.2 s"
    assert LatencyLane([step(0)], 800).is_empty()


def test_each_judge_has_a_lane_states_stand_at_their_step_and_the_task_at_the_end():
    window = Judgement("a3", "model", "", Subject("window", "sorted", 1, 2), "reached", 0.8)
    empty = replace(window, subject=Subject("window", "paid", 0, 3), verdict="missed")
    late = replace(window, subject=Subject("state", "sorted", 99, 99))
    lanes = verdict_lanes([*run_judgements(), window, empty, late], 5, {"sorted": "Sorted by price"})
    assert [(lane.title, lane.icon) for lane in lanes] == [
        ("a3", "cpu"), ("rules", "rules"), ("sara", "user"),
    ]  # fmt: skip
    assert [(mark.slot, mark.text) for mark in lanes[0].given] == [
        (2, "Sorted by price"), (4, "Sorted by price"),
    ]  # fmt: skip
    end = lanes[1].given[-1]
    assert (end.icon, [part.icon for part in end.parts]) == ("state-err", ["state-err"])
    assert "task: failure, confidence 0.90 · 2 states were missed" in end.tip
    assert "in-cart: missed" in end.tip
    assert verdict_lanes(run_judgements(), 0) == ()
    assert judgement_line(window) == "sorted, steps 2 to 3: reached, confidence 0.80"


def test_a_step_says_when_an_answer_was_invalid_or_something_else_was_executed():
    plain, elsewhere, invalid, done, _final = run_steps()
    assert [was_changed(each) for each in (plain, elsewhere, invalid, done)] == [False, True, False, False]
    assert invalid_of(invalid) is INVALID
    assert [badge.text for badge in step_badges(elsewhere)] == ["not as predicted"]
    (badge,) = step_badges(invalid)
    assert (badge.text, badge.tone, badge.state_icon) == ("invalid action", "err", "state-err")
    waited = replace(invalid, action=plain.action)  # what a framework may do in its place
    assert [badge.text for badge in step_badges(waited)] == ["invalid action"]
    nothing = replace(plain, action=None)
    assert was_changed(nothing)
