"""The progress of a task: by its target, by the rules of its project, by the answer that it expects."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.environment.observation import StepObservation
from collector.environment.progress import Progress
from collector.environment.stepped_phone import SteppedPhone
from collector.judge.evaluation.given_answer import answer_matches, done_with_answer
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.action import Action, Answer
from collector.model.task import PLACEHOLDER, Task
from collector.rules.evaluation.state_view import StateView
from collector.targets.outcome import effect_text


@dataclass(slots=True)
class RuleProgress:
    """Follows one episode. ``apps`` are the packages on the phone."""

    task: Task
    rules: TaskRules
    apps: frozenset[str]
    _evaluation: TaskEvaluation = field(init=False)
    _last: StateView | None = None
    _answer: str | None = None

    def __post_init__(self) -> None:
        self._evaluation = TaskEvaluation(self.rules)

    @property
    def needs_tree(self) -> bool:
        return bool(self.rules.judged or self.rules.forbidden) or self.rules.success is not None

    def see(
        self, screen: StepObservation, action: Action | None, phone: SteppedPhone, *, claimed: bool = False
    ) -> Progress:
        if isinstance(action, Answer):
            self._answer = action.text
        if self.rules.can_judge:
            view = StateView(
                screen.tree, screen.xml, screen.package, screen.activity, screen.step + 1, action,
                apps=self.apps, picture=phone.picture, app_data=phone.app_data,
            )  # fmt: skip
            view.follow(self._last)
            self._last = view
            self._evaluation.see(view, claimed=claimed)
        share, effects = self._target()
        return Progress(self._done(), tuple(self._evaluation.reached), share, effects)

    def _target(self) -> tuple[float | None, tuple[str, ...]]:
        """How many parts of the target hold on the last screen, and what else is different there."""
        target = self._evaluation.target
        if target is None or not target.outcomes:
            return None, ()
        outcome = target.outcomes[-1][1]
        return outcome.share, tuple(map(effect_text, outcome.side_effects))

    def _done(self) -> bool | None:
        task = self.task
        if task.human_validation or task.rule_key == PLACEHOLDER:
            return None
        if self._evaluation.safety.violated:
            return False
        done = self._evaluation.verdict().done if self.rules.can_judge else None
        if task.expected_answer is None:
            return done
        given = self._answer
        answered = answer_matches(given, task.expected_answer) if given is not None else False
        return done_with_answer(done, answered, has_rules=self.rules.decide)
