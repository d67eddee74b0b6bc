"""Anomalies in the cycle: when they come, what becomes of them, and D-GARA's own order."""

from __future__ import annotations

from collector.model.action import Complete, Key, Tap, Wait
from collector.run.cycle.episode_anomalies import EpisodeAnomalies
from collector.run.experiment.model import PlannedInjection, RunCondition
from tests.helpers.cycle_room import ONE_BUTTON, TWO_BUTTONS, WAY, planned, press

TO_CART = [press(label) for label in WAY]
DENY = press("Not now")
BY_RULES = RunCondition("rules", rules=())


def transitions(room, result):
    events = room.stored(result).events()
    return [line["transition"] for line in events if line["kind"] == "anomaly"]


def test_an_anomaly_comes_before_its_step_and_the_agent_sees_it(room):
    result = room.run([TO_CART[0], DENY, *TO_CART[1:], Complete()], planned(TWO_BUTTONS, 2))
    assert (result.outcome.status, result.steps) == ("success", 6)
    assert room.agent.seen[1].screen.package == "com.example.adbsmarttest"
    assert transitions(room, result) == ["injected", "answered", "followed"]
    stored = room.stored(result)
    (interruption,) = stored.interruptions()
    assert (interruption.anomaly, interruption.answer) == (TWO_BUTTONS, "deny")
    (line,) = room.lines(result, "inject")
    assert line["state"]["package"] == "com.example.shop"
    assert b"Screen front" in stored.blob(line["state"]["tree"])
    assert stored.header.episode.buttons == 2
    again = room.recomputed(result)
    assert again.is_equal
    assert (again.counts["injection"], again.counts["decision"]) == (2, 6)


def test_a_dialog_is_followed_until_it_is_over(room):
    answers = [TO_CART[0], Wait(1), Tap(54, 220), DENY, *TO_CART[1:], Complete()]
    result = room.run(answers, planned(TWO_BUTTONS, 2), budget=9)
    assert transitions(room, result) == ["injected", "answered", "followed"]
    assert [line["dialog"] for line in room.lines(result, "follow_up")] == [True, True, False]
    assert [line["dialog"] for line in room.lines(result, "decide")][1:4] == [False, True, True]
    assert room.recomputed(result).is_equal


def test_a_follow_up_changes_the_screen_which_is_read_once_more(room):
    result = room.run([press("Shop"), press("Open battery saver"), Complete()], planned(TWO_BUTTONS, 2))
    assert "followed" in transitions(room, result)
    assert any("BATTERY_SAVER" in command for command in room.phone.commands)
    order = [(line["phase"], line["number"]) for line in room.lines(result)]
    at = order.index(("follow_up", 3))
    assert order[at - 1 : at + 2] == [("settle", 3), ("follow_up", 3), ("settle", 3)]
    assert room.recomputed(result).is_equal


def test_what_is_left_of_an_anomaly_is_undone_at_the_end(room):
    result = room.run([press("Shop"), Complete()], planned(TWO_BUTTONS, 2))
    assert transitions(room, result) == ["injected", "undone"]
    assert room.phone.dialog is None


def test_what_a_killed_runner_left_is_undone_before_the_next_episode(room, monkeypatch):
    monkeypatch.setattr(EpisodeAnomalies, "undo", lambda _anomalies: [])
    room.run([press("Shop"), Complete()], planned(TWO_BUTTONS, 2))
    monkeypatch.undo()
    assert room.phone.dialog is not None
    room.phone.commands.clear()
    room.run([Complete()])
    assert "am force-stop com.example.adbsmarttest" in room.phone.commands
    assert room.phone.dialog is None


def test_several_anomalies_come_one_after_the_other(room):
    condition = RunCondition("two", (PlannedInjection(TWO_BUTTONS, 2), PlannedInjection(ONE_BUTTON, 2)))
    answers = [TO_CART[0], DENY, press("Turn on"), press("OK"), *TO_CART[1:], Complete()]
    result = room.run(answers, condition, budget=12)
    injected = [line["anomaly"] for line in room.lines(result, "inject")]
    assert injected == [TWO_BUTTONS, ONE_BUTTON]
    assert [line["number"] for line in room.lines(result, "inject")] == [2, 3]
    assert room.recomputed(result).is_equal


def test_rules_inject_once_and_within_their_limit(room):
    answers = [*TO_CART[:2], DENY, TO_CART[2], Wait(1), press("Posters"), *TO_CART[2:], Complete()]
    result = room.run(answers, BY_RULES, budget=12)
    fired = [
        (line["number"], rule["rule"])
        for line in room.lines(result, "decide")
        for rule in line["rules"]
        if rule["outcome"] == "fired"
    ]
    assert fired == [(3, "at-posters")]
    limits = [rule for line in room.lines(result, "decide") for rule in line["rules"] if "reason" in rule]
    assert {rule["reason"] for rule in limits} >= {"limit"}
    assert room.recomputed(result).is_equal


def test_draws_are_the_same_for_the_same_seed_alone(room):
    def draws(seed):
        result = room.run([*TO_CART[:3], Wait(1), Wait(2), Complete()], rules_named("maybe"), seed=seed)
        assert room.recomputed(result).is_equal
        decided = [rule for line in room.lines(result, "decide") for rule in line["rules"]]
        return [(rule["outcome"], rule.get("draw")) for rule in decided]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)


def rules_named(*names, **changes):
    return RunCondition("named", rules=names, **changes)


def test_dialogs_have_one_button_or_two_as_asked_for(room):
    result = room.run([TO_CART[0], Wait(1), Complete()], planned(TWO_BUTTONS, 2, buttons=1))
    (line,) = room.lines(result, "inject")
    assert (line["anomaly"], line["injected"]) == (TWO_BUTTONS, ONE_BUTTON)
    assert room.stored(result).header.episode.buttons == 1
    assert room.recomputed(result).is_equal


def test_an_anomaly_that_cannot_be_injected_ends_the_episode_as_a_fault_that_lasts(room):
    result = room.run([*TO_CART, Complete()], planned("no-such", 2))
    assert "no anomaly no-such" in result.outcome.infrastructure
    assert (result.trajectory, result.may_help_to_retry) == ("", False)
    room.phone.without_companion = True
    result = room.run([*TO_CART, Complete()], planned(TWO_BUTTONS, 2))
    assert "companion app is not on this phone" in result.outcome.infrastructure
    assert not result.may_help_to_retry
    assert result.phone_is_usable


def test_dgara_watches_the_answer_during_one_action_alone(room, monkeypatch):
    monkeypatch.setattr("collector.run.cycle.episode_anomalies.WATCH_S", 0.0)
    answers = [TO_CART[0], Wait(1), press("Open battery saver"), *TO_CART[1:]]
    result = room.run(answers, planned(TWO_BUTTONS, 2), semantics="dgara", ends="success")
    assert transitions(room, result) == ["injected", "unclear", "undone"]
    assert not any("BATTERY_SAVER" in command for command in room.phone.commands)
    assert (result.outcome.status, result.outcome.extra["ended_by"]) == ("success", "success")
    assert room.recomputed(result).is_equal


def test_dgara_validates_after_the_answer_and_its_follow_ups(room):
    answers = [TO_CART[0], press("Open battery saver"), *TO_CART[1:]]
    result = room.run(answers, planned(TWO_BUTTONS, 2), semantics="dgara", ends="success")
    order = [line["phase"] for line in room.lines(result) if line["number"] in (2, 3)]
    assert order == [
        "follow_up", "settle", "validate", "decide", "inject", "observe_again", "think", "act",
        "follow_up", "settle", "validate", "decide", "think", "act",
    ]  # fmt: skip
    assert "followed" in transitions(room, result)
    assert result.outcome.status == "success"


def test_dgara_calls_a_spent_budget_and_a_wrong_claim_failures(room):
    spent = room.run([Key("back"), Wait(1)], semantics="dgara", ends="success", budget=3, early_stop=0)
    wrong = room.run([Complete()], semantics="dgara", ends="success")
    assert [run.outcome.status for run in (spent, wrong)] == ["failure", "failure"]
    assert spent.outcome.extra["ended_by"] == "budget"
    assert room.recomputed(spent).is_equal
    assert room.recomputed(wrong).is_equal


def test_a_dialog_of_the_phone_itself_puts_an_injection_off(room, monkeypatch):
    from collector.anomalies.errors import DialogInFront
    from collector.anomalies.injector import Injector

    fire, refused = Injector.fire, []

    def refuse_once(self, request, cancel=None):
        if not refused:
            refused.append(request)
            raise DialogInFront("Nothing was injected", "a call lies on top")
        return fire(self, request, cancel)

    monkeypatch.setattr(Injector, "fire", refuse_once)
    result = room.run([TO_CART[0], TO_CART[1], DENY, *TO_CART[2:], Complete()], planned(TWO_BUTTONS, 2))
    first, second = room.lines(result, "inject")
    assert "a call lies on top" in first["refused"]
    assert second["number"] == 3
    assert result.outcome.status == "success"
    assert room.recomputed(result).is_equal


def test_changed_rules_are_reported_and_differ(room):
    result = room.run([*TO_CART, Complete()])
    rules = room.folder / "rules" / "success.yaml"
    rules.write_text(rules.read_text().replace("Screen cart", "Screen nowhere"))
    again = room.recomputed(result)
    assert again.rules_changed
    assert {difference.what for difference in again.differences} >= {"validation", "verdict", "outcome"}
    assert "success" in str(again.differences[-1])
    of_step = next(str(item) for item in again.differences if item.what == "validation")
    assert of_step.endswith("the validation was done: yes; holds: yes, and is done: no; holds: no now")


def test_a_state_on_the_screen_just_before_an_anomaly_is_reached_neither_live_nor_for_the_judge(room):
    front = "{type: element_exists, selector: \"text='Screen front'\"}"
    shop = "{type: current_package_is, value: com.example.shop}"
    states = f"states: [{{id: front, task: buy, conditions: [{front}, {shop}]}}]\n"
    (room.folder / "rules" / "states.yaml").write_text(states)
    result = room.run([TO_CART[0], Complete()], planned(TWO_BUTTONS, 2))
    assert room.lines(result, "validate")[1]["reached"] == ["front"]  # before it was decided to inject
    assert room.lines(result, "validate")[-1]["reached"] == []
    assert not [event.reached for event in room.events if event.kind == "states_reached" and event.reached]
    given = {item.subject.state: item.verdict for item in room.stored(result).judgements().judgements}
    assert given["front"] == "missed"
    assert room.recomputed(result).is_equal
    result = room.run([TO_CART[0], DENY, Complete()], planned(TWO_BUTTONS, 2))
    assert room.lines(result, "validate")[-1]["reached"] == ["front"]
    assert [event.reached for event in room.events if event.kind == "states_reached"][-1] == ("front",)
    assert room.recomputed(result).is_equal
