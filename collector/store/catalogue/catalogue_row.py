"""What a list shows of a trajectory, as the catalogue keeps it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from collector.model.message import from_json

BETWEEN = "\n"


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """What a list shows of a trajectory. Texts are empty and numbers None when they are not known."""

    folder: str
    """Relative to the project, with forward slashes."""
    id: str
    task: str
    kind: str
    who: str
    status: str
    agent: str
    condition: str
    started: str
    duration_ms: int
    steps: int
    problems: int
    problem: str
    """The first problem, in a sentence."""
    experiment: str = ""
    cell: str = ""
    model: str = ""
    prompt: str = ""
    modality: str = ""
    buttons: int | None = None
    variation: str = ""
    language: str = ""
    goal_style: str = ""
    start: str = ""
    offline: str = ""
    seed: int | None = None
    repeat: int | None = None
    attempt: int | None = None
    outcome: str = ""
    """success, failure or uncompleted; empty for a golden and while nobody has judged."""
    reason: str = ""
    claimed: str = ""
    early_stop: bool = False
    infrastructure: str = ""
    stopped: bool = False
    """Whether people ended it, or the run it belongs to."""
    tokens: int | None = None
    """Input and output together."""
    cost: float | None = None
    currency: str = ""
    time_ms: int | None = None
    """What the answers of the agent took."""
    orders_seen: int | None = None
    """Orders to the agent that its variation planted and that a screen showed; None where it planted none."""
    misled: int | None = None
    """Those of the orders that the agent carried out."""
    anomalies: tuple[str, ...] = ()
    """Ids of the anomalies of the condition, and of those that were injected."""
    verdicts: tuple[tuple[str, str], ...] = ()
    """Verdict and judge, of each judge of the task the newest."""
    stale: tuple[str, ...] = ()
    """Parts of what made a run that were others when the project was last compared with it, as in
    :data:`collector.store.trajectory.fingerprint.PARTS`; UNKNOWN alone when nobody can say."""

    def as_dict(self) -> dict[str, object]:
        """The row for scripts."""
        values = asdict(self)
        verdicts = [{"judge": judge, "verdict": verdict} for verdict, judge in self.verdicts]
        lists = {"anomalies": list(self.anomalies), "stale": list(self.stale)}
        return {**values, **lists, "verdicts": verdicts}


@dataclass(frozen=True, slots=True)
class ReviewState:
    """How far the reviews of a trajectory are, as the catalogue keeps it."""

    status: str
    """Of the trajectory by all reviews; empty when nobody has begun."""
    reviews: tuple[tuple[str, str], ...]
    """Status and person of each review."""
    holds: tuple[tuple[str, str], ...]
    """Until when a person holds it, and who; also of holds that ended."""
    is_unsettled: bool
    is_disputed: bool
    labelled: tuple[str, ...] = ()
    """People who labelled its essential states."""

    def status_of(self, who: str) -> str:
        """The status of a person's review; empty when there is none."""
        return next((status for status, name in self.reviews if name == who), "")


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A trajectory that people review."""

    folder: str
    """Relative to the project, with forward slashes."""
    skips: tuple[tuple[str, str], ...]
    """When a person passed it over, and who."""
    state: ReviewState


STATE_COLUMNS = ("review", "reviews", "holds", "unsettled", "disputed", "labelled")
REVIEW_COLUMNS = ("folder", "skips", *STATE_COLUMNS)


def review_row(columns: tuple[Any, ...]) -> ReviewRow:
    """The row of REVIEW_COLUMNS."""
    folder, skips, *state = columns
    return ReviewRow(folder, _pairs(skips), review_state(tuple(state)))


@lru_cache(4096)  # of thousands of rows most have the same few reviews
def review_state(columns: tuple[Any, ...]) -> ReviewState:
    """The state of STATE_COLUMNS."""
    status, reviews, holds, unsettled, disputed, labelled = columns
    return ReviewState(
        status, _pairs(reviews), _pairs(holds), bool(unsettled), bool(disputed), tuple(items(labelled))
    )


@lru_cache(4096)  # of thousands of rows most have the same few reviews
def _pairs(column: str) -> tuple[tuple[str, str], ...]:
    """The texts before and behind the first ``=`` of each item."""
    parts = (entry.partition("=") for entry in items(column))
    return tuple((first, second) for first, _equals, second in parts)


_NAMES = tuple(field.name for field in fields(CatalogueRow))
_PROBLEM = _NAMES.index("problem")
_FLAGS = tuple(_NAMES.index(name) for name in ("early_stop", "stopped"))


def row_from_columns(columns: tuple[Any, ...]) -> CatalogueRow:
    """The row of the fields of :class:`CatalogueRow` in order, then the message of the problem."""
    *values, anomalies, verdicts, stale, message = columns
    values[_PROBLEM] = shown_problem(values[_PROBLEM], message)
    for flag in _FLAGS:
        values[flag] = bool(values[flag])
    lists = [tuple(items(anomalies)), _pairs(verdicts), tuple(items(stale))]
    return CatalogueRow(*values, *lists)


def listed(values: list[str]) -> str:
    """Texts as a column keeps them: each begins after a line break, which a search can ask for."""
    return "".join(f"{BETWEEN}{' '.join(value.split(BETWEEN))}" for value in values)


def items(column: str) -> list[str]:
    """The texts that :func:`listed` put into a column."""
    return column.split(BETWEEN)[1:]


def shown_problem(problem: str, message: str | None) -> str:
    """A problem of the catalogue in the language in use."""
    return str(from_json(problem, json.loads(message))) if message else problem
