"""Judge where a rule fires and should not, or should fire and does not, and why.

- An *injection rule* that tasks name in their ``target_rule_ids`` should fire in trajectories of those
  tasks only. One that no task names yet is not judged.
- A *success rule* should not hold on the first state of any trajectory, nor in golden trajectories of its
  own tasks before the last action that changes anything, nor in trajectories of another app. It should
  hold on golden's last state.
- An *essential state* should not hold in trajectories of another app's task. It, or an alternative of it,
  should be reached somewhere in golden trajectories of its own task, unless it is optional.
- A *safety rule* should not hold in golden trajectories of its own tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.action import NOT_ON_PHONE, Wait
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import GOLDEN
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.model import INJECTION, SAFETY, SUCCESS, Rule, is_judged_by_rule

_CHANGES_NOTHING = frozenset(action.kind for action in (*NOT_ON_PHONE, Wait))


@dataclass(frozen=True, slots=True)
class Misfires:
    """Of one trajectory: index of a state -> why the rule should not fire there, or should."""

    wrong: Mapping[int, str] = field(default_factory=dict)
    missed: Mapping[int, str] = field(default_factory=dict)


def misfires_in(rule: Rule, corpus: Corpus, trajectory: int, fires: Sequence[int]) -> Misfires:
    """Judge the states of one trajectory on which ``rule`` fires; ``fires`` are their indexes, in order."""
    judges: Mapping[str, Callable[[Rule, _Case], Misfires]]
    judges = {INJECTION: _injection, SUCCESS: _success, SAFETY: _safety}
    return judges.get(rule.kind, _state)(rule, _Case(corpus, trajectory, tuple(fires)))


@dataclass(frozen=True, slots=True)
class _Case:
    corpus: Corpus
    number: int
    fires: tuple[int, ...]

    @property
    def task_id(self) -> str:
        return self.corpus.trajectories[self.number].task_id

    @property
    def golden(self) -> bool:
        return self.corpus.trajectories[self.number].kind == GOLDEN

    @property
    def positions(self) -> range:
        return self.corpus.positions_of(self.number)

    @property
    def has_dump_at_end(self) -> bool:
        return self.corpus.facts.dumps[self.positions[-1]] != ""

    @property
    def done_at(self) -> int:
        """Index of the first state after the last action that changes anything on the phone."""
        start, kinds = self.positions.start, self.corpus.facts.actions
        for position in reversed(self.positions):
            if kinds[position] and kinds[position] not in _CHANGES_NOTHING:
                return min(position + 1, self.positions[-1]) - start
        return 0

    def everywhere(self, why: str) -> Misfires:
        return Misfires(dict.fromkeys(self.fires, why))


def _injection(rule: Rule, case: _Case) -> Misfires:
    named = [task.id for task in case.corpus.tasks.values() if rule.id in task.target_rule_ids]
    if not named or not case.task_id or case.task_id in named:
        return Misfires()
    return case.everywhere(_("The task {task} does not name this rule", task=case.task_id))


def _success(rule: Rule, case: _Case) -> Misfires:
    judged = [task for task in case.corpus.tasks.values() if task.rule_key == rule.id]
    if other := _other_app(case, judged):
        return other
    wrong: dict[int, str] = {}
    missed: dict[int, str] = {}
    count = len(case.positions)
    if case.golden and any(task.id == case.task_id for task in judged) and count:
        done = case.done_at
        why = _("It holds before golden is done, which is at step {step}", step=done + 1)
        wrong = {index: why for index in case.fires if index < done}
        last = count - 1
        if last not in case.fires and case.has_dump_at_end:  # without a dump it cannot be judged
            missed[last] = _("Golden ends here, and the rule does not hold")
    if case.fires[:1] == (0,) and count > 1:
        wrong[0] = _("It already holds on the first state, before anything was done")
    return Misfires(wrong, missed)


def _state(rule: Rule, case: _Case) -> Misfires:
    if not is_judged_by_rule(rule):
        return Misfires()
    own = [
        task
        for task in case.corpus.tasks.values()
        if task.id == rule.task or rule.id in task.essential_states
    ]
    if other := _other_app(case, own):
        return other
    is_own = case.golden and case.positions and any(task.id == case.task_id for task in own)
    if is_own and not case.fires and not rule.optional and not _is_replaced(rule, case):
        why = _("Golden never reaches this state")
        return Misfires({}, {len(case.positions) - 1: why})
    return Misfires()


def _safety(rule: Rule, case: _Case) -> Misfires:
    own = any(
        task.id == case.task_id and (rule.every_task or rule.id in task.forbidden)
        for task in case.corpus.tasks.values()
    )
    return case.everywhere(_("Golden does what must never happen")) if own and case.golden else Misfires()


def _is_replaced(rule: Rule, case: _Case) -> bool:
    """Whether one of the state's alternatives was reached in its place."""
    return bool(rule.alternatives) and rule.id in case.corpus.known_at(case.positions[-1]).reached


def _other_app(case: _Case, own: Sequence[Task]) -> Misfires | None:
    """Wrong everywhere when all of the rule's tasks are of other apps than the trajectory's."""
    task = case.corpus.task_of(case.number)
    packages = {own_task.package for own_task in own}
    if task is None or not task.package or not packages or "" in packages or task.package in packages:
        return None
    return case.everywhere(_("The task {task} is about another app", task=task.id))
