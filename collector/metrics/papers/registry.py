"""The views of a project's numbers laid out as the tables of a paper, by the id that ``--view`` names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.judges import judge_tables
from collector.metrics.papers.a3 import a3_tables
from collector.metrics.papers.dgara import dgara_tables
from collector.metrics.papers.openapps import openapps_tables
from collector.metrics.papers.probench import probench_tables
from collector.metrics.report import ReportTable
from collector.store.project import Project

VIEWS: Mapping[str, Callable[[EpisodeColumns], tuple[ReportTable, ...]]] = {
    "dgara": dgara_tables, "probench": probench_tables, "a3": a3_tables, "openapps": openapps_tables,
}  # fmt: skip
VIEW_TITLES: Mapping[str, str] = {
    "dgara": "D-GARA", "probench": "ProBench", "a3": "A3", "openapps": "OpenApps",
}  # fmt: skip
"""The name of each paper, which no language translates."""


def tables_of_view(
    view: str, project: Project, table: EpisodeColumns, judges: Sequence[str],
    table_of: Callable[[str], EpisodeColumns],
) -> tuple[ReportTable, ...]:  # fmt: skip
    """All tables of a view; A3's has those about the judges too.

    ``judges`` are those of the project, and ``table_of`` gives the same episodes as one of them sees them.
    """
    own = VIEWS[view](table)
    return (*own, *judge_tables(project, judges, table_of)) if view == "a3" else own
