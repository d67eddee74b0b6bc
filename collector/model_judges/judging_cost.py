"""What a judge would ask, and what it would cost, before anything is sent; by the code that sends.

Every question is composed as it would be sent. What is answered already costs nothing. Where the next
questions depend on an answer that nobody has, the most is counted: a state that is never reached is asked
about in every window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.errors import UserError
from collector.model_judges.answer_store import AnswerStore, Experience
from collector.model_judges.asking import KeptAnswers, NotKept, judged_by, text_tokens
from collector.model_judges.model_judge import AsksModels
from collector.model_judges.questions import ModelReply, Question
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.reader import open_trajectory, read_header

_WRITTEN = 150
"""Tokens of an answer, as long as a judge has given none."""


@dataclass
class JudgingCost:
    """The most that judging takes."""

    trajectories: int = 0
    problems: list[str] = field(default_factory=list)
    """A sentence for each trajectory that cannot be judged."""
    calls: int = 0
    kept: int = 0
    """Questions whose answer is there already."""
    pictures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    """None without prices."""
    answers_before: int = 0
    """How many earlier answers the numbers of tokens were corrected by."""


def cost_of(
    project: ProjectRules, folders: Sequence[Path], judge: AsksModels,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> JudgingCost:  # fmt: skip
    """What judging the trajectories in ``folders`` takes at most. Nothing is sent. Reads their pictures."""
    return costs_of(project, folders, [judge], progress)[0]


def costs_of(
    project: ProjectRules, folders: Sequence[Path], judges: Sequence[AsksModels],
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[JudgingCost]:  # fmt: skip
    """What each of some judges takes at most, as :func:`cost_of`; each trajectory is read once."""
    costs = [JudgingCost() for _judge in judges]
    with AnswerStore(project.project.paths.answer_cache) as store:
        askers = [_PricingAsker(store, cost) for cost in costs]
        rules, tasks = project.rules(), project.project.tasks
        for number, folder in enumerate(folders):
            progress(number, len(folders))
            if _is_offline(folder):
                continue
            trajectory: JudgedTrajectory | None = None
            for judge, asker, cost in zip(judges, askers, costs, strict=True):
                try:
                    trajectory = trajectory or JudgedTrajectory.of(open_trajectory(folder), tasks, rules)
                    judged_by(judge.asking(trajectory), asker)
                except UserError as error:
                    cost.problems.append(f"{folder.name}: {error}")
                    continue
                cost.trajectories += 1
        progress(len(folders), len(folders))
    return costs


def _is_offline(folder: Path) -> bool:
    """Whether it is no attempt at its task, so that nobody judges it."""
    try:
        return read_header(folder).is_offline
    except UserError:
        return False


class _PricingAsker:
    """Counts questions instead of asking them."""

    def __init__(self, store: AnswerStore, cost: JudgingCost) -> None:
        self._store, self._cost = store, cost
        self._answers = KeptAnswers(store)
        self._experiences: dict[str, Experience] = {}

    def ask(self, questions: Sequence[Question]) -> list[ModelReply]:
        return [self._counted(question) for question in questions]

    def _counted(self, question: Question) -> ModelReply:
        try:
            kept = self._answers.reply(question)
        except NotKept:
            self._count(question, text_tokens(question.compose()) + question.picture_tokens)
            return ModelReply(not_asked=True)
        self._cost.kept += 1
        self._pay(question, 0, 0)
        return kept

    def _count(self, question: Question, read: int) -> None:
        written, experience = _WRITTEN, self._experience(question.model.judge)
        if experience.answers:
            read = round(read * experience.input_tokens / max(1, experience.estimated))
            written = round(experience.output_tokens / experience.answers)
        cost = self._cost
        cost.calls, cost.pictures = cost.calls + 1, cost.pictures + question.pictures
        cost.input_tokens, cost.output_tokens = cost.input_tokens + read, cost.output_tokens + written
        cost.answers_before = max(cost.answers_before, experience.answers)
        self._pay(question, read, written)

    def _pay(self, question: Question, read: int, written: int) -> None:
        """Add what a question costs; nothing without prices."""
        prices = question.model.endpoint
        if prices.price_input is not None or prices.price_output is not None:
            paid = read * (prices.price_input or 0) + written * (prices.price_output or 0)
            self._cost.usd = (self._cost.usd or 0.0) + paid / 1_000_000

    def _experience(self, judge: str) -> Experience:
        if judge not in self._experiences:
            self._experiences[judge] = self._store.experience(judge)
        return self._experiences[judge]
