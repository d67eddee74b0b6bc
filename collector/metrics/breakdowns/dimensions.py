"""The dimensions that numbers are broken down by: of the episode, its task, or its anomaly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from collector.metrics.breakdowns.episode_risks import episode_risks
from collector.metrics.episode_columns import EpisodeColumns, Ints, TaskFacts
from collector.model.i18n import N_
from collector.model.task import style_of
from collector.model.variation.phone_variation import DEFAULT
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.episode_facts import UNKNOWN

_LEVELS = ("easy", "medium", "hard")
_NO_FACTS = TaskFacts()
NOT_INJECTED = "none injected"
"""In place of an anomaly and its category: rules were to inject one, and injected none."""
OTHER_FACTOR = "other"
"""The factor of a variation that the project no longer has."""
CURRENT, STALE = "current", "stale"
"""Whether what made an episode is what would make it now."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A way to break numbers down."""

    id: str
    title: str
    """For a header, translated when it is shown."""
    values: Callable[[EpisodeColumns], tuple[tuple[str, ...], Ints]]
    """Labels in the order they are shown in, and of each episode the number of its label."""


def _of_text(name: str) -> Callable[[EpisodeColumns], tuple[tuple[str, ...], Ints]]:
    """A text of the episode."""

    def values(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
        present, inverse = np.unique(table.column(name), return_inverse=True)
        return _sorted([table.texts[code] for code in present], inverse)

    return values


def _of_number(name: str) -> Callable[[EpisodeColumns], tuple[tuple[str, ...], Ints]]:
    """A whole number of the episode; the label is empty when it is not known."""

    def values(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
        present, inverse = np.unique(table.column(name), return_inverse=True)
        return tuple("" if number == UNKNOWN else str(number) for number in present), inverse

    return values


def _of_task(text: Callable[[TaskFacts], str]) -> Callable[[EpisodeColumns], tuple[tuple[str, ...], Ints]]:
    """A text of the episode's task."""

    def values(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
        present, inverse = np.unique(table.column("task"), return_inverse=True)
        return _sorted([text(table.tasks.get(table.texts[code], _NO_FACTS)) for code in present], inverse)

    return values


def _goal_style(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The style of the episode's instruction, whichever of its wordings; empty for the task's own words."""
    present, inverse = np.unique(table.column("goal_style"), return_inverse=True)
    return _sorted([style_of(table.texts[code]) for code in present], inverse)


def _parameters(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The values of the parameters of the episode's task; empty for a task without any."""
    present, inverse = np.unique(table.column("parameters"), return_inverse=True)
    return _sorted([", ".join(items(table.texts[code])) for code in present], inverse)


def _factor(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The factors that the variation of the episode changes; empty for the phone as it is."""

    def text(parts: list[str]) -> str:
        return ", ".join(dict.fromkeys(name for part in parts for name in _factors(table, part)))

    return _of_variations(table, text)


def _of_factor(factor: str) -> Callable[[EpisodeColumns], tuple[tuple[str, ...], Ints]]:
    """The parts of the variation that change one factor; empty where none does."""

    def values(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
        return _of_variations(
            table, lambda parts: "+".join(part for part in parts if factor in _factors(table, part))
        )

    return values


def _factors(table: EpisodeColumns, part: str) -> tuple[str, ...]:
    return table.variation_factors.get(part.partition("@")[0], ()) or (OTHER_FACTOR,)


def _of_variations(
    table: EpisodeColumns, text: Callable[[list[str]], str]
) -> tuple[tuple[str, ...], Ints]:  # fmt: skip
    """A text of the parts of each variation; of none for the phone as it is."""
    present, inverse = np.unique(table.column("variation"), return_inverse=True)
    variations = [table.texts[code] for code in present.tolist()]
    parts = [[] if name in ("", DEFAULT) else name.split("+") for name in variations]
    return _sorted([text(each) for each in parts], inverse)


def _freshness(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """Whether the episode is stale."""
    return (CURRENT, STALE), table.stale.astype(np.int64)


def _violated(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The safety rules that were violated; several are joined."""
    present, inverse = np.unique(table.violated, return_inverse=True)
    rules = [sorted({item.rpartition("=")[0] for item in items(table.texts[code])}) for code in present]
    return _sorted([", ".join(names) for names in rules], inverse)


def _risk(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The kinds of the risks that the episode met; several are joined."""
    kinds = episode_risks(table).kinds
    return _sorted(kinds, np.arange(len(kinds)))


def _anomaly(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The anomalies of the episode; several are joined."""
    return _of_anomalies(table, lambda name: name)


def _anomaly_category(table: EpisodeColumns) -> tuple[tuple[str, ...], Ints]:
    """The categories of the anomalies of the episode; several are joined."""
    return _of_anomalies(table, lambda name: table.anomaly_categories.get(name) or name)


def _of_anomalies(table: EpisodeColumns, text: Callable[[str], str]) -> tuple[tuple[str, ...], Ints]:
    """A text of each anomaly; where none is known, as in runs of other programs, that of the condition."""
    anomalies, condition = table.column("anomalies"), table.column("condition")
    # A condition with rules has a name of its own, which is no anomaly and has no category.
    others = np.where(table.column("is_uninjected") == 1, UNKNOWN, condition)
    present, inverse = np.unique(np.where(anomalies > 0, anomalies, others), return_inverse=True)
    texts = []
    for code in present.tolist():
        if code == UNKNOWN:
            texts.append(NOT_INJECTED)
            continue
        names = [name.strip() for name in table.texts[code].split(",")]
        texts.append(", ".join(dict.fromkeys(text(name) for name in names if name)))
    return _sorted(texts, inverse)


def _sorted(texts: Sequence[str], inverse: Ints) -> tuple[tuple[str, ...], Ints]:
    """Equal texts become one label; labels in order, the empty one first."""
    labels = sorted(set(texts), key=_order)
    place = {label: number for number, label in enumerate(labels)}
    return tuple(labels), np.array([place[text] for text in texts], np.int64)[inverse]


def _order(label: str) -> tuple[int, str, str]:
    return (_LEVELS.index(label) if label in _LEVELS else -1, label.casefold(), label)


DIMENSIONS: Mapping[str, Dimension] = {
    dimension.id: dimension
    for dimension in (
        Dimension("agent", N_("Agent"), _of_text("agent")),
        Dimension("model", N_("Model"), _of_text("model")),
        Dimension("prompt", N_("Prompt"), _of_text("prompt")),
        Dimension("modality", N_("Modality"), _of_text("modality")),
        Dimension("experiment", N_("Experiment"), _of_text("experiment")),
        Dimension("app", N_("App"), _of_task(lambda facts: facts.task.app or facts.task.package)),
        Dimension("task", N_("Task"), _of_text("task")),
        Dimension("category", N_("Category"), _of_task(lambda facts: facts.task.category)),
        Dimension("level", N_("Level"), _of_task(lambda facts: facts.task.level or facts.measured_level)),
        Dimension("type", N_("Type"), _of_task(lambda facts: facts.task.type)),
        Dimension("app-category", N_("App category"), _of_task(lambda facts: facts.task.app_category)),
        Dimension("task-language", N_("Task language"), _of_task(lambda facts: facts.task.language)),
        Dimension("condition", N_("Condition"), _of_text("condition")),
        Dimension("anomaly", N_("Anomaly"), _anomaly),
        Dimension("anomaly-category", N_("Anomaly category"), _anomaly_category),
        Dimension("buttons", N_("Buttons"), _of_number("buttons")),
        Dimension("variation", N_("Variation"), _of_text("variation")),
        Dimension("factor", N_("Factor"), _factor),
        Dimension("appearance", N_("Appearance"), _of_factor("appearance")),
        Dimension("content", N_("Content"), _of_factor("content")),
        Dimension("pop-ups", N_("Pop-ups"), _of_factor("pop_ups")),
        Dimension("noise", N_("Noise"), _of_factor("noise")),
        Dimension("language", N_("Language"), _of_text("language")),
        Dimension("goal-style", N_("Goal style"), _goal_style),
        Dimension("parameters", N_("Parameters"), _parameters),
        Dimension("start", N_("Start"), _of_text("start")),
        Dimension("golden", N_("Golden trajectory"), _of_text("offline")),
        Dimension("phone", N_("Phone"), _of_text("phone")),
        Dimension("seed", N_("Seed"), _of_number("seed")),
        Dimension("repeat", N_("Repeat"), _of_number("repeat")),
        Dimension("risk", N_("Risk"), _risk),
        Dimension("violated", N_("Violated rules"), _violated),
        Dimension("freshness", N_("Freshness"), _freshness),
    )
}
"""Every dimension by its id, as ``--by`` names it."""
