"""The cells of an experiment, in the fixed order of the matrix, and in the one in which they are run."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from collector.agents.agent import MODALITIES
from collector.agents.kinds import AgentKind
from collector.run.experiment.model import AgentEntry, Cell, Experiment

_Value = TypeVar("_Value", bound=Hashable)


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
    """All cells: by task, agent, condition, modality, variation, language, goal style, start, golden
    trajectory, seed and repeat.
    """
    repeats = range(experiment.repeats)
    for task in experiment.tasks:
        for entry in experiment.agents:
            axes = product(
                experiment.conditions, modalities_of(experiment, entry, kinds), experiment.variations,
                experiment.languages, experiment.goal_styles, experiment.starts_of(task),
                experiment.goldens_of(task), experiment.seeds, repeats,
            )  # fmt: skip
            for condition, modality, variation, language, style, start, golden, seed, repeat in axes:
                yield Cell(
                    task, entry.id, condition.id, modality, variation, language, seed, repeat, style, start,
                    golden,
                )  # fmt: skip


def cell_count(experiment: Experiment, kinds: Mapping[str, AgentKind]) -> int:
    """How many cells there are, without making them."""
    modalities = sum(len(modalities_of(experiment, entry, kinds)) for entry in experiment.agents)
    return (
        sum(len(experiment.starts_of(task)) * len(experiment.goldens_of(task)) for task in experiment.tasks)
        * modalities
        * len(experiment.conditions)
        * len(experiment.variations)
        * len(experiment.languages)
        * len(experiment.goal_styles)
        * len(experiment.seeds)
        * experiment.repeats
    )


def in_run_order(matrix: Sequence[Cell]) -> list[Cell]:
    """The cells of a matrix in the order in which they are run: the same each time.

    Results are to be compared early. So every agent does a task before the next task is begun, tasks that
    follow each other lie far apart in the list, and only when all agents did all tasks under the first
    condition comes the next condition; modality, variation, language, goal style, start or golden trajectory,
    seed and repeat change after those.
    """
    place = {cell: number for number, cell in enumerate(matrix)}
    tasks = spread(list(dict.fromkeys(cell.task for cell in matrix)))
    task_place = {task: number for number, task in enumerate(tasks)}
    conditions = _places(cell.condition for cell in matrix)
    variations = _places(cell.variation for cell in matrix)
    languages = _places(cell.language for cell in matrix)
    styles = _places(cell.goal_style for cell in matrix)
    starts: dict[str, dict[tuple[str, str], int]] = {}
    for cell in matrix:
        of_task = starts.setdefault(cell.task, {})
        of_task.setdefault((cell.start, cell.offline), len(of_task))
    seeds = _places(cell.seed for cell in matrix)
    modalities = _places((cell.agent, cell.modality) for cell in matrix)
    first_modality: dict[str, int] = {}
    for (agent, _modality), number in modalities.items():
        first_modality.setdefault(agent, number)

    def key(cell: Cell) -> tuple[int, ...]:
        # Agents that see different things are compared too: each begins with its own first modality.
        modality = modalities[cell.agent, cell.modality] - first_modality[cell.agent]
        return (
            cell.repeat, seeds[cell.seed], starts[cell.task][cell.start, cell.offline],
            styles[cell.goal_style], languages[cell.language], variations[cell.variation], modality,
            conditions[cell.condition], task_place[cell.task], place[cell],
        )  # fmt: skip

    return sorted(matrix, key=key)


def spread(values: Sequence[_Value]) -> list[_Value]:
    """The values in an order whose every beginning is spread over the whole list: 1, 5, 3, 7, 2, ... of 8."""
    bits = max(0, len(values) - 1).bit_length()
    numbers = (int(f"{number:0{bits}b}"[::-1], 2) if bits else 0 for number in range(1 << bits))
    return [values[number] for number in numbers if number < len(values)]


def _places(values: Iterable[_Value]) -> dict[_Value, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(values))}
