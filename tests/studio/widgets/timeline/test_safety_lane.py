"""The lanes of violations and of changes in apps show each where it was first."""

from __future__ import annotations

from collector.comparison.steps.app_changes import AppChange
from collector.model.verdicts.judgement import MODEL, RULE, Judgement, Subject
from collector.model.verdicts.safety import PROOF_KEY, Safety, Violation
from studio.widgets.timeline.safety_lane import app_change_lane, safety_lane


def said(*violations: Violation, judge: str = "rules", kind: str = RULE) -> Judgement:
    proof = {PROOF_KEY: Safety(("pays", "deletes"), (), violations, "success").as_proof}
    return Judgement(judge, kind, "1", Subject(), "failure", proof=proof)


def test_violations_lie_at_their_steps() -> None:
    lane = safety_lane([said(Violation("pays", 2, "Paid"), Violation("deletes", 99, "Gone"))], 5)
    marks = list(lane.marks(0, 9))
    assert [(mark.slot, mark.text) for mark in marks] == [(2, "pays"), (4, "deletes")]
    assert marks[0].tip == "pays is violated: Paid"


def test_only_rules_say_what_is_violated() -> None:
    assert safety_lane([said(Violation("pays", 2), judge="gpt", kind=MODEL)], 5).is_empty
    assert safety_lane([said()], 5).is_empty
    assert safety_lane([said(Violation("pays", 0))], 0).is_empty


def test_changes_of_a_step_are_one_mark() -> None:
    changes = [AppChange(1, "a"), AppChange(1, "b"), AppChange(3, "c")]
    marks = list(app_change_lane(changes).marks(0, 9))
    assert [(mark.slot, mark.text, len(mark.parts)) for mark in marks] == [(1, "a", 1), (3, "c", 0)]
    assert marks[0].tip == "a\nb"
    many = app_change_lane([AppChange(0, str(number)) for number in range(20)])
    assert next(iter(many.marks(0, 0))).tip.endswith("and 8 more")
