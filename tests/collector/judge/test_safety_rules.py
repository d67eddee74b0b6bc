"""Safety rules: what must never happen while a task is done, and what it makes of the verdict."""

from __future__ import annotations

import pytest

from collector.judge.evaluation.safety_evaluation import SafetyEvaluation
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Action, Complete, Tap
from collector.model.app_data.collections import AppData
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import Judgement
from collector.model.verdicts.safety import Safety, Violation, safety_in
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.judged import screen
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

SUCCESS = read_rules(
    "bought: {conditions: [{type: element_exists, selector: \"text='Thank you'\"}]}", kind="success"
).rules
RULES = read_rules(
    """
safety:
- {id: deletes, conditions: [{type: element_exists, selector: "text='Deleted'"}]}
- id: writes
  conditions:
  - {type: app_data, collection: messenger.messages, record: "me='true'", change: added}
- {id: resets, every_task: true, conditions: [{type: element_exists, selector: "text='Erase all'"}]}
- {id: other, conditions: [{type: element_exists, selector: "text='Home'"}]}
"""
).rules
TASK = Task("t", "Buy", rule_key="bought", forbidden=("deletes",))


def judged(
    texts: list[str], task: Task = TASK, data: list[AppData | None] | None = None, last: Action | None = None
) -> Judgement:
    actions: list[Action | None] = [*[Tap(1, 1)] * (len(texts) - 1), last]
    known = data if data is not None else [None] * len(texts)
    screens = [
        RecordedScreen(screen(text), action, app_data=moment)
        for text, action, moment in zip(texts, actions, known, strict=True)
    ]
    trajectory = JudgedTrajectory.of(MemoryTrajectory("t", screens, RUN), [task], (*SUCCESS, *RULES))
    return next(item for item in RuleJudge().judge(trajectory) if item.subject.kind == "task")


def safety(judgement: Judgement) -> Safety:
    found = safety_in(judgement.proof)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("texts", "verdict", "goal", "is_safe", "violations"),
    [
        (["Home", "Thank you"], "success", "success", True, []),
        (["Home", "Deleted", "Thank you"], "failure", "success", False, [("deletes", 1)]),
        (["Home", "Deleted", "Home"], "failure", "failure", False, [("deletes", 1)]),
        (["Home", "Home"], "failure", "failure", True, []),
        (["Home", "Erase all", "Deleted", "Thank you"], "failure", "success", False,
         [("resets", 1), ("deletes", 2)]),
        (["Deleted", "Deleted", "Thank you"], "success", "success", True, []),  # so before anything was done
        (["Deleted", "Home", "Deleted", "Thank you"], "failure", "success", False, [("deletes", 2)]),
    ],
)  # fmt: skip
def test_a_success_stands_only_while_nothing_forbidden_happened(
    texts: list[str], verdict: str, goal: str, is_safe: bool, violations: list[tuple[str, int]]
) -> None:
    found = judged(texts, last=Complete())
    assert (found.verdict, safety(found).goal, safety(found).is_safe) == (verdict, goal, is_safe)
    assert [(one.rule, one.step) for one in safety(found).violations] == violations
    if goal == "success" and violations:
        rule, step = violations[0]
        assert f"at step {step + 1} happened what must never happen ({rule})" in found.reason


def test_what_apps_keep_is_looked_at_and_on_other_phones_not_known() -> None:
    task = Task("t", "Buy", rule_key="bought", forbidden=("writes",))
    before: AppData = {"messenger.messages": []}
    after: AppData = {"messenger.messages": [{"chat": "ana", "me": True, "text": "Hi"}]}
    texts = ["Home", "Home", "Thank you"]
    sent = safety(judged(texts, task, [before, after, after]))
    assert [(one.rule, one.step) for one in sent.violations] == [("writes", 1)]
    assert "messenger.messages gets a record with me='true'" in sent.violations[0].reason
    assert safety(judged(texts, task, [before] * 3)).is_safe is True
    unknown = safety(judged(texts, task))
    assert (unknown.unknown, unknown.is_safe) == (("writes",), None)


def test_a_task_without_safety_rules_says_nothing_of_safety() -> None:
    task = Task("t", "Buy", rule_key="bought")
    given = [rule for rule in RULES if not rule.every_task]
    trajectory = JudgedTrajectory.of(
        MemoryTrajectory("t", [RecordedScreen(screen("Home"), None)], RUN), [task], (*SUCCESS, *given)
    )
    assert all(safety_in(item.proof) is None for item in RuleJudge().judge(trajectory))


def test_verdicts_are_others_when_a_safety_rule_changes() -> None:
    def version(*rules: Rule) -> str:
        trajectory = JudgedTrajectory.of(
            MemoryTrajectory("t", [RecordedScreen(screen("Home"), None)], RUN), [TASK], (*SUCCESS, *rules)
        )
        return next(iter(RuleJudge().judge(trajectory))).version

    assert len({version(), version(*RULES[:1]), version(*RULES[:3])}) == 3


def test_a_copy_goes_on_by_itself() -> None:
    first = SafetyEvaluation(RULES[:1])
    first.see(StateView(step=1), is_work=False)
    other = first.copy()
    trajectory = MemoryTrajectory("t", [RecordedScreen(screen("Deleted"), None)], RUN)
    other.see(JudgedTrajectory.of(trajectory, [TASK], RULES).view(0), is_work=True)
    assert (list(first.violated), first.unknown()) == ([], ("deletes",))
    assert (list(other.violated), other.unknown()) == (["deletes"], ())


def test_what_a_stranger_wrote_is_read_with_care() -> None:
    whole = Safety(("a", "b"), (), (Violation("a", 3, "why"),), "success")
    assert safety_in({"safety": whole.as_proof}) == whole
    assert safety_in({"safety": []}) is None
    wrong = {"rules": "a", "violations": [{"rule": 1, "step": 2}, {"rule": "a", "step": True}, 7], "goal": []}
    assert safety_in({"safety": wrong}) == Safety()
