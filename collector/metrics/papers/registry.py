"""The papers whose tables a project's numbers can be laid out as, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.papers.a3 import a3_tables
from collector.metrics.papers.dgara import dgara_tables
from collector.metrics.papers.openapps import openapps_tables
from collector.metrics.papers.probench import probench_tables
from collector.metrics.report import ReportTable

PAPERS: Mapping[str, Callable[[EpisodeColumns], tuple[ReportTable, ...]]] = {
    "dgara": dgara_tables, "probench": probench_tables, "a3": a3_tables, "openapps": openapps_tables,
}  # fmt: skip
PAPER_TITLES: Mapping[str, str] = {
    "dgara": "D-GARA", "probench": "ProBench", "a3": "A3", "openapps": "OpenApps",
}  # fmt: skip
"""The name of each paper, which no language translates."""
