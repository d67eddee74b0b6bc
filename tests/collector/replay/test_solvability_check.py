"""A task under anomalies on a virtual phone: solvable, with a way back, or stopped, and where."""

from __future__ import annotations

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injector import Injector
from collector.anomalies.reader import read_library
from collector.anomalies.trust.trust import CommandGate
from collector.device.errors import CallCancelled
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.task import Task
from collector.replay import replay
from collector.replay.outcomes import RecoveryMove
from collector.replay.replay_options import ReplayOptions
from collector.replay.solvability.cases import SolvabilityTask
from collector.replay.solvability.check import SolvabilityCheck
from collector.replay.solvability.report import as_csv, as_dict, as_markdown, row, summary
from collector.replay.solvability.trials import SolvabilityTrial, TrialResult
from collector.replay.task_steps import task_steps
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.grammar.model import INJECTION, SUCCESS, Group, Injection, Rule
from tests.helpers.golden import ADD_TASK, TODO

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
OWN = builtin_library()
REFUSED = read_library("""
anomalies:
  - id: refused
    target_activity: LowBatteryActivity
    params: {param_button_text: OK, param_log_event: LIKED}
    follow_up:
      accept: [{type: adb, command: "pm uninstall com.waymark.todo"}]
""")


@pytest.fixture
def check(phone, recording, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    injector = Injector(phone.device, gate=CommandGate(lambda command: True))

    def run(*anomalies, rules=(), rules_of=None, **more):
        options = ReplayOptions(fresh=True, patience_s=2.5)
        solvability = SolvabilityCheck(
            phone, injector, rules_of or (lambda task: TaskRules()), options, **more
        )
        run.solvability, run.steps = solvability, []
        solvability.step_begun.subscribe(run.steps.append)
        report = solvability.run([SolvabilityTask(ADD_TASK, [recording], rules)], lambda _case: anomalies)
        assert not injector.pending
        return report.trials

    yield run
    injector.close()


def outcome_of(trial):
    return trial.result, trial.answer, trial.met_at, trial.ways


def test_dialogs_are_answered_and_what_follows_is_left_again(check):
    quiet, opens = check(OWN.get("battery_low_double_en"), answer="each", at="3")[::-1]
    assert outcome_of(quiet) == (TrialResult.SOLVABLE, "deny", 3, ())
    assert outcome_of(opens) == (TrialResult.RECOVERED, "accept", 3, (RecoveryMove.BACK,))
    assert opens.why == ""


def test_an_app_that_was_ended_is_opened_and_gone_through_again(check):
    (trial,) = check(OWN.get("app_frozen_single_en"), at="3")
    assert outcome_of(trial) == (
        TrialResult.RECOVERED,
        "accept",
        3,
        (RecoveryMove.REOPENED, RecoveryMove.REPEATED),
    )


def test_a_call_is_declined_and_a_crash_of_before_is_put_away(check, phone):
    phone.device.shell(f"am crash {TODO}")
    (trial,) = check(OWN.get("incoming_call"), at="3")
    assert outcome_of(trial) == (TrialResult.RECOVERED, "", 3, (RecoveryMove.ANSWERED,))


def test_where_it_stops_is_told_with_what_is_there(check, monkeypatch):
    monkeypatch.setattr("collector.replay.solvability.check.ReplayRecovery.find", lambda self, failed: failed)
    (trial,) = check(OWN.get("app_frozen_single_en"), at="5")
    assert (trial.result, trial.met_at, trial.stops_at) == (TrialResult.STOPS, 5, 5)
    assert "Expected:" in trial.why
    assert row(trial)[4] == "stops at step 6"


def test_what_a_phone_cannot_have_and_what_does_not_follow_is_told(check):
    cannot, refused = check(OWN.get("permission_revoked"), REFUSED.get("refused"))
    assert cannot.result is TrialResult.NOT_MET
    assert cannot.why
    assert refused.result is TrialResult.SOLVABLE
    assert "pm uninstall" in refused.problems[0]
    assert "pm uninstall" in row(refused)[-2]


def activity_rule(kind, activity, **more):
    return Rule(
        kind=kind, conditions=Group(conditions=(CurrentActivityIs(value=f"{TODO}{activity}"),)), **more
    )


def test_the_task_s_rule_says_when_it_is_met(check):
    injects = (Injection(interference_id="battery_low_double_en"),)
    low = OWN.get("battery_low_double_en")
    (trial,) = check(low, rules=[activity_rule(INJECTION, ".EditActivity", id="edit", actions=injects)])
    assert outcome_of(trial) == (TrialResult.SOLVABLE, "deny", 2, ())
    (never,) = check(low, rules=[activity_rule(INJECTION, ".Nowhere", id="never", actions=injects)])
    assert (never.result, never.met_at) == (TrialResult.NOT_MET, None)
    (no_step,) = check(low, at="77")
    assert no_step.result is TrialResult.NOT_MET


def test_a_golden_that_cannot_be_replayed_is_told_apart(check):
    rule = Rule(
        id="gone", kind=SUCCESS, conditions=Group(conditions=(ElementExists(selector="text='Cake'"),))
    )
    (trial,) = check(OWN.get("login_wall"), rules_of=lambda task: TaskRules(success=rule))
    assert (trial.result, trial.anomaly, trial.stops_at) == (TrialResult.BROKEN, "", None)
    assert "gone" in trial.why


def test_a_task_without_golden_trajectory_is_told(phone):
    solvability = SolvabilityCheck(phone, Injector(phone.device))
    check = solvability.run([SolvabilityTask(Task("none", "Nothing"))], lambda _case: ())
    assert check.trials[0].result is TrialResult.BROKEN
    assert not check.is_solvable
    assert as_dict(check)["counts"]["broken"] == 1
    assert summary(check.trials) == "cannot be replayed: 1"


def test_what_it_is_at_is_told_step_by_step(check):
    check(OWN.get("login_wall"), at="3")
    seen = check.steps
    assert {(step.task, step.steps) for step in seen} == {("todo-add", 6)}
    plain = [step.step for step in seen if not step.anomaly]
    under = [step.step for step in seen if step.anomaly == "login_wall"]
    assert list(dict.fromkeys(plain)) == list(dict.fromkeys(under)) == [0, 1, 2, 3, 4, 5]


def test_steps_a_replay_leaves_out_count_among_those_of_the_trajectory(check, monkeypatch):
    monkeypatch.setattr(replay, "task_steps", lambda steps, app: task_steps(steps, app)[1:])
    check(OWN.get("login_wall"), at="3")
    assert check.steps
    assert {step.steps for step in check.steps} == {6}
    assert all(step.step < step.steps for step in check.steps)


def test_tables_are_safe_for_what_reads_them():
    trials = [
        SolvabilityTrial(
            "=todo", "g", "low|high", "deny", TrialResult.STOPS, 0, 4, why="not\nhere", seconds=1.0
        )
    ]
    text = as_csv(trials)
    assert text.splitlines()[0] == 'Task,Anomaly,Answer,Before step,Result,"What it took, or why not",Run'
    assert text.splitlines()[1].startswith("'=todo,low|high,deny,1,stops at step 5,")
    head, rule, line = as_markdown(trials).splitlines()
    assert head.startswith("| Task | Anomaly | Answer |")
    assert rule == "| --- | --- | --- | --- | --- | --- | --- |"
    assert line == "| =todo | low\\|high | deny | 1 | stops at step 5 | not here |  |"


def test_it_can_be_cancelled_and_keeps_what_it_found(check):
    low = OWN.get("battery_low_double_en")
    anomalies = (OWN.get("login_wall"), low)

    def stop_after_first(self, trial):
        self.trials.append(trial)
        self.cancelled.set()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SolvabilityCheck, "_end_trial", stop_after_first)
        with pytest.raises(CallCancelled):
            check(*anomalies)
    assert [trial.anomaly for trial in check.solvability.trials] == ["login_wall"]
