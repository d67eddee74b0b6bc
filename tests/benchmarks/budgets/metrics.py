"""Numbers of 100,000 episodes: first table, another pivot, comparison, memory; beside the same in pandas."""

from __future__ import annotations

import itertools
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import report_of
from collector.metrics.statistics.bootstrap import RESAMPLES
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from tests.benchmarks.budgets.table import Budget, Row, paired, timed
from tests.helpers.episode_table import compare_with_baselines
from tests.helpers.many_episodes import EPISODES, catalogue_of_episodes

_MEASURES = ("sr", "uncompleted", "early-stop", "met", "rsr", "esar")
_FIRST = ("agent", "condition")
_OTHERS = (("agent", "variation"), ("task",), ("agent", "app", "condition"), ("seed",))
_UNIT = ["task", "agent", "variation", "seed", "repeat"]
_LOADS = 10
_GROWTH_MB = 8


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name, catalogue_of_episodes(Path(name) / "p") as catalogue:
        project = Project.open(Path(name) / "p")
        plain = _plain_database(Path(name) / "plain.db", load_episodes(project, catalogue=catalogue))
        yield from _tables(project, catalogue, plain)
        if sys.platform == "linux":
            yield _memory(project, catalogue)


def _tables(project: Project, catalogue: Catalogue, plain: Path) -> Iterator[Row]:
    def first() -> None:
        report_of(_pivot(load_episodes(project, catalogue=catalogue), _FIRST))

    def first_in_pandas() -> None:
        _pandas_table(_read_plain(plain), _FIRST)

    ours, theirs = paired(first, first_in_pandas, 8, clock=time.process_time)
    what = f"of {EPISODES:,} episodes, {len(_MEASURES)} measures"
    yield Row(f"load and first table {what}", ours, Budget("median", 500), "pandas, from SQLite", theirs)

    table, frame = load_episodes(project, catalogue=catalogue), _read_plain(plain)
    _require_equal(_pivot(table, _FIRST), _pandas_table(frame, _FIRST))
    by, by_in_pandas = itertools.cycle(_OTHERS), itertools.cycle(_OTHERS)

    def other() -> None:
        # As after a filter: nothing that was computed for other rows is at hand but the pairs.
        report_of(_pivot(table.where(table.selected.copy()), next(by)))

    ours, theirs = paired(
        other, lambda: _pandas_table(frame, next(by_in_pandas)), 24, clock=time.process_time
    )
    yield Row(f"another pivot {what}", ours, Budget("median", 200), "pandas, in memory", theirs)
    yield _comparison(table)


def _comparison(table: EpisodeColumns) -> Row:
    def comparison() -> None:
        # As after a filter. The copy keeps what does not depend on the selection, as in the window.
        compare_with_baselines(table.where(table.selected.copy()), by=[DIMENSIONS["app"]])

    what = f"paired comparison of {EPISODES:,} episodes by app, {RESAMPLES:,} resamples by task each"
    return Row(what, timed(comparison, 8, clock=time.process_time), Budget("median", 500))


def _pivot(table: EpisodeColumns, by: Sequence[str]) -> Pivot:
    return pivot(table, [DIMENSIONS[name] for name in by], [MEASURES[name] for name in _MEASURES])


def _memory(project: Project, catalogue: Catalogue) -> Row:
    """What stays after many loads and pivots; the first one fills caches and is not counted."""

    def work() -> None:
        table = load_episodes(project, catalogue=catalogue)
        for by in (_FIRST, *_OTHERS):
            report_of(_pivot(table, by))

    work()
    before = _resident_mb()
    for _load in range(_LOADS):
        work()
    growth = max(0.0, _resident_mb() - before)
    what = f"memory that {_LOADS} loads of {EPISODES:,} episodes leave behind"
    return Row(what, [growth], Budget("max", _GROWTH_MB, unit="MB"), unit="MB")


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


# -- the same in pandas ------------------------------------------------------------
def _plain_database(path: Path, table: EpisodeColumns) -> Path:
    """The episodes as plain columns, which pandas reads directly."""
    texts = np.array(table.texts, object)
    columns: dict[str, object] = {
        name: texts[table.column(name)] for name in ("task", "agent", "condition", "variation")
    }
    columns |= {name: table.column(name) for name in ("seed", "repeat", "is_fault", "is_early_stop", "met")}
    columns["app"] = [table.tasks[task].task.app for task in texts[table.column("task")]]
    columns["outcome"] = texts[table.verdicts.status]
    columns |= {"reached": table.verdicts.reached, "judged": table.verdicts.judged}
    columns["started_ms"] = table.column("started_ms")
    with closing(sqlite3.connect(path)) as database, database:
        pd.DataFrame(columns).to_sql("episodes", database, index=False)
    return path


def _read_plain(path: Path) -> pd.DataFrame:
    with closing(sqlite3.connect(path)) as database:
        return pd.read_sql_query("SELECT * FROM episodes", database)


def _pandas_table(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Six measures by group, as a person who knows pandas writes them."""
    ended = frame[frame.is_fault == 0]
    counted = ended.assign(
        success=ended.outcome == "success", uncompleted=ended.outcome == "uncompleted",
        interrupted=(ended.condition != "") | (ended.met > 0),
    )  # fmt: skip
    baselines = counted[~counted.interrupted].sort_values("started_ms").drop_duplicates(_UNIT, keep="last")
    pairs = counted[counted.interrupted].merge(
        baselines[[*_UNIT, "success"]], on=_UNIT, suffixes=("", "_baseline")
    )
    held = pairs[pairs.success_baseline]
    groups, keys = counted.groupby(list(by)), list(by)
    states = ended.groupby(keys)[["reached", "judged"]].sum()
    failed, interrupted = counted[~counted.success], counted[counted.interrupted]
    return pd.DataFrame(
        {
            "sr": groups.success.mean(),
            "uncompleted": failed.groupby(keys).uncompleted.mean(),
            "early-stop": failed[failed.uncompleted].groupby(keys).is_early_stop.mean(),
            "met": interrupted.assign(seen=interrupted.met > 0).groupby(keys).seen.mean(),
            "rsr": held.groupby(keys).success.mean(),
            "esar": states.reached / states.judged,
        }
    )


def _require_equal(ours: Pivot, theirs: pd.DataFrame) -> None:
    """Both count the same, or the comparison of times means nothing."""
    for row, labels in enumerate(ours.groups.labels):
        for column, name in enumerate(_MEASURES):
            value, other = ours.cell(row, column).value, theirs.loc[labels, name]
            if (value is None) != bool(np.isnan(other)) or (value is not None and abs(value - other) > 1e-12):
                raise AssertionError(f"{labels} {name}: {value} and {other}")
