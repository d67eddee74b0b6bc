"""A recorded trajectory as judges see it: its states, its task, the essential states and the success rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.judge.evaluation.task_rules import TaskRules, safety_rules, success_rule
from collector.judge.evaluation.trajectory_end import is_claimed, last_judged, signal_of, view_after
from collector.model.action import Answer, Invalid
from collector.model.app_data.target import TaskTarget
from collector.model.episode import is_by_agent
from collector.model.repeated_actions import RepeatCount
from collector.model.task import Task
from collector.model.text.one_line import one_line
from collector.model.trajectory import RECORDING, Step, TrajectoryHeader
from collector.rules.columns.corpus import Corpus, TrajectoryReader
from collector.rules.columns.known_screens import KnownScreens
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE, Rule
from collector.store.tasks.task_values import bound, recorded_values

_SAME_ACTIONS = 5
_MAX_QUOTE = 160


@dataclass(frozen=True, slots=True)
class JudgedTrajectory:
    """One trajectory. Its dumps and pictures are read when a judge looks at them."""

    header: TrajectoryHeader
    corpus: Corpus
    """The states of this trajectory alone."""
    task: Task | None
    """None when the project does not know its task."""
    states: tuple[Rule, ...]
    """The essential states of its task."""
    success: Rule | None
    """The success rule of its task."""
    needed: tuple[str, ...] = ()
    """Ids of the states without which the task is not done, also of those that no file defines."""
    forbidden: tuple[Rule, ...] = ()
    """The safety rules of its task."""
    written: tuple[Task | None, TaskRules] | None = None
    """The task and its rules as files have them, with the names of parameters; None for those above."""

    @classmethod
    def of(cls, reader: TrajectoryReader, tasks: Sequence[Task], rules: Iterable[Rule]) -> JudgedTrajectory:
        """A trajectory with what belongs to its task among the tasks and rules of a project."""
        task_id = reader.header.task_id
        task = next((task for task in tasks if task.id == task_id), None)
        known = list(rules)
        of_project = TaskStates((rule for rule in known if rule.kind == STATE), tasks)
        success = success_rule(known, task)
        states, needed = tuple(of_project.of(task_id, task, success)), of_project.needed(task_id, task)
        return cls.by_rules(
            reader,
            task,
            TaskRules(states, success, needed=needed, forbidden=tuple(safety_rules(known, task))),
        )

    @classmethod
    def by_rules(
        cls, reader: TrajectoryReader, task: Task | None, rules: TaskRules,
        screens: KnownScreens | None = None,
    ) -> JudgedTrajectory:  # fmt: skip
        """A trajectory with the rules of its task; ``screens`` are shared with others of one thread.

        Of a task with parameters both get the values that the trajectory was recorded with.
        """
        written = (task, rules)
        if task is not None and (values := recorded_values(reader.header, task)):
            task = bound(task, values)
            rules = rules.bound(values, task.target)
        tasks = [task] if task is not None else ()
        corpus = Corpus([reader], tasks=tasks, states=rules.states, screens=screens)
        needed = tuple(rules.needed or ())
        return cls(
            reader.header,
            corpus,
            task,
            tuple(rules.states),
            rules.success,
            needed,
            tuple(rules.forbidden),
            written,
        )

    @property
    def target(self) -> TaskTarget | None:
        """What has to be different in the data of apps when its task is done."""
        return self.task.target if self.task is not None else None

    @property
    def steps(self) -> Sequence[Step]:
        return self.corpus.steps_of(0)

    @property
    def signal(self) -> int | None:
        """Index of the step that says that the task is done, or cannot be; None when none does."""
        return signal_of(self.steps)

    @property
    def answer(self) -> str | None:
        """The last answer that was given before the end; None when there is none."""
        steps = self.steps[: self.last + 1]
        answers = [step.action.text for step in steps if isinstance(step.action, Answer)]
        return answers[-1] if answers else None

    @property
    def is_open(self) -> bool:
        """Whether it is still recorded."""
        return self.header.status == RECORDING

    @property
    def is_claimed(self) -> bool:
        """Whether the task was said to be done: by a signal, or by a person who finished the recording."""
        return is_claimed(self.header, self.steps)

    @property
    def stopped_early(self) -> bool:
        """Whether a run ended after the same action five times in a row (ProBench, Table 4)."""
        outcome = self.header.outcome
        if outcome is not None and outcome.early_stop:
            return True
        repeats = RepeatCount()
        for step in self.steps:
            if not is_by_agent(step.extra):
                repeats.forget()
            elif step.action is not None:
                repeats.note(step.action)
        return repeats.count >= _SAME_ACTIONS

    @property
    def unread_answer(self) -> str:
        """The last answer, shortened and quoted, when none of the last ones was an action; else empty."""
        last = [step.action for step in self.steps if step.action is not None][-_SAME_ACTIONS:]
        if not last or not all(isinstance(action, Invalid) for action in last):
            return ""
        answer = last[-1]
        assert isinstance(answer, Invalid)
        return repr(one_line(answer.raw, _MAX_QUOTE)) if answer.raw.strip() else answer.reason

    @property
    def last(self) -> int:
        """Index of the last step that is judged, that of the signal; -1 without a step."""
        return last_judged(self.steps)

    def view(self, index: int) -> StateView:
        """The state of that index, from 0, as rules see it."""
        return self.corpus.view(index)

    def view_after(self) -> StateView | None:
        """The moment after the action of the last step that is judged; None when it has no action."""
        step = self.steps[self.last] if self.last >= 0 else None
        if step is None or step.action is None:
            return None
        return view_after(self.view(self.last), step.action, step.target)
