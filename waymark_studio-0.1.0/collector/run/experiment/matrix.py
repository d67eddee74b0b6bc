"""The cells of an experiment, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from collector.agents.agent import MODALITIES
from collector.agents.kinds import AgentKind
from collector.run.experiment.model import AgentEntry, Cell, Experiment


def modalities_of(
    experiment: Experiment, entry: AgentEntry, kinds: Mapping[str, AgentKind]
) -> tuple[str, ...]:  # fmt: skip
    """The modalities an agent is run with: its own, else the experiment's, as far as its kind can have them.

    Without either it is the usual one of the kind. A kind that is not installed can have all.
    """
    kind = kinds.get(entry.kind)
    possible = kind.modalities if kind is not None else MODALITIES
    asked = entry.modalities or experiment.modalities
    return tuple(modality for modality in asked if modality in possible) if asked else possible[:1]


def cells(experiment: Experiment, kinds: Mapping[str, AgentKind]) -> Iterator[Cell]:
    """All cells: by task, agent, condition, modality, variation, language, seed and repeat, in that order."""
    repeats = range(experiment.repeats)
    for task in experiment.tasks:
        for entry in experiment.agents:
            axes = product(
                experiment.conditions, modalities_of(experiment, entry, kinds), experiment.variations,
                experiment.languages, experiment.seeds, repeats,
            )  # fmt: skip
            for condition, modality, variation, language, seed, repeat in axes:
                yield Cell(task, entry.id, condition.id, modality, variation, language, seed, repeat)


def cell_count(experiment: Experiment, kinds: Mapping[str, AgentKind]) -> int:
    """How many cells there are, without making them."""
    modalities = sum(len(modalities_of(experiment, entry, kinds)) for entry in experiment.agents)
    return (
        len(experiment.tasks)
        * modalities
        * len(experiment.conditions)
        * len(experiment.variations)
        * len(experiment.languages)
        * len(experiment.seeds)
        * experiment.repeats
    )
