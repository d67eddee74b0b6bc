"""How many golden steps agents answer right offline, by agent, action, app, length and step.

The measures of the table of metrics count whole episodes; these numbers count every step by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.verdicts.answer_match import AnswerMatch, match_of
from collector.model.verdicts.judgement import RIGHT, UNDECIDED
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements

_LENGTHS = (5, 10, 15, 20)
"""The longest golden trajectory of each group, in steps; longer ones are a group of their own."""


@dataclass(frozen=True, slots=True)
class AnsweredStep:
    """One answer, and the episode it is of."""

    row: CatalogueRow
    task: Task | None
    match: AnswerMatch


@dataclass(frozen=True, slots=True)
class StepDimension:
    """What steps are grouped by."""

    title: str
    """For a header, translated when it is shown."""
    value: Callable[[AnsweredStep], str]


def _app(step: AnsweredStep) -> str:
    return (step.task.app or step.task.package) if step.task is not None else ""


def _length(step: AnsweredStep) -> str:
    """A group of lengths, as in ``6-10``."""
    low = 1
    for high in _LENGTHS:
        if step.match.count <= high:
            return f"{low}-{high}"
        low = high + 1
    return f"{low}+"


STEP_DIMENSIONS: Mapping[str, StepDimension] = {
    "agent": StepDimension(N_("Agent"), lambda step: step.row.agent),
    "model": StepDimension(N_("Model"), lambda step: step.row.model),
    "modality": StepDimension(N_("Modality"), lambda step: step.row.modality),
    "action": StepDimension(N_("Action"), lambda step: str(step.match.action.get("kind", ""))),
    "app": StepDimension(N_("App"), _app),
    "length": StepDimension(N_("Length"), _length),
    "step": StepDimension(N_("Step"), lambda step: str(step.match.number)),
    "task": StepDimension(N_("Task"), lambda step: step.row.task),
    "golden": StepDimension(N_("Golden trajectory"), lambda step: step.match.golden),
    "why": StepDimension(N_("Why"), lambda step: step.match.how),
}
"""By the word that ``--by`` names."""


@dataclass(slots=True)
class StepCounts:
    """The answers of one group. Shares are None where nothing was counted."""

    key: tuple[str, ...]
    """Its value of each dimension."""
    steps: int = 0
    """Answers that were compared."""
    right: int = 0
    exact: int = 0
    same_type: int = 0
    touches: int = 0
    """Touches that answered a touch."""
    right_touches: int = 0
    hidden: int = 0
    """Answers of which nobody can say whether they are right, because a text is hidden; not in ``steps``."""

    def add(self, match: AnswerMatch) -> None:
        """Count one answer."""
        if match.verdict == UNDECIDED:
            self.hidden += 1
            return
        self.steps += 1
        self.right += match.verdict == RIGHT
        self.exact += match.is_exact
        self.same_type += match.same_type
        self.touches += match.same_element is not None
        self.right_touches += match.same_element is True

    @property
    def step_accuracy(self) -> float | None:
        return _share(self.right, self.steps)

    @property
    def exact_match(self) -> float | None:
        return _share(self.exact, self.steps)

    @property
    def type_match(self) -> float | None:
        return _share(self.same_type, self.steps)

    @property
    def grounding(self) -> float | None:
        return _share(self.right_touches, self.touches)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the step accuracy, 95 % by Wilson."""
        if not self.steps:
            return None
        import numpy as np  # here: the window lists dimensions before it counts anything

        from collector.metrics.statistics.intervals import wilson_intervals

        low, high = wilson_intervals(np.array([self.right]), np.array([self.steps]))
        return float(low[0]), float(high[0])


@dataclass(frozen=True, slots=True)
class StepAccuracy:
    """The groups of a table, and what their answers took."""

    by: tuple[str, ...]
    groups: tuple[StepCounts, ...]
    episodes: int = 0
    input_tokens: int = 0
    cost: float = 0.0
    currency: str = ""
    problems: tuple[str, ...] = field(default=())
    """A sentence for each episode whose verdicts cannot be read."""


def step_accuracy(
    project: Project, by: Sequence[str] = ("agent",), query: str = "", catalogue: Catalogue | None = None
) -> StepAccuracy:
    """Count the answers of all finished offline episodes that fit ``query``, grouped by dimensions.

    ``catalogue`` is one that is open and up to date. Raises QueryError, StoreError, and UserError for a
    dimension that there is not.
    """
    dimensions = [_dimension(name) for name in by]
    problems: list[str] = []
    rows = _rows(project, query, catalogue)
    groups: dict[tuple[str, ...], StepCounts] = {}
    for step in _answered(project, rows, problems):
        key = tuple(dimension.value(step) for dimension in dimensions)
        groups.setdefault(key, StepCounts(key)).add(step.match)
    ordered = sorted(groups.values(), key=lambda group: [_order(value) for value in group.key])
    return StepAccuracy(
        tuple(by), tuple(ordered), len(rows), sum(row.tokens or 0 for row in rows),
        sum(row.cost or 0.0 for row in rows), next((row.currency for row in rows if row.currency), ""),
        tuple(problems),
    )  # fmt: skip


def as_values(accuracy: StepAccuracy) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "by": list(accuracy.by), "episodes": accuracy.episodes, "tokens": accuracy.input_tokens,
        "cost": accuracy.cost, "currency": accuracy.currency, "problems": list(accuracy.problems),
        "groups": [
            {
                **dict(zip(accuracy.by, group.key, strict=True)),
                "steps": group.steps, "right": group.right, "step_accuracy": group.step_accuracy,
                "interval": list(group.interval) if group.interval is not None else None,
                "exact": group.exact, "exact_match": group.exact_match,
                "same_type": group.same_type, "type_match": group.type_match,
                "touches": group.touches, "right_touches": group.right_touches,
                "grounding": group.grounding, "hidden": group.hidden,
            }
            for group in accuracy.groups
        ],
    }  # fmt: skip


def _dimension(name: str) -> StepDimension:
    dimension = STEP_DIMENSIONS.get(name)
    if dimension is None:
        raise UserError(
            _("Steps are not grouped by {name}", name=name), "",
            _("Use one of: {known}", known=", ".join(STEP_DIMENSIONS)),
        )  # fmt: skip
    return dimension


def _rows(project: Project, query: str, catalogue: Catalogue | None) -> list[CatalogueRow]:
    words = f"offline:any infrastructure:no {query}"
    if catalogue is not None:
        return catalogue.find(words)
    with Catalogue(project) as opened:
        opened.refresh()
        return opened.find(words)


def _answered(
    project: Project, rows: Iterable[CatalogueRow], problems: list[str]
) -> Iterator[AnsweredStep]:  # fmt: skip
    tasks = {task.id: task for task in project.tasks}
    for row in rows:
        stored = read_judgements(project.folder / row.folder)
        problems += [f"{row.id}: {problem}" for problem in stored.problems]
        for judgement in stored.newest().values():
            if (match := match_of(judgement)) is not None:
                yield AnsweredStep(row, tasks.get(row.task), match)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _order(value: str) -> tuple[int, str]:
    """Numbers, and groups that begin with one, by their size, before words."""
    digits = value.partition("-")[0].removesuffix("+")
    return (int(digits), "") if digits.isdecimal() and len(digits) < 9 else (1 << 30, value.casefold())
