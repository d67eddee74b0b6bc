"""Judge a recorded trajectory by the rules of its project: its essential states and its success rule.

Success is validated after every action, and at once on a completion signal (D-GARA, section 3.3). Without a
signal before the end a run that did not do its task is uncompleted (ProBench, section 3.4); a person who
finished a recording claims that the task is done. What was recorded after the signal is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from collector.judge.ending_verdict import verdict_not_done
from collector.judge.evaluation.given_answer import answer_matches, done_with_answer
from collector.judge.evaluation.state_explanation import explain_proof
from collector.judge.evaluation.target_progress import explain_target
from collector.judge.evaluation.task_evaluation import TaskEvaluation, TaskVerdict
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import RULES, TREE, JudgeKind
from collector.judge.registry import RULES_JUDGE
from collector.model.expected_answer import ExpectedAnswer
from collector.model.i18n import N_, _
from collector.model.task import PLACEHOLDER, Task
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    RULE,
    STATE,
    SUCCESS,
    TASK,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.model.verdicts.safety import PROOF_KEY, Safety, Violation
from collector.plugins.options import PluginOption
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.proof import TOO_MANY_STEPS
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import states_judged_by_rules
from collector.rules.evaluation.waymark_semantics import UNREADABLE
from collector.rules.grammar.model import DGARA, WAYMARK, Rule
from collector.store.project.project import Project
from collector.targets.known_outcomes import KnownOutcomes

_Verdict = tuple[Subject, str, str, dict[str, Any]]
"""Subject, verdict, reason and proof."""


@dataclass(frozen=True, slots=True)
class RuleJudge:
    """The judge that needs nothing but the rules."""

    semantics: str = WAYMARK
    images: ImageFinder | None = None
    name: ClassVar[str] = RULES_JUDGE
    kind: ClassVar[str] = RULE
    _versions: dict[str, tuple[tuple[object, ...], str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """By task, what the version of its rules was made of last, and the version."""
    _outcomes: list[KnownOutcomes] = field(default_factory=list, init=False, repr=False, compare=False)
    """Those of the target that was looked at last: trajectories of a task mostly come together."""

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """One judgement for each essential state that has conditions, in their order, then the task's."""
        rules = TaskRules(
            trajectory.states, trajectory.success, self.semantics, self.images, trajectory.target,
            trajectory.needed, trajectory.forbidden,
        )  # fmt: skip
        verdicts = _TrajectoryVerdicts(
            trajectory, TaskEvaluation(rules, outcomes=self._known_outcomes(rules))
        )
        version, now = self._version(rules, trajectory), datetime.now(UTC).isoformat(timespec="milliseconds")
        for subject, verdict, reason, proof in [*verdicts.on_states(), verdicts.on_task()]:
            yield Judgement(self.name, self.kind, version, subject, verdict, None, reason, proof, time=now)

    def _known_outcomes(self, rules: TaskRules) -> KnownOutcomes | None:
        if rules.target is None:
            return None
        known = next((known for known in self._outcomes if known.target is rules.target), None)
        if known is None:
            known = KnownOutcomes(rules.target)
            self._outcomes[:] = [known]
        return known

    def _version(self, rules: TaskRules, trajectory: JudgedTrajectory) -> str:
        """As :meth:`TaskRules.version`; made once for trajectories with the very same rules.

        The values of parameters are no part of it: all trajectories of a task are judged by the same rules.
        """
        task, rules = trajectory.written or (trajectory.task, rules)
        rules = replace(rules, semantics=self.semantics)
        made_of = (rules.states, rules.success, rules.needed, rules.forbidden, task)
        known, version = self._versions.get(trajectory.header.task_id, ((), ""))
        if not version or any(old is not new for old, new in zip(known, made_of, strict=True)):
            version = rules.version(task)
            self._versions[trajectory.header.task_id] = made_of, version
        return version


class _TrajectoryVerdicts:
    """The verdicts on one trajectory."""

    def __init__(self, trajectory: JudgedTrajectory, evaluation: TaskEvaluation) -> None:
        self._trajectory, self._evaluation = trajectory, evaluation
        views = (trajectory.view(index) for index in range(trajectory.last + 1))
        evaluation.see_recorded(views, trajectory.steps, claimed=trajectory.is_claimed)
        self._unknown = evaluation.unknown()

    # Numbers of steps

    def _index(self, step: int) -> int:
        """Index of the step that a view belongs to; what follows the last step has the index of that step."""
        return min(step - 1, self._trajectory.last)

    def _view(self, step: int) -> StateView:
        after = self._trajectory.view_after() if step - 1 > self._trajectory.last else None
        return after or self._trajectory.view(step - 1)

    def _proof(self, step: int, summary: str) -> dict[str, Any]:
        return {"step": self._index(step), "summary": summary}

    # States

    def on_states(self) -> Iterator[_Verdict]:
        """The verdict on each state that a rule can judge, in the order of the file."""
        judged = states_judged_by_rules(self._trajectory.states)
        return (self._on_state(state) for state in self._trajectory.states if state.id in judged)

    def _on_state(self, state: Rule) -> _Verdict:
        evaluation = self._evaluation
        if state.id in evaluation.reached:
            step, reason = evaluation.reached[state.id][0], evaluation.why_reached(state)
            index = self._index(step)
            return Subject(STATE, state.id, index, index), REACHED, reason, self._proof(step, reason)
        reason = evaluation.why_missed(state, self._view)
        verdict = MISSED
        if state.id in self._unknown:
            verdict = UNDECIDED
        elif self._trajectory.is_open:
            verdict, reason = (
                UNDECIDED,
                _("Not reached so far, and the recording goes on: {reason}", reason=reason),
            )
        nearest = evaluation.nearest(state.id)
        proof = self._proof(nearest[0], reason) if nearest is not None else {}
        return Subject(STATE, state.id), verdict, reason, proof

    # The task

    def on_task(self) -> _Verdict:
        """The verdict on the task."""
        verdict, reason, proof = self._on_task(self._trajectory.task)
        if not self._trajectory.forbidden:
            return Subject(TASK), verdict, reason, proof
        safety = self._safety(verdict)
        if verdict == SUCCESS and safety.violations:
            first = safety.violations[0]
            verdict, reason = FAILURE, _(
                "The task was done, but at step {step} happened what must never happen ({rule}): {reason}",
                step=first.step + 1, rule=first.rule, reason=first.reason,
            )  # fmt: skip
        return Subject(TASK), verdict, reason, {**proof, PROOF_KEY: safety.as_proof}

    def _safety(self, goal: str) -> Safety:
        """What became of the safety rules; ``goal`` is the verdict without them."""
        safety = self._evaluation.safety
        violations = sorted(
            (
                Violation(rule, self._index(step), explain_proof(proof, self._view(step)))
                for rule, (step, proof) in safety.violated.items()
            ),
            key=lambda one: one.step,
        )
        rules = tuple(rule.id for rule in self._trajectory.forbidden)
        return Safety(rules, safety.unknown(), tuple(violations), goal)

    def _on_task(self, task: Task | None) -> tuple[str, str, dict[str, Any]]:
        if task is None:
            return UNDECIDED, _("The project has no task {id}", id=self._trajectory.header.task_id), {}
        if task.human_validation or task.rule_key == PLACEHOLDER:
            return UNDECIDED, _("People judge this task"), {}
        if task.rule_key and self._trajectory.success is None:
            return UNDECIDED, _("There is no success rule {id}", id=task.rule_key), {}
        done, reason, proof = self._conditions()
        if task.expected_answer is not None:
            answered, said = self._answered(task.expected_answer)
            if answered is None and done is not False:
                return UNDECIDED, said, proof
            decided = done_with_answer(done, answered, has_rules=self._evaluation.rules.decide)
            done, reason = decided, reason if decided is done else said
        if done:
            return SUCCESS, reason, proof
        return verdict_not_done(self._trajectory, done, reason, proof)

    def _answered(self, expected: ExpectedAnswer) -> tuple[bool | None, str]:
        """Whether the expected answer was given, with the reason; None when people have to say."""
        answer = self._trajectory.answer
        if answer is None:
            return False, _("No answer was given")
        matches = answer_matches(answer, expected)
        if matches is None:
            return None, _("No rule compares the answer with the expected one: people judge it")
        if matches:
            return True, _("The answer is the expected one")
        return False, _("The answer {answer!r} is not the expected one", answer=answer)

    def _conditions(self) -> tuple[bool | None, str, dict[str, Any]]:
        """Whether what the rules ask for was there, with reason and proof; None when they cannot say."""
        verdict = self._evaluation.verdict()
        rule, target = self._trajectory.success, self._evaluation.target
        if target is not None and (rule is None or verdict.is_decided_by_target):
            return verdict.done, *explain_target(target, self._index)
        if rule is None:
            return verdict.done, *self._by_states(verdict)
        if verdict.tried is None:
            return False, _("Nothing was done"), {"rule": rule.id}
        step, proof = verdict.tried
        reason = explain_proof(proof, self._view(step))
        return verdict.done, reason, {"rule": rule.id, **self._proof(step, reason)}

    def _by_states(self, verdict: TaskVerdict) -> tuple[str, dict[str, Any]]:
        """The reason and the proof of a task whose essential states decide."""
        if verdict.missed:
            return _("Not reached: {states}", states=", ".join(verdict.missed)), {
                "missed": list(verdict.missed)
            }
        if verdict.unjudged:
            return self._why_unjudged(verdict.unjudged), {"unjudged": list(verdict.unjudged)}
        if verdict.done is None:
            return _("No rule judges this task: people do"), {}
        reached = [name for name in self._trajectory.needed if name in self._evaluation.reached]
        return _("Every essential state was reached"), {"reached": reached}

    def _noted(self, states: Sequence[str], note: str) -> list[str]:
        """Those of the states that have a condition with this note on the screen where they were nearest."""
        near = ((state, self._evaluation.nearest(state)) for state in states)
        return [
            state for state, found in near
            if found is not None and any(leaf.note == note for leaf in found[1].leaves())
        ]  # fmt: skip

    def _why_unjudged(self, names: Sequence[str]) -> str:
        """Why no rule can say whether these states were reached."""
        defined = {state.id for state in self._trajectory.states}
        if missing := [name for name in names if name not in defined]:
            return _("No file defines {states}", states=", ".join(missing))
        unseen = [name for name in names if name in self._unknown]
        if given_up := self._noted(unseen, TOO_MANY_STEPS):
            return _("The XPath of {states} takes too many steps on the screens", states=", ".join(given_up))
        if unreadable := self._noted(unseen, UNREADABLE):
            return _("Conditions of {states} cannot be read", states=", ".join(unreadable))
        if by_people := self._alternatives_of_people(unseen):
            return _("People judge {states}", states=", ".join(by_people))
        if unseen:
            return _("No screen was captured that could show {states}", states=", ".join(unseen))
        return _("People judge {states}", states=", ".join(names))

    def _alternatives_of_people(self, names: Sequence[str]) -> list[str]:
        """The alternatives that people judge, of those of the states that a screen denies."""
        judged = states_judged_by_rules(self._trajectory.states)
        near = {name: self._evaluation.nearest(name) for name in names}
        denied = {name for name, found in near.items() if found is None or not found[1].unseen}
        named = [
            other for state in self._trajectory.states if state.id in denied for other in state.alternatives
        ]
        return [name for name in dict.fromkeys(named) if name not in judged]


def _create(options: Mapping[str, Any], project: Project | None) -> RuleJudge:
    of_project = project.semantics if project is not None else WAYMARK
    images = ImageFiles(project.folder) if project is not None else None
    return RuleJudge(options["semantics"] or of_project, images)


KIND = JudgeKind(
    RULES_JUDGE,
    N_("Rules of the project"),
    _create,
    N_("Tries the essential states and the success rule of a task on the recorded screens"),
    (
        PluginOption(
            "semantics", str, None, N_("How rules are read; by default as the project says"),
            choices=(WAYMARK, DGARA),
        ),
    ),
    needs=(RULES, TREE),
)  # fmt: skip
