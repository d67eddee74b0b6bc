"""Judge a recorded trajectory by the rules of its project: its essential states and its success rule.

Success is validated after every action, and at once on a completion signal (D-GARA, section 3.3). Without a
signal before the end a run is uncompleted (ProBench, section 3.4); a person who finished a recording claims
that the task is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from collector.judge.answer_match import answer_matches
from collector.judge.judge import Window
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_course import RuleCourse
from collector.model.expected_answer import ExpectedAnswer
from collector.model.i18n import _
from collector.model.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    RULE,
    STATE,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.rules.evaluation import explanation
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.proof_summary import summarize_proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import states_judged_by_rules
from collector.rules.grammar.model import WAYMARK, Rule
from collector.rules.grammar.plain import plain_rule

RULES_JUDGE = "rules"
_MOST_LACKING = 3


@dataclass(frozen=True, slots=True)
class RuleJudge:
    """The judge that needs nothing but the rules. It looks at all states, whatever the windows."""

    semantics: str = WAYMARK
    images: ImageFinder | None = None
    name: ClassVar[str] = RULES_JUDGE
    kind: ClassVar[str] = RULE

    def judge(self, trajectory: JudgedTrajectory, _windows: Sequence[Window] = ()) -> Iterator[Judgement]:
        """One judgement for each essential state that has conditions, in their order, then the task's."""
        course = self._follow(trajectory)
        version, now = self._version(trajectory), datetime.now(UTC).isoformat(timespec="seconds")
        judged = states_judged_by_rules(trajectory.states)
        verdicts = [
            _state_verdict(state, course, trajectory) for state in trajectory.states if state.id in judged
        ]
        for subject, verdict, reason, proof in [*verdicts, _task_verdict(course, trajectory)]:
            yield Judgement(self.name, self.kind, version, subject, verdict, None, reason, proof, time=now)

    def _follow(self, trajectory: JudgedTrajectory) -> RuleCourse:
        course = RuleCourse(trajectory.states, trajectory.success, self.semantics, self.images)
        for index, step in enumerate(trajectory.steps):
            course.see(trajectory.view(index), step.action)
        if course.claimed is None and not trajectory.header.is_run:
            course.claimed = len(trajectory.steps)
        return course

    def _version(self, trajectory: JudgedTrajectory) -> str:
        """A digest of everything the verdicts depend on beside the recording."""
        rules = [*trajectory.states, *([trajectory.success] if trajectory.success is not None else [])]
        task = trajectory.task
        given: list[Any] = [self.semantics, [[rule.id, rule.kind, plain_rule(rule)] for rule in rules]]
        if task is not None:
            given += [list(task.essential_states), task.human_validation, str(task.expected_answer)]
        return hashlib.sha256(json.dumps(given, sort_keys=True, default=str).encode()).hexdigest()[:12]


_Verdict = tuple[Subject, str, str, dict[str, Any]]
"""Subject, verdict, reason and proof."""


def _state_verdict(state: Rule, course: RuleCourse, trajectory: JudgedTrajectory) -> _Verdict:
    reached = course.reached.get(state.id)
    if reached is not None:
        index, proof = reached[0] - 1, reached[1]
        instead = [other for other in state.alternatives if other in course.reached]
        if not proof.holds and instead:
            reason = _("{state} was reached, which counts as this one", state=instead[0])
        else:
            reason = summarize_proof(proof, trajectory.view(index))
        return Subject(STATE, state.id, index, index), REACHED, reason, _proof(index, reason)
    waits = course.tracker.waits_for(state)
    if waits:
        reason = _("It waits for {states}, not reached", states=", ".join(waits))
        return Subject(STATE, state.id), MISSED, reason, {}
    nearest = course.tracker.nearest.get(state.id)
    if nearest is None:
        return Subject(STATE, state.id), MISSED, _("The trajectory has no states"), {}
    index = nearest[0] - 1
    reason = "; ".join(_lacking(nearest[1], trajectory.view(index)))
    return Subject(STATE, state.id), MISSED, reason, _proof(index, reason)


def _lacking(proof: Proof, view: StateView) -> list[str]:
    """What was missing on a screen, a sentence for each of the first conditions that do not hold."""
    lacking = [leaf for leaf in proof.leaves() if not leaf.holds][:_MOST_LACKING]
    sentences = []
    for leaf in lacking or [proof]:
        near = [
            f"{node.label or node.short_id} ({tag})" for node, tag in explanation.near_nodes(leaf, view)[:1]
        ]
        said = f"{explanation.sentence(leaf.condition)}: {explanation.reason(leaf, view)}"
        sentences.append(_("{said}, nearest {node}", said=said, node=near[0]) if near else said)
    return sentences


def _proof(index: int, summary: str) -> dict[str, Any]:
    return {"step": index, "summary": str(summary)}


def _task_verdict(course: RuleCourse, trajectory: JudgedTrajectory) -> _Verdict:
    verdict, reason, proof = _verdict_on(course, trajectory)
    return Subject(TASK), verdict, reason, proof


def _verdict_on(course: RuleCourse, trajectory: JudgedTrajectory) -> tuple[str, str, dict[str, Any]]:
    """Verdict on the task, reason and proof."""
    task = trajectory.task
    if task is None:
        return UNDECIDED, _("The project has no task {id}", id=trajectory.header.task_id), {}
    if task.human_validation:
        return UNDECIDED, _("People judge this task"), {}
    done, reason, proof = _conditions(course, trajectory)
    if task.expected_answer is not None:
        answered, said = _answer(course, task.expected_answer)
        if answered is None:
            return UNDECIDED, said, proof
        if not answered or not proof:
            done, reason = answered and done is not False, said
    if done:
        return SUCCESS, reason, proof
    if course.claimed is None:
        return UNCOMPLETED, _("It ended without a completion signal; {reason}", reason=reason), proof
    return (UNDECIDED if done is None else FAILURE), reason, proof


def _answer(course: RuleCourse, expected: ExpectedAnswer) -> tuple[bool | None, str]:
    """Whether the expected answer was given, with the reason; None when people have to say."""
    if course.answer is None:
        return False, _("No answer was given")
    matches = answer_matches(course.answer, expected)
    if matches is None:
        return None, _("No rule compares the answer with the expected one: people judge it")
    if matches:
        return True, _("The answer is the expected one")
    return False, _("The answer {answer!r} is not the expected one", answer=course.answer)


def _conditions(course: RuleCourse, trajectory: JudgedTrajectory) -> tuple[bool | None, str, dict[str, Any]]:
    """Whether what the rules ask for was there, with reason and proof; None when they cannot say."""
    if trajectory.success is not None:
        tried = course.succeeded or course.validated
        if tried is None:
            return False, _("Nothing was done"), {"rule": trajectory.success.id}
        index, proof = tried[0] - 1, tried[1]
        reason = summarize_proof(proof, trajectory.view(index))
        return proof.holds, reason, {"rule": trajectory.success.id, **_proof(index, reason)}
    needed = [state for state in trajectory.states if not state.optional]
    judged = states_judged_by_rules(trajectory.states)
    missed = [state.id for state in needed if state.id in judged and state.id not in course.reached]
    if missed:
        return False, _("Not reached: {states}", states=", ".join(missed)), {"missed": missed}
    unjudged = [state.id for state in needed if state.id not in judged]
    if unjudged:
        people = _("People judge {states}", states=", ".join(unjudged))
        return None, people, {"unjudged": unjudged}
    if not needed:
        return None, _("No rule judges this task: people do"), {}
    return True, _("Every essential state was reached"), {"reached": [state.id for state in needed]}
