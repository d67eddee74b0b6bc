"""What one judge says of every episode: from the records of the catalogue, by unique values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from collector.judge.registry import RULES_JUDGE
from collector.metrics.episode_columns import RECORDED, VERDICT_RECORD, Ints, TaskFacts, Verdicts, numbered
from collector.metrics.needed_states import count_states, verdict_by_labels
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.model.verdicts.voted_subject import PEOPLE
from collector.store.catalogue.catalogue_row import items, listed
from collector.store.catalogue.facts_table import CatalogueFacts

_NO_TASK = TaskFacts()


class _Loaded:
    """The verdicts of one judge in the order of the episodes; zeros where it gave none."""

    def __init__(self, facts: CatalogueFacts, judge: str, keys: Ints) -> None:
        judged, data = facts.verdicts(judge)
        self.records: NDArray[Any] = np.zeros(len(keys), VERDICT_RECORD)
        if judged:
            self.records[np.searchsorted(keys, judged)] = np.frombuffer(data, VERDICT_RECORD)


def read_verdicts(
    facts: CatalogueFacts, judge: str, keys: Ints, episodes: NDArray[Any], texts: list[str],
    tasks: Mapping[str, TaskFacts],
) -> Verdicts:  # fmt: skip
    """The verdicts of ``judge``; ``texts`` gets the words of verdicts that it lacks.

    The recorded outcomes are completed by what people say, and their states are those of the judge
    ``rules``, then of people. Another judge's failure of an episode that was recorded as uncompleted is that.
    """
    codes = _codes_of_verdicts(texts)
    names = (RULES_JUDGE, PEOPLE) if judge == RECORDED else (judge,)
    by = [_Loaded(facts, name, keys).records for name in names]
    own = by[-1]
    by_rules = by[0] if names[0] == RULES_JUDGE else _Loaded(facts, RULES_JUDGE, keys).records
    reached, judged = _states(episodes, by, texts, tasks)
    status = own["verdict"].copy()
    by_labels = np.flatnonzero(own["is_by_labels"] == 1)
    if len(by_labels):
        status[by_labels] = _status_by_labels(episodes[by_labels], own[by_labels], texts, tasks, codes)
    recorded = episodes["outcome"]
    if judge == RECORDED:
        status = np.where(recorded > 0, recorded, status)
    else:
        kept = (status == codes[FAILURE]) & (recorded == codes[UNCOMPLETED])
        status = np.where(kept, codes[UNCOMPLETED], status)
    return Verdicts(
        judge, status, reached, judged, _steps(by, texts), own, by_rules,
        are_of_rules=judge in (RECORDED, RULES_JUDGE),
    )  # fmt: skip


def _codes_of_verdicts(texts: list[str]) -> dict[str, int]:
    codes = {}
    for word in (SUCCESS, FAILURE, UNCOMPLETED):
        if word not in texts:
            texts.append(word)
        codes[word] = texts.index(word)
    return codes


def _states(
    episodes: NDArray[Any], by: list[NDArray[Any]], texts: list[str], tasks: Mapping[str, TaskFacts]
) -> tuple[Ints, Ints]:
    """Of each episode the needed states that were reached, and that were judged."""

    def count(row: list[int]) -> tuple[int, int]:
        task = tasks.get(texts[row[0]], _NO_TASK)
        lists = [items(texts[code]) for code in row[1:]]
        return count_states(task.needed, list(zip(lists[::2], lists[1::2], strict=True)))

    columns = [episodes["task"], *(records[name] for records in by for name in ("reached", "missed"))]
    counts = _by_unique(columns, count)
    return counts[:, 0], counts[:, 1]


def _status_by_labels(
    episodes: NDArray[Any], own: NDArray[Any], texts: list[str], tasks: Mapping[str, TaskFacts],
    codes: Mapping[str, int],
) -> Ints:  # fmt: skip
    """The verdict that follows from a person's labels of essential states; 0 while a state has none."""

    def status(row: list[int]) -> tuple[int]:
        needed = tasks.get(texts[row[0]], _NO_TASK).needed
        reached, missed = items(texts[row[1]]), items(texts[row[2]])
        verdict = verdict_by_labels(needed, reached, missed, is_claimed=bool(texts[row[3]]))
        return (codes[verdict] if verdict else 0,)

    return _by_unique([episodes["task"], own["reached"], own["missed"], episodes["claimed"]], status)[:, 0]


def _steps(by: list[NDArray[Any]], texts: list[str]) -> Ints:
    """Codes of the steps at which states were reached; of a state that two judges saw, the first's."""
    if len(by) == 1:
        return by[0]["steps"]

    def merged(row: list[int]) -> tuple[int]:
        if 0 in row or row[0] == row[1]:
            return (max(row),)
        first, second = (dict(item.rpartition("=")[::2] for item in items(texts[code])) for code in row)
        texts.append(listed([f"{state}={step}" for state, step in {**second, **first}.items()]))
        return (len(texts) - 1,)

    return _by_unique([records["steps"] for records in by], merged)[:, 0]


def _by_unique(columns: list[NDArray[Any]], compute: Callable[[list[int]], tuple[int, ...]]) -> Ints:
    """Compute once for each different row of ``columns``; the results of all rows."""
    count = len(columns[0])
    if not count:
        return np.zeros((0, 2), np.int64)
    _unique, first, inverse = np.unique(numbered(columns, count), return_index=True, return_inverse=True)
    rows = zip(*(column[first].tolist() for column in columns), strict=True)
    return np.array([compute(list(row)) for row in rows], np.int64)[inverse]
