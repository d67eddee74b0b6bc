"""A project's numbers as the tables of a paper, those that need more than its episodes included."""

from __future__ import annotations

import contextlib

from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.judge_studies.studies import judge_tables
from collector.metrics.papers.registry import VIEWS
from collector.metrics.report import ReportTable
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

_WITH_JUDGES = "a3"


def tables_of_view(
    view: str, project: Project, table: EpisodeColumns, catalogue: Catalogue | None = None
) -> tuple[ReportTable, ...]:
    """All tables of a view of the selected episodes of ``table``; A3 also compares the project's judges.

    Reads the catalogue, and the votes of the judges for A3. Raises StoreError.
    """
    own = VIEWS[view](table)
    if view != _WITH_JUDGES:
        return own
    with contextlib.ExitStack() as opened:
        if catalogue is None:
            catalogue = opened.enter_context(Catalogue(project))
            catalogue.refresh()
        return (*own, *judge_tables(project, catalogue, table.keys[table.selected].tolist()))
