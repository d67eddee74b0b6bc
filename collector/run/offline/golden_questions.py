"""The steps of a golden trajectory as questions to an agent, with every action that answers them right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from collector.agents.agent import PastStep
from collector.agents.agent_start import AgentStart
from collector.agents.golden_choice import golden_trajectories
from collector.comparison.alignment.aligned import align_stored
from collector.comparison.alignment.reading import ScreenCache, read_tree
from collector.hierarchy.captions import click_target
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Answer, AskUser, Complete, Type, action_from_dict
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.model.verdicts.answer_match import ALTERNATIVE, OTHER_GOLDEN, SAME
from collector.model.verdicts.judgement import PERSON, STEP
from collector.recorder.file_moment import moment_of_files
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.guard import ReadyStep, guard_step
from collector.replay.other_values import OtherValues
from collector.run.experiment.asked_goldens import asked_steps
from collector.store.project.project import Project
from collector.store.tasks.task_values import bound, recorded_values
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

_NEWEST_OTHERS = 8
"""So many other golden trajectories of a task are asked what they did at a step."""


@dataclass(frozen=True, slots=True, eq=False)
class AcceptedAction:
    """An action that answers a step right, on its screen."""

    action: Action
    how: str = SAME
    """Why it is right: ``SAME`` for what the golden step did, OTHER_GOLDEN or ALTERNATIVE."""
    node: Node | None = None
    """What it touches; None where it touches nothing, or there is no tree."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldenQuestion:
    """One step: its screen, and what is right there."""

    number: int
    """From 1."""
    step: Step
    tree: Tree | None
    accepted: tuple[AcceptedAction, ...]
    """What the golden step did comes first."""
    typed_next: str | None = None
    """The text that the next golden step types: a tap and this text may be one answer. None for none."""
    may_ask: bool = True
    """Whether nobody asked the user before: then a question that the task says is needed is right."""

    @property
    def own(self) -> AcceptedAction:
        return self.accepted[0]


@dataclass(frozen=True, slots=True, eq=False)
class GoldenQuestions:
    """All questions of one golden trajectory. Threads share it: it is only read."""

    stored: StoredTrajectory
    task: Task
    """With the values that the trajectory was recorded with."""
    questions: tuple[GoldenQuestion, ...]

    @classmethod
    def of(cls, project: Project, task: Task, golden: str) -> GoldenQuestions:
        """Read a golden trajectory of a task. Raises UserError when it is gone or cannot be read."""
        stored = open_trajectory(project.find(f"{task.id}/{golden}"))
        worded = bound(task, recorded_values(stored.header, task))
        steps = asked_steps(stored.steps)
        trees = [read_tree(stored, step) for step in steps]
        accepted = [[_own(step, tree, worded)] for step, tree in zip(steps, trees, strict=True)]
        moments = [moment_of_files(stored, step, None, None) for step in steps]
        for index, action in (*_of_others(project, stored, worded, moments), *_of_people(stored)):
            if index < len(steps):
                accepted[index].append(replace(action, node=_touched(trees[index], action.action)))
        asked = [isinstance(step.action, AskUser) for step in steps]
        return cls(stored, worded, tuple(
            GoldenQuestion(
                number, step, trees[number - 1], tuple(accepted[number - 1]),
                _typed(steps[number]) if number < len(steps) else None, not any(asked[: number - 1]),
            )
            for number, step in enumerate(steps, start=1)
        ))  # fmt: skip

    def __len__(self) -> int:
        return len(self.questions)

    def moment(self, question: GoldenQuestion) -> ScreenMoment:
        """The recorded screen, as an agent sees a phone's. Raises UserError for files that cannot be read."""
        return moment_of_files(self.stored, question.step, None, None)

    def history(self, question: GoldenQuestion) -> tuple[PastStep, ...]:
        """What was done before: always the golden steps, whatever the agent answered to them."""
        return AgentStart(self.stored, question.step.index).history


def _own(step: Step, tree: Tree | None, task: Task) -> AcceptedAction:
    """What the golden step did; at the end it is the signal that its task asks for."""
    if step.action is None:
        return AcceptedAction(_end_of(task))
    node = tree.at_path(step.target.path) if tree is not None and step.target is not None else None
    if node is None or (step.target is not None and node.bounds != step.target.bounds):
        node = _touched(tree, step.action)
    return AcceptedAction(step.action, SAME, node)


def _end_of(task: Task) -> Action:
    expected = task.expected_answer
    return Answer(expected.texts[0]) if expected is not None and expected.texts else Complete()


def _touched(tree: Tree | None, action: Action) -> Node | None:
    return click_target(tree, action.point) if tree is not None and action.point is not None else None


def _typed(step: Step) -> str | None:
    action = step.action
    return action.text if isinstance(action, Type) and not action.redacted else None


def _of_people(stored: StoredTrajectory) -> Iterator[tuple[int, AcceptedAction]]:
    """What reviewers say would have been right at a step."""
    for (_who, subject), judgement in stored.judgements().newest().items():
        if (
            judgement.kind == PERSON
            and subject.kind == STEP
            and judgement.better
            and subject.first is not None
        ):
            try:
                action = action_from_dict(dict(judgement.better))
            except (ValueError, TypeError):
                continue
            yield subject.first, AcceptedAction(action, ALTERNATIVE)


def _of_others(
    project: Project, stored: StoredTrajectory, task: Task, moments: Sequence[ScreenMoment]
) -> Iterator[tuple[int, AcceptedAction]]:
    """What other golden trajectories of the task did on the same screens, by the index of the step."""
    try:
        found = golden_trajectories(project, task.id)
    except UserError:
        return
    cache = ScreenCache()
    for other in [each for each in found if each.folder != stored.folder][:_NEWEST_OTHERS]:
        values = OtherValues.of(other.header, task)
        slots = align_stored((stored, other), cache).slots
        for index, places in _places(slots):
            for place in places if index < len(moments) else ():
                if _is_done_already(stored.steps[:index], other.steps[: place + 1]):
                    continue
                action = _done_on(other, values, other.steps[place], moments[index])
                if action is not None:
                    yield index, AcceptedAction(action, OTHER_GOLDEN)


def _places(slots: Sequence[Sequence[int | None]]) -> Iterator[tuple[int, list[int]]]:
    """Of each step the steps of the other trajectory beside it: in its slot, or up to its neighbours' slots.

    Where both do the same things in another order, the alignment leaves gaps: what the other one does in them
    is done on the same screens.
    """
    for number, (mine, theirs) in enumerate(slots):
        if mine is None:
            continue
        places = [theirs] if theirs is not None else []
        for way in (range(number - 1, -1, -1), range(number + 1, len(slots))):
            for at in way:
                beside, other = slots[at]
                if other is not None and beside is not None:
                    break
                if other is not None:
                    places.append(other)
        yield mine, places


def _is_done_already(before: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether the last of ``others`` repeats what was done before as often: a box that is ticked stays so."""
    wanted = others[-1]
    if wanted.action is None or not wanted.description:
        return False
    done, theirs = (
        [step.description for step in steps].count(wanted.description) for steps in (before, others)
    )
    return done >= theirs


def _done_on(other: StoredTrajectory, values: OtherValues, step: Step, screen: ScreenMoment) -> Action | None:
    """What a step of another trajectory does on a screen that is its own; None on a different one."""
    xml = other.tree(step)
    if xml is None:
        return None
    ready = guard_step(values.in_step(step), _parsed(values.in_xml(xml)), screen)
    if not isinstance(ready, ReadyStep):
        return None
    return ready.action or (Complete() if other.header.is_golden else None)


def _parsed(xml: bytes) -> Tree | None:
    try:
        return parse_tree(xml)
    except UserError:
        return None
