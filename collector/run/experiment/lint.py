"""Check an experiment as a whole: what its parts make of each other, and of the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from collector.agents.kinds import REPEATING_KINDS
from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.task import RESET_PHONE, lacking_wordings, style_of
from collector.model_judges.judge_files import named_model_judge, require_known
from collector.plugins.options import option_problems, with_defaults
from collector.rules.grammar.model import DGARA
from collector.run.experiment.estimate import budget_of
from collector.run.experiment.keys import MOST_CELLS
from collector.run.experiment.matrix import cell_count, modalities_of
from collector.run.experiment.model import ON_CLAIM, AgentEntry, RunCondition
from collector.run.experiment.reader import ExperimentFile
from collector.run.experiment.scope import ExperimentScope

_MOST_NAMED = 5


def lint(file: ExperimentFile, scope: ExperimentScope) -> tuple[Diagnostic, ...]:
    """All diagnostics of a file, those of its grammar among them, by their place."""
    found = [*file.diagnostics, *(replace(item, path=file.path) for item in _checks(file, scope))]
    return tuple(sorted(found, key=lambda item: (item.place.start, item.code)))


def _checks(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    experiment = file.experiment
    yield from _nothing_to_run(file)
    yield from _modalities(file, scope)
    yield from _same_agents(file)
    yield from _same_conditions(file)
    yield from _same_seeds(file)
    yield from _ends(file)
    if scope.has_project:
        yield from _unreadable(file, scope)
        yield from _goldens(file, scope)
        if not scope.unreadable:
            yield from _judges(file, scope)
            yield from _rules(file, scope)
        yield from _unusable_judges(file, scope)
        yield from _budgets(file, scope)
        yield from _goal_styles(file, scope)
        yield from _starts(file)
        yield from _offline(file)
    yield from _virtual_only(file, scope)
    count = cell_count(experiment, scope.kinds)
    if count > MOST_CELLS:
        what = _("The experiment has {count} episodes", count=f"{count:,}")
        why = _("The limit is {limit}", limit=f"{MOST_CELLS:,}")
        yield diagnostic(
            "too-many-cells", file.place("tasks"), what, why, _("Make several experiments of it")
        )


def _nothing_to_run(file: ExperimentFile) -> Iterator[Diagnostic]:
    """All agents or all conditions are left out."""
    experiment = file.experiment
    for key, values, off in (
        ("agents", experiment.agents, file.skipped_agents),
        ("conditions", experiment.conditions, file.skipped_conditions),
    ):
        if off and not values:
            what = _("All {key} are left out", key=key)
            yield diagnostic(
                "empty-selection", file.place(key), what, to_do=_("Remove skip from one of them")
            )


def _modalities(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Agents that no modality fits, and modalities that fit no agent."""
    experiment, kinds, used = file.experiment, scope.kinds, set[str]()
    for entry in experiment.agents:
        possible = modalities_of(experiment, entry, kinds)
        used.update(possible)
        if not possible and (kind := kinds.get(entry.kind)) is not None:
            what = _("{agent} can be given none of the modalities", agent=entry.id)
            to_do = _("Use one of: {known}", known=", ".join(kind.modalities))
            place = file.agent_place(entry.id) if entry.modalities else file.place("modality")
            yield diagnostic("no-modality", place, what, to_do=to_do)
        yield from _hidden_needs(file, scope, entry, possible)
    unused = [modality for modality in experiment.modalities if modality not in used]
    if unused and experiment.agents:
        what = _("No agent is run with {modality}", modality=", ".join(unused))
        yield diagnostic("same-cells", file.place("modality"), what)


def _hidden_needs(
    file: ExperimentFile, scope: ExperimentScope, entry: AgentEntry, modalities: Iterable[str]
) -> Iterator[Diagnostic]:
    """Options of an agent that need what one of its modalities hides, as marks without the tree."""
    kind = scope.kinds.get(entry.kind)
    if kind is None or not scope.has_project or next(option_problems(kind, entry.options), None):
        return
    options = with_defaults(kind, entry.options)
    for modality in modalities:
        try:
            kind.check(options, scope.project)
        except UserError:  # reported with the agent's grammar
            return
        try:
            kind.check_modality(options, scope.project, modality)
        except UserError as error:
            what = f"{entry.id}: {error.what}"
            yield diagnostic("no-modality", file.agent_place(entry.id), what, error.why, error.to_do)


def _same_agents(file: ExperimentFile) -> Iterator[Diagnostic]:
    """Agents that differ in their ids alone."""
    seen: list[AgentEntry] = []
    for entry in file.experiment.agents:
        twin = next((other for other in seen if _without_id(other) == _without_id(entry)), None)
        if twin is not None:
            what = _("{agent} is the same agent as {other}", agent=entry.id, other=twin.id)
            why = _("Kind, options and modality are equal")
            yield diagnostic(
                "same-cells", file.agent_place(entry.id), what, why, _("Use repeats, or remove it")
            )
        seen.append(entry)


def _without_id(entry: AgentEntry) -> tuple[object, ...]:
    return entry.kind, dict(entry.options), entry.modalities


def _same_conditions(file: ExperimentFile) -> Iterator[Diagnostic]:
    """Conditions that differ in their ids alone."""
    seen: list[RunCondition] = []
    for condition in file.experiment.conditions:
        plain = replace(condition, id="", buttons=condition.buttons if condition.rules is not None else None)
        twin = next((other for other in seen if replace(plain, id=other.id) == other), None)
        if twin is not None:
            what = _("{condition} is the same as {other}", condition=condition.id, other=twin.id)
            why = _("The same is injected at the same steps")
            yield diagnostic(
                "same-cells", file.condition_place(condition.id), what, why, _("Remove one of them")
            )
        seen.append(replace(plain, id=condition.id))


def _same_seeds(file: ExperimentFile) -> Iterator[Diagnostic]:
    """Several repeats, where agent, phone and rules are decided by the seed alone."""
    experiment = file.experiment
    if experiment.repeats == 1 or not experiment.agents:
        return
    seeded = (*REPEATING_KINDS, "monkey", "scripted", "oracle")
    same = [entry.id for entry in experiment.agents if entry.kind in seeded]
    if len(same) == len(experiment.agents):
        what = _("The repeats of {agents} can never differ", agents=", ".join(same[:_MOST_NAMED]))
        why = _("These agents decide by the seed alone")
        yield diagnostic("same-cells", file.place("repeats"), what, why, _("Use more seeds instead"))


def _ends(file: ExperimentFile) -> Iterator[Diagnostic]:
    if file.experiment.semantics == DGARA and file.experiment.ends == ON_CLAIM:
        what = _("D-GARA's cycle ends an episode as soon as the task is done")
        to_do = _("Remove ends, or set it to success")
        yield diagnostic("semantics-differ", file.place("ends"), what, to_do=to_do)


def _goldens(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Agents that repeat a golden trajectory, and tasks that have none."""
    experiment = file.experiment
    repeating = [entry for entry in experiment.agents if entry.kind in REPEATING_KINDS]
    if not repeating:
        return
    counts = scope.golden_counts()
    missing = [task for task in experiment.tasks_run if not counts.get(task)]
    for entry in repeating if missing else ():
        what = ngettext(
            "{agent} needs a golden trajectory, and {count} task has none: {tasks}",
            "{agent} needs a golden trajectory, and {count} tasks have none: {tasks}",
            len(missing), agent=entry.id, tasks=_named(missing),
        )  # fmt: skip
        to_do = _("Record the tasks, or choose those that have one with {query}", query='where: "golden:>0"')
        yield diagnostic("no-golden", file.agent_place(entry.id), what, "", to_do)


def _unreadable(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Files of rules and anomalies that cannot be read: a run without them would be another one."""
    for error in scope.unreadable:
        yield diagnostic("unreadable-file", file.place("tasks"), error.what, error.why, error.to_do)


def _judges(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Tasks whose episodes nobody can judge at once."""
    tasks = [scope.tasks[name] for name in file.experiment.tasks_run if name in scope.tasks]
    unjudged = [task.id for task in tasks if not scope.can_judge(task)]
    if unjudged and not file.experiment.judges and file.experiment.offline is None:
        what = ngettext(
            "No rule can judge {count} task: {tasks}", "No rule can judge {count} tasks: {tasks}",
            len(unjudged), tasks=_named(unjudged),
        )  # fmt: skip
        why = _("Their episodes will have no success or failure until a person or a model judges them")
        to_do = _("Write a success rule or conditions of their essential states")
        yield diagnostic("no-judge", file.place("tasks"), what, why, to_do)


def _unusable_judges(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Judges beside the rules that would end the run before its first episode; names are checked before."""
    project = scope.project
    if project is None:
        return
    for name in file.experiment.judges:
        try:
            require_known(name, project)
        except UserError:
            continue
        try:
            named_model_judge(name, project, sends=False)
        except UserError as error:
            yield diagnostic("bad-judge", file.place("judges"), error.what, error.why, error.to_do)


def _rules(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Conditions by rules in a project without injection rules."""
    for condition in file.experiment.conditions:
        if condition.rules == () and not scope.injection_rules:
            what = _("{condition} injects by rules, and the project has none", condition=condition.id)
            to_do = _("Write rules in rules/injection.yaml, or name an anomaly")
            yield diagnostic("empty-selection", file.condition_place(condition.id), what, to_do=to_do)


def _goal_styles(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Styles in which some of the tasks are not worded."""
    tasks = [scope.tasks[name] for name in file.experiment.tasks_run if name in scope.tasks]
    for style in filter(None, file.experiment.goal_styles):
        lacking = lacking_wordings(tasks, style)
        if lacking:
            what = ngettext(
                "{count} task has no wording {style}: {tasks}",
                "{count} tasks have no wording {style}: {tasks}",
                len(lacking), style=style, tasks=_named(lacking),
            )  # fmt: skip
            query = f'where: "goal-style:{style_of(style)}"'
            to_do = _("Write it under rewordings of the tasks, or choose those that have it with {query}",
                      query=query)  # fmt: skip
            yield diagnostic("no-wording", file.place("goal_styles"), what, "", to_do)


def _starts(file: ExperimentFile) -> Iterator[Diagnostic]:
    """Starts of tasks that the experiment does not have."""
    tasks, starts = set(file.experiment.tasks), file.experiment.starts or ()
    others = [start.text for start in starts if start.task not in tasks]
    if others:
        what = ngettext(
            "{count} start is of a task that is not run: {starts}",
            "{count} starts are of tasks that are not run: {starts}",
            len(others), starts=_named(others),
        )  # fmt: skip
        yield diagnostic("empty-selection", file.place("starts"), what, "", _("Add its task to tasks"))


def _offline(file: ExperimentFile) -> Iterator[Diagnostic]:
    """Golden trajectories of tasks that the experiment does not have, and settings that need a phone."""
    experiment = file.experiment
    if experiment.offline is None:
        return
    others = [golden.trajectory for golden in experiment.offline if golden.task not in experiment.tasks]
    if others:
        what = ngettext(
            "{count} golden trajectory is of a task that is not run: {names}",
            "{count} golden trajectories are of tasks that are not run: {names}",
            len(others), names=_named(others),
        )  # fmt: skip
        yield diagnostic("empty-selection", file.place("offline"), what, "", _("Add its task to tasks"))
    is_plain = all(condition.is_baseline for condition in experiment.conditions)
    has = {
        "conditions": not is_plain, "variations": any(experiment.variations),
        "languages": any(experiment.languages), "starts": experiment.starts is not None,
        "judges": bool(experiment.judges),
    }  # fmt: skip
    for key in (key for key, is_set in has.items() if is_set):
        what = _("Steps that are asked offline have no {key}", key=key)
        why = _("There is no phone, and no attempt at a task: the recorded screens are shown as they are")
        yield diagnostic("needs-phone", file.place(key), what, why, _("Remove {key}, or offline", key=key))


def _budgets(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Injections at steps that the budget does not allow."""
    experiment = file.experiment
    budgets = {name: budget_of(experiment, scope.tasks.get(name)) for name in experiment.tasks_run}
    for condition in experiment.conditions:
        for injection in condition.injections:
            short = [name for name, budget in budgets.items() if injection.at > budget]
            if not short:
                continue
            place = _injection_place(file, condition, injection.at)
            to_do = _("Choose an earlier step, or a larger budget")
            if len(short) == len(budgets):
                what = _("Step {at} is beyond the budget of every task", at=injection.at)
                why = _("The longest has {budget} steps", budget=max(budgets.values()))
                yield diagnostic("beyond-budget", place, what, why, to_do)
            else:
                what = _("Step {at} is beyond the budget of {tasks}", at=injection.at, tasks=_named(short))
                why = _("The anomaly is never injected there")
                yield diagnostic("beyond-some-budgets", place, what, why, to_do)


def _injection_place(file: ExperimentFile, condition: RunCondition, at: int) -> Place:
    """The step of an injection as the file writes it."""
    node = file.condition_places.get(condition.id)
    if node is not None:
        listed = node.get("anomalies")
        for entry in (node, *(listed.items if listed is not None else ())):
            written = entry.get("at")
            if written is not None and written.plain == at:
                place: Place = written.place
                return place
    return file.condition_place(condition.id)


def _virtual_only(file: ExperimentFile, scope: ExperimentScope) -> Iterator[Diagnostic]:
    """Settings that only virtual phones have, with phones of other kinds."""
    experiment = file.experiment
    if not (experiment.phones.serials or experiment.phones.avd):
        return
    why = _("The key phones names connected phones or emulators")
    for key, values in (("variations", experiment.variations), ("languages", experiment.languages)):
        if any(values):
            what = _("Only virtual phones have {key}", key=key)
            to_do = _("Remove {key}, or name virtual phones", key=key)
            yield diagnostic("needs-virtual-phone", file.place(key), what, why, to_do)
    needs = [
        name
        for name in experiment.tasks_run
        if name in scope.tasks and scope.tasks[name].reset == RESET_PHONE
    ]
    if experiment.reset == RESET_PHONE or (not experiment.reset and needs):
        what = _("Only virtual phones can be reset whole")
        to_do = _("Set reset to {other}", other="app-data")
        yield diagnostic("needs-virtual-phone", file.place("reset"), what, why, to_do)


def _named(names: list[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
