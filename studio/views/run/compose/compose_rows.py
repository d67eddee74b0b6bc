"""The rows of the compose panel, made from an experiment as its file says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE
from collector.agents.kinds import AgentKind
from collector.anomalies.model import Anomaly
from collector.judge.registry import RULES_JUDGE
from collector.model.episode_text import BASELINE
from collector.model.i18n import N_, _, ngettext
from collector.run.experiment.keys import DEFAULT_WORD
from collector.run.experiment.matrix import modalities_of
from collector.run.experiment.model import AgentEntry, Experiment, RunCondition
from collector.run.progress import RunProgress
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.views.run.compose.variation_form import VariationChoiceForm
from studio.widgets.experiment.chip_row import ChipItem
from studio.widgets.experiment.duration_text import pace_text

_CATEGORIES = {
    "System Resource": N_("resource"),
    "System Network": N_("network"),
    "App Malfunction": N_("malfunction"),
    "Permission Control": N_("permission"),
    "UX Disruption": N_("UX"),
}
"""D-GARA's categories in a word."""
_MODALITIES = {
    SCREENSHOT_AND_TREE: N_("screenshot and tree"),
    SCREENSHOT: N_("screenshot alone"),
    TREE: N_("tree alone"),
}
_GOAL_STYLES = {
    "casual": N_("casual"),
    "formal": N_("formal"),
    "unrelated_context": N_("unrelated context"),
}
_VARIATIONS = {
    DEFAULT_WORD: N_("default"),
    "dark_theme": N_("dark theme"),
    "large_text": N_("large text"),
    "small_text": N_("small text"),
    "landscape": N_("landscape"),
    "black_and_white": N_("black and white"),
    "challenging_font": N_("challenging font"),
    "colour_blind": N_("colour-blind colours"),
    "compact": N_("compact"),
    "mirrored": N_("mirrored"),
    "icons_without_labels": N_("icons without labels"),
    "long_descriptions": N_("long descriptions"),
    "misleading_descriptions": N_("misleading descriptions"),
    "adversarial_descriptions": N_("adversarial descriptions"),
    "german": N_("German"),
    "mandarin": N_("Mandarin"),
    "crowded": N_("crowded"),
    "empty": N_("empty"),
    "none": N_("no pop-ups"),
    "consent": N_("consent pop-up"),
    "newsletter": N_("newsletter pop-up"),
    "update": N_("update pop-up"),
    "misleading": N_("misleading pop-up"),
    "adversarial": N_("adversarial pop-up"),
}


@dataclass(frozen=True, slots=True)
class ComposeRow:
    """A row with a check box."""

    key: str
    name: str
    note: str = ""
    tip: str = ""
    is_on: bool = False


def agent_rows(loaded: LoadedExperiment, progress: RunProgress) -> list[ComposeRow]:
    """The agents of the file, those left out unticked, then the kinds that need no options."""
    experiment, kinds, skipped = loaded.experiment, loaded.scene.kinds, loaded.file.skipped_agents
    own = {entry.id: entry for entry in experiment.agents} | dict(skipped)
    order = [name for name in loaded.file.agent_places if name in own]
    entries = [own[name] for name in dict.fromkeys([*order, *own])]
    used = {entry.kind for entry in entries}
    others = [
        AgentEntry(kind.id, kind.id) for kind in kinds.values()
        if kind.id not in used and kind.id not in own and not any(option.required for option in kind.options)
    ]  # fmt: skip
    on = {entry.id for entry in experiment.agents}
    return [_agent_row(entry, kinds, progress, entry.id in on) for entry in [*entries, *others]]


def _agent_row(
    entry: AgentEntry, kinds: Mapping[str, AgentKind], progress: RunProgress, is_on: bool
) -> ComposeRow:
    kind = kinds.get(entry.kind)
    name = _(kind.title) if kind is not None and entry.id == entry.kind else entry.id
    if kind is None:
        return ComposeRow(entry.id, name, _("not installed"), entry.kind, is_on)
    measured = progress.step_seconds(entry.id)
    pace = "" if measured is None else _("{seconds} s a step", seconds=pace_text(measured))
    about = [_(kind.description or kind.title), *(f"{key}: {value}" for key, value in entry.options.items())]
    return ComposeRow(entry.id, name, pace, "\n".join(about), is_on)


def condition_rows(loaded: LoadedExperiment) -> list[ComposeRow]:
    """The conditions of the file, those left out unticked, with the baseline first when it is missing."""
    experiment, skipped = loaded.experiment, loaded.file.skipped_conditions
    own = {condition.id: condition for condition in experiment.conditions} | dict(skipped)
    order = [name for name in loaded.file.condition_places if name in own]
    conditions = [own[name] for name in dict.fromkeys([*order, *own])]
    if not any(condition.is_baseline for condition in conditions):
        conditions.insert(0, RunCondition(BASELINE))
    on = {condition.id for condition in experiment.conditions}
    anomalies = loaded.scene.scope.anomalies
    return [_condition_row(condition, anomalies, condition.id in on) for condition in conditions]


def _condition_row(condition: RunCondition, anomalies: Mapping[str, Anomaly], is_on: bool) -> ComposeRow:
    category = _(_CATEGORIES.get(condition.category, condition.category))
    if condition.is_baseline:
        category = _("control")
    elif condition.rules is not None:
        category = _("by rules")
    return ComposeRow(
        condition.id,
        condition_name(condition),
        category,
        _condition_tip(condition, anomalies),
        is_on,
    )


def condition_name(condition: RunCondition) -> str:
    """A condition for a person, by the id that the grid and the command line use."""
    if condition.is_baseline:
        return _("None (baseline)")
    if condition.rules is not None and condition.id == "rules":
        return _("By the rules of each task")
    return condition.id


def _condition_tip(condition: RunCondition, anomalies: Mapping[str, Anomaly]) -> str:
    lines = [condition.id]
    for injection in condition.injections:
        known = anomalies.get(injection.anomaly)
        about = known.description if known is not None else injection.anomaly
        lines.append(_("before step {step}: {anomaly}", step=injection.at, anomaly=about))
    if condition.rules is not None:
        lines.append(", ".join(condition.rules) or _("the injection rules of the task, or all"))
    return "\n".join(lines)


def modality_rows(loaded: LoadedExperiment) -> list[ComposeRow]:
    """What agents are shown; without a choice each has the usual of its kind, which is ticked as well."""
    experiment, kinds = loaded.experiment, loaded.scene.kinds
    used = {modality for entry in experiment.agents for modality in modalities_of(experiment, entry, kinds)}
    on = set(experiment.modalities) or used
    note = "" if experiment.modalities else _("usual")
    return [
        ComposeRow(name, _(words), note if name in on else "", name, name in on)
        for name, words in _MODALITIES.items()
    ]


def language_name(language: str) -> str:
    """A language of the phone for a person; without one it is the phone's own."""
    return language or _("of the phone")


def variation_rows(form: VariationChoiceForm, known: Iterable[str]) -> list[ComposeRow]:
    """The variations of the virtual phone, and the joined ones that the file names."""
    on = set(form.names)
    singles = ["", *(name for name in known if name != DEFAULT_WORD)]
    names = [*singles, *(name for name in form.names if name not in singles)]
    return [ComposeRow(name, variation_name(name), "", name, name in on) for name in names]


def variation_name(name: str) -> str:
    """A variation for a person, as in ``dark theme, large text``."""
    return ", ".join(map(_part_name, (name or DEFAULT_WORD).split("+")))


def goal_style_rows(loaded: LoadedExperiment) -> list[ComposeRow]:
    """The tasks' own words, and every style in which one of them is reworded or that the file names; none
    where there is no other style."""
    experiment, tasks = loaded.experiment, loaded.scene.scope.tasks
    known = [style for name in experiment.tasks if name in tasks for style in tasks[name].rewordings]
    styles = list(dict.fromkeys(("", *known, *experiment.goal_styles)))
    on = set(experiment.goal_styles)
    if len(styles) == 1:
        return []
    return [ComposeRow(name, goal_style_name(name), "", name, name in on) for name in styles]


def goal_style_name(style: str) -> str:
    """A goal style for a person, as in ``unrelated context``."""
    if not style:
        return _("as the task says it")
    name, _colon, number = style.partition(":")
    words = _(_GOAL_STYLES[name]) if name in _GOAL_STYLES else name.replace("_", " ")
    return _("{style}, wording {number}", style=words, number=number) if number else words


def _part_name(part: str) -> str:
    name, _at, app = part.partition("@")
    title = _(_VARIATIONS[name]) if name in _VARIATIONS else name.replace("_", " ")
    return f"{title} " + _("on {app}", app=app) if app else title


def judge_chips(experiment: Experiment) -> list[ChipItem]:
    """The rules, which always judge, then the judges of the file in their order."""
    rules = ChipItem(RULES_JUDGE, _("rules"), _("The rules judge every episode"))
    others = [
        ChipItem(name, name, _("Move or remove the judge {name}", name=name)) for name in experiment.judges
    ]
    return [rules, *others]


def apps_of(loaded: LoadedExperiment) -> list[tuple[str, int]]:
    """The apps of the tasks with the number of their tasks, in the order of the first task."""
    counts: dict[str, int] = {}
    for task_id in loaded.experiment.tasks_run:
        task = loaded.scene.scope.tasks.get(task_id)
        app = (task.app or task.package) if task is not None else ""
        counts[app or _("no app")] = counts.get(app or _("no app"), 0) + 1
    return list(counts.items())


def size_text(loaded: LoadedExperiment) -> str:
    """The axes of the matrix, those with one value left out behind the conditions."""
    experiment = loaded.experiment
    kinds = loaded.scene.kinds
    modalities = max((len(modalities_of(experiment, entry, kinds)) for entry in experiment.agents), default=1)
    languages, seeds = len(experiment.languages), len(experiment.seeds)
    variations, repeats = len(experiment.variations), experiment.repeats
    styles = len(experiment.goal_styles)
    tasks = ngettext("{count} task", "{count} tasks", len(experiment.tasks_run))
    if experiment.starts is not None:
        count = sum(len(experiment.starts_of(task)) for task in experiment.tasks)
        tasks = ngettext("{count} start", "{count} starts", count)
    if experiment.offline is not None:
        count = sum(len(experiment.goldens_of(task)) for task in experiment.tasks)
        tasks = ngettext("{count} golden trajectory", "{count} golden trajectories", count)
    parts = [
        tasks,
        ngettext("{count} agent", "{count} agents", len(experiment.agents)),
        ngettext("{count} condition", "{count} conditions", len(experiment.conditions)),
    ]
    rare = (
        (modalities, ngettext("{count} modality", "{count} modalities", modalities)),
        (variations, ngettext("{count} variation", "{count} variations", variations)),
        (styles, ngettext("{count} goal style", "{count} goal styles", styles)),
        (languages, ngettext("{count} language", "{count} languages", languages)),
        (seeds, ngettext("{count} seed", "{count} seeds", seeds)),
        (repeats, ngettext("{count} repeat", "{count} repeats", repeats)),
    )
    return " \N{MULTIPLICATION SIGN} ".join([*parts, *(words for count, words in rare if count > 1)])


def workers_text(loaded: LoadedExperiment) -> str:
    """On how many phones a run is, or how many golden steps are asked at a time."""
    count = loaded.estimate.phones
    if loaded.experiment.offline is None:
        return ngettext("on {count} phone", "on {count} phones", count)
    return ngettext("{count} at a time", "{count} at a time", count)


def next_seed(seeds: Iterable[int]) -> int:
    """A seed that is not used yet."""
    return max(seeds, default=122) + 1
