"""What the program can say of states under audit: where both goldens reach them, and what they miss.

The golden trajectories are called A and B: an audit is blind to the people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collector.model.action import COMPLETION_SIGNALS
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.project_rules.project_rules import ProjectRules
from collector.states.auditing import proposed_of
from collector.states.documents.definition import Definition
from collector.states.documents.proposed_rules import reach_in
from collector.states.work_files.goldens import open_golden
from collector.states.work_files.state_work import StateWork, TaskWork
from collector.store.trajectory.reader import StoredTrajectory


@dataclass(frozen=True, slots=True)
class GoldenFact:
    """What one golden trajectory says of a state. Steps are counted from 0."""

    golden: str
    """``A`` or ``B``."""
    step: int | None = None
    """The first screen that reaches it; None when none does."""
    by_rules: bool = False
    """Whether rules say so; else the operator who recorded it pointed at the step."""
    holds: tuple[tuple[int, int], ...] = ()
    """First and last screen of each stretch on which its conditions hold."""
    has_screenshot: bool = False
    has_tree: bool = False

    @property
    def sentence(self) -> str:
        """The fact for the auditor."""
        if self.step is None:
            return _("Golden {golden} does not reach it", golden=self.golden)
        values = {"golden": self.golden, "step": self.step + 1}
        if not self.has_screenshot:
            return _("Golden {golden} reaches it at step {step}, which has no screenshot", **values)
        if not self.by_rules:
            return _("Golden {golden}: its operator points at step {step}", **values)
        return _("Golden {golden} reaches it at step {step}", **values)


@dataclass(frozen=True, slots=True)
class StateFacts:
    """The facts on one state."""

    state: str
    goldens: tuple[GoldenFact, ...] = ()
    needed_by: tuple[str, ...] = ()
    """Ids of states that come after it: without it their order would be another one."""
    together_with: tuple[str, ...] = ()
    """Ids of states that every golden trajectory reaches at the same step: one of them may be enough."""
    judged_by_rules: bool = False

    @property
    def is_reached_everywhere(self) -> bool:
        return bool(self.goldens) and all(fact.step is not None for fact in self.goldens)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts for the auditor, one sentence each."""
        said = [fact.sentence for fact in self.goldens]
        if not self.judged_by_rules:
            said.append(_("It has no conditions: people and models judge it"))
        if self.needed_by:
            said.append(_("Without it the order of {states} changes", states=", ".join(self.needed_by)))
        else:
            said.append(_("Without it the order of the other states stays valid"))
        if self.together_with:
            said.append(_("Reached together with {states}", states=", ".join(self.together_with)))
        return tuple(said)


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """The facts on all states of a task."""

    states: Mapping[str, StateFacts]
    uncovered: Mapping[str, tuple[int, ...]]
    """By ``A`` and ``B`` the steps whose action leads to no state: those after the last one reached."""
    problems: tuple[str, ...] = ()
    """Golden trajectories that cannot be read, a sentence each."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts on all states together."""
        said = []
        for golden, steps in self.uncovered.items():
            if steps:
                listed = ", ".join(map(str, steps))
                said.append(
                    _("Steps of golden {golden} that lead to no state: {steps}", golden=golden, steps=listed)
                )
            else:
                said.append(_("Every step of golden {golden} leads to a state", golden=golden))
        return (*said, *self.problems)


def read_facts(work: StateWork, task_id: str, states: Mapping[str, EssentialState]) -> AuditFacts:
    """Judge the states on both golden trajectories of the task's definition. Raises UserError."""
    of_task = work.of_task(task_id)
    definition = of_task.definition
    rules, proposed = ProjectRules(work.project), [proposed_of(state) for state in states.values()]
    facts: dict[str, list[GoldenFact]] = {name: [] for name in states}
    uncovered: dict[str, tuple[int, ...]] = {}
    problems = []
    for letter, who in zip("AB", definition.operators if definition is not None else (), strict=False):
        try:
            stored = _golden(work, of_task, who)
        except UserError as error:
            problems.append(_("Golden {golden} cannot be read: {why}", golden=letter, why=error.what))
            continue
        pointed = _pointed_steps(of_task, definition, letter)
        reach = reach_in(rules, stored, proposed)
        for name in states:
            known = reach.get(name)
            by_rules = known is not None
            step = known.reached if known is not None else pointed.get(name)
            facts[name].append(
                _fact(letter, stored.steps, step, by_rules, known.holds if known is not None else ())
            )
        reached = [made[-1].step for made in facts.values() if made[-1].step is not None]
        uncovered[letter] = _steps_after(stored.steps, max(reached, default=-1))
    return AuditFacts(
        {
            name: StateFacts(
                name,
                tuple(facts[name]),
                tuple(other.id for other in states.values() if name in other.after),
                tuple(other for other in states if other != name and _same_steps(facts[name], facts[other])),
                any(fact.by_rules for fact in facts[name]),
            )
            for name in states
        },
        uncovered,
        tuple(problems),
    )


def _golden(work: StateWork, of_task: TaskWork, who: str) -> StoredTrajectory:
    proposal = of_task.proposal(who)
    if proposal is None:
        raise UserError(_("its proposal is gone"))
    return open_golden(work.project, of_task.task, proposal.golden)


def _pointed_steps(of_task: TaskWork, definition: Definition | None, letter: str) -> dict[str, int]:
    """By id of a state, the step that the operator of a golden trajectory pointed at."""
    if definition is None:
        return {}
    proposal = of_task.proposal(definition.operators["AB".index(letter)])
    steps = {}
    for decision in definition.decisions:
        state_id = decision.a if letter == "A" else decision.b
        state = proposal.state(state_id) if proposal is not None else None
        if decision.agreed_id and state is not None and state.step is not None:
            steps[decision.agreed_id] = state.step
    return steps


def _fact(
    letter: str, steps: Sequence[Step], step: int | None, by_rules: bool,
    holds: tuple[tuple[int, int], ...],
) -> GoldenFact:  # fmt: skip
    state = steps[step].state if step is not None and step < len(steps) else None
    return GoldenFact(
        letter,
        step if state is not None else None,
        by_rules,
        holds,
        bool(state and state.screenshot) and not (state and state.secure),
        bool(state and state.tree),
    )


def _steps_after(steps: Sequence[Step], last: int) -> tuple[int, ...]:
    """The steps whose actions come after a screen; the claim that the task is done leads nowhere."""
    return tuple(
        index
        for index, step in enumerate(steps)
        if index >= last and step.action is not None and not isinstance(step.action, COMPLETION_SIGNALS)
    )


def _same_steps(mine: Sequence[GoldenFact], theirs: Sequence[GoldenFact]) -> bool:
    return bool(mine) and all(
        own.step is not None and own.step == other.step for own, other in zip(mine, theirs, strict=True)
    )
