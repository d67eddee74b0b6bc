"""The cells of an experiment, in a fixed order, and the digest of what an episode of a cell is run with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import product

from collector.agents.agent import MODALITIES
from collector.agents.kinds import AgentKind
from collector.run.experiment.model import AgentEntry, Cell, Experiment

_DIGEST_LENGTH = 16


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


def cell_digest(experiment: Experiment, cell: Cell) -> str:
    """A digest of the settings that an episode of a cell depends on, apart from the cell's own names.

    Two episodes of a cell with the same digest were run under the same settings.
    """
    entry, condition = experiment.agent(cell.agent), experiment.condition(cell.condition)
    settings = {
        "kind": entry.kind,
        "options": dict(entry.options),
        "condition": {
            key: value for key, value in asdict(condition).items() if key not in ("id", "category")
        },
        "budget": experiment.budget,
        "early_stop": experiment.early_stop,
        "semantics": experiment.semantics,
        "ends": experiment.ends,
        "reset": experiment.reset,
        "size": str(experiment.phones.size or ""),
        "density": experiment.phones.density,
    }
    text = json.dumps(settings, sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
