"""Suggest the essential states of a task, from two golden trajectories and from its success rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from collector.judge.evaluation.state_reach import reach_of_states
from collector.judge.evaluation.task_rules import success_rule
from collector.model.errors import UserError
from collector.model.essential_state import new_state_id
from collector.model.i18n import _, join_sentences, ngettext
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import choose_recordings
from collector.rules.backtest.verdict_table import Progress
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE, WAYMARK, Group, Rule
from collector.states.suggestions.golden_suggestions import GoldenState, states_in_common
from collector.states.suggestions.golden_table import GoldenTable
from collector.states.suggestions.rule_suggestions import ClauseLeftOut, ClauseState, states_of_rule
from collector.states.suggestions.suggestion import (
    FROM_GOLDENS,
    FROM_SUCCESS_RULE,
    ComparedGolden,
    StateSuggestion,
    StateSuggestions,
    in_step_order,
    ordered_by_goldens,
)
from collector.states.work_change import StateWorkChange, apply_work_change
from collector.states.work_files.blindness import may_see_golden, may_see_names
from collector.states.work_files.state_work import StateWork, TaskWork
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reader import StoredTrajectory

_ANY_OTHER_TASK = 10**6
_COMPARED = 2
_POINTS_OF_TWIN = 40
"""Points less for a suggestion where the task has a state already."""
_GOLDENS = "kind:golden"


@dataclass(frozen=True, slots=True)
class SuggestionRequest:
    """Which states are asked for."""

    task: str
    goldens: tuple[str, ...] = ()
    """Ids of the two golden trajectories to compare; empty chooses the newest of two people."""
    shared: bool = False
    """Also what golden trajectories of other tasks went through, ranked lower."""
    who: str = ""
    """The person who asks: golden trajectories that this person must not see yet are not used."""


def _never() -> bool:
    return False


def suggest_states(
    project: ProjectRules, request: SuggestionRequest, progress: Progress = lambda _done, _total: None,
    is_cancelled: Callable[[], bool] = _never, states: Sequence[Rule] | None = None,
) -> StateSuggestions:  # fmt: skip
    """Suggest states for a task, best first, and say what is missing to suggest more.

    ``states`` are those that the task has in an editor, by default those on the disk.

    Raises UserError for an unknown task or golden trajectory and for rules that cannot be read, and Cancelled
    when ``is_cancelled`` returns True.
    """
    task = project.project.task(request.task)
    if task is None:
        raise UserError(_("There is no task {id}", id=request.task), "", _("`waymark task list` shows them"))
    rules, tasks = project.rules(), project.project.tasks
    recorded = _finished_goldens(project)
    own = [stored for stored in recorded if stored.header.task_id == task.id]
    work = StateWork(project.project).of_task(task.id)
    hidden = _hidden(work, own, request)
    chosen = _chosen([stored for stored in own if stored.header.id not in hidden], request)
    others = [stored for stored in recorded if _is_of_another(stored, task, tasks)] if chosen else []
    names = may_see_names(work, request.who.strip()).is_allowed
    corpus = Corpus([*chosen, *others], tasks=tasks)
    test = project.prepared_back_test(WAYMARK, corpus, progress, is_cancelled)
    table = GoldenTable(test, tuple(range(len(chosen))))
    rule = success_rule(rules, task)
    of_rule = list(states_of_rule(rule, table)) if rule is not None else []
    every_state = [rule for rule in rules if rule.kind == STATE]
    own_states = TaskStates(every_state, tasks).of(task.id, task) if states is None else states
    in_common = _in_common(table, task, request)
    suggestions = _numbered(
        [*in_common, *(item for item in of_rule if isinstance(item, ClauseState))],
        table,
        task,
        _KnownStates.of(own_states, table, project.images),
        {state.id for state in (*every_state, *own_states)} | set(project.project.states),
    )
    return StateSuggestions(
        task.id,
        tuple(_compared(stored, own, names=names) for stored in chosen),
        tuple(sorted(suggestions, key=lambda item: (-item.score, in_step_order(item)))),
        (
            *_missing(chosen, others, rule, request, len(hidden)),
            *_nothing_particular(table, in_common, request),
        ),
        tuple(item.reason for item in of_rule if isinstance(item, ClauseLeftOut)),
    )


def _finished_goldens(project: ProjectRules) -> list[StoredTrajectory]:
    """The golden trajectories of the project that show a task done, in order of task and name."""
    folders = choose_recordings(project.project, _GOLDENS).folders
    return [
        stored
        for stored in project.project.open_trajectories(folders=folders)
        if stored.header.is_golden and stored.steps
    ]


def _hidden(work: TaskWork, own: Sequence[StoredTrajectory], request: SuggestionRequest) -> set[str]:
    """Ids of the golden trajectories that the person must not see before signing a proposal."""
    if not request.who.strip():
        return set()
    return {
        stored.header.id
        for stored in own
        if not may_see_golden(work, request.who.strip(), stored.header).is_allowed
    }


def _chosen(seen: Sequence[StoredTrajectory], request: SuggestionRequest) -> list[StoredTrajectory]:
    """Two golden trajectories of the task, the older one first; fewer when there are not so many."""
    if request.goldens:
        named = [_named(name, seen, request) for name in dict.fromkeys(request.goldens)]
        if len(named) > _COMPARED:
            raise UserError(_("Two golden trajectories are compared, not {count}", count=len(named)))
        return named
    newest = sorted(seen, key=lambda stored: (stored.header.started, stored.header.id), reverse=True)
    first = newest[:1]
    of_another = [stored for stored in newest[1:] if stored.header.who != first[0].header.who]
    return [*first, *(of_another or newest[1:])[:1]][::-1]


def _named(name: str, seen: Sequence[StoredTrajectory], request: SuggestionRequest) -> StoredTrajectory:
    stored = next((stored for stored in seen if stored.header.id == name), None)
    if stored is None:
        known = ", ".join(stored.header.id for stored in seen) or "-"
        raise UserError(
            _("{task} has no finished golden trajectory {id}", task=request.task, id=name),
            "",
            _("Name one of: {known}", known=known),
        )
    return stored


def _is_of_another(stored: StoredTrajectory, task: Task, tasks: Sequence[Task]) -> bool:
    """Whether a trajectory is of another task; a copy of the task, which asks for the same, is no other."""
    other = next((known for known in tasks if known.id == stored.header.task_id), None)
    if stored.header.task_id == task.id:
        return False
    return other is None or " ".join(other.instruction.split()) != " ".join(task.instruction.split())


def _in_common(table: GoldenTable, task: Task, request: SuggestionRequest) -> list[GoldenState]:
    if len(table.own) < _COMPARED:
        return []
    most = _ANY_OTHER_TASK if request.shared else 0
    return states_in_common(table, task.instruction, most_other_tasks=most)


def _nothing_particular(
    table: GoldenTable, in_common: Sequence[GoldenState], request: SuggestionRequest
) -> Iterator[str]:
    if len(table.own) == _COMPARED and not in_common and not request.shared:
        yield _(
            "Other tasks went through all that both golden trajectories have in common: ask for that, too"
        )


@dataclass(frozen=True, slots=True)
class _KnownStates:
    """The states that the task has, and where the golden trajectories reach those that rules judge."""

    conditions: frozenset[Group]
    steps: Mapping[str, tuple[int, ...]]
    """Id -> step in each golden trajectory, of states that all of them reach."""

    @classmethod
    def of(cls, states: Sequence[Rule], table: GoldenTable, images: ImageFinder) -> _KnownStates:
        reach = [
            reach_of_states(states, table.views(place), images=images, steps=table.steps(place))
            for place in range(len(table.own))
        ]
        steps = {}
        for state in states:
            reached = [along[state.id].reached if state.id in along else None for along in reach]
            if reached and None not in reached:
                steps[state.id] = tuple(step for step in reached if step is not None)
        return cls(frozenset(state.conditions for state in states), steps)

    def at(self, steps: tuple[int, ...]) -> str:
        """The state that is reached at these steps; empty when there is none."""
        return next((state for state, known in self.steps.items() if steps and known == steps), "")


def _numbered(
    found: Iterable[GoldenState | ClauseState], table: GoldenTable, task: Task, known: _KnownStates,
    taken: set[str],
) -> list[StateSuggestion]:  # fmt: skip
    """The suggestions with their ids and their order, without states that the task has already.

    Of the same conditions the better suggestion is kept. Where the success rule has something to say, what
    the golden trajectories have in common besides is left out.
    """
    items = list(found)
    at_rule = {item.steps for item in items if isinstance(item, ClauseState)}
    unique: dict[Group, GoldenState | ClauseState] = {}
    for item in sorted(items, key=lambda item: -item.score):
        is_said = isinstance(item, GoldenState) and item.steps in at_rule
        if item.conditions not in known.conditions and not is_said:
            unique.setdefault(item.conditions, item)
    ordered = sorted(unique.values(), key=lambda item: (not item.steps, item.steps, -item.score))
    ids: list[str] = []
    for _item in ordered:
        ids.append(new_state_id(task.id, len(task.essential_states) + 1, {*taken, *ids}))
    names = [*known.steps, *ids]
    earlier = ordered_by_goldens([*known.steps.values(), *(item.steps for item in ordered)])
    suggestions = []
    for state_id, item, before in zip(ids, ordered, earlier[len(known.steps) :], strict=True):
        twin = known.at(item.steps)
        reason = _("{state} is reached there already", state=twin) if twin else ""
        suggestion = StateSuggestion(
            state_id, item.sentence, item.conditions,
            FROM_GOLDENS if isinstance(item, GoldenState) else FROM_SUCCESS_RULE,
            dict(zip(table.ids, item.steps, strict=False)),
            max(0, item.score - _POINTS_OF_TWIN * bool(twin)), join_sentences(item.reason, reason),
            tuple(names[place] for place in before),
        )  # fmt: skip
        suggestions.append(suggestion)
    return suggestions


def _compared(stored: StoredTrajectory, own: Sequence[StoredTrajectory], *, names: bool) -> ComparedGolden:
    header = stored.header
    return ComparedGolden(header.id, header.who if names else "", f"{header.kind}-{own.index(stored) + 1}")


def _missing(
    chosen: Sequence[StoredTrajectory], others: Sequence[StoredTrajectory], rule: Rule | None,
    request: SuggestionRequest, hidden: int,
) -> Iterator[str]:  # fmt: skip
    """What would allow more or better suggestions, a sentence each."""
    if hidden:
        yield ngettext(
            "One golden trajectory of another operator is not used: sign your own proposal first",
            "{count} golden trajectories of other operators are not used: sign your own proposal first",
            hidden,
        )
    if not chosen:
        yield _(
            "There is no finished golden trajectory of {task}: record two, by two people", task=request.task
        )
    elif len(chosen) < _COMPARED:
        yield _(
            "There is one golden trajectory alone, {id}: what two have in common is known with a second one",
            id=chosen[0].header.id,
        )
    else:
        if chosen[0].header.who == chosen[1].header.who:
            yield _("Both golden trajectories are by one person: another's would show better what matters")
        if not others:
            yield _(
                "There is no golden trajectory of another task, so nothing says what is particular to {task}",
                task=request.task,
            )
    if rule is None:
        yield _("{task} has no success rule", task=request.task)


def add_suggestions(project: Project, task_id: str, chosen: Sequence[StateSuggestion]) -> StateWorkChange:
    """Add suggested states to the file of essential states, and their ids to the task. Raises StoreError."""
    before = next(task for task in project.tasks if task.id == task_id)
    named = (*before.essential_states, *(item.id for item in chosen))
    title = ngettext("add {count} suggested state", "add {count} suggested states", len(chosen))
    states = tuple(StateChange(None, item.state) for item in chosen)
    change = StateWorkChange(title, None, None, states, (before, replace(before, essential_states=named)))
    return apply_work_change(StateWork(project), change)
